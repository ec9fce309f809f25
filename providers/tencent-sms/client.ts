// Tencent SMS (2021-01-11) as a sender. [K], to be confirmed with real credentials: SessionContext comes back (as `ext` in
// receipts) only after Tencent's support opened that; which codes stand per number and which for the whole call. Messages
// with variables of their own have no call here: SendMultiGlobalSms takes numbers outside of the mainland alone [D].
import {
  CallbackRejected,
  ProviderRefused,
  ProviderUnknown,
  type SmsAnswer,
  type SmsBatch,
  type SmsDetail,
  type SmsReceipt,
  type SmsSender,
  type Surroundings,
} from '#kit/ports/providers.ts'
import { endOfDay, startOfDay } from '#kit/time.ts'
import { countOrNull, type Members, membersOf, textOrNull } from '../read.ts'
import { hasOwnParams, readReceiptList } from '../sms.ts'
import { callTencent, isTencentUnknown, type TencentService } from '../tencent-call.ts'
import { fromE164, readSeconds, readTime, toE164 } from './wire.ts'

export type TencentSmsSettings = {
  baseUrl: string
  secretId: string
  secretKey: string
  region: string
  sdkAppId: string
}

const LIMITS = { batchMax: 200, ownParamsMax: 0 }
const DETAILS_MAX = 100
/** Codes that stand at each number but are about the call: when all numbers carry one, nothing was sent. */
const CALL_CODES = [
  'FailedOperation.SignatureIncorrectOrUnapproved',
  'FailedOperation.TemplateIncorrectOrUnapproved',
  'FailedOperation.TemplateParamSetNotMatchApprovedTemplate',
  'FailedOperation.InsufficientBalanceInSmsPackage',
  'FailedOperation.ContainSensitiveWord',
  'UnauthorizedOperation.SmsSdkAppIdVerifyFail',
  'InvalidParameterValue.ContentLengthLimit',
]

type Context = { settings: TencentSmsSettings; service: TencentService; surroundings: Surroundings }

export function makeTencentSms(settings: TencentSmsSettings, surroundings: Surroundings): SmsSender {
  const context = {
    settings,
    service: { ...settings, service: 'sms', version: '2021-01-11' },
    surroundings,
  }
  return {
    name: 'tencent',
    ...LIMITS,
    send: batch => send(context, batch),
    // Each number has its own answer.
    mayBlameOne: () => false,
    details: (phone, day, providerId) => details(context, phone, day, providerId),
    readReceipts: body => readReceiptList(body, readReceipt),
    receiptsKept: {
      status: 200,
      type: 'application/json; charset=utf-8',
      body: '{"result":0,"errmsg":"OK"}',
    },
  }
}

async function send({ settings, service, surroundings }: Context, batch: SmsBatch): Promise<SmsAnswer[]> {
  const { messages } = batch
  hasOwnParams(batch, LIMITS)
  const response = await callTencent(service, surroundings, 'SendSms', {
    PhoneNumberSet: messages.map(({ phone }) => toE164(phone)),
    SmsSdkAppId: settings.sdkAppId,
    SignName: batch.signature,
    TemplateId: batch.template,
    TemplateParamSet: batch.params.map(({ value }) => value),
    SessionContext: batch.batchReference,
  })
  const rows = response.SendStatusSet
  if (!Array.isArray(rows)) throw new ProviderUnknown('SendSms answered without SendStatusSet')
  const byPhone = new Map(rows.map(membersOf).map(row => [fromE164(String(row.PhoneNumber)), row]))
  const answers = messages.map(({ reference, phone }) => readStatus(reference, byPhone.get(phone)))
  const code = answers[0]?.refusal?.code ?? ''
  if (CALL_CODES.includes(code) && answers.every(({ refusal }) => refusal?.code === code))
    throw new ProviderRefused(code, answers[0]?.refusal?.message ?? code, String(response.RequestId))
  return answers
}

function readStatus(reference: string, row: Members | undefined): SmsAnswer {
  const code = row?.Code
  if (!row || typeof code !== 'string' || isTencentUnknown(code))
    throw new ProviderUnknown(`SendSms answered ${String(code)} for ${reference}`)
  if (code !== 'Ok')
    return {
      reference,
      providerId: null,
      refusal: { code, message: String(row.Message ?? code) },
      segments: null,
    }
  if (typeof row.SerialNo !== 'string' || row.SerialNo === '')
    throw new ProviderUnknown('SendSms answered Ok without SerialNo')
  return { reference, providerId: row.SerialNo, refusal: null, segments: countOrNull(row.Fee) }
}

/** Only messages that the carrier has reported; none is no proof that nothing was sent. `sentAt` is when it arrived. */
async function details(
  { settings, service, surroundings }: Context,
  phone: string,
  day: string,
  providerId: string | null,
): Promise<SmsDetail[]> {
  const response = await callTencent(service, surroundings, 'PullSmsSendStatusByPhoneNumber', {
    BeginTime: startOfDay(day).getTime() / 1000,
    EndTime: endOfDay(day).getTime() / 1000 - 1,
    Offset: 0,
    Limit: DETAILS_MAX,
    PhoneNumber: toE164(phone),
    SmsSdkAppId: settings.sdkAppId,
  })
  const rows = response.PullSmsSendStatusSet
  if (!Array.isArray(rows))
    throw new ProviderUnknown('PullSmsSendStatusByPhoneNumber answered without a list')
  return rows
    .map(row => readDetail(membersOf(row)))
    .filter(detail => providerId === null || detail.providerId === providerId)
}

function readDetail(row: Members): SmsDetail {
  const sentAt = readSeconds(row.UserReceiveTime)
  const state = stateOf(row.ReportStatus)
  if (!sentAt || !state || typeof row.SerialNo !== 'string')
    throw new ProviderUnknown('PullSmsSendStatusByPhoneNumber answered a status that cannot be read')
  return {
    phone: fromE164(String(row.PhoneNumber)),
    providerId: row.SerialNo,
    batchReference: textOrNull(row.SessionContext),
    state,
    code: String(row.Description ?? ''),
    sentAt,
  }
}

function stateOf(report: unknown): 'delivered' | 'failed' | null {
  if (report === 'SUCCESS') return 'delivered'
  return report === 'FAIL' ? 'failed' : null
}

function readReceipt(row: Members): SmsReceipt {
  const reportedAt = readTime(row.user_receive_time)
  const state = stateOf(row.report_status)
  if (typeof row.mobile !== 'string' || typeof row.sid !== 'string' || !state || !reportedAt)
    throw new CallbackRejected('a receipt without mobile, sid, report_status or user_receive_time')
  return {
    providerId: row.sid,
    phone: row.mobile,
    batchReference: textOrNull(row.ext),
    delivered: state === 'delivered',
    code: String(row.errmsg ?? ''),
    message: String(row.description ?? ''),
    segments: null,
    reportedAt,
  }
}
