import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CAMPAIGN_STATUS_KEYS,
  type CampaignAction,
  type Draft,
  isReached,
  paramsFor,
  refuseCancelling,
  refuseDraft,
  refuseReach,
  refuseSending,
  segmentsFor,
  statusAfter,
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

describe('a draft', () => {
  const cases: [string, Partial<Draft>, string | null, string | null][] = [
    ['that is whole can be kept and sent', {}, null, null],
    ['needs a name', { name: '  ' }, 'NAME_REQUIRED', 'NAME_REQUIRED'],
    ['may have a name of 30 characters', { name: '长'.repeat(30) }, null, null],
    ['may not have one of 31', { name: '长'.repeat(31) }, 'NAME_TOO_LONG', 'NAME_TOO_LONG'],
    ['is kept but not sent without a template', { templateKey: '' }, null, 'TEMPLATE_REQUIRED'],
    ['is kept but not sent while a variable is blank', { params: { offer: ' ' } }, null, 'PARAM_REQUIRED'],
    ['is kept but not sent while a variable is absent', { params: {} }, null, 'PARAM_REQUIRED'],
    ['takes 35 units for a variable', { params: { offer: '折'.repeat(35) } }, null, null],
    ['takes no more', { params: { offer: '折'.repeat(36) } }, 'PARAM_TOO_LONG', 'PARAM_TOO_LONG'],
    ['counts an emoji as two', { params: { offer: '🎁'.repeat(18) } }, 'PARAM_TOO_LONG', 'PARAM_TOO_LONG'],
    ['takes no link', { params: { offer: 'https://a.cn' } }, 'PARAM_FORBIDDEN', 'PARAM_FORBIDDEN'],
    ['takes no bare link', { params: { offer: '见WWW.a.cn' } }, 'PARAM_FORBIDDEN', 'PARAM_FORBIDDEN'],
    [
      'takes no signature of its own',
      { params: { offer: '【别家】' } },
      'PARAM_FORBIDDEN',
      'PARAM_FORBIDDEN',
    ],
    ['takes no second line', { params: { offer: '八\n折' } }, 'PARAM_FORBIDDEN', 'PARAM_FORBIDDEN'],
    ['is sent in a minute', { scheduledAt: after(1 / 60) }, null, null],
    ['is not sent in the past', { scheduledAt: after(0) }, null, 'SCHEDULE_PAST'],
    ['is sent in 90 days', { scheduledAt: after(24 * 90) }, null, null],
    ['is not sent later', { scheduledAt: after(24 * 90 + 0.01) }, null, 'SCHEDULE_TOO_FAR'],
  ]
  for (const [name, changes, kept, sent] of cases)
    test(name, () => {
      const draft = { ...DRAFT, ...changes }
      assert.equal(refuseDraft(draft)?.code ?? null, kept)
      assert.equal(refuseSending(draft, OFFER, NOW)?.code ?? null, sent)
    })

  test('of a template that is gone is refused at the template', () => {
    assert.deepEqual(refuseSending(DRAFT, undefined, NOW), { field: 'templateKey', code: 'TEMPLATE_UNKNOWN' })
  })
  test('names the field of the variable', () => {
    assert.equal(refuseSending({ ...DRAFT, params: {} }, OFFER, NOW)?.field, 'params.offer')
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
  for (const [name, now, confirmed, balance, refusal] of cases)
    test(name, () => assert.equal(refuseReach(reach(now), reach(confirmed), balance), refusal))
})

test('a campaign passes through its states and no others', () => {
  const actions: CampaignAction[] = ['schedule', 'begin', 'hand-over', 'refuse', 'finish', 'cancel']
  const table = CAMPAIGN_STATUS_KEYS.map(status => [
    status,
    ...actions.flatMap(action => {
      const to = statusAfter(status, action)
      return to ? [`${action} ${to}`] : []
    }),
  ])
  assert.deepEqual(table, [
    ['draft', 'schedule scheduled', 'begin queueing'],
    ['scheduled', 'begin queueing', 'refuse refused', 'cancel cancelled'],
    ['queueing', 'hand-over sending', 'refuse refused', 'cancel cancelled'],
    ['sending', 'finish done', 'cancel cancelled'],
    ['done'],
    ['cancelled'],
    ['refused'],
  ])
  assert.equal(refuseCancelling('done'), 'NOT_CANCELLABLE')
  assert.equal(refuseCancelling('sending'), null)
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
