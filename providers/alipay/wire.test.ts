// Vectors: two genuine notifications of 2019 and a genuine answer, with the public keys that Alipay published for them, as kept in
// the tests of alipay-sdk (MIT); everything else is made here.
import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync } from 'node:crypto'
import test from 'node:test'
import { rawMembers } from '../raw-members.ts'
import {
  fenOfYuan,
  formFields,
  instantOf,
  isNotifyVerified,
  readAnswer,
  requestText,
  signRequest,
  yuanOfFen,
} from './wire.ts'

const pem = (body: string) => `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`
const TRADE_KEY = pem(
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqObrdC7hrgAVM98tK0nv3hSQRGGKT4lBsQjHiGjeYZjOPIPHR5knm2jnnz/YGIXIofVHkA/tAlBAd5DrY7YpvI4tP5EONLtZKC2ghBMx7McI2wRD0xiqzxOQr1FuhZGJ8/AUokBzJrzY+aGX2xcOrxFYRlFilvVLTXg4LWjR1tdPkO6+i7wQZAIVMClPkwVRZEbaERRHlKqTzv2gGv5rDU8gRoe1LeaN+6BlbTqHWkQcNCUNrA8C6l17XAXGKDsm/9TFWwO8EPHHHCaQdjtV5/FdcWIt+L8SR1ss7EXTjYDFtxcKVv9rEoY1lX8T4mX+GbXfZHraG5NCF1+XioL5JwIDAQAB',
)
const LEGACY_KEY = pem(
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk6DCsBIUhWriFohzRV8Fic6oQWNnLKKILNk97VU5qcHEuxYzCujKoyva5gy1170mFJw4IcgJF8AyS7iDUwzAwF4Pp9CpWxDhUhe7mdQJhjBmvTcPLGFFrzlj6unO5lAcbdwaxPUtSxOaNxPJGrTK/wnKQSbjTMMltp1J68q2Tfgrsn/NdZ6lrxO9rvmky8kowqaH5NjntyHO59jCGabMj5sI14z8N61wB/QuIJrDuzIPMPrSNbq0cOWcSCDG09oUHTp9fk7suDB8UiFcmVTXOvK3d4HbeX8V9YsEMxrwxEoYgRRj6K2qrC6oxw480cqf2ueumCmHg6xrcgkyXK81hwIDAQAB',
)
const ANSWER_KEY = pem(
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk7LzhmMa2c4qQd4fqAqenfbuFoA7stPKvoS1LrZEsVnOOGUUjwoa1oU9xsSPjcOWhIerU/VAN4J95GIAXx59ipcleIyfLn2FhHXPgLJpvo+b2jJFyn/1/DbeJDh+0yDVAOf50Z7HhI0mdUhFMkXlT7BU0ZMtJf/TmISFEfhDU/w6qFd6D42L97byAkq0K6LroglSVF24GqJEa7hSeUIkZWj7RasykXrc2uVJ1+ejkXE0LyPxa2AHykMGbJLf5SiZvaNzUZgnKIR36mLOHpQ/2JCXxhXZYUWHzy0kMH54JcUEeksFWBYLGvLjV1phbcUIc3Q76tIuqApY6E222OoZZQIDAQAB',
)
const TRADE_NOTIFY = {
  gmt_create: '2019-08-15 15:56:22',
  charset: 'utf-8',
  seller_email: 'z97-yuquerevenue@service.aliyun.com',
  subject: '语雀空间 500人规模',
  sign: 'QfTb8tqE1BMhS5qAnXtvsF3/jBkEvu9q9en0pdbBUDDjvKycZhQb7h8GDs4FKfi049PynaNuatxSgLb/nLWZpXyyh0LEWdK2S6Ri7nPwrVgOs08zugLO20vOQz44y3ti2Ncm8/wZts1Fr2gZ7pShnVX3d1B50hbsXnObT1r/U8ONNQjWXd0HIul4TG+Q3fm3svmSvFEy0WnzuhcyHPX5Gm4ELNctL6Qd5YniGJFNcc7kopHYtI/XD9YCKCH6Ct02rzUs9i11C9CsadtZn+WhxF26Dqt9sGEFajkJ8cxUTLi8+VCpLHsgPE8P0y095uQcDdK0YjCh4x7wVSov+lrmOQ==',
  buyer_id: '2088102534368455',
  invoice_amount: '0.10',
  notify_id: '2019081500222155624068450559358070',
  fund_bill_list: '[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]',
  notify_type: 'trade_status_sync',
  trade_status: 'TRADE_SUCCESS',
  receipt_amount: '0.10',
  buyer_pay_amount: '0.10',
  sign_type: 'RSA2',
  app_id: '2019073166072302',
  seller_id: '2088531891668739',
  gmt_payment: '2019-08-15 15:56:24',
  notify_time: '2019-08-15 15:56:25',
  version: '1.0',
  out_trade_no: '20190815155618536-564-57',
  total_amount: '0.10',
  trade_no: '2019081522001468450512505578',
  auth_app_id: '2019073166072302',
  buyer_logon_id: 'xud***@126.com',
  point_amount: '0.00',
}
/** Of an older product, which signs `sign_type` too. */
const LEGACY_NOTIFY = {
  app_id: '2017122801303261',
  charset: 'UTF-8',
  commodity_order_id: '2019030800000018079639',
  contactor: '技术支持测试的公司',
  merchant_pid: '2088721996721370',
  method: 'alipay.open.servicemarket.order.notify',
  name: '技术支持测试的公司',
  notify_id: '2019030800222102023008121054923345',
  notify_time: '2019-03-08 10:20:23',
  notify_type: 'servicemarket_order_notify',
  order_item_num: '1',
  order_ticket: '29b1c37d99ab48c5bd5bdaeaeaefbB37',
  order_time: '2019-03-08 10:20:08',
  phone: '17826894615',
  service_code: '58621634',
  sign: 'MsK5SCw8oqLw4f0hiNSd5OVGXxBY3wnQeT8vn5PklJSZFWSZbK4hQbNvkp4ZezeXQH514cEv0ul6Qow8yh6e6yM06LfEL+EZjcpZ0nxzFGRNQ5qq2AUc1OaXQdk92AGvxh+Iq4NGpPQFBd4D8EBJa3NJd8+czMfQskceosOQFqUtLQMYa5DPs+VpN7VM5BdXjaVIuKn5d9Wm2B9dI9ObIM+YRySDkZZPv14DVmUvcrcqJfOR8aHvtSd7B4l92wUQPQgQKNcOQho7xOHS/Bk+Y74AZL2y7TkNmdDoq9OGsThuF5tDW9rI9nVwXxOtsuB+bstra+W7aw9x9DvkKgdSRw==',
  sign_type: 'RSA2',
  timestamp: '2019-03-08 10:20:23',
  title: '麦禾商城模版',
  total_price: '0.00',
  version: '1.0',
}
const UPLOAD = 'alipay.open.file.upload'
const UPLOAD_ANSWER =
  '{"alipay_open_file_upload_response":{"code":"10000","msg":"Success","file_id":"CAxAToWB1JsAAAAAAAAAAAAADgSLAQBr"},"sign":"F+LDzpTNiavn7xVZPGuPCSSVRSmWzJGgtuji6tVELGEaqMaNj0jRKXUEr5nloZJBBmwEnddOyCjjepMmrTKTvoOqQ0Efxpr/R1iEeHTHVbb/Q8TTh6Up5gHJDkILdaWS2q1cWeQ6VT+HQY9P3WRXS7uhILHuDODIhpAyCu5KhWGt0rMCIG+Im6NODJP2oohtSCtmTFXg58HH587Z2y2bdbjzOxLvzD9IrU1imghXQ2S/Q+wMIvRk9on6cWnBLkrNvJKapA2ReNGWOwyuASvB9zDVzhMPbR+3mfRGkVDxsq5HYLjBKGskJMXHw0HuugZij6ScRuaLPODhmHwr/pJ9yw=="}'

const own = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const signedBy = (text: string) =>
  createSign('RSA-SHA256').update(text, 'utf8').sign(own.privateKey, 'base64')

test('Alipay’s own notification of a trade verifies, through the form it arrives in', () => {
  const fields = formFields(new URLSearchParams(TRADE_NOTIFY).toString())
  assert.deepEqual(fields, TRADE_NOTIFY)
  assert.equal(isNotifyVerified(TRADE_NOTIFY, TRADE_KEY), true)
})

test('Alipay’s own notification of an older product verifies with sign_type kept', () => {
  assert.equal(isNotifyVerified(LEGACY_NOTIFY, LEGACY_KEY), true)
})

test('a notification in which any field is changed, added or missing does not verify', () => {
  for (const notify of [TRADE_NOTIFY, LEGACY_NOTIFY]) {
    const key = notify === TRADE_NOTIFY ? TRADE_KEY : LEGACY_KEY
    for (const [name, value] of Object.entries(notify)) {
      if (name === 'sign_type') continue
      const changed = name === 'sign' ? `B${value.slice(1)}` : `${value}0`
      assert.equal(isNotifyVerified({ ...notify, [name]: changed }, key), false, `${name} changed`)
      const { [name]: _, ...without } = notify as Record<string, string>
      assert.equal(isNotifyVerified(without, key), false, `${name} missing`)
    }
    assert.equal(isNotifyVerified({ ...notify, refund_fee: '0.10' }, key), false)
    assert.equal(isNotifyVerified({ ...notify, sign_type: 'RSA' }, key), false)
  }
  assert.equal(isNotifyVerified(TRADE_NOTIFY, LEGACY_KEY), false)
})

test('a form in which a name comes twice is none', () => {
  assert.equal(formFields('total_amount=0.01&total_amount=100.00'), null)
  assert.deepEqual(formFields('a=1%2B2+%25&b='), { a: '1+2 %', b: '' })
})

test('a form of more fields than Alipay sends is none', () => {
  const form = (count: number) => Array.from({ length: count }, (_, place) => `f${place}=`).join('&')
  assert.equal(Object.keys(formFields(form(100)) ?? {}).length, 100)
  assert.equal(formFields(form(101)), null)
})

test('Alipay’s own answer verifies, and does not once a character differs', () => {
  assert.deepEqual(readAnswer(UPLOAD_ANSWER, UPLOAD, ANSWER_KEY), {
    fields: { code: '10000', msg: 'Success', file_id: 'CAxAToWB1JsAAAAAAAAAAAAADgSLAQBr' },
    isVerified: true,
  })
  const tampered = [
    UPLOAD_ANSWER.replace('DgSLAQBr', 'DgSLAQBs'),
    UPLOAD_ANSWER.replace('"Success",', '"Success", '),
    UPLOAD_ANSWER.replace('"sign":"F', '"sign":"G'),
    UPLOAD_ANSWER.replace(/"sign":".*"/, '"sign":""'),
    UPLOAD_ANSWER.replace(/,"sign":".*"/, ''),
    UPLOAD_ANSWER.replace(/"sign":".*"/, '"sign":{"a":1}'),
  ]
  for (const text of tampered) assert.equal(readAnswer(text, UPLOAD, ANSWER_KEY)?.isVerified, false, text)
  assert.equal(readAnswer(UPLOAD_ANSWER, UPLOAD, TRADE_KEY)?.isVerified, false)
})

test('an answer is verified over the very characters received: escapes, spaces, braces and “sign” inside', () => {
  const inners = [
    '{"code":"10000","qr_code":"https:\\/\\/qr.alipay.com\\/bax1"}',
    '{"code":"10000","sub_msg":"}{\\"sign\\":\\"x\\"},\\\\"}',
    '{ "code" : "10000" , "list" : [ { "a" : "]}" } , 1.50 ] }',
    '{"code":"10000","sign":"inside","\\u0061":"\\u4e2d中"}',
    '{}',
  ]
  for (const inner of inners)
    for (const text of [
      `{"x_y_response":${inner},"sign":"${signedBy(inner)}"}`,
      `\n{ "x_y_response" :\n ${inner} ,"alipay_cert_sn":"0a", "sign" : "${signedBy(inner).replaceAll('/', '\\/')}" }\n`,
      `{"sign":"${signedBy(inner)}","x_y_response":${inner}}`,
      `{"error_response":${inner},"sign":"${signedBy(inner)}"}`,
    ]) {
      assert.deepEqual(readAnswer(text, 'x.y', own.publicKey), {
        fields: JSON.parse(inner),
        isVerified: true,
      })
      assert.equal(readAnswer(text, 'x.y', ANSWER_KEY)?.isVerified, false)
    }
  const reserialised = '{"x_y_response":{"qr_code":"https://qr.alipay.com/bax1"},"sign":"'
  const sign = signedBy('{"qr_code":"https:\\/\\/qr.alipay.com\\/bax1"}')
  assert.equal(readAnswer(`${reserialised}${sign}"}`, 'x.y', own.publicKey)?.isVerified, false)
})

test('an answer that names its object twice, or none, is no answer', () => {
  const inner = '{"code":"10000"}'
  const sign = signedBy(inner)
  const texts = [
    `{"x_response":${inner},"x_response":{"code":"10000","forged":"1"},"sign":"${sign}"}`,
    `{"y_response":${inner},"sign":"${sign}"}`,
    `{"x_response":"text","sign":"${sign}"}`,
    `{"x_response":[],"sign":"${sign}"}`,
    '[]',
    'null',
    '',
    '{"x_response":{',
    '<html></html>',
  ]
  for (const text of texts) assert.equal(readAnswer(text, 'x', own.publicKey), null, text)
  assert.deepEqual(
    rawMembers('{"a":1,"b":[2, 3],"c":"}"}'),
    new Map([
      ['a', '1'],
      ['b', '[2, 3]'],
      ['c', '"}"'],
    ]),
  )
})

test('a request is signed sorted, not encoded, with sign_type and without empty values', () => {
  const params = {
    method: 'm',
    sign_type: 'RSA2',
    app_id: '1',
    app_auth_token: '',
    biz_content: '{"a":"x=1&y=中 %2B"}',
  }
  const text = 'app_id=1&biz_content={"a":"x=1&y=中 %2B"}&method=m&sign_type=RSA2'
  assert.equal(requestText({ ...params, sign: 'old' }), text)
  const { sign, ...rest } = signRequest(params, own.privateKey)
  const { app_auth_token: _, ...kept } = params
  assert.deepEqual(rest, kept)
  assert.equal(sign, signedBy(text))
})

test('yuan and fen turn into each other exactly', () => {
  for (const [fen, yuan] of [
    [0, '0.00'],
    [1, '0.01'],
    [10, '0.10'],
    [99, '0.99'],
    [100, '1.00'],
    [2_999, '29.99'],
    [110_115, '1101.15'],
    [10_000_000_000, '100000000.00'],
  ] as const) {
    assert.equal(yuanOfFen(fen), yuan)
    assert.equal(fenOfYuan(yuan), fen)
  }
  for (let fen = 0; fen < 20_000; fen++) assert.equal(fenOfYuan(yuanOfFen(fen)), fen)
  for (const [yuan, fen] of [
    ['1', 100],
    ['1.5', 150],
    ['-50.00', -5_000],
    ['-0.00', 0],
    ['00.29', 29],
  ] as const)
    assert.equal(fenOfYuan(yuan), fen, yuan)
  for (const text of ['', ' 1', '1.', '.5', '1.234', '1e3', '1,000.00', '+1', '--1', 'NaN', '１'])
    assert.equal(fenOfYuan(text), null, text)
  for (const fen of [0.5, -1, Number.NaN, 2 ** 53]) assert.throws(() => yuanOfFen(fen), RangeError)
})

test('Alipay’s wall clock is UTC+8', () => {
  assert.equal(instantOf('2026-11-20 08:00:00'), '2026-11-20T00:00:00.000Z')
  assert.equal(instantOf('2026-01-01 00:00:00.5'), '2025-12-31T16:00:00.500Z')
  for (const text of ['', '2026-11-20', '2026-11-20T08:00:00Z', '2026-13-40 08:00:00'])
    assert.equal(instantOf(text), null, text)
})
