// The worked example of Tencent Cloud's documentation of signature v3 (DescribeInstances), in its two editions.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { type Tc3Request, tc3Authorization } from './tc3.ts'

const BODY = String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`
const HEADERS = { 'content-type': 'application/json; charset=utf-8', host: 'cvm.tencentcloudapi.com' }
const REQUEST: Tc3Request = { service: 'cvm', epochSeconds: 1551113065, headers: HEADERS, body: BODY }
const KEY = {
  secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
  secretKey: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
}
const MASKED = {
  secretId: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******',
  secretKey: 'Gu5t9xGARNpq86cd98joQYCN3*******',
}
const WITH_ACTION: Tc3Request = { ...REQUEST, headers: { ...HEADERS, 'x-tc-action': 'DescribeInstances' } }

test('the published requests get the published signatures', () => {
  assert.equal(
    createHash('sha256').update(BODY).digest('hex'),
    '35e9c5b0e3ae67532d3c9f17ead6c90222632e5b1ff7f6e89887f1398934f064',
  )
  assert.equal(
    tc3Authorization(REQUEST, KEY),
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
  )
  assert.equal(
    tc3Authorization(WITH_ACTION, MASKED),
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=be4f67d323c78ab9acb7395e43c0dbcf822a9cfac32fea2449a7bc7726b770a3',
  )
})

test('every signed part changes the signature', () => {
  const signatureOf = (request: Tc3Request, key = KEY) =>
    tc3Authorization(request, key).split('Signature=')[1]
  const genuine = signatureOf(WITH_ACTION)
  for (const [what, request] of Object.entries({
    body: { ...WITH_ACTION, body: BODY.replace('1', '2') },
    second: { ...WITH_ACTION, epochSeconds: REQUEST.epochSeconds + 1 },
    day: { ...WITH_ACTION, epochSeconds: REQUEST.epochSeconds + 86_400 },
    service: { ...WITH_ACTION, service: 'sms' },
    host: { ...WITH_ACTION, headers: { ...WITH_ACTION.headers, host: 'sms.tencentcloudapi.com' } },
    action: { ...WITH_ACTION, headers: { ...WITH_ACTION.headers, 'x-tc-action': 'RunInstances' } },
    names: REQUEST,
  }))
    assert.notEqual(signatureOf(request), genuine, what)
  assert.notEqual(signatureOf(WITH_ACTION, { ...KEY, secretKey: `${KEY.secretKey}x` }), genuine)
})

test('the day of the key is that of UTC', () => {
  // 2019-02-26 00:30 in Shanghai.
  assert.match(tc3Authorization({ ...REQUEST, epochSeconds: 1551112200 }, KEY), /\/2019-02-25\/cvm\//)
})
