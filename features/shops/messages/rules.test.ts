// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how templates name their variables
import assert from 'node:assert/strict'
import test from 'node:test'
import { SMS_TEMPLATES } from './reference.ts'
import {
  type CodePurpose,
  isAccountRefused,
  isThrottling,
  MESSAGE_STATUS_KEYS,
  type MessageStatus,
  mayBecome,
  type Remindable,
  type Resendable,
  reasonOf,
  refuseReceiver,
  refuseReminder,
  refuseResend,
  refuseSettling,
  refuseTypedCode,
  reminderParams,
  renderTemplate,
  secondsUntilResend,
  segmentsDue,
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
    ['phone', '１２３ ４５６', null],
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
    assert.equal(secondsUntilResend(last, NOW.getTime(), 60), left, `${sinceMs} ms after`)
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
    assert.equal(
      refuseReminder({ ...shop, ...changed }, remindedAt, NOW, 24),
      expected,
      JSON.stringify(changed),
    )
})

const textOf = (key: string, params: Record<string, string>) =>
  renderTemplate(SMS_TEMPLATES.find(template => template.key === key)?.text ?? assert.fail(key), params)

test('the texts name the shop and what happens, and a reset tells no password', () => {
  const shop = '老张面馆'
  assert.equal(
    textOf('phone-code', { shop, code: '012345' }),
    '您的验证码是 012345，10分钟内有效，用于商户「老张面馆」修改手机号。请勿告诉他人。',
  )
  assert.match(textOf('recovery-code', { shop, code: '012345' }), /回收短信/)
  assert.match(textOf('password-reset', { shop }), /老张面馆/)
  const due = { shopName: shop, versionName: '高级版' }
  const reminder = (expiresAt: string) =>
    textOf('renewal-reminder', reminderParams({ ...due, expiresAt }, NOW))
  assert.equal(
    reminder('2026-07-01T15:59:59.000Z'),
    '尊敬的商户「老张面馆」，您使用的高级版将于 2026-07-01 到期，请及时联系服务商续费，以免影响使用。',
  )
  assert.match(reminder('2026-06-14T16:30:00.000Z'), /已于 2026-06-15 到期/)
})

test('a template is filled in once: a value that looks like a variable stays as it is', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['${shop}，${shop}！', { shop: '甲' }, '甲，甲！'],
    ['${shop}：${content}', { shop: '${content}', content: '$& $1' }, '${content}：$& $1'],
    ['${shop}', {}, '${shop}'],
    ['没有变量', { shop: '甲' }, '没有变量'],
  ]
  for (const [text, params, expected] of cases) assert.equal(renderTemplate(text, params), expected)
})

test('every template names its variables in their order, once each, with a label and both codes', () => {
  for (const { key, text, variables, aliyunCode, tencentId } of SMS_TEMPLATES) {
    const names = [...new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(match => match[1]))]
    assert.deepEqual(
      variables.map(({ name }) => name),
      names,
      key,
    )
    assert.ok(
      variables.every(({ label }) => label),
      key,
    )
    assert.match(aliyunCode, /^SMS_\d{9}$/)
    assert.match(tencentId, /^\d{7}$/)
  }
  assert.equal(new Set(SMS_TEMPLATES.map(({ aliyunCode }) => aliyunCode)).size, SMS_TEMPLATES.length)
})

test('a message goes only from state to state as the table says, and what is final stays', () => {
  const cases: [MessageStatus, MessageStatus, boolean][] = [
    ['queued', 'sending', true],
    ['queued', 'submitted', false],
    ['sending', 'queued', true],
    ['sending', 'delivered', true],
    ['unknown', 'queued', false],
    ['unknown', 'sending', false],
    ['unknown', 'delivered', true],
    ['submitted', 'queued', false],
    ['submitted', 'failed', true],
    ['submitted', 'submitted', false],
  ]
  for (const [from, to, expected] of cases) assert.equal(mayBecome(from, to), expected, `${from} ${to}`)
  for (const final of ['delivered', 'failed', 'expired', 'cancelled'] as const)
    for (const to of MESSAGE_STATUS_KEYS) assert.equal(mayBecome(final, to), false, `${final} ${to}`)
})

test('a message is charged as told or expected, and not at all where it was not sent', () => {
  const cases: [MessageStatus, number | null, number][] = [
    ['queued', null, 2],
    ['unknown', null, 2],
    ['submitted', 1, 1],
    ['delivered', 3, 3],
    ['failed', 3, 0],
    ['expired', null, 0],
    ['cancelled', null, 0],
  ]
  for (const [status, fee, expected] of cases)
    assert.equal(segmentsDue({ status, segments: 2, fee }), expected, `${status} ${fee}`)
})

test('only a busy provider is asked to send again; what is refused is told in words', () => {
  for (const code of [
    'Throttling',
    'Throttling.User',
    'RequestLimitExceeded',
    'RequestLimitExceeded.UinLimitExceeded',
  ])
    assert.ok(isThrottling(code), code)
  for (const code of ['isv.BUSINESS_LIMIT_CONTROL', 'LimitExceeded.PhoneNumberDailyLimit', 'ThrottlingX'])
    assert.ok(!isThrottling(code) && !isAccountRefused(code), code)
  for (const code of [
    'isv.AMOUNT_NOT_ENOUGH',
    'isv.SMS_SIGNATURE_ILLEGAL',
    'isp.RAM_PERMISSION_DENY',
    'FailedOperation.InsufficientBalanceInSmsPackage',
    'AuthFailure.SecretIdNotFound',
  ])
    assert.ok(isAccountRefused(code), code)
  const reasons: [string, string, string][] = [
    ['isv.AMOUNT_NOT_ENOUGH', 'x', '短信通道余额不足'],
    ['FailedOperation.SignatureIncorrectOrUnapproved', '', '短信签名未通过审核'],
    ['MOBILE_IN_BLACK', '手机号在黑名单中', '手机号在黑名单中'],
    ['UNHEARD_OF', '', 'UNHEARD_OF'],
    ['', '', ''],
  ]
  for (const [code, message, expected] of reasons) assert.equal(reasonOf(code, message), expected)
})

test('a failed message can be sent again once, a code never', () => {
  const failed: Resendable = {
    kind: 'campaign',
    status: 'failed',
    resentAs: null,
    template: 'maintenance',
    merchantId: 7,
    shopName: '甲店',
  }
  const cases: [Partial<Resendable>, boolean, string | null][] = [
    [{}, false, null],
    [{ status: 'expired' }, false, null],
    [{ merchantId: null, shopName: null }, false, null],
    [{ status: 'unknown' }, false, 'NOT_FAILED'],
    [{ status: 'delivered' }, false, 'NOT_FAILED'],
    [{ resentAs: 9 }, false, 'RESENT_ALREADY'],
    [{ kind: 'phone-code' }, true, 'CODE_NEVER_RESENT'],
    [{ kind: 'recovery-code', status: 'expired' }, true, 'CODE_NEVER_RESENT'],
    [{ kind: 'renewal-reminder' }, false, 'REMINDER_FORBIDDEN'],
    [{ kind: 'renewal-reminder' }, true, null],
    [{ template: null }, true, 'TEMPLATE_GONE'],
    [{ template: 'gone' }, true, 'TEMPLATE_GONE'],
    [{ shopName: null }, true, 'SHOP_GONE'],
  ]
  for (const [changed, mayRemind, expected] of cases)
    assert.equal(
      refuseResend({ ...failed, ...changed }, { templates: new Set(['maintenance']), mayRemind }),
      expected,
      JSON.stringify(changed),
    )
})

test('staff settle only what is unknown, and say why', () => {
  assert.equal(refuseSettling('unknown', '运营商确认未达'), null)
  assert.equal(refuseSettling('unknown', '  '), 'NOTE_REQUIRED')
  assert.equal(refuseSettling('delivered', '说明'), 'NOT_UNKNOWN')
})
