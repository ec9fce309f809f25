// The vendor's own SDK against the simulator, so that simulator and client cannot share a mistake. The SDK takes the
// service from the first label of its endpoint, so `sms.sim.test` is led to loopback.
import assert from 'node:assert/strict'
import dns from 'node:dns'
import test, { after, before } from 'node:test'
import { sms } from 'tencentcloud-sdk-nodejs-sms'
import { makeTencentSmsKeys, startTencentSmsSimulator } from './simulator.ts'

const PHONE = '+8613900005678'
const HOST = 'sms.sim.test'
const keys = makeTencentSmsKeys()
const lookup = dns.lookup
let service: Awaited<ReturnType<typeof startTencentSmsSimulator>>

before(async () => {
  const led = (host: string, ...rest: unknown[]) =>
    (lookup as (...all: unknown[]) => void)(host === HOST ? '127.0.0.1' : host, ...rest)
  dns.lookup = led as unknown as typeof dns.lookup
  service = await startTencentSmsSimulator({
    keys,
    registry: { signatures: ['收银无忧'], templates: [{ code: '1001', text: '您的验证码为{1}' }] },
    carrierMs: 0,
  })
})
after(() => {
  dns.lookup = lookup
  return service.stop()
})

const sdk = (secretKey = keys.secretKey) =>
  new sms.v20210111.Client({
    credential: { secretId: keys.secretId, secretKey },
    region: 'ap-guangzhou',
    profile: {
      httpProfile: { protocol: 'http://' as 'https://', endpoint: `${HOST}:${new URL(service.url).port}` },
    },
  })
const request = (changed: object = {}) => ({
  PhoneNumberSet: [PHONE],
  SmsSdkAppId: keys.sdkAppId,
  SignName: '收银无忧',
  TemplateId: '1001',
  TemplateParamSet: ['40 + 2'],
  SessionContext: 'b-1',
  ...changed,
})

test('the SDK sends a message and asks what became of it', async () => {
  const sent = await sdk().SendSms(request())
  const [status] = sent.SendStatusSet ?? []
  assert.equal(status?.Code, 'Ok')
  assert.equal(status?.Fee, 1)
  assert.equal(status?.PhoneNumber, PHONE)
  const pulled = await sdk().PullSmsSendStatusByPhoneNumber({
    BeginTime: Math.floor(Date.now() / 1000) - 60,
    Offset: 0,
    Limit: 10,
    PhoneNumber: PHONE,
    SmsSdkAppId: keys.sdkAppId,
  })
  assert.equal(pulled.PullSmsSendStatusSet?.[0]?.SerialNo, status?.SerialNo)
  assert.equal(pulled.PullSmsSendStatusSet?.[0]?.ReportStatus, 'SUCCESS')
})

test('the SDK is told a refusal at the number, and a wrong key by an error', async () => {
  const refused = await sdk().SendSms(request({ SignName: '别家' }))
  assert.equal(refused.SendStatusSet?.[0]?.Code, 'FailedOperation.SignatureIncorrectOrUnapproved')
  await assert.rejects(sdk('wrong').SendSms(request()), { code: 'AuthFailure.SignatureFailure' })
  service.control.faults.push({
    match: 'SendSms',
    times: 1,
    effect: { kind: 'error', code: 'RequestLimitExceeded' },
  })
  await assert.rejects(sdk().SendSms(request()), { code: 'RequestLimitExceeded' })
})

test('the SDK has a signature and a template reviewed and uses them', async () => {
  const added = await sdk().AddSmsSign({
    SignName: '无忧商户',
    SignType: 0,
    DocumentType: 1,
    International: 0,
    SignPurpose: 0,
    ProofImage: 'aGVsbG8=',
    QualificationId: 7,
  })
  const SignIdSet = [added.AddSignStatus?.SignId as number]
  const sign = async () =>
    (await sdk().DescribeSmsSignList({ International: 0, SignIdSet })).DescribeSignListStatusSet?.[0]
  assert.equal((await sign())?.StatusCode, 1)
  const review = (approve: boolean, reason = '') =>
    fetch(`${service.url}/__sim/review`, {
      method: 'POST',
      body: JSON.stringify({ kind: 'signature', key: '无忧商户', approve, reason }),
    })
  await review(false, '资质不符')
  assert.deepEqual([(await sign())?.StatusCode, (await sign())?.ReviewReply], [-1, '资质不符'])
  const changed = await sdk().ModifySmsSign({
    SignId: SignIdSet[0] as number,
    SignName: '无忧商户',
    SignType: 0,
    DocumentType: 1,
    International: 0,
    SignPurpose: 0,
    ProofImage: 'aGVsbG8=',
    QualificationId: 7,
  })
  assert.equal(changed.ModifySignStatus?.SignId, SignIdSet[0])
  assert.equal((await sign())?.StatusCode, 1)
  const template = await sdk().AddSmsTemplate({
    TemplateName: '到期提醒',
    TemplateContent: '{1}即将到期',
    SmsType: 2,
    International: 0,
    Remark: '提醒',
  })
  const TemplateId = template.AddTemplateStatus?.TemplateId as string
  service.control.moveClock(6000)
  assert.equal((await sign())?.StatusCode, 0)
  assert.equal((await sign())?.QualificationId, 7)
  const listed = await sdk().DescribeSmsTemplateList({
    International: 0,
    TemplateIdSet: [Number(TemplateId)],
  })
  assert.equal(listed.DescribeTemplateStatusSet?.[0]?.StatusCode, 0)
  assert.equal(listed.DescribeTemplateStatusSet?.[0]?.TemplateContent, '{1}即将到期')
  const sent = await sdk().SendSms(
    request({ SignName: '无忧商户', TemplateId, TemplateParamSet: ['老王烟酒'] }),
  )
  assert.equal(sent.SendStatusSet?.[0]?.Code, 'Ok')
})
