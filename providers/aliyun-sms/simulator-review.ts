// Simulated Aliyun: qualifications, signatures and templates, in the shapes of Dysmsapi 2017-05-25, without their files.

import { localTime, type SmsEngine } from '../simulated-sms.ts'
import { kindOf, type ReviewState } from '../simulated-sms-registry.ts'
import type { SimAnswer } from '../simulator.ts'
import { aliyunAnswer, aliyunError } from './simulator-answer.ts'

type Parameters = Record<string, string>
type Action = (engine: SmsEngine, parameters: Parameters, nowMs: number) => SimAnswer

const SIGN_STATUS: Record<ReviewState, number> = { pending: 0, approved: 1, rejected: 2, ended: 10 }
const TEMPLATE_STATUS: Record<ReviewState, string> = {
  pending: 'AUDIT_STATE_INIT',
  approved: 'AUDIT_STATE_PASS',
  rejected: 'AUDIT_STATE_NOT_PASS',
  ended: 'AUDIT_STATE_CANCEL',
}
const REGISTER_REASONS: Record<number, string> = {
  [-2]: 'NON_REGISTER',
  [-1]: 'REGISTERING',
  0: 'SIGNATURE_ERROR',
  1: 'DETECTING',
  2: 'NON_REGISTER',
  3: 'DETECT_SUCCESS',
}
const CARRIERS = ['mobile', 'unicom', 'telecom']
const QUALIFICATION_FIELDS = [
  'CompanyName',
  'OrganizationCode',
  'CompanyType',
  'LegalPersonName',
  'LegalPersonIDCardNo',
  'AdminName',
  'AdminIDCardNo',
  'AdminPhoneNo',
  'CertifyCode',
]

function missing(parameters: Parameters, names: readonly string[]): SimAnswer | null {
  const name = names.find(required => !parameters[required])
  return name ? aliyunError(`Missing${name}`, `${name} is mandatory for this action.`) : null
}

const submitSmsQualification: Action = ({ registry }, parameters, nowMs) => {
  const refused = missing(parameters, QUALIFICATION_FIELDS)
  if (refused) return refused
  const { orderId } = registry.addQualification(parameters.CompanyName as string, nowMs)
  return aliyunAnswer({ Success: true, Data: String(orderId) })
}

const createSmsSign: Action = ({ registry }, parameters, nowMs) => {
  const refused = missing(parameters, ['SignName', 'SignSource', 'QualificationId'])
  if (refused) return refused
  const name = parameters.SignName as string
  const qualification = registry.qualification(parameters.QualificationId as string, nowMs)
  if (qualification?.state !== 'approved')
    return aliyunError('isv.QUALIFICATION_ILLEGAL', '资质不存在或未通过审核')
  if (name.length < 2 || name.length > 12) return aliyunError('isv.SIGN_NAME_ILLEGAL', '签名名称不符合规范')
  const existing = registry.signature(name, nowMs)
  if (existing && existing.state !== 'rejected')
    return aliyunError('isv.SIGN_FAIL_DUPLICATED', '相同的签名已存在')
  const { orderId } = registry.addSignature(name, Number(qualification.key), nowMs)
  return aliyunAnswer({ OrderId: String(orderId), SignName: name })
}

/** Of one that was refused, or whose review was called off. */
const updateSmsSign: Action = ({ registry }, parameters, nowMs) => {
  const refused = missing(parameters, ['SignName', 'SignSource', 'QualificationId'])
  if (refused) return refused
  if (registry.qualification(parameters.QualificationId as string, nowMs)?.state !== 'approved')
    return aliyunError('isv.QUALIFICATION_ILLEGAL', '资质不存在或未通过审核')
  const signature = registry.signature(parameters.SignName as string, nowMs)
  if (!signature) return aliyunError('isv.SIGN_NOT_EXIST', '签名不存在')
  if (signature.state === 'pending' || signature.state === 'approved')
    return aliyunError('isv.SIGN_FAIL_DUPLICATED', '审核中或已通过的签名不能修改')
  registry.again(signature, nowMs)
  return aliyunAnswer({ OrderId: String(signature.orderId), SignName: signature.name })
}

const getSmsSign: Action = ({ registry }, parameters, nowMs) => {
  const signature = registry.signature(parameters.SignName ?? '', nowMs)
  if (!signature) return aliyunError('isv.SIGN_NOT_EXIST', '签名不存在')
  const register = signature.carriers ?? (signature.state === 'approved' ? 3 : -2)
  return aliyunAnswer({
    SignName: signature.name,
    SignCode: `SIGN_${signature.orderId}`,
    OrderId: String(signature.orderId),
    QualificationId: signature.qualificationId,
    SignStatus: SIGN_STATUS[signature.state],
    AuditInfo: {
      ...(signature.state !== 'pending' && { AuditDate: localTime(signature.reviewAtMs) }),
      ...(signature.reason && { RejectInfo: signature.reason }),
    },
    CreateDate: localTime(signature.createdAtMs),
    SignTag: '2',
    ThirdParty: false,
    SignIspRegisterDetailList: CARRIERS.map(carrier => ({
      OperatorCode: carrier,
      RegisterStatus: register,
      RegisterStatusReasons: [{ ReasonCode: REGISTER_REASONS[register], ReasonDescList: [] }],
    })),
  })
}

const createSmsTemplate: Action = ({ registry }, parameters, nowMs) => {
  const refused = missing(parameters, ['TemplateName', 'TemplateContent', 'TemplateType'])
  if (refused) return refused
  const text = parameters.TemplateContent as string
  const name = parameters.TemplateName as string
  const made = registry.addTemplate(
    {
      code: `SMS_${nowMs}${registry.list('template', nowMs).length}`,
      text,
      name,
      kind: parameters.TemplateType === '0' ? 'code' : kindOf(text),
    },
    nowMs,
  )
  return aliyunAnswer({ OrderId: String(made.orderId), TemplateCode: made.key, TemplateName: name })
}

function templateMembers(engine: SmsEngine, parameters: Parameters, nowMs: number) {
  const template = engine.registry.template(parameters.TemplateCode ?? '', nowMs)
  return (
    template && {
      state: template.state,
      reason: template.reason,
      members: {
        TemplateCode: template.key,
        TemplateName: template.name,
        TemplateContent: template.text,
        CreateDate: localTime(template.createdAtMs),
      },
      isCode: template.kind === 'code',
    }
  )
}

const querySmsTemplate: Action = (engine, parameters, nowMs) => {
  const found = templateMembers(engine, parameters, nowMs)
  if (!found) return aliyunError('isv.TEMPLATE_NOT_EXIST', '模板不存在')
  return aliyunAnswer({
    ...found.members,
    TemplateStatus: SIGN_STATUS[found.state],
    TemplateType: found.isCode ? 0 : 1,
    Reason: found.reason,
  })
}

const getSmsTemplate: Action = (engine, parameters, nowMs) => {
  const found = templateMembers(engine, parameters, nowMs)
  if (!found) return aliyunError('isv.TEMPLATE_NOT_EXIST', '模板不存在')
  return aliyunAnswer({
    ...found.members,
    TemplateStatus: TEMPLATE_STATUS[found.state],
    TemplateType: found.isCode ? '0' : '1',
    AuditInfo: { ...(found.reason && { RejectInfo: found.reason }) },
  })
}

const discontinued: Action = () =>
  aliyunError('isv.API_DISCONTINUED', '该接口已下线，请使用 CreateSmsSign 与 GetSmsSign')

export const REVIEW_ACTIONS: Record<string, Action> = {
  SubmitSmsQualification: submitSmsQualification,
  CreateSmsSign: createSmsSign,
  UpdateSmsSign: updateSmsSign,
  GetSmsSign: getSmsSign,
  CreateSmsTemplate: createSmsTemplate,
  QuerySmsTemplate: querySmsTemplate,
  GetSmsTemplate: getSmsTemplate,
  AddSmsSign: discontinued,
  QuerySmsSign: discontinued,
}
