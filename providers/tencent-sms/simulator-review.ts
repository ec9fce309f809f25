// Simulated Tencent SMS: signatures and templates, in the shapes of 2021-01-11, without their pictures. Templates are
// known by whole numbers.

import type { SmsEngine } from '../simulated-sms.ts'
import {
  kindOf,
  type ReviewState,
  type SimulatedSignature,
  type SimulatedTemplate,
} from '../simulated-sms-registry.ts'
import type { SimAnswer } from '../simulator.ts'
import { tencentAnswer, tencentError } from '../tc3-verifier.ts'

type Parameters = Record<string, unknown>
type Action = (engine: SmsEngine, parameters: Parameters, nowMs: number) => SimAnswer

const STATUS: Record<ReviewState, number> = { pending: 1, approved: 0, rejected: -1, ended: -1 }
const LISTED_MAX = 100
const KIND_OF_TYPE: Record<number, 'code' | 'notice'> = { 1: 'notice', 2: 'notice', 3: 'code' }

function missing(parameters: Parameters, names: readonly string[]): SimAnswer | null {
  const name = names.find(required => parameters[required] === undefined || parameters[required] === '')
  return name ? tencentError('MissingParameter', `The request misses a required parameter: ${name}`) : null
}

/** Those asked for by number, or a page of all. */
function listed<Row extends { orderId: number; key: string }>(
  rows: Row[],
  ids: unknown,
  parameters: Parameters,
): Row[] {
  const wanted = Array.isArray(ids) ? ids.map(String) : []
  if (wanted.length > 0)
    return rows.filter(row => wanted.includes(String(row.orderId)) || wanted.includes(row.key))
  const offset = Number(parameters.Offset ?? 0)
  return rows.slice(offset, offset + Math.min(Number(parameters.Limit ?? 10), LISTED_MAX))
}

const addSmsSign: Action = ({ registry }, parameters, nowMs) => {
  const refused = missing(parameters, [
    'SignName',
    'SignType',
    'DocumentType',
    'International',
    'SignPurpose',
    'ProofImage',
    'QualificationId',
  ])
  if (refused) return refused
  if (parameters.SignPurpose === 1 && !parameters.CommissionImage)
    return tencentError(
      'InvalidParameter.InvalidParameters',
      'CommissionImage is required when SignPurpose is 1.',
    )
  const name = String(parameters.SignName)
  const existing = registry.signature(name, nowMs)
  if (existing && existing.state !== 'rejected')
    return tencentError('FailedOperation.SignatureAlreadyExists', 'The signature exists already.')
  const { orderId } = registry.addSignature(name, Number(parameters.QualificationId), nowMs)
  return tencentAnswer({ AddSignStatus: { SignId: orderId } })
}

/** Of one that was refused. */
const modifySmsSign: Action = ({ registry }, parameters, nowMs) => {
  const refused = missing(parameters, [
    'SignId',
    ...[
      'SignName',
      'SignType',
      'DocumentType',
      'International',
      'SignPurpose',
      'ProofImage',
      'QualificationId',
    ],
  ])
  if (refused) return refused
  const rows = registry.list('signature', nowMs)
  const found = rows.find(({ orderId }) => orderId === Number(parameters.SignId))
  if (!found) return tencentError('FailedOperation.MissingSignature', 'There is no such signature.')
  if (found.state === 'approved' || found.state === 'pending')
    return tencentError(
      'FailedOperation.SignatureAlreadyExists',
      'A signature that is reviewed or approved cannot be modified.',
    )
  registry.again(found, nowMs)
  return tencentAnswer({ ModifySignStatus: { SignId: found.orderId } })
}

const describeSmsSignList: Action = ({ registry }, parameters, nowMs) => {
  const rows = registry.list('signature', nowMs) as SimulatedSignature[]
  return tencentAnswer({
    DescribeSignListStatusSet: listed(rows, parameters.SignIdSet, parameters).map(row => ({
      SignId: row.orderId,
      International: 0,
      StatusCode: STATUS[row.state],
      ReviewReply: row.reason,
      SignName: row.name,
      CreateTime: Math.floor(row.createdAtMs / 1000),
      QualificationId: row.qualificationId,
      QualificationName: '',
      QualificationStatusCode: 1,
    })),
  })
}

const addSmsTemplate: Action = ({ registry }, parameters, nowMs) => {
  const refused = missing(parameters, [
    'TemplateName',
    'TemplateContent',
    'SmsType',
    'International',
    'Remark',
  ])
  if (refused) return refused
  const text = String(parameters.TemplateContent)
  const kind = KIND_OF_TYPE[Number(parameters.SmsType)] ?? kindOf(text)
  const made = registry.addTemplate({ code: null, text, name: String(parameters.TemplateName), kind }, nowMs)
  return tencentAnswer({ AddTemplateStatus: { TemplateId: made.key } })
}

const describeSmsTemplateList: Action = ({ registry }, parameters, nowMs) => {
  const rows = registry.list('template', nowMs) as SimulatedTemplate[]
  return tencentAnswer({
    DescribeTemplateStatusSet: listed(rows, parameters.TemplateIdSet, parameters).map(row => ({
      TemplateId: Number(row.key),
      International: 0,
      StatusCode: STATUS[row.state],
      ReviewReply: row.reason,
      TemplateName: row.name,
      CreateTime: Math.floor(row.createdAtMs / 1000),
      TemplateContent: row.text,
    })),
  })
}

export const REVIEW_ACTIONS: Record<string, Action> = {
  AddSmsSign: addSmsSign,
  ModifySmsSign: modifySmsSign,
  DescribeSmsSignList: describeSmsSignList,
  AddSmsTemplate: addSmsTemplate,
  DescribeSmsTemplateList: describeSmsTemplateList,
}
