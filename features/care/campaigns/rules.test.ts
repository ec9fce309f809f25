import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextState } from '#kit/declare/machine.ts'
import {
  brokenForSending,
  brokenInDraft,
  CAMPAIGN_STATUS_KEYS,
  CAMPAIGN_STEPS,
  type Draft,
  endWords,
  type FieldRefusal,
  isReached,
  missingOf,
  type Progress,
  paramsFor,
  refuseCancelling,
  refuseContinuing,
  refuseReach,
  segmentsFor,
  startProblem,
  textFor,
} from './rules.ts'

const NOW = new Date('2026-11-20T02:00:00Z')
const OFFER = {
  key: 'renewal-offer',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template of SMS.
  text: '尊敬的商户「${shop}」，现在续费可享${offer}，详情请联系您的服务商。拒收请回复R',
  variables: [
    { name: 'shop', label: '店铺名称' },
    { name: 'offer', label: '优惠内容' },
  ],
}
const DRAFT: Draft = { name: '双十一', templateKey: OFFER.key, params: { offer: '八折' }, scheduledAt: null }
const after = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString()

const codes = (broken: readonly FieldRefusal[]) => broken.map(({ code }) => code)

describe('a draft', () => {
  const cases: [string, Partial<Draft>, string | null, string | null][] = [
    ['that is whole can be kept and sent', {}, null, null],
    ['needs a name', { name: '  ' }, 'NAME_REQUIRED', 'NAME_REQUIRED'],
    ['may have a name of 30 characters', { name: '长'.repeat(30) }, null, null],
    ['may not have one of 31', { name: '长'.repeat(31) }, 'NAME_TOO_LONG', 'NAME_TOO_LONG'],
    ['is kept but not sent without a template', { templateKey: '' }, null, 'TEMPLATE_REQUIRED'],
    ['is kept but not sent while a variable is blank', { params: { offer: ' ' } }, null, 'PARAM_REQUIRED'],
    ['is kept but not sent while a variable is absent', { params: {} }, null, 'PARAM_REQUIRED'],
    ['takes 35 characters for a variable', { params: { offer: '折'.repeat(35) } }, null, null],
    ['takes no more', { params: { offer: '折'.repeat(36) } }, 'PARAM_TOO_LONG', 'PARAM_TOO_LONG'],
    ['counts an emoji as one', { params: { offer: '🎁'.repeat(35) } }, null, null],
    ['takes no link', { params: { offer: 'https://a.cn' } }, 'PARAM_FORBIDDEN', 'PARAM_FORBIDDEN'],
    ['takes no address', { params: { offer: '领券taobao.cn/abc' } }, 'PARAM_FORBIDDEN', 'PARAM_FORBIDDEN'],
    ['takes words with a dot', { params: { offer: '8.5折，V2.0.3版，Node.js' } }, null, null],
    ['takes no bare link', { params: { offer: '见WWW.a.cn' } }, 'PARAM_FORBIDDEN', 'PARAM_FORBIDDEN'],
    [
      'takes no signature of its own',
      { params: { offer: '【别家】' } },
      'PARAM_FORBIDDEN',
      'PARAM_FORBIDDEN',
    ],
    ['takes no second line', { params: { offer: '八\n折' } }, 'PARAM_FORBIDDEN', 'PARAM_FORBIDDEN'],
    ['is sent in a minute', { scheduledAt: after(1 / 60) }, null, null],
    ['is not kept for the past', { scheduledAt: after(0) }, 'SCHEDULE_PAST', 'SCHEDULE_PAST'],
    ['is sent in 90 days', { scheduledAt: after(24 * 90) }, null, null],
    ['is not kept for later', { scheduledAt: after(24 * 90 + 0.01) }, 'SCHEDULE_TOO_FAR', 'SCHEDULE_TOO_FAR'],
  ]
  for (const [name, changes, kept, sent] of cases)
    test(name, () => {
      const draft = { ...DRAFT, ...changes }
      assert.deepEqual(codes(brokenInDraft(draft, NOW)), kept ? [kept] : [])
      assert.deepEqual(codes(brokenForSending(draft, OFFER, NOW)), sent ? [sent] : [])
    })

  test('of a template that is gone is refused at the template', () => {
    assert.deepEqual(brokenForSending(DRAFT, undefined, NOW), [
      { field: 'templateKey', code: 'TEMPLATE_UNKNOWN' },
    ])
  })
  test('is told all that is wrong with it at once, in the order of the form', () => {
    const broken = { name: '', templateKey: OFFER.key, params: {}, scheduledAt: after(-1) }
    assert.deepEqual(brokenForSending(broken, OFFER, NOW), [
      { field: 'name', code: 'NAME_REQUIRED' },
      { field: 'params.offer', code: 'PARAM_REQUIRED' },
      { field: 'scheduledAt', code: 'SCHEDULE_PAST' },
    ])
    assert.deepEqual(brokenInDraft({ ...broken, params: { offer: '【别家】' } }, NOW), [
      { field: 'name', code: 'NAME_REQUIRED' },
      { field: 'params.offer', code: 'PARAM_FORBIDDEN' },
      { field: 'scheduledAt', code: 'SCHEDULE_PAST' },
    ])
  })
  test('is sent whatever was written for another template', () => {
    assert.deepEqual(brokenForSending({ ...DRAFT, params: { offer: '八折', other: '【】' } }, OFFER, NOW), [])
  })
})

describe('what was confirmed', () => {
  const cases: [string, [number, number], [number, number], number, string | null][] = [
    ['is sent with exactly enough credit', [3, 6], [3, 6], 6, null],
    ['is refused one piece short', [3, 6], [3, 6], 5, 'SMS_INSUFFICIENT'],
    ['is refused where a shop came', [4, 8], [3, 6], 100, 'COST_CHANGED'],
    ['is refused where a name became longer', [3, 7], [3, 6], 100, 'COST_CHANGED'],
    ['is refused where nobody is left', [0, 0], [3, 6], 100, 'AUDIENCE_EMPTY'],
    ['is refused where nobody ever was', [0, 0], [0, 0], 100, 'AUDIENCE_EMPTY'],
  ]
  const reach = ([shops, segments]: [number, number]) => ({ shops, segments })
  const others = { balance: 8, reserved: 3 }
  for (const [name, now, confirmed, balance, refusal] of cases)
    test(name, () =>
      assert.equal(refuseReach(reach(now), reach(confirmed), { balance, reserved: 0 }), refusal),
    )
  test('is paid with what other campaigns leave', () => {
    assert.equal(refuseReach(reach([3, 5]), reach([3, 5]), others), null)
    assert.equal(refuseReach(reach([3, 6]), reach([3, 6]), others), 'SMS_INSUFFICIENT')
    assert.equal(missingOf(6, others), 1)
  })
})

test('a campaign passes through its states and no others', () => {
  const actions = Object.keys(CAMPAIGN_STEPS) as (keyof typeof CAMPAIGN_STEPS)[]
  const table = CAMPAIGN_STATUS_KEYS.map(status => [
    status,
    ...actions.flatMap(action => {
      const to = nextState(CAMPAIGN_STEPS, status, action)
      return to ? [`${action} ${to}`] : []
    }),
  ])
  assert.deepEqual(table, [
    ['draft', 'schedule scheduled', 'begin queueing'],
    ['scheduled', 'begin queueing', 'refuse refused', 'cancel cancelled'],
    ['queueing', 'handOver sending', 'refuse refused', 'cancel cancelled'],
    ['sending', 'finish done', 'cancel cancelled', 'continue queueing'],
    ['done', 'continue queueing'],
    ['cancelled'],
    ['refused', 'continue queueing'],
  ])
  assert.equal(refuseCancelling('done'), 'NOT_CANCELLABLE')
  assert.equal(refuseCancelling('sending'), null)
})

test('only what stopped before it came to all is continued', () => {
  const problem = '短信余额不足，其余 2 家商户未发送'
  for (const status of ['sending', 'done', 'refused'] as const)
    assert.equal(refuseContinuing({ status, problem }), null)
  assert.equal(refuseContinuing({ status: 'done', problem: '' }), 'NOT_STOPPED')
  for (const status of ['draft', 'scheduled', 'queueing', 'cancelled'] as const)
    assert.equal(refuseContinuing({ status, problem }), 'NOT_STOPPED')
})

test('what does not begin says why: who sends comes before when', () => {
  const fine = { isLate: false, isAgentEnabled: true, isAccountEnabled: true }
  assert.equal(startProblem(fine), null)
  assert.equal(startProblem({ ...fine, isLate: true }), '已超过计划时间 24 小时，未发送')
  assert.equal(startProblem({ ...fine, isLate: true, isAccountEnabled: false }), '发送人账号已停用，未发送')
  assert.equal(
    startProblem({ ...fine, isAgentEnabled: false, isAccountEnabled: false }),
    '代理商已停用，未发送',
  )
})

describe('its end is told as it is known then', () => {
  const cases: [string, Progress['messages'], string, string][] = [
    ['群发已完成', { submitted: 2, delivered: 1 }, '', '已提交 3 条短信'],
    ['群发部分失败', { delivered: 1, failed: 1, expired: 1 }, '', '已提交 1 条短信，2 条发送失败'],
    ['群发失败', { failed: 2 }, '', '2 条发送失败'],
    ['群发已完成', { submitted: 1, unknown: 1 }, '', '已提交 1 条短信，1 条待确认'],
    ['群发未全部发送', { submitted: 1200 }, '短信余额不足', '已提交 1,200 条短信，短信余额不足'],
    ['群发未发送', {}, '代理商已停用，未发送', '代理商已停用，未发送'],
  ]
  for (const [title, messages, problem, words] of cases)
    test(`${title}: ${words}`, () =>
      assert.deepEqual(endWords({ name: '问候', problem }, { messages }), {
        title,
        body: `「问候」${words}。`,
      }))
})

test('a shop is reached when it is in use and its account is a mobile number', () => {
  const reached = (status: 'normal' | 'disabled', account: string) => isReached({ status, account })
  assert.equal(reached('normal', '13800000000'), true)
  assert.equal(reached('disabled', '13800000000'), false)
  assert.equal(reached('normal', '12800000000'), false)
  assert.equal(reached('normal', 'shop-7'), false)
})

test('only the variables of the template are sent, trimmed, and the shop writes its own name', () => {
  const params = { offer: ' 八折 ', shop: '别的店', old: '旧' }
  assert.deepEqual(paramsFor(OFFER, params, '老张面馆'), { offer: '八折', shop: '老张面馆' })
  assert.equal(
    textFor(OFFER, params, '老张面馆'),
    '尊敬的商户「老张面馆」，现在续费可享八折，详情请联系您的服务商。拒收请回复R',
  )
})

test('segments depend on the length of the name: 70 units are one, 71 are two', () => {
  // 【签名】 is 4 units, the text without its variables 35.
  const params = { offer: '折'.repeat(20) }
  const fixed = `【签名】${textFor(OFFER, params, '')}`.length
  assert.equal(segmentsFor('签名', OFFER, params, 70 - fixed), 1)
  assert.equal(segmentsFor('签名', OFFER, params, 71 - fixed), 2)
})
