// The vendor's own SDK against the simulator, so that simulator and client cannot share a mistake. The SDK takes the
// service from the first label of its endpoint, so `ocr.sim.test` is led to loopback.
import assert from 'node:assert/strict'
import dns from 'node:dns'
import test, { after, before } from 'node:test'
import { ocr } from 'tencentcloud-sdk-nodejs-ocr'
import { pictureOf, type SaidPaper } from '../simulated-ocr.ts'
import { makeTencentOcrKeys, startTencentOcrSimulator } from './simulator.ts'

const HOST = 'ocr.sim.test'
const keys = makeTencentOcrKeys()
const lookup = dns.lookup
let service: Awaited<ReturnType<typeof startTencentOcrSimulator>>

before(async () => {
  const led = (host: string, ...rest: unknown[]) =>
    (lookup as (...all: unknown[]) => void)(host === HOST ? '127.0.0.1' : host, ...rest)
  dns.lookup = led as unknown as typeof dns.lookup
  service = await startTencentOcrSimulator({ keys })
})
after(() => {
  dns.lookup = lookup
  return service.stop()
})

const sdk = (secretKey = keys.secretKey) =>
  new ocr.v20181119.Client({
    credential: { secretId: keys.secretId, secretKey },
    region: 'ap-guangzhou',
    profile: {
      httpProfile: { protocol: 'http://' as 'https://', endpoint: `${HOST}:${new URL(service.url).port}` },
    },
  })
const picture = (said: SaidPaper) => ({ ImageBase64: pictureOf(said).toString('base64') })

test('the SDK reads a licence, with its warnings where it asks for them', async () => {
  const text = { number: '9144030071526726XG', name: '测试餐饮有限公司', from: '20170104', to: null }
  const copy = picture({ kind: 'licence', problem: 'copy', text })
  const read = await sdk().BizLicenseOCR({ ...copy, EnableCopyWarn: true })
  assert.equal(read.RegNum, '9144030071526726XG')
  assert.equal(read.Name, '测试餐饮有限公司')
  assert.equal(read.Period, '2017年01月04日至长期')
  assert.deepEqual(read.RecognizeWarnCode, [-9102])
  assert.deepEqual((await sdk().BizLicenseOCR(copy)).RecognizeWarnCode, [])
})

test('the SDK reads both sides of an ID card, with what Config asks for', async () => {
  const front = await sdk().IDCardOCR({
    ...picture({
      kind: 'front',
      problem: 'reshot',
      text: { number: '11010519491231002X', birth: '19491231' },
    }),
    CardSide: 'FRONT',
    Config: JSON.stringify({ ReshootWarn: true, Quality: true }),
  })
  assert.equal(front.IdNum, '11010519491231002X')
  assert.equal(front.Birth, '1949/12/31')
  assert.equal(front.ValidDate, '')
  assert.deepEqual(JSON.parse(front.AdvancedInfo ?? ''), { Quality: 96, WarnInfos: [-9103] })
  const back = await sdk().IDCardOCR(picture({ kind: 'back', text: { from: '20150104', to: '20350104' } }))
  assert.equal(back.ValidDate, '2015.01.04-2035.01.04')
  assert.equal(back.IdNum, '')
  assert.deepEqual(JSON.parse(back.AdvancedInfo ?? ''), {})
})

test('the SDK is told refusals by their codes', async () => {
  const code = (said: SaidPaper) => sdk().IDCardOCR({ ...picture(said), CardSide: 'FRONT' })
  await assert.rejects(code({ problem: 'blurred' }), { code: 'FailedOperation.ImageBlur' })
  await assert.rejects(code({ kind: 'back' }), { code: 'FailedOperation.CardSideError' })
  await assert.rejects(code({ problem: 'arrears' }), { code: 'FailedOperation.ArrearsError' })
  await assert.rejects(sdk().IDCardOCR({}), { code: 'FailedOperation.EmptyImageError' })
  await assert.rejects(sdk().IDCardOCR({ ...picture({}), Config: '{' }), {
    code: 'InvalidParameter.ConfigFormatError',
  })
  await assert.rejects(sdk('wrong').BizLicenseOCR(picture({})), { code: 'AuthFailure.SignatureFailure' })
})
