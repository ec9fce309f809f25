// The worked example of Alibaba Cloud's documentation of signature V3 (RunInstances).
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Acs3Request, acs3Authorization, acs3Canonical, queryText, sha256 } from './acs3.ts'

const REQUEST: Acs3Request = {
  method: 'POST',
  path: '/',
  query: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
  headers: {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    'x-acs-action': 'RunInstances',
    'x-acs-version': '2014-05-26',
    'x-acs-date': '2023-10-26T10:22:32Z',
    'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
    'x-acs-content-sha256': sha256(''),
  },
  body: '',
}
const KEY = { accessKeyId: 'YourAccessKeyId', accessKeySecret: 'YourAccessKeySecret' }
const signatureOf = (request: Acs3Request, key = KEY) =>
  acs3Authorization(request, key).split('Signature=')[1]

test('the published request gets the published signature', () => {
  assert.equal(
    sha256(acs3Canonical(REQUEST)),
    '7ea06492da5221eba5297e897ce16e55f964061054b7695beedaac1145b1e259',
  )
  assert.equal(
    acs3Authorization(REQUEST, KEY),
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  )
})

test('every signed part changes the signature', () => {
  const headers = (changed: Record<string, string>) => ({
    ...REQUEST,
    headers: { ...REQUEST.headers, ...changed },
  })
  for (const [what, request] of Object.entries<Acs3Request>({
    method: { ...REQUEST, method: 'GET' },
    path: { ...REQUEST, path: '/clusters' },
    query: { ...REQUEST, query: { ...REQUEST.query, RegionId: 'cn-beijing' } },
    'more query': { ...REQUEST, query: { ...REQUEST.query, DryRun: 'true' } },
    host: headers({ host: 'ecs.cn-beijing.aliyuncs.com' }),
    action: headers({ 'x-acs-action': 'StopInstances' }),
    date: headers({ 'x-acs-date': '2023-10-26T10:22:33Z' }),
    nonce: headers({ 'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703e' }),
    'one more header': headers({ 'x-acs-security-token': 'token' }),
    body: { ...REQUEST, body: 'a=1' },
  }))
    assert.notEqual(signatureOf(request), signatureOf(REQUEST), what)
  assert.notEqual(
    signatureOf(REQUEST, { ...KEY, accessKeySecret: 'yourAccessKeySecret' }),
    signatureOf(REQUEST),
  )
})

test('the query is sorted and encoded as RFC 3986 asks', () => {
  assert.equal(
    queryText({ b: "*!'()~", a: 'x y+z&=', 名: '【签】' }),
    `a=x%20y%2Bz%26%3D&b=%2A%21%27%28%29~&${encodeURIComponent('名')}=${encodeURIComponent('【签】')}`,
  )
})
