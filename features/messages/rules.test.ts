import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type CodePurpose,
  codeText,
  passwordResetText,
  type Remindable,
  refuseReceiver,
  refuseReminder,
  refuseTypedCode,
  reminderText,
  secondsUntilResend,
} from './rules.ts'

const NOW = new Date('2026-06-15T04:00:00.000Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000).toISOString()

test('a typed code is there and has six digits before it is compared', () => {
  const cases: [CodePurpose, string, string | null][] = [
    ['phone', '', 'PHONE_CODE_REQUIRED'],
    ['phone', '   ', 'PHONE_CODE_REQUIRED'],
    ['recovery', '', 'RECOVERY_CODE_REQUIRED'],
    ['phone', '12345', 'CODE_WRONG'],
    ['phone', '1234567', 'CODE_WRONG'],
    ['phone', '12345a', 'CODE_WRONG'],
    ['phone', '１２３４５６', 'CODE_WRONG'],
    ['phone', '012345', null],
    ['recovery', ' 012345 ', null],
  ]
  for (const [purpose, code, expected] of cases)
    assert.equal(refuseTypedCode(purpose, code), expected, `${purpose} "${code}"`)
})

test('a code goes only to an enabled shop whose account is a mobile number', () => {
  assert.equal(refuseReceiver({ status: 'normal', account: '13912345678' }), null)
  assert.equal(refuseReceiver({ status: 'disabled', account: '13912345678' }), 'MERCHANT_DISABLED')
  for (const account of ['0755123456', '12345', '1391234567', '139123456789'])
    assert.equal(refuseReceiver({ status: 'normal', account }), 'PHONE_NOT_MOBILE', account)
})

test('another code may be sent 60 seconds after the last', () => {
  const cases: [number | null, number][] = [
    [null, 0],
    [0, 60],
    [1, 60],
    [1_000, 59],
    [59_001, 1],
    [59_999, 1],
    [60_000, 0],
    [3_600_000, 0],
  ]
  for (const [sinceMs, left] of cases) {
    const last = sinceMs === null ? null : NOW.getTime() - sinceMs
    assert.equal(secondsUntilResend(last, NOW.getTime()), left, `${sinceMs} ms after`)
  }
})

test('a shop is reminded once a day, when it is enabled, ends some day and has a mobile number', () => {
  const shop: Remindable = { status: 'normal', account: '13912345678', expiresAt: ago(-48) }
  const cases: [Partial<Remindable>, string | null, string | null][] = [
    [{}, null, null],
    [{ expiresAt: ago(48) }, null, null],
    [{ status: 'disabled' }, null, 'MERCHANT_DISABLED'],
    [{ expiresAt: null }, null, 'NEVER_EXPIRES'],
    [{ account: '0755123456' }, null, 'PHONE_NOT_MOBILE'],
    [{}, ago(0), 'REMINDED_ALREADY'],
    [{}, ago(23.99), 'REMINDED_ALREADY'],
    [{}, ago(24), null],
    [{ status: 'disabled', expiresAt: null }, ago(1), 'MERCHANT_DISABLED'],
  ]
  for (const [changed, remindedAt, expected] of cases)
    assert.equal(refuseReminder({ ...shop, ...changed }, remindedAt, NOW), expected, JSON.stringify(changed))
})

test('the texts name the shop and what happens, and a reset tells no password', () => {
  assert.equal(
    codeText('phone', '老张面馆', '012345'),
    '您的验证码是 012345，10分钟内有效，用于商户「老张面馆」修改手机号。请勿告诉他人。',
  )
  assert.match(codeText('recovery', '老张面馆', '012345'), /回收短信/)
  assert.match(passwordResetText('老张面馆'), /老张面馆/)
  const shop = { shopName: '老张面馆', versionName: '高级版' }
  assert.equal(
    reminderText({ ...shop, expiresAt: '2026-07-01T15:59:59.000Z' }, NOW),
    '尊敬的商户「老张面馆」，您使用的高级版将于 2026-07-01 到期，请及时联系服务商续费，以免影响使用。',
  )
  assert.match(reminderText({ ...shop, expiresAt: '2026-06-14T16:30:00.000Z' }, NOW), /已于 2026-06-15 到期/)
})
