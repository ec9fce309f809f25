// Aliyun SMS (Dysmsapi 2017-05-25) as a sender. [K], to be confirmed with real credentials: the parameters as a form when
// they are too long for an address; that a number over its limits in a batch comes back as a failed receipt; that one bad
// message refuses the whole of its call.
import {
  CallbackRejected,
  ProviderRefused,
  ProviderUnknown,
  type SmsAnswer,
  type SmsBatch,
  type SmsDetail,
  type SmsParams,
  type SmsReceipt,
  type SmsSender,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { ALIYUN_UNKNOWN, callAliyun } from '../aliyun-call.ts'
import { countOrNull, type Members, membersOf, textOrNull } from '../read.ts'
import { hasOwnParams, readReceiptList } from '../sms.ts'
import { readTime } from './wire.ts'

export type AliyunSmsSettings = { baseUrl: string; accessKeyId: string; accessKeySecret: string }

const VERSION = '2017-05-25'
/** SendSms, and SendBatchSms. */
const LIMITS = { batchMax: 1000, ownParamsMax: 100 }
const DETAILS_PAGE = 50
const DETAILS_PAGES_MAX = 20

/** Nobody knows what came of it. */
const UNKNOWN_CODES = [...ALIYUN_UNKNOWN, 'isp.SYSTEM_ERROR']
/** What is wrong is the number, not the call. */
const NUMBER_CODES = ['isv.BUSINESS_LIMIT_CONTROL', 'isv.MOBILE_NUMBER_ILLEGAL']
/** What is wrong is a value of a variable, which may be that of one message. */
const PARAM_CODES = [
  'isv.BLACK_KEY_CONTROL_LIMIT',
  'isv.INVALID_JSON_PARAM',
  'isv.PARAM_LENGTH_LIMIT',
  'isv.PARAM_NOT_SUPPORT_URL',
  'isv.SMS_CONTENT_ILLEGAL',
  'isv.TEMPLATE_MISSING_PARAMETERS',
  'isv.TEMPLATE_PARAMS_ILLEGAL',
]

/** Rejects with ProviderRefused for what concerns the whole call; a batch has one BizId, and its refusals come as receipts. */
export function makeAliyunSms(settings: AliyunSmsSettings, surroundings: Surroundings): SmsSender {
  return {
    name: 'aliyun',
    ...LIMITS,
    send: batch => send(settings, surroundings, batch),
    mayBlameOne: (batch, code) =>
      NUMBER_CODES.includes(code) || (hasOwnParams(batch, LIMITS) && PARAM_CODES.includes(code)),
    details: (phone, day, providerId) => details(settings, surroundings, phone, day, providerId),
    readReceipts: body => readReceiptList(body, readReceipt),
    receiptsKept: {
      status: 200,
      type: 'application/json; charset=utf-8',
      body: '{"code":0,"msg":"接收成功"}',
    },
  }
}

async function send(
  settings: AliyunSmsSettings,
  surroundings: Surroundings,
  batch: SmsBatch,
): Promise<SmsAnswer[]> {
  const { messages, template, batchReference } = batch
  const isOwn = hasOwnParams(batch, LIMITS)
  const action = isOwn ? 'SendBatchSms' : 'SendSms'
  const answerAll = (providerId: string | null, refusal: SmsAnswer['refusal']): SmsAnswer[] =>
    messages.map(({ reference }) => ({ reference, providerId, refusal, segments: null }))
  try {
    const body = await askAliyunSms(settings, surroundings, action, {
      ...(isOwn ? eachParameters(batch) : commonParameters(batch)),
      TemplateCode: template,
      OutId: batchReference,
    })
    if (typeof body.BizId !== 'string' || body.BizId === '')
      throw new ProviderUnknown(`${action} answered OK without BizId`)
    return answerAll(body.BizId, null)
  } catch (error) {
    if (messages.length === 1 && error instanceof ProviderRefused && NUMBER_CODES.includes(error.code))
      return answerAll(null, { code: error.code, message: error.message })
    throw error
  }
}

function commonParameters({ messages, signature, params }: SmsBatch): Record<string, string> {
  return {
    PhoneNumbers: messages.map(({ phone }) => phone).join(','),
    SignName: signature,
    ...(params.length > 0 && { TemplateParam: JSON.stringify(valuesOf(params)) }),
  }
}

/** Lists of equal length: what stands at a place belongs together. */
function eachParameters({ messages, signature }: SmsBatch): Record<string, string> {
  return {
    PhoneNumberJson: JSON.stringify(messages.map(({ phone }) => phone)),
    SignNameJson: JSON.stringify(messages.map(() => signature)),
    TemplateParamJson: JSON.stringify(messages.map(({ params = [] }) => valuesOf(params))),
  }
}

function valuesOf(params: SmsParams): Record<string, string> {
  return Object.fromEntries(params.map(({ name, value }) => [name, value]))
}

async function details(
  settings: AliyunSmsSettings,
  surroundings: Surroundings,
  phone: string,
  day: string,
  providerId: string | null,
): Promise<SmsDetail[]> {
  const found: SmsDetail[] = []
  for (let page = 1; page <= DETAILS_PAGES_MAX; page++) {
    const body = await askAliyunSms(settings, surroundings, 'QuerySendDetails', {
      PhoneNumber: phone,
      SendDate: day.replaceAll('-', ''),
      PageSize: String(DETAILS_PAGE),
      CurrentPage: String(page),
      ...(providerId !== null && { BizId: providerId }),
    })
    const rows = membersOf(body.SmsSendDetailDTOs).SmsSendDetailDTO
    if (!Array.isArray(rows)) throw new ProviderUnknown('QuerySendDetails answered without details')
    found.push(...rows.map(row => readDetail(membersOf(row), providerId)))
    if (rows.length < DETAILS_PAGE) break
  }
  return found
}

const STATES: Record<string, SmsDetail['state']> = { 1: 'waiting', 2: 'failed', 3: 'delivered' }

function readDetail(row: Members, providerId: string | null): SmsDetail {
  const state = STATES[String(row.SendStatus)]
  const sentAt = readTime(row.SendDate)
  if (!state || !sentAt || typeof row.PhoneNum !== 'string')
    throw new ProviderUnknown('QuerySendDetails answered a detail that cannot be read')
  return {
    phone: row.PhoneNum,
    providerId,
    batchReference: textOrNull(row.OutId),
    state,
    code: String(row.ErrCode ?? ''),
    sentAt,
  }
}

/** Rejects with ProviderRefused or ProviderUnknown. */
export async function askAliyunSms(
  settings: AliyunSmsSettings,
  surroundings: Surroundings,
  action: string,
  parameters: Record<string, string>,
): Promise<Members> {
  const { status, body } = await callAliyun({ ...settings, version: VERSION }, surroundings, action, {
    parameters,
  })
  if (typeof body.Code !== 'string')
    throw new ProviderUnknown(`${action} answered what cannot be read (HTTP ${status})`)
  if (body.Code === 'OK' && status === 200) return body
  const message = String(body.Message ?? body.Code)
  if (body.Code === 'OK' || UNKNOWN_CODES.includes(body.Code))
    throw new ProviderUnknown(`${action} answered ${body.Code} (HTTP ${status}): ${message}`)
  throw new ProviderRefused(body.Code, message, String(body.RequestId ?? ''))
}

function readReceipt(row: Members): SmsReceipt {
  const reportedAt = readTime(row.report_time)
  const { phone_number: phone, biz_id: providerId, success } = row
  if (
    typeof phone !== 'string' ||
    typeof providerId !== 'string' ||
    typeof success !== 'boolean' ||
    !reportedAt
  )
    throw new CallbackRejected('a receipt without phone_number, biz_id, success or report_time')
  return {
    providerId,
    phone,
    batchReference: textOrNull(row.out_id),
    delivered: success,
    code: String(row.err_code ?? ''),
    message: String(row.err_msg ?? ''),
    segments: countOrNull(row.sms_size),
    reportedAt,
  }
}
