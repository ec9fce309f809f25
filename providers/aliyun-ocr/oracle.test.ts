// The vendor's own SDK against the simulator, so that simulator and client cannot share a mistake.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test, { after, before } from 'node:test'
import ocrApi from '@alicloud/ocr-api20210707'
import { $OpenApiUtil } from '@alicloud/openapi-core'
import { pictureOf, type SaidPaper } from '../simulated-ocr.ts'
import { makeAliyunOcrKeys, startAliyunOcrSimulator } from './simulator.ts'

const keys = makeAliyunOcrKeys()
let service: Awaited<ReturnType<typeof startAliyunOcrSimulator>>

before(async () => {
  service = await startAliyunOcrSimulator({ keys })
})
after(() => service.stop())

/** The SDK with these keys; the vendor's package is CommonJS, so its class is the default of the default. */
function sdk(accessKeySecret = keys.accessKeySecret) {
  const { default: Client } = ocrApi as unknown as typeof import('@alicloud/ocr-api20210707')
  return new Client(
    new $OpenApiUtil.Config({
      accessKeyId: keys.accessKeyId,
      accessKeySecret,
      endpoint: new URL(service.url).host,
      protocol: 'HTTP',
    }),
  )
}
const picture = (said: SaidPaper) => ({ body: Readable.from([pictureOf(said)]) })
const licence = (said: SaidPaper, secret?: string) =>
  sdk(secret).recognizeBusinessLicense(new ocrApi.RecognizeBusinessLicenseRequest(picture(said)))
const card = (said: SaidPaper) =>
  sdk().recognizeIdcard(new ocrApi.RecognizeIdcardRequest({ ...picture(said), outputQualityInfo: true }))

test('the SDK reads a licence', async () => {
  const { body } = await licence({
    text: { number: '9144030071526726XG', name: '测试餐饮有限公司', from: '20170104', to: null },
  })
  const { data } = JSON.parse(body?.data ?? '') as { data: Record<string, string> }
  assert.equal(data.creditCode, '9144030071526726XG')
  assert.equal(data.companyName, '测试餐饮有限公司')
  assert.equal(data.validPeriod, '2017年01月04日至长期')
  assert.equal(data.validToDate, '29991231')
})

test('the SDK reads an ID card, whichever side it shows', async () => {
  const front = await card({ kind: 'front', problem: 'copy', text: { number: '11010519491231002X' } })
  const { face } = (JSON.parse(front.body?.data ?? '') as Record<string, Record<string, unknown>>).data as {
    face: { data: Record<string, string>; warning: Record<string, number> }
  }
  assert.equal(face.data.idNumber, '11010519491231002X')
  assert.equal(face.warning.isCopy, 1)
  const back = await card({ kind: 'back', text: { from: '20150104', to: '20350104' } })
  assert.match(back.body?.data ?? '', /"validPeriod":"2015\.01\.04-2035\.01\.04"/)
})

test('the SDK is told refusals by their codes', async () => {
  await assert.rejects(licence({ kind: 'front' }), { code: 'unmatchedImageType' })
  await assert.rejects(licence({ problem: 'arrears' }), { code: 'OcrServiceExpired' })
  await assert.rejects(licence({}, 'wrong'), { code: 'SignatureDoesNotMatch' })
})
