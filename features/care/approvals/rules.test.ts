import assert from 'node:assert/strict'
import test, { describe } from 'node:test'
import {
  APPROVAL_STATES,
  type ApprovalKind,
  type ApprovalState,
  brokenIn,
  refuseAdvice,
  refuseContent,
  refuseReason,
  refuseRequest,
  refuseWithdraw,
  undecidableText,
} from './rules.ts'

describe('what may be asked for', () => {
  const cases: [kind: ApprovalKind, content: string, expected: string | null][] = [
    ['signature', '老张面馆', null],
    ['signature', ' 老张面馆 ', null],
    ['signature', 'KFC', null],
    ['signature', '', 'SIGNATURE_REQUIRED'],
    ['signature', '店', 'SIGNATURE_TOO_SHORT'],
    ['signature', '签'.repeat(12), null],
    ['signature', '签'.repeat(13), 'SIGNATURE_TOO_LONG'],
    ['signature', '【老张】', 'SIGNATURE_SYMBOLS'],
    ['signature', '老张 面馆', 'SIGNATURE_SYMBOLS'],
    ['signature', '10086', 'SIGNATURE_DIGITS'],
    ['shopName', '老张面馆（南山店）', null],
    ['shopName', ' ', 'SHOP_NAME_REQUIRED'],
    ['shopName', '店'.repeat(30), null],
    ['shopName', '店'.repeat(31), 'SHOP_NAME_TOO_LONG'],
    ['shopName', '老张<面馆>', 'SHOP_NAME_SYMBOLS'],
    ['memberTitle', '贵宾', null],
    ['memberTitle', '', 'MEMBER_TITLE_REQUIRED'],
    ['memberTitle', '宾'.repeat(10), null],
    ['memberTitle', '宾'.repeat(11), 'MEMBER_TITLE_TOO_LONG'],
    ['memberTitle', '贵宾!', 'MEMBER_TITLE_SYMBOLS'],
  ]
  for (const [kind, content, expected] of cases)
    test(`${kind} 「${content}」`, () => assert.equal(refuseContent(kind, content), expected))

  test('every broken field is named at once', () =>
    assert.deepEqual(
      brokenIn({ kind: 'memberTitle', content: '', note: '说'.repeat(101) }).map(({ field }) => field),
      ['content', 'note'],
    ))
})

test('nothing is asked for that holds already, waits already, or came too often today', () => {
  const given = { standing: '贵宾', waiting: null, sentToday: 0, perDay: 2 }
  assert.equal(refuseRequest('家人', given), null)
  assert.equal(refuseRequest('贵宾', given), 'CONTENT_UNCHANGED')
  assert.equal(refuseRequest('家人', { ...given, waiting: '家人' }), 'ASKED_ALREADY')
  assert.equal(refuseRequest('茶友', { ...given, waiting: '家人' }), null)
  assert.equal(refuseRequest('家人', { ...given, sentToday: 2 }), 'REQUESTS_TOO_MANY')
})

test('a request is decided once, and whoever comes second is told of the first', () => {
  const told = (state: ApprovalState) => undecidableText({ state, handledByName: '李四' })
  assert.deepEqual(Object.fromEntries(Object.keys(APPROVAL_STATES).map(key => [key, told(key as never)])), {
    pending: null,
    approved: '已由李四处理（已通过）',
    rejected: '已由李四处理（已驳回）',
    reviewing: '短信服务商审核中',
    withdrawn: '申请已撤回',
    replaced: '商户已提交新的申请，此申请不再处理',
  })
})

test('what is open can be taken back', () => {
  assert.equal(refuseWithdraw('pending'), null)
  assert.equal(refuseWithdraw('reviewing'), null)
  assert.equal(refuseWithdraw('approved'), 'DECIDED_ALREADY')
  assert.equal(refuseWithdraw('rejected'), 'DECIDED_ALREADY')
  assert.equal(refuseWithdraw('replaced'), 'ENDED_ALREADY')
})

test('a rejection needs a reason of at most 50 characters, and its advice has at most 100', () => {
  assert.equal(refuseReason(' '), 'REASON_REQUIRED')
  assert.equal(refuseReason('因'.repeat(50)), null)
  assert.equal(refuseReason('因'.repeat(51)), 'REASON_TOO_LONG')
  assert.equal(refuseAdvice(''), null)
  assert.equal(refuseAdvice('议'.repeat(101)), 'ADVICE_TOO_LONG')
})
