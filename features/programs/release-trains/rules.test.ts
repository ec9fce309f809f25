import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import type { Check } from '#features/programs/program-versions/rules.ts'
import { VERSION_REFUSALS } from '#features/programs/program-versions/rules.ts'
import {
  auditsFree,
  BARS,
  barOf,
  brokenForm,
  ENDED,
  endText,
  haltText,
  isEnded,
  judgedOf,
  type Move,
  moveOf,
  movingOf,
  reasonKeyOf,
  type Standing,
  TRAIN_SHOP_STATE_KEYS,
  TRAIN_SHOP_STEPS,
  type TrainShop,
  type TrainShopState,
  type TrainShopStep,
  trainShopTakes,
  trainTakes,
  TRAIN_SHOP_REASONS as WHY,
  wavesOf,
} from './rules.ts'

const AIM = { tag: 'order', version: '2.1.0' } as const
const GREEN: Check[] = [{ key: 'code', isGreen: true, words: '', mend: null }]
const RED: Check[] = [{ key: 'privacy', isGreen: false, words: '没有声明：手机号', mend: 'privacy' }]
const version = (version: string) => ({ version, description: 'order', at: '2026-03-01T00:00:00.000Z' })
const BEFORE = { appVersion: 7, version: '2.0.0', description: 'order', committedAt: null }

const standing = (more: Partial<Standing> = {}): Standing => ({
  ...{ isGone: false, isShopDisabled: false, isAuthorized: true, programType: 'scanOrder' },
  ...{ flowState: 'code', deed: '', message: '', isReadDue: false, version: '2.1.0', templateId: 2 },
  ...{ known: { live: null, releases: [] }, checks: GREEN, audit: null, isElsewhere: false },
  ...more,
})
const audit = (state: NonNullable<Standing['audit']>['state'], auditId = 5, reason = '') => ({
  ...{ auditId, version: '2.1.0', state, reason },
})

describe('who cannot go along', () => {
  const rows: [string, Partial<Standing>, keyof typeof BARS | null][] = [
    ['nothing is in the way', {}, null],
    ['its application was deleted', { isGone: true }, 'GONE'],
    ['its shop is disabled', { isShopDisabled: true }, 'DISABLED'],
    ['its kind has another template', { programType: 'shop' }, 'OTHER_KIND'],
    ['its kind has none', { programType: 'boardGames' }, 'OTHER_KIND'],
    ['it has not come so far', { flowState: 'profile' }, 'NOT_READY'],
    ['its owner has taken the authorisation back', { isAuthorized: false }, 'NOT_AUTHORIZED'],
    ['it is under way in another', { isElsewhere: true }, 'ELSEWHERE'],
    [
      'the version is live',
      { flowState: 'released', known: { live: version('2.1.0'), releases: [] } },
      'ALREADY',
    ],
    [
      'another version is live',
      { flowState: 'released', known: { live: version('2.0.0'), releases: [] } },
      null,
    ],
    ['an audit is open', { flowState: 'inAudit', audit: audit('reviewing') }, 'IN_AUDIT'],
    ['an audit has passed', { flowState: 'inAudit', audit: audit('passed') }, 'TO_RELEASE'],
    [
      'its name has not passed',
      { checks: [{ key: 'name', isGreen: false, words: '', mend: 'profile' }] },
      'PROFILE',
    ],
    ['what setting its code mends is no bar', { checks: RED }, null],
    ['somebody is at it: it waits', { deed: 'commit' }, null],
  ]
  for (const [name, given, wanted] of rows)
    test(name, () => assert.equal(barOf(standing(given), AIM), wanted))
})

const shop = (state: TrainShopState, more: Partial<TrainShop> = {}): TrainShop => ({
  ...{ state, templateId: 2, version: '2.1.0', auditId: null, backTo: '', ...more },
})
const said = (move: Move): string =>
  move.kind === 'wait'
    ? 'wait'
    : move.kind === 'ask'
      ? `ask ${move.ask}`
      : `${move.step}${move.auditId === undefined ? '' : ` ${move.auditId}`}${move.reason === '' ? '' : `: ${move.reason}`}`

describe('the next move', () => {
  const own = { auditId: 5 }
  const rows: [string, TrainShop, Partial<Standing>, string][] = [
    ['sets the code', shop('waiting'), {}, 'ask commit'],
    ['waits for what is asked by hand', shop('waiting'), { deed: 'domains' }, 'wait'],
    ['does not wait for a reading', shop('waiting'), { deed: 'read' }, 'ask commit'],
    ['skips what cannot go along', shop('waiting'), { isAuthorized: false }, `skip: ${BARS.NOT_AUTHORIZED}`],
    [
      'takes up what has passed for it',
      shop('waiting', own),
      { flowState: 'inAudit', audit: audit('passed') },
      'regain',
    ],
    [
      'leaves what has passed for others',
      shop('waiting', { auditId: 4 }),
      { flowState: 'inAudit', audit: audit('passed') },
      `skip: ${BARS.TO_RELEASE}`,
    ],
    ['waits while the code is set', shop('committing'), { deed: 'privacy' }, 'wait'],
    ['has its code', shop('committing'), {}, 'code'],
    ['was refused its code', shop('committing'), { message: '找不到模板' }, 'fail: 找不到模板'],
    ['has another code', shop('committing'), { templateId: 1 }, `fail: ${WHY.NO_ANSWER}`],
    ['was handed in by hand', shop('committing'), { flowState: 'inAudit' }, `skip: ${WHY.OTHERS}`],
    ['hands it in', shop('ready'), {}, 'ask submit'],
    ['waits for the reading of what was set', shop('ready'), { checks: RED, isReadDue: true }, 'wait'],
    ['is red', shop('ready'), { checks: RED }, 'fail: 隐私保护指引：没有声明：手机号'],
    ['knows nothing of it', shop('ready'), { checks: [] }, `fail: ${WHY.NO_ANSWER}`],
    ['was set to another version by hand', shop('ready'), { version: '2.2.0' }, `skip: ${WHY.OTHERS}`],
    ['lost its owner', shop('ready'), { isAuthorized: false }, `skip: ${BARS.NOT_AUTHORIZED}`],
    ['waits for the audit’s number', shop('submitting'), { deed: 'submit' }, 'wait'],
    ['is in audit', shop('submitting'), { audit: audit('reviewing') }, 'enter 5'],
    [
      'is in audit again, behind one that was refused',
      shop('submitting', own),
      { audit: audit('reviewing', 6) },
      'enter 6',
    ],
    [
      'is not in the audit that was refused before',
      shop('submitting', own),
      { audit: audit('refused'), message: '小程序被禁止提交审核' },
      'fail: 小程序被禁止提交审核',
    ],
    [
      'waits for the next month',
      shop('submitting', own),
      { message: VERSION_REFUSALS.NO_AUDIT_LEFT },
      'defer',
    ],
    ['was lost', shop('submitting'), {}, `fail: ${WHY.NO_ANSWER}`],
    ['is reviewed', shop('inAudit', own), { audit: audit('reviewing') }, 'wait'],
    ['is delayed', shop('inAudit', own), { audit: audit('delayed') }, 'wait'],
    ['has passed', shop('inAudit', own), { audit: audit('passed') }, 'pass'],
    ['is refused', shop('inAudit', own), { audit: audit('refused', 5, '缺少许可') }, 'refuse: 缺少许可'],
    [
      'is refused without a word',
      shop('inAudit', own),
      { audit: audit('refused') },
      `refuse: ${WHY.NO_REASON}`,
    ],
    ['was withdrawn', shop('inAudit', own), { audit: audit('withdrawn') }, `skip: ${WHY.WITHDRAWN}`],
    ['was released by hand', shop('inAudit', own), { audit: audit('released') }, 'publish'],
    ['has another audit', shop('inAudit', own), { audit: audit('reviewing', 6) }, `skip: ${WHY.OTHERS}`],
    ['releases it', shop('passed', own), { audit: audit('passed') }, 'ask release'],
    ['was released by hand meanwhile', shop('passed', own), { audit: audit('released') }, 'publish'],
    ['is released', shop('releasing', own), { audit: audit('released') }, 'publish'],
    [
      'may not be released',
      shop('releasing', own),
      { audit: audit('passed'), message: '不能发布' },
      'fail: 不能发布',
    ],
    [
      'goes back',
      shop('toRollBack'),
      { known: { live: version('2.1.0'), releases: [BEFORE] } },
      'ask rollBack',
    ],
    [
      'has nothing to go back to',
      shop('toRollBack'),
      { known: { live: version('2.1.0'), releases: [] } },
      `keep: ${WHY.NO_RELEASE_BEFORE}`,
    ],
    [
      'is another version by now',
      shop('toRollBack'),
      { known: { live: version('3.0.0'), releases: [BEFORE] } },
      `keep: ${WHY.OTHER_LIVE}`,
    ],
    [
      'has gone back',
      shop('rollingBack', { backTo: '2.0.0' }),
      { known: { live: version('2.0.0'), releases: [] } },
      'goBack',
    ],
    ['may not go back', shop('rollingBack', { backTo: '2.0.0' }), { message: '回退限制' }, 'keep: 回退限制'],
    [
      'has not been read since',
      shop('rollingBack', { backTo: '2.0.0' }),
      { isReadDue: true, known: { live: version('2.1.0'), releases: [] } },
      'wait',
    ],
  ]
  for (const [name, one, given, wanted] of rows)
    test(`${one.state} ${name}`, () =>
      assert.equal(said(moveOf(one, standing(given), { tag: 'order', isRunning: true })), wanted))

  test('of a train that stands still asks for nothing, but sees what comes and goes back', () => {
    const still = (one: TrainShop, given: Partial<Standing>) =>
      said(moveOf(one, standing(given), { tag: 'order', isRunning: false }))
    assert.equal(still(shop('waiting'), {}), 'wait')
    assert.equal(still(shop('ready'), {}), 'wait')
    assert.equal(still(shop('passed', own), { audit: audit('passed') }), 'wait')
    assert.equal(still(shop('inAudit', own), { audit: audit('passed') }), 'pass')
    const known = { live: version('2.1.0'), releases: [BEFORE] }
    assert.equal(still(shop('toRollBack'), { known }), 'ask rollBack')
  })

  test('is a step that its state lets be taken, whatever stands', () => {
    const audits = ['reviewing', 'passed', 'refused', 'withdrawn', 'released'] as const
    const flows = ['code', 'inAudit', 'released', 'profile'] as const
    for (const state of TRAIN_SHOP_STATE_KEYS)
      for (const flowState of flows)
        for (const one of [null, ...audits])
          for (const message of ['', '微信拒绝'])
            for (const auditId of [5, 6]) {
              const given = { flowState, message, audit: one === null ? null : audit(one) }
              const move = moveOf(shop(state, { auditId }), standing(given), {
                tag: 'order',
                isRunning: true,
              })
              if (isEnded(state)) assert.equal(move.kind, 'wait')
              const step = move.kind === 'take' ? move.step : move.kind === 'ask' ? move.ask : null
              assert.ok(step === null || trainShopTakes(state, step), `${state} ${step}`)
            }
  })
})

test('each state is reached and left, and an ended one is left by people alone', () => {
  const steps = Object.entries(TRAIN_SHOP_STEPS) as [
    TrainShopStep,
    (typeof TRAIN_SHOP_STEPS)[TrainShopStep],
  ][]
  for (const state of TRAIN_SHOP_STATE_KEYS.slice(1))
    assert.ok(
      steps.some(([, { to }]) => to === state),
      state,
    )
  for (const state of ENDED)
    for (const [name, { by }] of steps)
      if (trainShopTakes(state, name)) assert.deepEqual(by, ['releaseTrains.run'])
  assert.deepEqual(
    (['finished', 'stopped'] as const).map(state => trainTakes(state, 'resume')),
    [false, false],
  )
})

test('a train halts above its share of refusals, from a smallest number on, and not for what somebody has forgiven', () => {
  const rule = { haltPercent: 20, haltFrom: 10, forgiven: { judged: 0, refused: 0 } }
  const halts = (judged: number, refused: number, more = {}) =>
    haltText({ judged, refused }, { ...rule, ...more }) !== null
  assert.deepEqual(
    [halts(9, 9), halts(10, 2), halts(10, 3), halts(0, 0, { haltFrom: 0 })],
    [false, false, true, false],
  )
  const forgiven = { judged: 10, refused: 3 }
  assert.deepEqual(
    [
      halts(10, 3, { forgiven }),
      halts(19, 9, { forgiven }),
      halts(20, 6, { forgiven }),
      halts(9, 2, { forgiven }),
    ],
    [false, false, true, false],
  )
  assert.equal(haltText({ judged: 10, refused: 3 }, rule), '10 家已有结果，其中 3 家未通过（30%），超过 20%')
  const counts = { released: 4, refused: 1, failed: 2, inAudit: 3, skipped: 9, rolledBack: 1, passed: 1 }
  assert.deepEqual([judgedOf(counts), movingOf(counts)], [{ judged: 9, refused: 3 }, 3])
})

test('audits are counted as if none of those since the reading were in it', () => {
  assert.equal(auditsFree({ left: 10, handedInSince: 3, underWay: 2 }), 5)
  assert.equal(auditsFree({ left: 4, handedInSince: 3, underWay: 2 }), 0)
})

test('the same refusal reads the same, whosever it is', () => {
  const key = reasonKeyOf('1、「老张面馆」首页缺少 经营许可 信息。', ['老张面馆'])
  assert.equal(reasonKeyOf('2. 「小李烧烤」首页缺少经营许可信息', ['小李烧烤', '烤']), key)
  assert.notEqual(reasonKeyOf('首页缺少营业执照'), key)
  assert.equal(reasonKeyOf('审核单１０２３'), reasonKeyOf('审核单 77'))
})

test('a form is refused in its order, and shops fill waves', () => {
  const form = { name: ' ', waveSize: 0, haltPercent: 101, haltFrom: 0, feedback: '字'.repeat(201) }
  assert.deepEqual(
    brokenForm(form).map(({ field }) => field),
    ['name', 'waveSize', 'haltPercent', 'haltFrom', 'feedback'],
  )
  const fine = { name: '新版本', waveSize: 500, haltPercent: 0, haltFrom: 1, feedback: '' }
  assert.deepEqual(brokenForm(fine), [])
  assert.deepEqual([wavesOf(1, 50), wavesOf(50, 50), wavesOf(51, 50)], [1, 1, 2])
})

test('an agent is told how many came to what', () => {
  assert.equal(endText({ refused: 1, released: 3, left: 0, inAudit: 2 }), '已发布 3 家，审核未通过 1 家')
  assert.equal(endText({ rolledBack: 1, skipped: 2 }), '已跳过 2 家，已回退 1 家')
})
