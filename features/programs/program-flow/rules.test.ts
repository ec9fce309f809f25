import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import { FLOW_NUMBERS } from '#features/programs/program-applications/rules.ts'
import { nextState } from '#kit/declare/machine.ts'
import {
  brokenRegistrant,
  FLOW_STATE_KEYS,
  FLOW_STEPS,
  type FlowState,
  type FlowStep,
  lackingText,
  launchStepsOf,
  mayAuthorize,
  mayLook,
  missingText,
  nextStepOf,
  numbersOf,
  refuseRemark,
  SCOPES,
  scopesOf,
  secondsToNext,
  stateOf,
  takes,
} from './rules.ts'

/** Every transition of D2 §4 with its numbers before and after, (regflowstatus, regflowstep, submitstatus). */
const TRANSITIONS: readonly [
  from: FlowState,
  step: FlowStep,
  to: FlowState,
  before: string,
  after: string,
][] = [
  ['review', 'review', 'toCreate', '1/1/0', '1/2/0'],
  ['toCreate', 'create', 'creating', '1/2/0', '1/2/0'],
  ['creating', 'accept', 'faceCheck', '1/2/0', '1/3/0'],
  ['creating', 'refuse', 'creationRefused', '1/2/0', '1/3/0'],
  ['creating', 'finish', 'toAuthorize', '1/2/0', '2/5/0'],
  ['faceCheck', 'refuse', 'creationRefused', '1/3/0', '1/3/0'],
  ['faceCheck', 'finish', 'toAuthorize', '1/3/0', '2/5/0'],
  ['creationRefused', 'finish', 'toAuthorize', '1/3/0', '2/5/0'],
  ['creationRefused', 'create', 'creating', '1/3/0', '1/2/0'],
  ['toAuthorize', 'authorize', 'authorized', '2/5/0', '2/6/0'],
  ['toTakeOver', 'authorize', 'authorized', '9/99/0', '9/6/0'],
  ['authorized', 'verify', 'profile', '2/6/0', '2/6/1'],
  ['profile', 'passProfile', 'code', '2/6/1', '2/6/10'],
  ['code', 'submitAudit', 'inAudit', '2/6/10', '2/6/11'],
  ['inAudit', 'returnAudit', 'code', '2/6/11', '2/6/10'],
  ['inAudit', 'release', 'released', '2/6/11', '2/6/12'],
  ['released', 'upgrade', 'code', '2/6/12', '2/6/10'],
]
const told = (state: FlowState, isTakenOver: boolean) =>
  Object.values(numbersOf(state, isTakenOver)).join('/')
const numbers = (text: string) => {
  const [flowStatus = 0, flowStep = 0, submitStatus = 0] = text.split('/').map(Number)
  return { flowStatus, flowStep, submitStatus }
}

describe('the way to a release', () => {
  for (const [from, step, to, before, after] of TRANSITIONS)
    test(`${step}: ${from} ${before} to ${to} ${after}`, () => {
      const isTakenOver = before.startsWith('9')
      assert.equal(nextState(FLOW_STEPS, from, step), to)
      assert.deepEqual([told(from, isTakenOver), told(to, isTakenOver)], [before, after])
    })

  test('what is not in the table is refused', () => {
    const listed = new Set(TRANSITIONS.map(([from, step]) => `${from} ${step}`))
    for (const state of FLOW_STATE_KEYS)
      for (const step of Object.keys(FLOW_STEPS) as FlowStep[])
        assert.equal(takes(state, step), listed.has(`${state} ${step}`), `${state} ${step}`)
  })

  test('one that was there before keeps its 9 to the end', () => {
    for (const state of ['authorized', 'profile', 'code', 'inAudit', 'released'] as const)
      assert.equal(numbersOf(state, true).flowStatus, 9)
  })
})

describe('by the documents’ numbers', () => {
  const NAMED: readonly [string, FlowState | null][] = [
    ['1/1/0', 'review'],
    ['1/2/0', 'toCreate'],
    ['1/3/0', 'faceCheck'],
    ['2/5/0', 'toAuthorize'],
    ['9/5/0', 'toAuthorize'],
    ['2/6/0', 'authorized'],
    ['9/6/0', 'authorized'],
    ['9/99/0', 'toTakeOver'],
    ['2/6/1', 'profile'],
    ['9/99/1', 'profile'],
    ['2/6/2', 'code'],
    ['2/6/9', 'code'],
    ['2/6/10', 'code'],
    ['2/6/11', 'inAudit'],
    ['2/6/12', 'released'],
    ['1/1/1', null],
    ['1/4/0', null],
    ['2/99/0', null],
    ['2/5/1', null],
    ['2/6/3', null],
    ['3/5/0', null],
    ['0/0/0', null],
  ]
  for (const [text, state] of NAMED)
    test(`${text} is ${state ?? 'none'}`, () => assert.equal(stateOf(numbers(text)), state))

  test('where applications begin is where the flow begins', () => {
    assert.deepEqual(FLOW_NUMBERS.review, numbersOf('review', false))
    assert.deepEqual(FLOW_NUMBERS.reviewed, numbersOf('toCreate', false))
    assert.deepEqual(FLOW_NUMBERS.existing, numbersOf('toTakeOver', true))
  })

  test('every state is named again by its own numbers, but for what the documents do not part', () => {
    const same: Partial<Record<FlowState, FlowState>> = { creating: 'toCreate', creationRefused: 'faceCheck' }
    for (const state of FLOW_STATE_KEYS)
      assert.equal(stateOf(numbersOf(state, state === 'toTakeOver')), same[state] ?? state)
  })
})

test('each state shows one next step, what it waits for and whose turn it is; a lost authorisation comes first', () => {
  for (const state of FLOW_STATE_KEYS) {
    const { label, waits, turn } = nextStepOf(state, false)
    assert.ok(label && waits, state)
    assert.equal(turn === null, state === 'released', state)
    assert.equal(nextStepOf(state, true).action, 'authorize')
  }
  const actions = FLOW_STATE_KEYS.map(state => [state, nextStepOf(state, false).action])
  assert.deepEqual(Object.fromEntries(actions), {
    ...{ review: null, toCreate: 'create', creating: 'look', faceCheck: 'look', creationRefused: 'create' },
    ...{ toAuthorize: 'authorize', toTakeOver: 'authorize', authorized: 'verify', profile: 'verify' },
    ...{ code: null, inAudit: null, released: null },
  })
})

test('an owner may authorise again whenever there is a mini program, and what stands there is read again', () => {
  for (const state of ['review', 'toCreate', 'creating', 'faceCheck', 'creationRefused'] as const)
    assert.equal(mayAuthorize(state), false, state)
  for (const state of ['toAuthorize', 'toTakeOver', 'authorized', 'released'] as const)
    assert.equal(mayAuthorize(state), true, state)
  assert.deepEqual(
    [mayLook('faceCheck', false), mayLook('toAuthorize', false), mayLook('profile', true)],
    [true, false, true],
  )
  assert.equal(mayLook('profile', false), false)
})

test('of the eight scopes three are needed, and each that is missing says what does not work without', () => {
  const all = SCOPES.map(({ id }) => id)
  assert.deepEqual(all, [17, 18, 19, 25, 30, 37, 40, 49])
  assert.equal(lackingText(all), null)
  assert.equal(lackingText([17, 18, 30]), null)
  for (const id of [17, 18, 30]) {
    const text = lackingText(all.filter(one => one !== id))
    assert.match(text ?? '', /^核实信息失败：缺少权限「.+」（不能.+），/)
  }
  assert.deepEqual(
    scopesOf([30, 999])
      .filter(({ isGiven }) => isGiven)
      .map(({ id }) => id),
    [30],
  )
})

test('what is handed to the platform is judged as in the application’s own form', () => {
  const WHOLE = {
    ...{ companyName: '老张餐饮', companyCode: '9144030071526726XG', legalPersonWechat: 'zhangsan_88' },
    ...{ legalPersonName: '张三', servicePhone: '0755-88886666' },
  }
  const broken = (more: object, kept = false) =>
    brokenRegistrant({ ...WHOLE, ...more }, kept).map(({ code }) => code)
  assert.deepEqual(broken({}), [])
  assert.deepEqual(broken({ companyCode: '1' }), ['CODE_WRONG'])
  assert.deepEqual(broken({ legalPersonWechat: '' }), ['WECHAT_REQUIRED'])
  assert.deepEqual(broken({ legalPersonWechat: '' }, true), [])
  assert.deepEqual(broken({ companyName: '', servicePhone: '1' }), ['COMPANY_REQUIRED', 'PHONE_WRONG'])
})

test('a remark has its limit', () => {
  assert.equal(refuseRemark('备'.repeat(200)), null)
  assert.equal(refuseRemark('备'.repeat(201)), 'REMARK_TOO_LONG')
})

test('a lost answer is asked again soon, then more seldom; the face check every minute; else nothing', () => {
  assert.deepEqual(
    [0, 1, 2, 20].map(tries => secondsToNext('answer', tries)),
    [5, 10, 20, 1_800],
  )
  assert.equal(secondsToNext('face', 9), 60)
  assert.equal(secondsToNext('nothing', 0), null)
})

test('what a program does not show of itself yet is named in the documents’ words', () => {
  const whole = {
    name: '老张面馆点餐',
    headImage: 'https://wx.qlogo.cn/1',
    intro: '在线点餐',
    hasCategory: true,
  }
  const texts = (more: Partial<typeof whole>) => missingText({ ...whole, ...more })
  assert.equal(texts({}), null)
  assert.equal(texts({ headImage: '' }), '腾讯资料核实失败：头像没有提交审核或没有审核通过')
  assert.equal(
    texts({ name: '', hasCategory: false }),
    '腾讯资料核实失败：类目没有提交审核或者没有审核通过；名称在审核中或者没有审核通过',
  )
  assert.equal(texts({ intro: '' }), '腾讯资料核实失败：简介没有提交审核或没有审核通过')
  assert.equal(
    texts({ name: '', headImage: '', intro: '', hasCategory: false }),
    '腾讯资料核实失败：腾讯所有资料都没有审核',
  )
})

test('what a new account needs before its release is done, waited for, or not known', () => {
  const standing = (info: Parameters<typeof launchStepsOf>[0], state: FlowState = 'profile') =>
    launchStepsOf(info, state).map(({ key, standing, turn }) => `${key} ${standing} ${turn}`)
  const info = { isVerified: false, realName: 'confirmed' } as const
  assert.deepEqual(standing(null), ['verification unknown agent', 'filing unknown owner'])
  assert.deepEqual(standing(info), ['verification waiting owner', 'filing unknown owner'])
  assert.deepEqual(standing({ ...info, realName: 'pending' })[0], 'verification waiting platform')
  assert.deepEqual(standing({ ...info, isVerified: true })[0], 'verification done owner')
  assert.deepEqual(standing(info, 'released'), ['verification waiting owner', 'filing done owner'])
  assert.match(
    launchStepsOf({ ...info, realName: 'failed' }, 'code')[0]?.waits ?? '',
    /^主体实名未通过。请客户/,
  )
})
