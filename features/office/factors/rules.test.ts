import assert from 'node:assert/strict'
import test from 'node:test'
import { type GivenRule, plainRecoveryCode, recoveryCodeOf, refuseName, refuseRules } from './rules.ts'
import { base32, codeAt, stepOf, totpAddress } from './server-totp.ts'

const SECRET = Buffer.from('12345678901234567890')

test('codes are those of RFC 6238, their last six digits', () => {
  const cases: [seconds: number, code: string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [seconds, code] of cases) assert.equal(codeAt(SECRET, Math.floor(seconds / 30)), code)
})

test('a clock may be one step off, and a step that was used is none', () => {
  const now = 1_000_000
  const at = (step: number, lastStep = 0) => stepOf(SECRET, codeAt(SECRET, step), now * 30_000, lastStep)
  assert.deepEqual(
    [now - 2, now - 1, now, now + 1, now + 2].map(step => at(step)),
    [null, now - 1, now, now + 1, null],
  )
  assert.equal(at(now, now), null)
  assert.equal(at(now - 1, now), null)
  assert.equal(at(now + 1, now), now + 1)
  for (const wrong of ['', '12345', '1234567', 'abcdef']) assert.equal(stepOf(SECRET, wrong, 59_000, 0), null)
})

test('apps are told the secret in base 32', () => {
  assert.equal(base32(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.match(totpAddress(SECRET, '20001', '合作'), /^otpauth:\/\/totp\/%E5.*:20001\?secret=GEZ/)
})

test('a recovery code is read however it is typed', () => {
  const code = recoveryCodeOf(Uint8Array.from([0, 31, 32, 255, 10, 11, 12, 13, 14, 15]))
  assert.equal(code, '0Z0ZA-BCDEF')
  assert.equal(plainRecoveryCode(` ${code.toLowerCase()} `), '0Z0ZABCDEF')
  assert.equal(plainRecoveryCode('0z0za bcdef'), '0Z0ZABCDEF')
})

test('a key has a name of at most 20 characters', () => {
  assert.equal(refuseName(' '), 'NAME_REQUIRED')
  assert.equal(refuseName('字'.repeat(21)), 'NAME_TOO_LONG')
  assert.equal(refuseName('字'.repeat(20)), null)
})

test('an owner obliges its own staff, the operator everybody else', () => {
  const rule = (kind: GivenRule['kind'], graceDays = 7) => [{ kind, required: true, graceDays }]
  const cases: [rules: GivenRule[], isOperator: boolean, code: string | undefined][] = [
    [rule('ownStaff'), false, undefined],
    [rule('owners'), false, 'RULE_FOREIGN'],
    [rule('staff'), false, 'RULE_FOREIGN'],
    [rule('vendor'), true, undefined],
    [rule('ownStaff'), true, 'RULE_FOREIGN'],
    [rule('owners', -1), true, 'GRACE_FORMAT'],
    [rule('owners', 91), true, 'GRACE_FORMAT'],
    [rule('owners', 1.5), true, 'GRACE_FORMAT'],
    [rule('owners', 0), true, undefined],
  ]
  for (const [rules, isOperator, code] of cases)
    assert.equal(refuseRules(rules, { isOperator })?.code, code, JSON.stringify(rules))
})
