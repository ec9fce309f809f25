// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how templates of this service name their variables
// The vendor's own SDK against the simulator, so that simulator and client cannot share a mistake.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import dysmsapi from '@alicloud/dysmsapi20170525'
import { $OpenApiUtil } from '@alicloud/openapi-core'
import { formatDay } from '#kit/time.ts'
import { makeAliyunSmsKeys, startAliyunSmsSimulator } from './simulator.ts'

const PHONE = '13900005678'
const keys = makeAliyunSmsKeys()
let service: Awaited<ReturnType<typeof startAliyunSmsSimulator>>

before(async () => {
  service = await startAliyunSmsSimulator({
    keys,
    registry: { signatures: ['收银无忧'], templates: [{ code: 'SMS_1', text: '您的验证码为${code}' }] },
    carrierMs: 0,
  })
})
after(() => service.stop())

/** The SDK with these keys; the vendor's package is CommonJS, so its class is the default of the default. */
function sdk(accessKeySecret = keys.accessKeySecret) {
  const { default: Client } = dysmsapi as unknown as typeof import('@alicloud/dysmsapi20170525')
  return new Client(
    new $OpenApiUtil.Config({
      accessKeyId: keys.accessKeyId,
      accessKeySecret,
      endpoint: new URL(service.url).host,
      protocol: 'HTTP',
    }),
  )
}
const request = (changed: object = {}) =>
  new dysmsapi.SendSmsRequest({
    phoneNumbers: PHONE,
    signName: '收银无忧',
    templateCode: 'SMS_1',
    templateParam: JSON.stringify({ code: '40 + 2' }),
    outId: 'b-1',
    ...changed,
  })

test('the SDK sends a message and asks what became of it', async () => {
  const { body } = await sdk().sendSms(request())
  assert.equal(body?.code, 'OK')
  const details = await sdk().querySendDetails(
    new dysmsapi.QuerySendDetailsRequest({
      phoneNumber: PHONE,
      bizId: body?.bizId,
      sendDate: formatDay(new Date()).replaceAll('-', ''),
      pageSize: 10,
      currentPage: 1,
    }),
  )
  const [detail] = details.body?.smsSendDetailDTOs?.smsSendDetailDTO ?? []
  assert.equal(detail?.sendStatus, 3)
  assert.equal(detail?.outId, 'b-1')
  assert.equal(detail?.content, '【收银无忧】您的验证码为40 + 2')
  assert.equal(details.body?.totalCount, '1')
})

test('the SDK is told a refusal by its code, and a wrong key by an error', async () => {
  const { body } = await sdk().sendSms(request({ signName: '别家' }))
  assert.equal(body?.code, 'isv.SMS_SIGNATURE_ILLEGAL')
  assert.equal(body?.bizId, undefined)
  await assert.rejects(sdk('wrong').sendSms(request()), { code: 'SignatureDoesNotMatch' })
  service.control.faults.push({
    match: 'SendSms',
    times: 1,
    effect: { kind: 'error', code: 'Throttling.User' },
  })
  await assert.rejects(sdk().sendSms(request()), { code: 'Throttling.User' })
})

test('the SDK sends each number its own text in one call, and is told when the lists do not fit', async () => {
  const phones = ['13900015678', '13900025678']
  const send = (changed: object = {}) =>
    sdk().sendBatchSms(
      new dysmsapi.SendBatchSmsRequest({
        phoneNumberJson: JSON.stringify(phones),
        signNameJson: JSON.stringify(['收银无忧', '收银无忧']),
        templateCode: 'SMS_1',
        templateParamJson: JSON.stringify([{ code: '甲 & 1' }, { code: '乙+2' }]),
        outId: 'b-2',
        ...changed,
      }),
    )
  const { body } = await send()
  assert.equal(body?.code, 'OK')
  for (const [at, text] of ['【收银无忧】您的验证码为甲 & 1', '【收银无忧】您的验证码为乙+2'].entries()) {
    const details = await sdk().querySendDetails(
      new dysmsapi.QuerySendDetailsRequest({
        phoneNumber: phones[at],
        bizId: body?.bizId,
        sendDate: formatDay(new Date()).replaceAll('-', ''),
        pageSize: 10,
        currentPage: 1,
      }),
    )
    const [detail] = details.body?.smsSendDetailDTOs?.smsSendDetailDTO ?? []
    assert.deepEqual([detail?.content, detail?.outId, detail?.sendStatus], [text, 'b-2', 3])
  }
  const codeOf = async (changed: object) => (await send(changed)).body?.code
  assert.equal(await codeOf({ signNameJson: JSON.stringify(['收银无忧']) }), 'isv.INVALID_PARAMETERS')
  assert.equal(await codeOf({ templateParamJson: JSON.stringify([{ code: '1' }]) }), 'isv.INVALID_PARAMETERS')
  assert.equal(await codeOf({ templateParamJson: '[{"code":' }), 'isv.INVALID_JSON_PARAM')
  assert.equal(await codeOf({ phoneNumberJson: PHONE }), 'isv.INVALID_JSON_PARAM')
  assert.equal(
    await codeOf({ signNameJson: JSON.stringify(['收银无忧', '别家']) }),
    'isv.SMS_SIGNATURE_ILLEGAL',
  )
  const many = Array.from({ length: 101 }, (_, n) => String(13_900_100_000 + n))
  assert.equal(
    await codeOf({
      phoneNumberJson: JSON.stringify(many),
      signNameJson: JSON.stringify(many.map(() => '收银无忧')),
      templateParamJson: JSON.stringify(many.map(() => ({ code: '1' }))),
    }),
    'isv.MOBILE_COUNT_OVER_LIMIT',
  )
})

test('the SDK leads a signature from its qualification to its use, and a template too', async () => {
  const review = (kind: string, key: string, approve: boolean, reason = '') =>
    fetch(`${service.url}/__sim/review`, {
      method: 'POST',
      body: JSON.stringify({ kind, key, approve, reason }),
    })
  const submitted = await sdk().submitSmsQualification(
    new dysmsapi.SubmitSmsQualificationRequest({
      companyName: '收银无忧科技有限公司',
      organizationCode: '9144030071526726XG',
      companyType: 'COMPANY',
      legalPersonName: '张三',
      legalPersonIDCardNo: '11010519491231002X',
      adminName: '李四',
      adminIDCardNo: '440524188001010014',
      adminPhoneNo: PHONE,
      certifyCode: '123456',
    }),
  )
  assert.equal(submitted.body?.success, true)
  const qualificationId = Number(submitted.body?.data)
  const create = () =>
    sdk().createSmsSign(
      new dysmsapi.CreateSmsSignRequest({ signName: '无忧商户', signSource: 0, qualificationId }),
    )
  assert.equal((await create()).body?.code, 'isv.QUALIFICATION_ILLEGAL')
  await review('qualification', String(qualificationId), true)
  assert.equal((await create()).body?.code, 'OK')
  assert.equal((await create()).body?.code, 'isv.SIGN_FAIL_DUPLICATED')
  const sign = async () =>
    (await sdk().getSmsSign(new dysmsapi.GetSmsSignRequest({ signName: '无忧商户' }))).body
  assert.equal((await sign())?.signStatus, 0)
  await review('signature', '无忧商户', false, '资质不符')
  assert.equal((await sign())?.auditInfo?.rejectInfo, '资质不符')
  const update = () =>
    sdk().updateSmsSign(
      new dysmsapi.UpdateSmsSignRequest({ signName: '无忧商户', signSource: 0, qualificationId }),
    )
  assert.equal((await update()).body?.code, 'OK')
  assert.equal((await update()).body?.code, 'isv.SIGN_FAIL_DUPLICATED')
  assert.equal((await sign())?.signStatus, 0)
  service.control.moveClock(6000)
  const approved = await sign()
  assert.equal(approved?.signStatus, 1)
  assert.deepEqual(
    approved?.signIspRegisterDetailList?.map(({ registerStatus }) => registerStatus),
    [3, 3, 3],
  )
  const template = await sdk().createSmsTemplate(
    new dysmsapi.CreateSmsTemplateRequest({
      templateName: '到期提醒',
      templateContent: '${shop}即将到期',
      templateType: 1,
    }),
  )
  const templateCode = template.body?.templateCode as string
  const queryTemplate = async () =>
    (await sdk().querySmsTemplate(new dysmsapi.QuerySmsTemplateRequest({ templateCode }))).body
  assert.equal((await queryTemplate())?.templateStatus, 0)
  service.control.moveClock(6000)
  assert.equal((await queryTemplate())?.templateStatus, 1)
  const sent = await sdk().sendSms(
    request({ signName: '无忧商户', templateCode, templateParam: JSON.stringify({ shop: '老王烟酒' }) }),
  )
  assert.equal(sent.body?.code, 'OK')
})

test('what the vendor discontinued answers so', async () => {
  const added = await sdk().addSmsSign(
    new dysmsapi.AddSmsSignRequest({ signName: '收银无忧', signSource: 0, remark: '', signFileList: [] }),
  )
  assert.equal(added.body?.code, 'isv.API_DISCONTINUED')
  const { body } = await sdk().querySmsSign(new dysmsapi.QuerySmsSignRequest({ signName: '收银无忧' }))
  assert.equal(body?.code, 'isv.API_DISCONTINUED')
})
