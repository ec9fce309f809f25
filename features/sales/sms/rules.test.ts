import assert from 'node:assert/strict'
import test from 'node:test'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { SMS_PACKAGES } from './reference.ts'
import { RECALL_FAILED, refuseRecall, refuseRemark, refuseSmsUndo, SMS_REFUSALS } from './rules.ts'

const RECALLS: [string, number, string, credit: number, needs: boolean, ReturnType<typeof refuseRecall>][] = [
  ['one of many', 1, '', 100, false, null],
  ['all of them', 100, '', 100, false, null],
  ['more than there are', 101, '', 100, false, 'RECALL_TOO_MANY'],
  ['none', 0, '', 100, false, 'RECALL_TOO_FEW'],
  ['less than none', -5, '', 100, false, 'RECALL_TOO_FEW'],
  ['a part of one', 1.5, '', 100, false, 'RECALL_TOO_FEW'],
  ['one where there is none', 1, '', 0, false, 'RECALL_EMPTY'],
  ['without the code that is needed', 1, '  ', 100, true, 'RECOVERY_CODE_REQUIRED'],
  ['with a code', 1, '123456', 100, true, null],
  ['with half a code', 1, '123', 100, true, 'CODE_WRONG'],
]
for (const [name, pieces, code, credit, needsRecoveryCode, expected] of RECALLS)
  test(`recall: ${name} is ${expected ?? 'done'}`, () =>
    assert.equal(refuseRecall({ pieces, code }, { credit, needsRecoveryCode }), expected))

const paid = { kind: 'package', status: 'paid', pieces: 200, credit: 200 } as const
const UNDOS: [string, Parameters<typeof refuseSmsUndo>[0], ReturnType<typeof refuseSmsUndo>][] = [
  ['all pieces held', paid, null],
  ['more held', { ...paid, credit: 5_000 }, null],
  ['one piece used', { ...paid, credit: 199 }, 'SMS_SPENT'],
  ['a recall', { ...paid, kind: 'recall' }, 'SMS_RECALL_FINAL'],
]
for (const [name, order, expected] of UNDOS)
  test(`undo: ${name} is ${expected ?? 'done'}`, () => assert.equal(refuseSmsUndo(order), expected))

test('a remark has fifty characters at most', () => {
  assert.equal(refuseRemark('长'.repeat(50)), null)
  assert.equal(refuseRemark('长'.repeat(51)), 'REMARK_TOO_LONG')
})

test('the messages are those of the documents', () => {
  assert.equal(SMS_REFUSALS.RECOVERY_CODE_REQUIRED, '请输入验证码')
  assert.equal(SMS_REFUSALS.MERCHANT_DISABLED, '请启用后再进行操作')
  assert.equal(RECALL_FAILED, '操作失败')
  assert.equal(UNDO_REFUSALS.SMS_SPENT, '短信已使用，不能撤销')
})

test('a bigger package never costs more for a piece', () => {
  const perPiece = SMS_PACKAGES.map(offered => offered.priceCents / offered.pieces)
  assert.deepEqual(
    perPiece,
    [...perPiece].sort((a, b) => b - a),
  )
})
