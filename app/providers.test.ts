// Which outside services an environment connects, and that a wrong one is refused in words before anything starts.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { SIMULATED_CHANNELS } from '#providers/simulators.ts'
import { readEnv } from '#server/env.ts'
import { openProviders } from './providers.ts'

let dataDir: string
before(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'partner-office-providers-'))
})
after(() => rmSync(dataDir, { recursive: true, force: true }))

const PEM = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const WECHAT = {
  WECHAT_PAY_MCHID: '1900000001',
  WECHAT_PAY_APPID: 'wx0000000000000001',
  WECHAT_PAY_SERIAL: 'ABCDEF',
  WECHAT_PAY_PRIVATE_KEY: PEM.privateKey,
  WECHAT_PAY_API_V3_KEY: 'k'.repeat(32),
}
const ALIPAY = {
  ALIPAY_APP_ID: '2021000000000001',
  ALIPAY_SELLER_ID: '2088000000000001',
  ALIPAY_PRIVATE_KEY: PEM.privateKey,
  ALIPAY_PUBLIC_KEY: PEM.publicKey,
}
const RECEIPTS = { SMS_RECEIPT_SECRET: 'receipts-of-a-test', SMS_SIGNATURE: '测试签名' }
const ALIYUN = { ALIYUN_SMS_ACCESS_KEY_ID: 'id', ALIYUN_SMS_ACCESS_KEY_SECRET: 'secret', ...RECEIPTS }
const TENCENT = {
  ...RECEIPTS,
  TENCENT_SMS_SECRET_ID: 'id',
  TENCENT_SMS_SECRET_KEY: 'key',
  TENCENT_SMS_SDK_APP_ID: '1400000000',
}

const TENCENT_OCR = { TENCENT_OCR_SECRET_ID: 'id', TENCENT_OCR_SECRET_KEY: 'key' }
const ALIYUN_OCR = { ALIYUN_OCR_ACCESS_KEY_ID: 'id', ALIYUN_OCR_ACCESS_KEY_SECRET: 'secret' }

const open = (settings: Record<string, string>) =>
  openProviders(readEnv({ DATA_DIR: dataDir, SIMULATORS: 'off', ...settings }))

const CASES: [title: string, settings: Record<string, string>, connected: string[]][] = [
  ['nothing where nothing is named', {}, []],
  ['WeChat Pay of a merchant', WECHAT, ['wechat']],
  ['WeChat Pay of a service provider', { ...WECHAT, WECHAT_PAY_SUB_MCHID: '1900000102' }, ['wechat']],
  ['Alipay', ALIPAY, ['alipay']],
  ['both channels and an SMS service', { ...WECHAT, ...ALIPAY, ...ALIYUN }, ['wechat', 'alipay', 'aliyun']],
  ['the SMS service that is named of two', { ...ALIYUN, ...TENCENT, SMS_PROVIDER: 'aliyun' }, ['aliyun']],
  ['Tencent’s SMS', TENCENT, ['tencent']],
  ['Tencent’s reader of papers', TENCENT_OCR, ['tencent']],
  ['Alibaba Cloud’s reader of papers', ALIYUN_OCR, ['aliyun']],
  ['the reader that is named of two', { ...ALIYUN_OCR, ...TENCENT_OCR, OCR_PROVIDER: 'aliyun' }, ['aliyun']],
  ['a third party’s puzzle', { GEETEST_CAPTCHA_ID: 'a', GEETEST_CAPTCHA_KEY: 'b' }, ['geetest']],
]
for (const [title, settings, connected] of CASES)
  test(`connects ${title}`, async () => {
    const { providers, simulators, stop } = await open(settings)
    const { pay, sms, captcha, ocr } = providers
    assert.deepEqual([...Object.keys(pay), ...[sms, captcha, ocr].flatMap(one => one?.name ?? [])], connected)
    assert.equal(simulators, null)
    assert.equal(providers.phoneUrl, null)
    await stop()
  })

test('connects the service of the point of sale that keeps shops’ data, and nothing where none is named', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const named = await open({ POS_SERVICE_URL: 'https://pos.example.com/', POS_SERVICE_SECRET: secret })
  assert.ok(named.providers.pos)
  await named.stop()
  const none = await open({})
  assert.equal(none.providers.pos, null)
  await none.stop()
})

test('connects the acquirer whose keys are given, and none otherwise', async () => {
  const settings = {
    TIANQUE_ORG_ID: '1',
    TIANQUE_PRIVATE_KEY: PEM.privateKey,
    TIANQUE_PUBLIC_KEY: PEM.publicKey,
  }
  const named = await open(settings)
  assert.deepEqual(Object.keys(named.providers.acquirers), ['tianque'])
  assert.deepEqual(Object.keys(named.providers.acquirerOnboarding), ['tianque'])
  await named.stop()
  const none = await open({})
  assert.deepEqual([none.providers.acquirers, none.providers.acquirerOnboarding], [{}, {}])
  await none.stop()
  const { TIANQUE_PRIVATE_KEY: _, ...rest } = settings
  await assert.rejects(open(rest), /TIANQUE_PRIVATE_KEY: is required/)
})

test('connects the platform of mini programs, and refuses a key of its messages that is none', async () => {
  const settings = {
    WECHAT_OPEN_APPID: 'wx1',
    WECHAT_OPEN_SECRET: 's',
    WECHAT_OPEN_TOKEN: 't',
    WECHAT_OPEN_AES_KEY: 'a'.repeat(43),
  }
  const named = await open(settings)
  assert.ok(named.providers.miniPrograms)
  await named.stop()
  const none = await open({})
  assert.equal(none.providers.miniPrograms, null)
  await none.stop()
  await assert.rejects(open({ ...settings, WECHAT_OPEN_AES_KEY: 'short' }), /WECHAT_OPEN_AES_KEY: must be/)
  const { WECHAT_OPEN_TOKEN: _, ...rest } = settings
  await assert.rejects(open(rest), /WECHAT_OPEN_TOKEN: is required/)
})

test('opens merchant accounts for shops under a service provider, and under no merchant', async () => {
  const provider = await open({ ...WECHAT, WECHAT_PAY_SUB_MCHID: '1900000102' })
  assert.equal(provider.providers.onboarding?.name, 'wechat')
  await provider.stop()
  const merchant = await open(WECHAT)
  assert.equal(merchant.providers.onboarding, null)
  await merchant.stop()
})

const WRONG: [title: string, settings: Record<string, string>, words: RegExp][] = [
  ['a merchant without its key', { WECHAT_PAY_MCHID: '1' }, /WECHAT_PAY_APPID: is required/],
  [
    'a point of sale without its secret',
    { POS_SERVICE_URL: 'https://pos.example.com' },
    /POS_SERVICE_SECRET: is required/,
  ],
  [
    'a point of sale that is not sealed',
    { POS_SERVICE_URL: 'http://pos.example.com' },
    /POS_SERVICE_URL: must begin/,
  ],
  [
    'a point of sale with a secret of another form',
    { POS_SERVICE_URL: 'https://pos.example.com', POS_SERVICE_SECRET: 'secret' },
    /POS_SERVICE_SECRET: must be whsec_/,
  ],
  ['an APIv3 key of another length', { ...WECHAT, WECHAT_PAY_API_V3_KEY: 'short' }, /32/],
  ['an app without its seller', { ALIPAY_APP_ID: '1' }, /ALIPAY_SELLER_ID: is required/],
  ['an unknown SMS service', { SMS_PROVIDER: 'pigeon' }, /SMS_PROVIDER: must be aliyun or tencent/],
  [
    'a real SMS service without its signature',
    { ...ALIYUN, SMS_SIGNATURE: '' },
    /SMS_SIGNATURE: is required/,
  ],
  [
    'an SMS service whose receipts would come to another address after a restart',
    { ...ALIYUN, SMS_RECEIPT_SECRET: '' },
    /SMS_RECEIPT_SECRET: is required/,
  ],
  [
    'an address of receipts that can be guessed',
    { ...TENCENT, SMS_RECEIPT_SECRET: 'short' },
    /SMS_RECEIPT_SECRET: must be 16/,
  ],
  ['an unknown reader of papers', { OCR_PROVIDER: 'eyes' }, /OCR_PROVIDER: must be/],
  [
    'a reader of papers that is not on the machine',
    { OCR_PROVIDER: 'tesseract', TESSERACT_PROGRAM: '/nowhere/tesseract' },
    /there is no tesseract/,
  ],
  ['a reader of papers without its secret', { TENCENT_OCR_SECRET_ID: 'a' }, /TENCENT_OCR_SECRET_KEY/],
  ['an SMS service without its secret', { ALIYUN_SMS_ACCESS_KEY_ID: 'a' }, /ALIYUN_SMS_ACCESS_KEY_SECRET/],
]
for (const [title, settings, words] of WRONG)
  test(`refuses ${title}`, async () => {
    await assert.rejects(open(settings), words)
  })

test('a key may stand in a file, or in one line', async () => {
  const file = join(dataDir, 'key.pem')
  writeFileSync(file, PEM.privateKey)
  const { WECHAT_PAY_PRIVATE_KEY: _, ...rest } = WECHAT
  const ways: Record<string, string>[] = [
    { WECHAT_PAY_PRIVATE_KEY_FILE: file },
    { WECHAT_PAY_PRIVATE_KEY: PEM.privateKey.replaceAll('\n', '\\n') },
  ]
  for (const key of ways) {
    const { providers, stop } = await open({ ...rest, ...key })
    assert.ok(providers.pay.wechat)
    await stop()
  }
})

test('the demo needs no account anywhere: what is not configured is simulated, and keeps its keys over a restart', async () => {
  const first = await open({ SIMULATORS: 'on', ...ALIYUN })
  assert.deepEqual(Object.keys(first.providers.pay), SIMULATED_CHANNELS)
  assert.equal(first.providers.sms?.name, 'aliyun')
  assert.equal(first.providers.ocr?.name, 'tencent')
  assert.equal(first.providers.onboarding?.name, 'wechat')
  assert.match(first.providers.phoneUrl ?? '', /^http:\/\/127\.0\.0\.1:\d+\/__sim\/phone$/)
  const keys = readFileSync(join(dataDir, 'simulators.json'), 'utf8')
  const beside = await open({ SIMULATORS: 'on' })
  assert.equal(beside.providers.phoneUrl, first.providers.phoneUrl, 'two on one folder share them')
  await beside.stop()
  await first.stop()
  const second = await open({ SIMULATORS: 'on' })
  assert.equal(second.providers.phoneUrl, first.providers.phoneUrl)
  assert.equal(second.providers.receiptSecret, beside.providers.receiptSecret)
  await second.stop()
  assert.equal(readFileSync(join(dataDir, 'simulators.json'), 'utf8'), keys)
})
