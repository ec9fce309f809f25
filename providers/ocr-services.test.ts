// Both services that read papers, by one table: what they find, what they warn of and what they refuse.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import {
  type CardSide,
  type Ocr,
  OcrRefused,
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { ANSWERED_WITHIN_MS, GIVEN_UP_AFTER_MS, untilMet } from '#test/patience.ts'
import { makeAliyunOcr } from './aliyun-ocr/client.ts'
import { aliyunOcrSettings, makeAliyunOcrKeys, startAliyunOcrSimulator } from './aliyun-ocr/simulator.ts'
import { ANY_PNG, pictureOf, type SaidPaper } from './simulated-ocr.ts'
import type { Effect, RunningSimulator } from './simulator.ts'
import { makeTencentOcr } from './tencent-ocr/client.ts'
import { makeTencentOcrKeys, startTencentOcrSimulator, tencentOcrSettings } from './tencent-ocr/simulator.ts'

const SURROUNDINGS: Surroundings = {
  fetch,
  now: () => new Date(),
  nonce: () => randomUUID(),
  timeoutMs: ANSWERED_WITHIN_MS,
}
const LICENCE = {
  number: '9144030071526726XG',
  name: '测试餐饮有限公司',
  person: '张三',
  address: '测试路1号',
  from: '20170104',
  to: null,
}
const FRONT = {
  number: '11010519491231002X',
  name: '张三',
  sex: '女',
  birth: '19491231',
  address: '测试路1号',
}
const BACK = { authority: '测试分局', from: '20150104', to: '20450104' }

type Service = {
  running: RunningSimulator
  make(changed?: Partial<Surroundings>, secret?: string): Ocr
  actions: { licence: string; card: string }
  busy: string
}
const services: Record<string, () => Promise<Service>> = {
  async tencent() {
    const keys = makeTencentOcrKeys()
    const running = await startTencentOcrSimulator({ keys })
    return {
      running,
      make: (changed, secretKey = keys.secretKey) =>
        makeTencentOcr(tencentOcrSettings({ ...keys, secretKey }, running.url), {
          ...SURROUNDINGS,
          ...changed,
        }),
      actions: { licence: 'BizLicenseOCR', card: 'IDCardOCR' },
      busy: 'RequestLimitExceeded',
    }
  },
  async aliyun() {
    const keys = makeAliyunOcrKeys()
    const running = await startAliyunOcrSimulator({ keys })
    return {
      running,
      make: (changed, accessKeySecret = keys.accessKeySecret) =>
        makeAliyunOcr(aliyunOcrSettings({ ...keys, accessKeySecret }, running.url), {
          ...SURROUNDINGS,
          ...changed,
        }),
      actions: { licence: 'RecognizeBusinessLicense', card: 'RecognizeIdcard' },
      busy: 'Throttling.User',
    }
  },
}

for (const [name, start] of Object.entries(services)) {
  let service: Service
  let ocr: Ocr
  before(async () => {
    service = await start()
    ocr = service.make()
  })
  after(() => service.running.stop())

  const licence = (said: SaidPaper = {}) =>
    ocr.readLicence(pictureOf({ kind: 'licence', text: LICENCE, ...said }))
  const card = (side: CardSide, said: SaidPaper = {}) =>
    ocr.readIdCard(pictureOf({ kind: side, text: side === 'front' ? FRONT : BACK, ...said }), side)
  const refusedAs = (problem: OcrRefused['problem']) => (error: unknown) => {
    assert.ok(error instanceof OcrRefused, String(error))
    assert.equal(error.problem, problem)
    assert.notEqual(error.reference, '')
    return true
  }
  const valuesOf = (fields: Partial<Record<string, { value: string; confidence: number }>>) => {
    for (const [field, found] of Object.entries(fields))
      assert.ok(found && found.confidence > 0.8 && found.confidence <= 1, `${field} ${found?.confidence}`)
    return Object.fromEntries(Object.entries(fields).map(([field, found]) => [field, found?.value]))
  }

  test(`${name}: number and bank of a bank card are read, and a number whose check fails is hardly believed`, async () => {
    const bankCard = (number: string, said: SaidPaper = {}) =>
      ocr.readBankCard(pictureOf({ kind: 'bankCard', text: { number, name: '招商银行' }, ...said }))
    const { fields, warnings } = await bankCard('6214830123456789012')
    assert.deepEqual(valuesOf(fields), { number: '6214830123456789012', bankName: '招商银行' })
    assert.deepEqual(warnings, [])
    const misread = await bankCard('6214830123456789013')
    assert.ok((misread.fields.number?.confidence ?? 1) < 0.5)
    await assert.rejects(ocr.readBankCard(pictureOf({ kind: 'front' })), refusedAs('unreadable'))
  })

  test(`${name}: what a licence says is read`, async () => {
    const { fields, warnings } = await licence()
    assert.deepEqual(valuesOf(fields), {
      number: '9144030071526726XG',
      name: '测试餐饮有限公司',
      legalPerson: '张三',
      address: '测试路1号',
      establishedOn: '2017-01-04',
      validFrom: '2017-01-04',
      validTo: '长期',
    })
    assert.deepEqual(warnings, [])
  })

  test(`${name}: what both sides of an ID card say is read`, async () => {
    const front = await card('front')
    assert.deepEqual(valuesOf(front.fields), {
      name: '张三',
      sex: '女',
      birthDate: '1949-12-31',
      address: '测试路1号',
      idNumber: '11010519491231002X',
    })
    const back = await card('back')
    assert.deepEqual(valuesOf(back.fields), {
      authority: '测试分局',
      validFrom: '2015-01-04',
      validTo: '2045-01-04',
    })
    assert.deepEqual([...front.warnings, ...back.warnings], [])
  })

  test(`${name}: a number that was misread is hardly believed`, async () => {
    const { fields } = await licence({ text: { ...LICENCE, number: '9144030071526726XA' } })
    assert.deepEqual(fields.number, { value: '9144030071526726XA', confidence: 0.2 })
    const front = await card('front', { text: { ...FRONT, number: '110105194912310021' } })
    assert.equal(front.fields.idNumber?.confidence, 0.2)
  })

  test(`${name}: a picture that is not sharp makes its values less sure`, async () => {
    const { fields, warnings } = await card('front', { sharpness: 30 })
    assert.ok((fields.name?.confidence ?? 1) < 0.31)
    assert.deepEqual(warnings, ['blurred'])
  })

  for (const [problem, warning] of [
    ['copy', 'copy'],
    ['reshot', 'copy'],
    ['incomplete', 'incomplete'],
    ['altered', 'altered'],
  ] as const)
    test(`${name}: of a card that is ${problem} it warns, and reads it all the same`, async () => {
      const { fields, warnings } = await card('front', { problem })
      assert.deepEqual(warnings, [warning])
      assert.equal(fields.idNumber?.value, '11010519491231002X')
    })

  test(`${name}: a paper whose term is over is told`, async () => {
    const over = { from: '20000105', to: '20200105' }
    assert.deepEqual((await licence({ problem: 'expired', text: over })).warnings, ['expired'])
    assert.deepEqual((await card('back', { problem: 'expired', text: over })).warnings, ['expired'])
  })

  test(`${name}: what is no such paper is refused, and so is its wrong side`, async () => {
    await assert.rejects(card('front', { kind: 'back' }), refusedAs('wrong-side'))
    await assert.rejects(card('back', { kind: 'front' }), refusedAs('wrong-side'))
    await assert.rejects(card('front', { kind: 'licence' }), refusedAs('unreadable'))
    await assert.rejects(licence({ kind: 'front' }), refusedAs('unreadable'))
    await assert.rejects(licence({ problem: 'empty' }), refusedAs('unreadable'))
    await assert.rejects(ocr.readLicence(Buffer.from('no picture')), refusedAs('unreadable'))
    await assert.rejects(ocr.readIdCard(Buffer.alloc(0), 'front'), refusedAs('unreadable'))
  })

  test(`${name}: a blurred card is refused as such`, async () => {
    await assert.rejects(card('front', { problem: 'blurred' }), refusedAs('blurred'))
  })

  test(`${name}: a picture beyond what the service takes is refused`, async () => {
    const large = Buffer.concat([ANY_PNG, Buffer.alloc(11 * 1024 * 1024)])
    await assert.rejects(ocr.readLicence(large), refusedAs('unreadable'))
  })

  test(`${name}: arrears are told apart, for whoever pays`, async () => {
    await assert.rejects(licence({ problem: 'arrears' }), refusedAs('arrears'))
    const effect: Effect = { kind: 'quota-exhausted' }
    service.running.control.faults.push({ match: service.actions.card, times: 1, effect })
    await assert.rejects(card('front'), refusedAs('arrears'))
  })

  test(`${name}: too many calls are made again later`, async () => {
    const effect: Effect = { kind: 'error', code: service.busy }
    service.running.control.faults.push({ match: service.actions.licence, times: 1, effect })
    await assert.rejects(licence(), ProviderBusy)
    assert.ok((await licence()).fields.number)
  })

  test(`${name}: what nobody knows is unknown`, async () => {
    for (const effect of [
      { kind: 'status', status: 503 },
      { kind: 'malformed' },
      { kind: 'reset-before' },
      { kind: 'reset-after' },
      { kind: 'error', code: 'InternalError' },
      { kind: 'status', status: 200, body: '{"Response":{}}' },
      { kind: 'status', status: 200, body: '{}' },
    ] satisfies Effect[]) {
      service.running.control.faults.push({ match: '*', times: 1, effect })
      const picture = pictureOf({ kind: 'licence' })
      await assert.rejects(ocr.readLicence(picture), ProviderUnknown, JSON.stringify(effect))
    }
    service.running.control.faults.push({ match: '*', times: 1, effect: { kind: 'silence' } })
    const hurried = service.make({ timeoutMs: GIVEN_UP_AFTER_MS })
    await assert.rejects(hurried.readLicence(pictureOf({ kind: 'licence' })), ProviderUnknown)
    await untilMet(service.running.control.faults)
  })

  test(`${name}: wrong keys and a wrong clock are refusals of settings`, async () => {
    const isOfSettings = (error: unknown) =>
      error instanceof ProviderRefused && !(error instanceof OcrRefused) && !(error instanceof ProviderBusy)
    const picture = pictureOf({ kind: 'licence' })
    await assert.rejects(service.make({}, 'wrong').readLicence(picture), isOfSettings)
    const late = new Date(Date.now() - 3_600_000)
    await assert.rejects(service.make({ now: () => late }).readLicence(picture), isOfSettings)
  })

  test(`${name}: a picture that says nothing shows what was announced, then a paper of its own`, async () => {
    const announced = { kind: 'licence', text: LICENCE }
    await fetch(`${service.running.url}/__sim/next`, { method: 'POST', body: JSON.stringify(announced) })
    assert.equal((await ocr.readLicence(ANY_PNG)).fields.number?.value, LICENCE.number)
    const first = await ocr.readLicence(ANY_PNG)
    assert.deepEqual(await ocr.readLicence(ANY_PNG), first)
    assert.ok((first.fields.number?.confidence ?? 0) > 0.8)
    for (let tries = 0; tries < 20; tries++) {
      const picture = Buffer.concat([ANY_PNG, Buffer.from([tries])])
      await ocr.readIdCard(picture, 'front').then(({ fields }) => valuesOf(fields))
      await ocr.readLicence(picture).then(({ fields }) => valuesOf(fields))
    }
  })
}
