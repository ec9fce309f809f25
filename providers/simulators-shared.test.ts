import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import type { PayOrder, Surroundings } from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS, until } from '#test/patience.ts'
import { pictureOf } from './simulated-ocr.ts'
import { type SharedSimulators, shareSimulators } from './simulators-shared.ts'
import { makeTencentOcr } from './tencent-ocr/client.ts'
import { makeWechatPay } from './wechat-pay/client.ts'

const SURROUNDINGS: Surroundings = {
  fetch,
  now: () => new Date(),
  nonce: () => 'n'.repeat(32),
  timeoutMs: ANSWERED_WITHIN_MS,
}
let folder: string
const opened: SharedSimulators[] = []

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'partner-office-simulators-'))
})
after(async () => {
  await Promise.all(opened.map(one => one.stop()))
  rmSync(folder, { recursive: true, force: true })
})

/** As an instance of the program that works in `name`. */
async function share(name: string): Promise<SharedSimulators> {
  const one = await shareSimulators({
    keysFile: join(folder, name, 'simulators.json'),
    signature: '测试签名',
    templates: { aliyun: [], tencent: [] },
    answerWithinMs: ANSWERED_WITHIN_MS,
  })
  opened.push(one)
  return one
}
const wechatOf = ({ settings }: SharedSimulators) => makeWechatPay(settings.wechat, SURROUNDINGS)
const order = (outTradeNo: string): PayOrder => ({
  outTradeNo,
  amountFen: 100,
  subject: '短信',
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  notifyUrl: 'http://127.0.0.1:9/none',
})

test('a code that one instance had made is paid and found through the other', async () => {
  const [first, second] = [await share('two'), await share('two')]
  assert.equal(second.phoneUrl, first.phoneUrl)
  assert.equal(second.receiptSecret, first.receiptSecret)
  const { codeUrl } = await wechatOf(first).create(order('Tshared1'))
  const pay = new URL('/__sim/pay', first.settings.wechat.baseUrl)
  assert.ok((await fetch(pay, { method: 'POST', body: JSON.stringify({ code: codeUrl }) })).ok)
  assert.equal((await wechatOf(second).query('Tshared1')).state, 'paid')
})

test('who is left runs them at the same place', async () => {
  const [first, second] = [await share('left'), await share('left')]
  await first.stop()
  const isBack = async () => (await fetch(second.phoneUrl, { redirect: 'manual' }).catch(() => null)) !== null
  await until(isBack)
  assert.ok((await wechatOf(second).create(order('Tshared2'))).codeUrl)
  const third = await share('left')
  assert.equal(third.phoneUrl, first.phoneUrl)
})

test('two that start at once agree, and nobody shares with another folder', async () => {
  const [one, other, stranger] = await Promise.all([share('once'), share('once'), share('stranger')])
  assert.equal(one?.phoneUrl, other?.phoneUrl)
  assert.ok((await wechatOf(one as SharedSimulators).create(order('Tshared3'))).codeUrl)
  assert.ok((await wechatOf(other as SharedSimulators).create(order('Tshared4'))).codeUrl)
  assert.notEqual(stranger?.phoneUrl, one?.phoneUrl)
  assert.notEqual(stranger?.receiptSecret, one?.receiptSecret)
})

test('where somebody else has the port now, another is taken and kept', async () => {
  const first = await share('taken')
  await first.stop()
  const somebody = createServer((_request, response) => response.end('{}'))
  const port = Number(new URL(first.phoneUrl).port)
  await new Promise<void>(resolve => somebody.listen(port, '127.0.0.1', resolve))
  try {
    const again = await share('taken')
    assert.notEqual(again.phoneUrl, first.phoneUrl)
    const kept = JSON.parse(readFileSync(join(folder, 'taken', 'simulator-ports.json'), 'utf8'))
    assert.equal(kept.phone, Number(new URL(again.phoneUrl).port))
  } finally {
    somebody.close()
  }
})

test('the places of an older program, which had fewer, are not used', async () => {
  const file = join(folder, 'older', 'simulator-ports.json')
  mkdirSync(join(folder, 'older'))
  writeFileSync(file, JSON.stringify({ wechat: 1, alipay: 1, aliyun: 1, tencent: 1, phone: 1 }))
  const { settings } = await share('older')
  const picture = pictureOf({ kind: 'licence', text: { name: '测试餐饮有限公司' } })
  const ocr = makeTencentOcr(settings.tencentOcr, SURROUNDINGS)
  assert.equal((await ocr.readLicence(picture)).fields.name?.value, '测试餐饮有限公司')
})
