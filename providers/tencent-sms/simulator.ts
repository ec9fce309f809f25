// Tencent SMS on loopback. Differs from the real service: one key and one SdkAppId; SessionContext comes back unless an
// option says otherwise (the real one must be asked to open that); only mainland numbers; one limit of 50 a day stands for
// all that notices have; a review reads nothing but the name, and qualifications are not looked at.
// Carriers go by the number's last four digits: see providers/simulated-sms-store.ts. Blacklisted numbers are refused at
// once, and a segment more shows in Fee.
import { randomBytes, randomInt } from 'node:crypto'
import {
  localTime,
  mainlandNumber,
  makeSmsEngine,
  type SimulatedSmsOptions,
  type SmsEngine,
  type SmsSimulatorParts,
} from '../simulated-sms.ts'
import type { FrequencyRules } from '../simulated-sms-limits.ts'
import type { SimulatedTemplate } from '../simulated-sms-registry.ts'
import { type KeptMessage, outcomeOf } from '../simulated-sms-store.ts'
import { type Control, type RunningSimulator, type SimAnswer, startSimulator } from '../simulator.ts'
import { refuseTc3, tencentAnswer, tencentError } from '../tc3-verifier.ts'
import { REVIEW_ACTIONS } from './simulator-review.ts'

export type TencentSmsKeys = { secretId: string; secretKey: string; sdkAppId: string }
export type TencentSmsSimulatorOptions = SimulatedSmsOptions & {
  keys: TencentSmsKeys
  /** Whether receipts and pulled states carry SessionContext. */
  sessionContextReturned?: boolean
  forbiddenWords?: readonly string[]
}

const VERSION = '2021-01-11'
const NUMBERS_MAX = 200
const TEXT_MAX = 500
const CONTEXT_MAX_BYTES = 512
const FREQUENCY: FrequencyRules = {
  code: [
    { windowMs: 30_000, max: 1, name: 'minute' },
    { windowMs: 3_600_000, max: 5, name: 'hour' },
    { windowMs: 86_400_000, max: 10, name: 'day' },
  ],
  notice: [{ windowMs: 86_400_000, max: 50, name: 'day' }],
}
const LIMIT_CODES = {
  minute: 'LimitExceeded.PhoneNumberThirtySecondLimit',
  hour: 'LimitExceeded.PhoneNumberOneHourLimit',
  day: 'LimitExceeded.PhoneNumberDailyLimit',
} as const

type Parameters = Record<string, unknown>
type Refusal = { code: string; message: string }
type Send = { options: TencentSmsSimulatorOptions; engine: SmsEngine; parameters: Parameters; nowMs: number }

export function makeTencentSmsKeys(): TencentSmsKeys {
  return {
    secretId: `AKID${randomBytes(16).toString('hex')}`,
    secretKey: randomBytes(16).toString('hex'),
    sdkAppId: `1400${randomInt(100_000, 999_999)}`,
  }
}

/** What a client must be told to reach this service. */
export function tencentSmsSettings(keys: TencentSmsKeys, url: string) {
  return { baseUrl: url, region: 'ap-guangzhou', ...keys }
}

export async function startTencentSmsSimulator(
  options: TencentSmsSimulatorOptions,
  port = 0,
): Promise<RunningSimulator & SmsSimulatorParts> {
  const serial = `2640:${Date.now()}`
  const engine: SmsEngine = makeSmsEngine(options, {
    title: '腾讯云短信收件箱',
    firstId: 1_100_000,
    frequency: FREQUENCY,
    bodyOf: (messages, ageMs) => receiptsBody({ options, engine, serial }, messages, ageMs),
    isKept: answer => answer.result === 0,
  })
  const running = await startSimulator(
    {
      nameOf: ({ path, headers }) => (path === '/' ? String(headers['x-tc-action'] ?? 'none') : null),
      errorOf: tencentError,
      control: engine.answerControl,
      stop: engine.receipts.stop,
      handle(name, request, control) {
        engine.counts.calls++
        const refused = refuseTc3(request, options.keys, 'sms', control)
        if (refused) return refused
        if (request.headers['x-tc-version'] !== VERSION)
          return tencentError('NoSuchVersion', 'The version of the API does not exist.')
        const parameters = readParameters(request.body)
        if (!parameters) return tencentError('InvalidParameter', 'The body is not a JSON object.')
        const nowMs = control.now().getTime()
        const send = { options, engine, parameters, nowMs }
        if (name === 'SendSms') return sendSms(send, control, serial)
        if (name === 'PullSmsSendStatusByPhoneNumber') return pullStatus(send, serial)
        const action = REVIEW_ACTIONS[name]
        return action
          ? action(engine, parameters, nowMs)
          : tencentError('InvalidAction', 'The action does not exist.')
      },
    },
    port,
  )
  engine.receipts.start(running.control)
  return { ...running, setReceiptsUrl: engine.receipts.setUrl, counts: engine.allCounts }
}

function readParameters(body: Buffer): Parameters | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? (value as Parameters) : null
  } catch {
    return null
  }
}

function sendSms(send: Send, control: Control, serial: string): SimAnswer {
  const { engine, parameters, nowMs } = send
  const numbers = parameters.PhoneNumberSet
  const context = String(parameters.SessionContext ?? '')
  if (!Array.isArray(numbers) || numbers.length === 0)
    return tencentError('MissingParameter', 'The request misses a required parameter: PhoneNumberSet')
  if (numbers.length > NUMBERS_MAX)
    return tencentError('LimitExceeded.PhoneNumberCountLimit', `At most ${NUMBERS_MAX} numbers.`)
  if (Buffer.byteLength(context) >= CONTEXT_MAX_BYTES)
    return tencentError(
      'InvalidParameterValue.SessionContextTooLong',
      'SessionContext must be below 512 bytes.',
    )
  const made = render(send)
  const isExhausted = control.take('quota-exhausted', 'SendSms') !== null
  const call = { id: '', reference: context, template: String(parameters.TemplateId) }
  const statuses = numbers.map(number => {
    const phone = mainlandNumber(String(number))
    const result = 'code' in made ? made : takeOne(send, made, phone, isExhausted)
    const status = { PhoneNumber: `+86${phone}`, SessionContext: context }
    if ('code' in result) {
      engine.counts.refused++
      return { ...status, SerialNo: '', Fee: 0, Code: result.code, Message: result.message, IsoCode: '' }
    }
    const sequence = engine.accept({ phone, ...result }, call, nowMs)
    const accepted = { SerialNo: `${serial}${sequence}`, Fee: result.segments }
    return { ...status, ...accepted, Code: 'Ok', Message: 'send success', IsoCode: 'CN' }
  })
  return tencentAnswer({ SendStatusSet: statuses })
}

type Made = { signature: string; template: SimulatedTemplate; text: string; segments: number }

/** The text that all numbers of the call get, or why none does. */
function render({ options, engine, parameters, nowMs }: Send): Made | Refusal {
  if (parameters.SmsSdkAppId !== options.keys.sdkAppId)
    return {
      code: 'UnauthorizedOperation.SmsSdkAppIdVerifyFail',
      message: 'Verification failed for sdkappid',
    }
  const signature = engine.registry.signature(String(parameters.SignName), nowMs)
  if (signature?.state !== 'approved')
    return {
      code: 'FailedOperation.SignatureIncorrectOrUnapproved',
      message: 'signature is incorrect or not approved',
    }
  const template = engine.registry.template(String(parameters.TemplateId), nowMs)
  if (template?.state !== 'approved')
    return {
      code: 'FailedOperation.TemplateIncorrectOrUnapproved',
      message: 'template is not approved or request content does not match the approved template content',
    }
  const values = Array.isArray(parameters.TemplateParamSet) ? parameters.TemplateParamSet.map(String) : []
  const placeholders = new Set(template.text.match(/\{\d+\}/g))
  if (values.length !== placeholders.size)
    return {
      code: 'FailedOperation.TemplateParamSetNotMatchApprovedTemplate',
      message: 'the number of template parameters does not match the approved template',
    }
  const text = template.text.replace(/\{(\d+)\}/g, (_, index: string) => values[Number(index) - 1] ?? '')
  const words = options.forbiddenWords ?? ['赌博', '代开发票']
  if (values.some(value => words.some(word => value.includes(word))))
    return { code: 'FailedOperation.ContainSensitiveWord', message: 'the content contains sensitive words' }
  if (text.length > TEXT_MAX)
    return { code: 'InvalidParameterValue.ContentLengthLimit', message: 'the content is too long' }
  return { signature: signature.name, template, text, segments: engine.countSegments(signature.name, text) }
}

function takeOne({ engine, nowMs }: Send, made: Made, phone: string, isExhausted: boolean) {
  const { signature, template, text } = made
  if (!/^1[3-9]\d{9}$/.test(phone))
    return { code: 'InvalidParameterValue.IncorrectPhoneNumber', message: 'incorrect phone number' }
  const outcome = outcomeOf(phone)
  if (outcome === 'blacklisted')
    return { code: 'FailedOperation.PhoneNumberInBlacklist', message: 'the number is in the blacklist' }
  const segments = made.segments + (outcome === 'longer' ? 1 : 0)
  if (isExhausted || !engine.charge(segments))
    return {
      code: 'FailedOperation.InsufficientBalanceInSmsPackage',
      message: 'insufficient balance in SMS package',
    }
  const broken = engine.limit(phone, signature, template, nowMs)
  if (!broken) return { signature, text, segments, outcome }
  engine.charge(-segments)
  return {
    code: LIMIT_CODES[broken.name],
    message: `the number of sms messages sent to a single mobile number exceeds the limit of ${broken.max}`,
  }
}

function pullStatus({ options, engine, parameters, nowMs }: Send, serial: string): SimAnswer {
  const limit = Number(parameters.Limit)
  const fromMs = Number(parameters.BeginTime) * 1000
  const toMs = parameters.EndTime === undefined ? nowMs : Number(parameters.EndTime) * 1000 + 1000
  if (parameters.SmsSdkAppId !== options.keys.sdkAppId)
    return tencentError('UnauthorizedOperation.SmsSdkAppIdVerifyFail', 'Verification failed for sdkappid')
  if (!(limit >= 1 && limit <= 100) || !(fromMs >= 0))
    return tencentError('InvalidParameterValue', 'Limit must be 1 to 100 and BeginTime be given.')
  const phone = String(parameters.PhoneNumber).replace(/^\+86/, '')
  const reported = engine.store
    .find(phone, fromMs, toMs)
    .filter(({ outcome, sentAtMs }) => outcome !== 'silent' && nowMs >= sentAtMs + engine.carrierMs)
  return tencentAnswer({
    PullSmsSendStatusSet: reported.slice(0, limit).map(message => ({
      UserReceiveTime: Math.floor((message.sentAtMs + engine.carrierMs) / 1000),
      CountryCode: '86',
      SubscriberNumber: message.phone,
      PhoneNumber: `+86${message.phone}`,
      SerialNo: `${serial}${message.sequence}`,
      ReportStatus: message.outcome === 'failed' ? 'FAIL' : 'SUCCESS',
      Description: message.outcome === 'failed' ? 'UNDELIV' : 'DELIVRD',
      SessionContext: options.sessionContextReturned === false ? '' : message.call.reference,
    })),
  })
}

function receiptsBody(
  { options, engine, serial }: Pick<Send, 'options' | 'engine'> & { serial: string },
  messages: KeptMessage[],
  ageMs: number,
): string {
  return JSON.stringify(
    messages.map(({ sequence, phone, sentAtMs, outcome, call }) => ({
      user_receive_time: localTime(sentAtMs + engine.carrierMs - ageMs),
      nationcode: '86',
      mobile: phone,
      report_status: outcome === 'failed' ? 'FAIL' : 'SUCCESS',
      errmsg: outcome === 'failed' ? 'UNDELIV' : 'DELIVRD',
      description: outcome === 'failed' ? '用户手机停机、空号或关机' : '用户短信送达成功',
      sid: `${serial}${sequence}`,
      ...(options.sessionContextReturned !== false && { ext: call.reference }),
    })),
  )
}
