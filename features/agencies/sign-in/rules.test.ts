import assert from 'node:assert/strict'
import test from 'node:test'
import {
  delaySeconds,
  deviceOf,
  isCommonest,
  isOwnPath,
  placeOf,
  refuseLogin,
  refusePasswordChange,
  refuseReset,
  refuseTry,
  strengthOf,
  type Tries,
} from './rules.ts'

test('a login form names what is missing, account first; blanks count as missing', () => {
  assert.equal(refuseLogin({ loginName: '  ', password: '' }), 'LOGIN_NAME_REQUIRED')
  assert.equal(refuseLogin({ loginName: '20001', password: ' ' }), 'PASSWORD_REQUIRED')
  assert.equal(refuseLogin({ loginName: ' 20001 ', password: 'x' }), null)
})

const NOW = Date.parse('2026-03-01T08:00:00Z')
const tries = (by: Tries['by'], failures: number, secondsAgo = 600): Tries => ({
  by,
  failures,
  lastFailedMs: failures === 0 ? null : NOW - secondsAgo * 1_000,
  oldestMs: failures === 0 ? null : NOW - 600_000,
})

test('a login leads on to our own pages alone', () => {
  for (const path of ['/admin', '/admin/index', '/admin?x=1', '/admin/merchant/myMerchant?status=disabled'])
    assert.ok(isOwnPath(path), path)
  for (const path of [
    '',
    '/',
    '/administrator',
    '//example.com/admin',
    'https://example.com/admin/index',
    '/login',
  ])
    assert.ok(!isOwnPath(path), path)
})

test('which try is taken: three are free, then it waits and a stranger solves a puzzle, ten are enough', () => {
  for (const [given, solved, code, secondsLeft] of [
    [[tries('account', 0), tries('network', 0)], false, undefined, undefined],
    [[tries('account', 2, 0), tries('network', 2, 0)], false, undefined, undefined],
    [[tries('account', 3, 0), tries('network', 3, 0)], true, 'LOGIN_TOO_SOON', 1],
    [[tries('account', 3, 2), tries('network', 3, 2)], false, 'CAPTCHA_REQUIRED', 0],
    [[tries('account', 3, 2), tries('network', 3, 2)], true, undefined, undefined],
    // Colleagues behind one address do not wait for each other, but solve a puzzle.
    [[tries('account', 0), tries('network', 9, 0)], false, 'CAPTCHA_REQUIRED', 0],
    [[tries('account', 0), tries('network', 9, 0)], true, undefined, undefined],
    [[tries('account', 9, 10), tries('network', 0)], true, 'LOGIN_TOO_SOON', 20],
    [[tries('account', 10), tries('network', 0)], true, 'LOGIN_THROTTLED', 300],
    [[tries('account', 0), tries('network', 10)], true, 'LOGIN_THROTTLED', 300],
    [[tries('device', 9, 40)], false, undefined, undefined],
    [[tries('device', 3, 0)], false, 'LOGIN_TOO_SOON', 1],
    [[tries('device', 10)], false, 'LOGIN_THROTTLED', 300],
  ] as const) {
    const refused = refuseTry(given, { max: 10, nowMs: NOW, solved })
    assert.deepEqual([refused?.code, refused?.secondsLeft], [code, secondsLeft], JSON.stringify(given))
  }
})

test('each further try waits twice as long, up to half a minute', () => {
  const waits = Array.from({ length: 10 }, (_, failures) => delaySeconds(failures, 10))
  assert.deepEqual(waits, [0, 0, 0, 1, 2, 4, 8, 16, 30, 30])
})

test('a change of the password is refused by the first rule it breaks', () => {
  const change = { oldPassword: 'secret-2026', newPassword: 'lanhai-4471', confirmation: 'lanhai-4471' }
  assert.equal(refusePasswordChange(change), null)
  for (const [more, field, code] of [
    [{ oldPassword: '', newPassword: '' }, 'oldPassword', 'OLD_PASSWORD_REQUIRED'],
    [{ newPassword: ' ' }, 'newPassword', 'NEW_PASSWORD_REQUIRED'],
    [{ oldPassword: '12345', newPassword: '12345' }, 'oldPassword', 'PASSWORD_FORMAT'],
    [{ newPassword: '密码密码密码' }, 'newPassword', 'PASSWORD_FORMAT'],
    [{ newPassword: 'secret-2026' }, 'newPassword', 'PASSWORD_REPEATED'],
    [{ newPassword: 'WoAiNi1314', confirmation: '' }, 'newPassword', 'PASSWORD_GUESSED'],
    [{ confirmation: 'lanhai-4472' }, 'confirmation', 'CONFIRMATION_DIFFERS'],
  ] as const)
    assert.deepEqual(refusePasswordChange({ ...change, ...more }), { field, code })
})

test('a reset asks for the account, the code, then the new password', () => {
  const reset = {
    loginName: '20001',
    code: '012345',
    newPassword: 'lanhai-4471',
    confirmation: 'lanhai-4471',
  }
  assert.equal(refuseReset(reset), null)
  for (const [more, code] of [
    [{ loginName: ' ', code: '' }, 'LOGIN_NAME_REQUIRED'],
    [{ code: '' }, 'CODE_REQUIRED'],
    [{ code: '12345' }, 'CODE_WRONG'],
    [{ newPassword: '' }, 'NEW_PASSWORD_REQUIRED'],
    [{ confirmation: '' }, 'CONFIRMATION_DIFFERS'],
  ] as const)
    assert.equal(refuseReset({ ...reset, ...more })?.code, code)
})

test('the commonest passwords are known in any case, and strength has five steps', () => {
  for (const password of ['123456', 'WoAiNi1314', 'qwe123']) assert.ok(isCommonest(password), password)
  assert.ok(!isCommonest('lanhai-4471'))
  assert.deepEqual([0, 4.9, 5, 6.5, 8, 10, 20].map(strengthOf), [0, 0, 1, 2, 3, 4, 4])
})

test('an address says where it is as far as it can, a browser what it is', () => {
  for (const [ip, place] of [
    ['127.0.0.1', '本机'],
    ['::1', '本机'],
    ['::ffff:192.168.1.9', '内网'],
    ['172.31.0.1', '内网'],
    ['172.32.0.1', '公网'],
    ['100.64.3.2', '内网'],
    ['fe80::1', '内网'],
    ['fd12::1', '内网'],
    ['203.0.113.9', '公网'],
    ['2408:8207::1', '公网'],
    ['', '未知'],
  ] as const)
    assert.equal(placeOf(ip), place, ip)
  assert.equal(
    deviceOf('Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0'),
    'Windows · Edge',
  )
  assert.equal(deviceOf('curl/8.0'), '未知设备')
})
