// The bill of a day from the simulator to the client, and what is not taken for a bill.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before, beforeEach } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { type PayChannel, ProviderRefused, ProviderUnknown, type Surroundings } from '#kit/ports/providers.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'
import { readBill } from './bill.ts'
import { makeAlipay } from './client.ts'
import { type AlipaySimulator, alipaySettingsFor, makeAlipayKeys, startAlipaySimulator } from './simulator.ts'
import { readZip } from './zip.ts'

const keys = makeAlipayKeys()
const DAY_MS = 86_400_000
let simulator: AlipaySimulator
let alipay: PayChannel
let day: string

const surroundings = (more: Partial<Surroundings> = {}): Surroundings => ({
  fetch,
  now: () => simulator.control.now(),
  nonce: randomUUID,
  timeoutMs: ANSWERED_WITHIN_MS,
  ...more,
})
const settings = () => alipaySettingsFor(keys, simulator.url)

before(async () => {
  simulator = await startAlipaySimulator({ keys })
  // The middle of tomorrow's Shanghai day, so that no test stands across midnight.
  const noon = Date.parse(`${addDays(formatDay(new Date()), 1)}T04:00:00Z`)
  simulator.control.moveClock(noon - Date.now())
  day = formatDay(simulator.control.now())
  alipay = makeAlipay(settings(), surroundings())
  await paid('BILL0001', 2_001, '短信 充值，“一千”条')
  await paid('BILL0002', 100, '鼠标,键盘,线')
  await paid('BILL0003', 5_000, '字库之外的🙂')
  await alipay.create(order('BILL0004', 1, '没有付款'))
  await refund('BILL0001', 'REFUND01', 500)
  simulator.control.moveClock(DAY_MS)
  await refund('BILL0001', 'REFUND02', 1_501)
})
after(() => simulator.stop())
beforeEach(() => turnKnob({ reset: true }))

const order = (outTradeNo: string, amountFen: number, subject: string) => ({
  outTradeNo,
  amountFen,
  subject,
  expiresAt: new Date(simulator.control.now().getTime() + 600_000).toISOString(),
  notifyUrl: 'http://127.0.0.1:9/none',
})
async function paid(outTradeNo: string, amountFen: number, subject: string): Promise<void> {
  const { codeUrl } = await alipay.create(order(outTradeNo, amountFen, subject))
  assert.equal(simulator.pay({ code: codeUrl, outcome: 'paid' }).ok, true)
}
const refund = (outTradeNo: string, refundNo: string, refundFen: number) =>
  alipay.refund({ outTradeNo, refundNo, refundFen, totalFen: 2_001, reason: '', notifyUrl: '' })
const turnKnob = (knob: object) =>
  fetch(`${simulator.url}/__sim/bill`, { method: 'POST', body: JSON.stringify(knob) })
const shown = async (of: string) =>
  (await alipay.bill(of)).map(({ kind, outTradeNo, refundNo, amountFen }) => [
    kind,
    outTradeNo,
    refundNo,
    amountFen,
  ])

test('the bill of a day has its payments and refunds, commas and unknown letters notwithstanding', async () => {
  assert.deepEqual(await shown(day), [
    ['payment', 'BILL0001', null, 2_001],
    ['refund', 'BILL0001', 'REFUND01', 500],
    ['payment', 'BILL0002', null, 100],
    ['payment', 'BILL0003', null, 5_000],
  ])
  assert.deepEqual(await shown(addDays(day, 1)), [['refund', 'BILL0001', 'REFUND02', 1_501]])
  const [line] = await alipay.bill(day)
  const fact = await alipay.query('BILL0001')
  assert.deepEqual([line?.transactionId, line?.at], [fact.transactionId, fact.paidAt])
})

test('the bill may be made to disagree: a line dropped, altered, added', async () => {
  await turnKnob({ kind: 'drop', outTradeNo: 'BILL0002' })
  await turnKnob({ kind: 'alter', outTradeNo: 'BILL0001', refundNo: 'REFUND01', amountFen: 501 })
  await turnKnob({ kind: 'add', day, outTradeNo: 'NOTOURS1', amountFen: 7 })
  assert.deepEqual(await shown(day), [
    ['payment', 'BILL0001', null, 2_001],
    ['refund', 'BILL0001', 'REFUND01', 501],
    ['payment', 'BILL0003', null, 5_000],
    ['payment', 'NOTOURS1', null, 7],
  ])
})

test('a day on which nothing was paid is empty, but not before its bill can be there', async () => {
  const before = addDays(day, -1)
  assert.deepEqual(await alipay.bill(before), [])
  const early = surroundings({ now: () => new Date(Date.parse(`${day}T00:00:00Z`)) })
  await assert.rejects(makeAlipay(settings(), early).bill(before), ProviderUnknown)
  await assert.rejects(alipay.bill(addDays(day, 5)), ProviderRefused)
})

test('a bill that lies elsewhere is not fetched', async () => {
  let asked = 0
  const elsewhere = createServer((_, response) => {
    asked++
    response.end()
  })
  await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
  const billOrigin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  try {
    await assert.rejects(makeAlipay({ ...settings(), billOrigin }, surroundings()).bill(day), /lies on/)
    assert.equal(asked, 0)
  } finally {
    elsewhere.close()
  }
})

test('a bill that is cut, refused or not of this form leaves its content unknown', async () => {
  for (const effect of [
    { kind: 'status', status: 403 },
    { kind: 'status', status: 200, body: 'no archive' },
    { kind: 'malformed' },
    { kind: 'reset-after' },
  ] as const) {
    simulator.control.faults.push({ match: 'bill-download', times: 1, effect })
    await assert.rejects(alipay.bill(day), ProviderUnknown, JSON.stringify(effect))
  }
  const archive = await downloaded()
  assert.equal(readBill(archive).length, 4)
  for (const cut of [1, 30, 200, archive.length - 30])
    assert.throws(() => readBill(archive.subarray(0, -cut)))
  assert.throws(() => readZip(archive, 100), /bytes/, 'larger than allowed')
  const damaged = Buffer.from(archive)
  const at = 200
  damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at)
  assert.throws(() => readBill(damaged))
})

async function downloaded(): Promise<Buffer> {
  const kept: Buffer[] = []
  const spying = surroundings({
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      kept.push(Buffer.from(await response.clone().arrayBuffer()))
      return response
    },
  })
  await makeAlipay(settings(), spying).bill(day)
  return kept.at(-1) as Buffer
}

test('an archive by another writer is read: a comment, extra fields, a UTF-8 name, sizes only in its directory', () => {
  const name = Buffer.from('2088_业务明细.csv')
  const content = Buffer.from('123456789')
  const packed = deflateRawSync(content)
  const checksum = 0xcbf43926
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(0x808, 6)
  local.writeUInt16LE(8, 8)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(0x808, 8)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(checksum, 16)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(content.length, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(4, 30)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length + 4, 12)
  end.writeUInt32LE(30 + name.length + packed.length, 16)
  end.writeUInt16LE(3, 20)
  const archive = Buffer.concat([local, name, packed, entry, name, Buffer.alloc(4), end, Buffer.from('bye')])
  assert.deepEqual(readZip(archive, 100), [{ name: '2088_业务明细.csv', content }])
  archive.writeUInt32LE(checksum + 1, archive.indexOf(entry) + 16)
  assert.throws(() => readZip(archive, 100), /checksum/)
})
