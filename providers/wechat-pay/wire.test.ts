// Vectors published with wechatpay-go: utils/sign_test.go, utils/aes_test.go, core/notify/notify_test.go and
// core/auth/verifiers. The key pair is theirs, made for tests.
import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, verify, X509Certificate } from 'node:crypto'
import test from 'node:test'
import {
  authorizationOf,
  decryptResource,
  payRequestOf,
  readApiV3Key,
  readSignedHeaders,
  signatureFlaw,
  signText,
} from './wire.ts'

const TESTING_KEY = `-----BEGIN TESTING KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDZUJN33V+dSfvd
fL0Mu+39XrZNXFFMQSy1V15FpncHeV47SmV0TzTqZc7hHB0ddqAdDi8Z5k3TKqb7
6sOwYr5TcAfuR6PIPaleyE0/0KrljBum2Isa2Nyq7Dgc3ElBQ6YN4l/a+DpvKaz1
FSKmKrhLNskqokWVSlu4g8OlKlbPXQ9ibII14MZRQrrkTmHYHzfi7GXXM0thAKuR
0HNvyhTHBh4/lrYM3GaMvmWwkwvsMavnOex6+eioZHBOb1/EIZ/LzC6zuHArPpyW
3daGaZ1rtQB1vVzTyERAVVFsXXgBHvfFud3w3ShsJYk8JvMwK2RpJ5/gV0QSARcm
LDRUAlPzAgMBAAECggEBAMc7rDeUaXiWv6bMGbZ3BTXpg1FhdddnWUnYE8HfX/km
OFI7XtBHXcgYFpcjYz4D5787pcsk7ezPidAj58zqenuclmjKnUmT3pfbI5eCA2v4
C9HnbYDrmUPK1ZcADtka4D6ScDccpNYNa1g2TFHzkIrEa6H+q7S3O2fqxY/DRVtN
0JIXalBb8daaqL5QVzSmM2BMVnHy+YITJWIkP2a3pKs9C0W65JGDsnG0wVrHinHF
+cnhFZIbaPEI//DAFMc9NkrWOKVRTEgcCUxCFaHOZVNxDWZD7A2ZfJB2rK6eg//y
gEiFDR2h6mTaDowMB4YF2n2dsIO4/dCG8vPHI20jn4ECgYEA/ZGu6lEMlO0XZnam
AZGtiNgLcCfM/C2ZERZE7QTRPZH1WdK92Al9ndldsswFw4baJrJLCmghjF/iG4zi
hhBvLnOLksnZUfjdumxoHDWXo2QBWbI5QsWIE7AuTiWgWj1I7X4fCXSQf6i+M/y2
6TogQ7d0ANpZFyOkTNMn/tiJvLECgYEA22XqlamG/yfAGWery5KNH2DGlTIyd6xJ
WtJ9j3jU99lZ0bCQ5xhiBbU9ImxCi3zgTsoqLWgA/p00HhNFNoUcTl9ofc0G3zwT
D1y0ZzcnVKxGJdZ6ohW52V0hJStAigtjYAsUgjm7//FH7PiQDBDP1Wa6xSRkDQU/
aSbQxvEE8+MCgYEA3bb8krW7opyM0XL9RHH0oqsFlVO30Oit5lrqebS0oHl3Zsr2
ZGgoBlWBsEzk3UqUhTFwm/DhJLTSJ/TQPRkxnhQ5/mewNhS9C7yua7wQkzVmWN+V
YeUGTvDGDF6qDz12/vJAgSwDDRym8x4NcXD5tTw7mmNRcwIfL22SkysThIECgYAV
BgccoEoXWS/HP2/u6fQr9ZIR6eV8Ij5FPbZacTG3LlS1Cz5XZra95UgebFFUHHtC
EY1JHJY7z8SWvTH8r3Su7eWNaIAoFBGffzqqSVazfm6aYZsOvRY6BfqPHT3p/H1h
Tq6AbBffxrcltgvXnCTORjHPglU0CjSxVs7awW3AEQKBgB5WtaC8VLROM7rkfVIq
+RXqE5vtJfa3e3N7W3RqxKp4zHFAPfr82FK5CX2bppEaxY7SEZVvVInKDc5gKdG/
jWNRBmvvftZhY59PILHO2X5vO4FXh7suEjy6VIh0gsnK36mmRboYIBGsNuDHjXLe
BDa+8mDLkWu5nHEhOxy2JJZl
-----END TESTING KEY-----`
const KEY = createPrivateKey(TESTING_KEY.replaceAll('TESTING', 'PRIVATE'))
const SIGNATURE_OF_SOURCE =
  'BKyAfU4iMCuvXMXS0Wzam3V/cnxZ+JaqigPM5OhljS2iOT95OO6Fsuml2JkFANJU9K6q9bLlDhPXuoVz+pp4hAm6pHU4ld815U4jsKu1RkyaII+1CYBUYC8TK0XtJ8FwUXXz8vZHh58rrAVN1XwNyvD1vfpxrMT4SL536GLwvpUHlCqIMzoZUguLli/K8V29QiOhuH6IEqLNJn8e9b3nwNcQ7be3CzYGpDAKBfDGPCqCv8Rw5zndhlffk2FEA70G4hvMwe51qMN/RAJbknXG23bSlObuTCN7Ndj1aJGH6/L+hdwfLpUtJm4QYVazzW7DFD27EpSQEqA8bX9+8m1rLg=='
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIDVzCCAj+gAwIBAgIJANfOWdH1ItcBMA0GCSqGSIb3DQEBCwUAMEIxCzAJBgNV
BAYTAlhYMRUwEwYDVQQHDAxEZWZhdWx0IENpdHkxHDAaBgNVBAoME0RlZmF1bHQg
Q29tcGFueSBMdGQwHhcNMjEwNDI3MDg1NTIzWhcNMzEwNDI1MDg1NTIzWjBCMQsw
CQYDVQQGEwJYWDEVMBMGA1UEBwwMRGVmYXVsdCBDaXR5MRwwGgYDVQQKDBNEZWZh
dWx0IENvbXBhbnkgTHRkMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA
2VCTd91fnUn73Xy9DLvt/V62TVxRTEEstVdeRaZ3B3leO0pldE806mXO4RwdHXag
HQ4vGeZN0yqm++rDsGK+U3AH7kejyD2pXshNP9Cq5YwbptiLGtjcquw4HNxJQUOm
DeJf2vg6byms9RUipiq4SzbJKqJFlUpbuIPDpSpWz10PYmyCNeDGUUK65E5h2B83
4uxl1zNLYQCrkdBzb8oUxwYeP5a2DNxmjL5lsJML7DGr5znsevnoqGRwTm9fxCGf
y8wus7hwKz6clt3Whmmda7UAdb1c08hEQFVRbF14AR73xbnd8N0obCWJPCbzMCtk
aSef4FdEEgEXJiw0VAJT8wIDAQABo1AwTjAdBgNVHQ4EFgQUT1c7nd/SUO76HSoZ
umNUJv1R5PwwHwYDVR0jBBgwFoAUT1c7nd/SUO76HSoZumNUJv1R5PwwDAYDVR0T
BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAfTjxKRQMzNB/U6ZoCUS+BSNfa2Oh
0plMN6ZuzwiVVZwg1jywvv5yv04koS7Pd4i9E4gt9ZBUQXlpq+A3oOCEEHNRR6b2
kyazGRM7s0OP5X21WrbpSmKmU6K7hkfx30yYs08LVs/Q8DIhvaj1FCFeJzUCzYn/
fHMq4tsbKO0dKAeydPM/nrUZBmaYQVKMVOORGLFjFKVO7JV6Kq/R86ouhjEPgJOe
2xulNBUcjicqtZlBdEh/PWCYP2SpGVDclKm8jeo175T3EVAkdKzzmfpxtMmnMlmq
cTJOU9TxuGvNASMtjj7pYIerTx+xgZDXEVBWFW9PjJ0TV06tCRsgSHItgg==
-----END CERTIFICATE-----`
const SERIAL = 'D7CE59D1F522D701'
const KEYS = new Map([[SERIAL, new X509Certificate(CERTIFICATE).publicKey]])
const NOTICE_AT = new Date(1_624_523_846_000)
const NOTICE_HEADERS = {
  nonce: 'EcZ9Cmy4Xyx1i6RlJQzLcCyEqDa26NBz',
  timestamp: '1624523846',
  serial: SERIAL,
  signature:
    'tJHIiIS9eB2hAYstmAmbbD3ZE5LiIm/Ug5tuL4fC0YOFRWIHV39UFIZXC0e9Wl6lBu6sKvkqDkzpqzBsVHyXFlbYZTOQrVdG4b6LfTnK4mikv9++ixJMd3vTf2yCqvBkh98zs3Ds5zsYQakzbcwhmw4fMJs4nPLws28H0UW9FjDR//rxELLwXvV1VEA1IBLX70xptjL8hrfUjEE8kkry6yNJTHZRU8CAc7qHli2Ng1V1qb9ARbK8A3ThmFmPQvRGrapI/jS2laKKgYUmfdEdkNO6B2Cke5e8VTxY406ArAmQ90GAihDwIcb16TQMnzCMBoutnwZKNiKRACrFmtxw2Q==',
}
const NOTICE_BODY =
  '{"id":"3119dfba-e649-5eec-ab1e-3412bc4d2e17","create_time":"2021-06-24T16:37:26+08:00","resource_type":"encrypt-resource","event_type":"PAYSCORE.USER_OPEN_SERVICE","summary":"签约成功","resource":{"original_type":"payscore","algorithm":"AEAD_AES_256_GCM","ciphertext":"YDS3lKPaC4Y52Gf3uhft5qUBlIa8b428AWTtTauHQfQrRw+X1WpiuHIDy0vo1Vd6VEq67aVyqPdDYMkRVSDaZL3iZttevRMOoPKMifozg6XPWjIZumks/GpT48lI4NizyeaqLBokNebthah3o1H76qSlO9NkDjp9bzmKLEYYH9TEklFUpsvPqOTOcgSLgh21YJXYR7dEBXFgRLiNIKRgO5JdXh1hccRUAlyVWxE54PXpnQ==","associated_data":"payscore","nonce":"Kj7QIyUiYx1q"}}'

test('signs as the published vector does', () => {
  assert.equal(signText(KEY, 'source'), SIGNATURE_OF_SOURCE)
  assert.notEqual(signText(KEY, 'Source'), SIGNATURE_OF_SOURCE)
})

test('verifies and decrypts the published notification', () => {
  assert.equal(signatureFlaw(NOTICE_HEADERS, Buffer.from(NOTICE_BODY), KEYS, NOTICE_AT), null)
  const { resource } = JSON.parse(NOTICE_BODY)
  assert.deepEqual(JSON.parse(decryptResource(Buffer.from('testMchAPIv3Key0'), resource)), {
    mchid: '1234567890',
    appid: '054aa7d7a2a54ab5898df65bd96f001c',
    create_time: '2020-06-30T12:12:00+08:00',
    out_contract_code: '21640bdbd08e473e828f3206a2741c6e',
  })
})

const atSeconds = (seconds: number) => new Date(NOTICE_AT.getTime() + seconds * 1000)
const TAMPERED: [string, Partial<typeof NOTICE_HEADERS>, string, Date, RegExp][] = [
  ['another body', {}, NOTICE_BODY.replace('USER_OPEN', 'USER_SHUT'), NOTICE_AT, /signature is wrong/],
  ['a body with one more space', {}, `${NOTICE_BODY} `, NOTICE_AT, /signature is wrong/],
  [
    'another nonce',
    { nonce: 'EcZ9Cmy4Xyx1i6RlJQzLcCyEqDa26NBy' },
    NOTICE_BODY,
    NOTICE_AT,
    /signature is wrong/,
  ],
  ['another timestamp', { timestamp: '1624523847' }, NOTICE_BODY, NOTICE_AT, /signature is wrong/],
  ['no number as a timestamp', { timestamp: '1624523846x' }, NOTICE_BODY, NOTICE_AT, /not a number/],
  ['301 s ago', {}, NOTICE_BODY, atSeconds(301), /too far/],
  ['301 s ahead', {}, NOTICE_BODY, atSeconds(-301), /too far/],
  ['an unknown serial', { serial: 'D7CE59D1F522D702' }, NOTICE_BODY, NOTICE_AT, /serial is not known/],
  ['a signature that is no base64', { signature: 'invalid signature' }, NOTICE_BODY, NOTICE_AT, /wrong/],
  ['an empty signature', { signature: '' }, NOTICE_BODY, NOTICE_AT, /wrong/],
  [
    'a probe',
    { signature: `WECHATPAY/SIGNTEST/${NOTICE_HEADERS.signature}` },
    NOTICE_BODY,
    NOTICE_AT,
    /probe/,
  ],
]
for (const [what, changes, body, now, flaw] of TAMPERED)
  test(`refuses a notification with ${what}`, () => {
    const found = signatureFlaw({ ...NOTICE_HEADERS, ...changes }, Buffer.from(body), KEYS, now)
    assert.match(found ?? 'none', flaw)
  })

test('accepts a notification that is 300 s old', () => {
  assert.equal(signatureFlaw(NOTICE_HEADERS, Buffer.from(NOTICE_BODY), KEYS, atSeconds(300)), null)
})

test('verifies by the id of a public key as well as by the serial of a certificate', () => {
  const id = 'PUB_KEY_ID_0114232134912410000000000000000000'
  const keys = new Map([...KEYS, [id, createPublicKey(KEY)]])
  for (const serial of [SERIAL, id])
    assert.equal(
      signatureFlaw({ ...NOTICE_HEADERS, serial }, Buffer.from(NOTICE_BODY), keys, NOTICE_AT),
      null,
    )
})

test('a message without one of the four headers is not signed', () => {
  const headers: Record<string, string> = {
    'wechatpay-timestamp': '1',
    'wechatpay-nonce': 'n',
    'wechatpay-signature': 's',
    'wechatpay-serial': 'c',
  }
  assert.notEqual(
    readSignedHeaders(name => headers[name]),
    null,
  )
  for (const missing of Object.keys(headers))
    assert.equal(
      readSignedHeaders(name => (name === missing ? undefined : headers[name])),
      null,
    )
})

const HELLO = {
  algorithm: 'AEAD_AES_256_GCM',
  ciphertext: 'FsdXzxryWfKwvLJKf8LG/ToRPTRh8RN9wROC',
  nonce: 'wCq51qZv4Yfg',
  associated_data: 'Dl56FrqWQJF1t9LtC3vEUsniZKvbqdR8',
}
const AES_KEY = Buffer.from('testAPIv3Key0000')

test('decrypts the published vector', () => {
  assert.equal(decryptResource(AES_KEY, HELLO), 'Hello World')
})

const UNREADABLE: [string, Buffer, Partial<typeof HELLO>][] = [
  ['another key', Buffer.from('testAPIv3Key1111'), {}],
  ['a key of another length', Buffer.from('not a aes key'), {}],
  ['a ciphertext that is no base64', AES_KEY, { ciphertext: 'invalid cipher' }],
  ['a ciphertext of something else', AES_KEY, { ciphertext: 'SGVsbG8gV29ybGQK' }],
  ['one bit changed', AES_KEY, { ciphertext: 'FsdXzxryWfKwvLJKf8LG/ToRPTRh8RN9wRODA' }],
  ['other associated data', AES_KEY, { associated_data: 'certificate' }],
  ['another nonce', AES_KEY, { nonce: 'wCq51qZv4Yfh' }],
  ['another algorithm', AES_KEY, { algorithm: 'AEAD_SM4_GCM' }],
]
for (const [what, key, changes] of UNREADABLE)
  test(`does not decrypt with ${what}`, () => {
    assert.throws(() => decryptResource(key, { ...HELLO, ...changes }))
  })

test('a merchant’s APIv3 key has 32 bytes and no other number', () => {
  assert.equal(readApiV3Key('0123456789abcdef0123456789abcdef').length, 32)
  for (const wrong of ['', 'testAPIv3Key0000', '0123456789abcdef0123456789abcde', '密'.repeat(32)])
    assert.throws(() => readApiV3Key(wrong), /32 bytes/)
})

test('signs a request over its five lines and names the signer in the header', () => {
  const target = '/v3/pay/transactions/out-trade-no/A1?mchid=1900000001'
  const header = authorizationOf(
    { mchid: '1900000001', serial: 'ABCDEF', key: KEY },
    { method: 'GET', target, body: '' },
    NOTICE_AT,
    'nonce1',
  )
  assert.match(header, /^WECHATPAY2-SHA256-RSA2048 /)
  const fields = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const { signature, ...rest } = fields
  assert.deepEqual(rest, {
    mchid: '1900000001',
    nonce_str: 'nonce1',
    timestamp: '1624523846',
    serial_no: 'ABCDEF',
  })
  assert.equal(signature, signText(KEY, `GET\n${target}\n1624523846\nnonce1\n\n`))
})

test('signs what WeChat’s browser needs over its four lines', () => {
  const request = payRequestOf('wx1', 'wx20prepay', KEY, NOTICE_AT, 'nonce2')
  const { paySign, ...rest } = request
  assert.deepEqual(rest, {
    appId: 'wx1',
    timeStamp: '1624523846',
    nonceStr: 'nonce2',
    package: 'prepay_id=wx20prepay',
    signType: 'RSA',
  })
  const text = Buffer.from('wx1\n1624523846\nnonce2\nprepay_id=wx20prepay\n')
  assert.ok(verify('sha256', text, createPublicKey(KEY), Buffer.from(paySign ?? '', 'base64')))
})
