// Aliyun SMS on loopback. Differs from the real service: one access key; nonces of a very busy window are forgotten;
// contents of details end after the last thousand messages; a review reads nothing but the name; no files or letters of
// authorization; the codes MissingAuthorization, isv.API_DISCONTINUED and isv.QUALIFICATION_ILLEGAL are our words, and so
// is which code stands for lists of SendBatchSms that do not fit each other; one bad message there refuses the whole call.
// Carriers go by the number's last four digits: see providers/simulated-sms-store.ts. In a batch, numbers over their
// limits are taken and get a failed receipt.
import { randomBytes } from 'node:crypto'
import { type AliyunKeys, makeGate } from '../acs3-verifier.ts'
import {
  localTime,
  makeSmsEngine,
  type SimulatedSmsOptions,
  type SmsEngine,
  type SmsSimulatorParts,
} from '../simulated-sms.ts'
import type { FrequencyRules } from '../simulated-sms-limits.ts'
import type { KeptMessage, Outcome } from '../simulated-sms-store.ts'
import { type RunningSimulator, type SimAnswer, type SimRequest, startSimulator } from '../simulator.ts'
import { aliyunAnswer, aliyunError } from './simulator-answer.ts'
import { REVIEW_ACTIONS } from './simulator-review.ts'
import { SEND_ACTIONS, type Send, type TextRules } from './simulator-send.ts'

export type AliyunSmsSimulatorOptions = SimulatedSmsOptions & TextRules & { keys: AliyunKeys }

const DETAILS_MAX = 50
const FREQUENCY: FrequencyRules = {
  code: [
    { windowMs: 60_000, max: 1, name: 'minute' },
    { windowMs: 3_600_000, max: 5, name: 'hour' },
    { windowMs: 86_400_000, max: 10, name: 'day' },
  ],
  notice: [{ windowMs: 86_400_000, max: 50, name: 'day' }],
}
/** What receipts and details say. */
const REPORTS: Record<Outcome, [code: string, words: string]> = {
  delivered: ['DELIVERED', '用户接收成功'],
  longer: ['DELIVERED', '用户接收成功'],
  silent: ['', ''],
  blacklisted: ['MOBILE_IN_BLACK', '手机号在黑名单中'],
  failed: ['MOBILE_NOT_ON_SERVICE', '手机号停机、空号、关机或不在服务区'],
  limited: ['MOBILE_SEND_LIMIT', '单个号码日、月发送上限或频繁发送超限'],
}
const DELIVERED: readonly Outcome[] = ['delivered', 'longer']

export function makeAliyunSmsKeys(): AliyunKeys {
  return {
    accessKeyId: `LTAI5t${randomBytes(9).toString('hex')}`,
    accessKeySecret: randomBytes(15).toString('hex'),
  }
}

/** What a client must be told to reach this service. */
export function aliyunSmsSettings(keys: AliyunKeys, url: string) {
  return { baseUrl: url, ...keys }
}

export async function startAliyunSmsSimulator(
  options: AliyunSmsSimulatorOptions,
  port = 0,
): Promise<RunningSimulator & SmsSimulatorParts> {
  const engine: SmsEngine = makeSmsEngine(options, {
    title: '阿里云短信收件箱',
    firstId: 20_000_000,
    frequency: FREQUENCY,
    bodyOf: (messages, ageMs) => receiptsBody(engine, messages, ageMs),
    isKept: answer => answer.code === 0,
  })
  const refuse = makeGate(options.keys)
  let lastCall = 0
  const running = await startSimulator(
    {
      nameOf: ({ path, headers }) => (path === '/' ? String(headers['x-acs-action'] ?? 'none') : null),
      errorOf: aliyunError,
      control: engine.answerControl,
      stop: engine.receipts.stop,
      handle(name, request, control) {
        engine.counts.calls++
        const nowMs = control.now().getTime()
        const parameters = readParameters(request)
        const send = { rules: options, engine, parameters, nowMs, nextId: () => `${nowMs}${++lastCall}^0` }
        const answer =
          refuse(request, control) ??
          SEND_ACTIONS[name]?.(send, control) ??
          (name === 'QuerySendDetails' ? querySendDetails(send) : null) ??
          REVIEW_ACTIONS[name]?.(engine, parameters, nowMs)
        return answer ?? aliyunError('InvalidAction.NotFound', 'Specified api is not found.')
      },
    },
    port,
  )
  engine.receipts.start(running.control)
  return { ...running, setReceiptsUrl: engine.receipts.setUrl, counts: engine.allCounts }
}

function readParameters({ query, headers, body }: SimRequest): Record<string, string> {
  const isForm = String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  return {
    ...Object.fromEntries(query),
    ...(isForm && Object.fromEntries(new URLSearchParams(body.toString()))),
  }
}

function querySendDetails({ engine, parameters, nowMs }: Send): SimAnswer {
  const { PhoneNumber: phone = '', SendDate: day = '' } = parameters
  const size = Number(parameters.PageSize)
  const page = Number(parameters.CurrentPage)
  if (!/^1\d{10}$/.test(phone)) return aliyunError('isv.MOBILE_NUMBER_ILLEGAL', '非法手机号')
  if (!/^\d{8}$/.test(day) || !(size >= 1 && size <= DETAILS_MAX) || !(page >= 1))
    return aliyunError('isv.INVALID_PARAMETERS', '参数异常')
  const fromMs = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00+08:00`)
  const found = engine.store
    .find(phone, fromMs, fromMs + 86_400_000)
    .filter(({ call }) => !parameters.BizId || call.id === parameters.BizId)
  return aliyunAnswer({
    TotalCount: String(found.length),
    SmsSendDetailDTOs: {
      SmsSendDetailDTO: found
        .slice((page - 1) * size, page * size)
        .map(message => detailOf(engine, message, nowMs)),
    },
  })
}

function detailOf({ carrierMs, store }: SmsEngine, message: KeptMessage, nowMs: number) {
  const { outcome, sentAtMs, call } = message
  const isWaiting = outcome === 'silent' || nowMs < sentAtMs + carrierMs
  const isDelivered = DELIVERED.includes(outcome)
  return {
    PhoneNum: message.phone,
    SendStatus: isWaiting ? 1 : isDelivered ? 3 : 2,
    ...(!isWaiting && { ErrCode: REPORTS[outcome][0], ReceiveDate: localTime(sentAtMs + carrierMs) }),
    SendDate: localTime(sentAtMs),
    TemplateCode: call.template,
    OutId: call.reference,
    Content: store.textOf(message.sequence) ?? '',
  }
}

function receiptsBody({ carrierMs }: SmsEngine, messages: KeptMessage[], ageMs: number): string {
  return JSON.stringify(
    messages.map(({ phone, sentAtMs, outcome, segments, call }) => ({
      phone_number: phone,
      send_time: localTime(sentAtMs - ageMs),
      report_time: localTime(sentAtMs + carrierMs - ageMs),
      success: DELIVERED.includes(outcome),
      err_code: REPORTS[outcome][0],
      err_msg: REPORTS[outcome][1],
      sms_size: String(segments),
      biz_id: call.id,
      out_id: call.reference,
    })),
  )
}
