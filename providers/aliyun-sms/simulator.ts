// Aliyun SMS on loopback. Differs from the real service: one access key; nonces of a very busy window are forgotten;
// contents of details end after the last thousand messages; a review reads nothing but the name; no files or letters of
// authorization; the codes MissingAuthorization, isv.API_DISCONTINUED and isv.QUALIFICATION_ILLEGAL are our words.
// Carriers go by the number's last four digits: see providers/simulated-sms-store.ts. In a batch, numbers over their
// limits are taken and get a failed receipt.
import { randomBytes } from 'node:crypto'
import {
  makeSmsEngine,
  type SimulatedSmsOptions,
  type SmsEngine,
  type SmsSimulatorParts,
} from '../simulated-sms.ts'
import type { FrequencyRules } from '../simulated-sms-limits.ts'
import type { SimulatedTemplate } from '../simulated-sms-registry.ts'
import { type KeptMessage, type Outcome, outcomeOf } from '../simulated-sms-store.ts'
import {
  type Control,
  type RunningSimulator,
  type SimAnswer,
  type SimRequest,
  startSimulator,
} from '../simulator.ts'
import { type AliyunSmsKeys, aliyunAnswer, aliyunError, makeGate } from './simulator-gate.ts'
import { localTime, REVIEW_ACTIONS } from './simulator-review.ts'

export type AliyunSmsSimulatorOptions = SimulatedSmsOptions & {
  keys: AliyunSmsKeys
  /** Characters that the value of one variable may have; 35 at the real service for most kinds of variables. */
  variableMax?: number
  /** Words that no variable may hold. */
  forbiddenWords?: readonly string[]
}

const NUMBERS_MAX = 1000
const TEXT_MAX = 500
const DETAILS_MAX = 50
const FREQUENCY: FrequencyRules = {
  code: [
    { windowMs: 60_000, max: 1, name: 'minute' },
    { windowMs: 3_600_000, max: 5, name: 'hour' },
    { windowMs: 86_400_000, max: 10, name: 'day' },
  ],
  notice: [{ windowMs: 86_400_000, max: 50, name: 'day' }],
}
const LIMIT_WORDS = { minute: '分钟', hour: '小时', day: '天' } as const
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

type Parameters = Record<string, string>
type Send = { options: AliyunSmsSimulatorOptions; engine: SmsEngine; parameters: Parameters; nowMs: number }

export function makeAliyunSmsKeys(): AliyunSmsKeys {
  return {
    accessKeyId: `LTAI5t${randomBytes(9).toString('hex')}`,
    accessKeySecret: randomBytes(15).toString('hex'),
  }
}

/** What a client must be told to reach this service. */
export function aliyunSmsSettings(keys: AliyunSmsKeys, url: string) {
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
        const send = { options, engine, parameters, nowMs }
        const answer =
          refuse(request, control) ??
          (name === 'SendSms' ? sendSms(send, control, () => `${nowMs}${++lastCall}^0`) : null) ??
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

function readParameters({ query, headers, body }: SimRequest): Parameters {
  const isForm = String(headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  return {
    ...Object.fromEntries(query),
    ...(isForm && Object.fromEntries(new URLSearchParams(body.toString()))),
  }
}

function sendSms(send: Send, control: Control, nextId: () => string): SimAnswer {
  const { engine, parameters, nowMs } = send
  const refused = (code: string, message: string) => {
    engine.counts.refused++
    return aliyunError(code, message)
  }
  const phones = (parameters.PhoneNumbers ?? '')
    .split(',')
    .map(phone => phone.replace(/^(\+86|0086|86)(?=1\d{10}$)/, ''))
  if (phones.length > NUMBERS_MAX) return refused('isv.MOBILE_COUNT_OVER_LIMIT', '手机号码数量超过限制')
  if (!phones.every(phone => /^1[3-9]\d{9}$/.test(phone)))
    return refused('isv.MOBILE_NUMBER_ILLEGAL', '非法手机号')
  const signature = engine.registry.signature(parameters.SignName ?? '', nowMs)
  if (signature?.state !== 'approved') return refused('isv.SMS_SIGNATURE_ILLEGAL', '短信签名不合法')
  const template = engine.registry.template(parameters.TemplateCode ?? '', nowMs)
  if (template?.state !== 'approved') return refused('isv.SMS_TEMPLATE_ILLEGAL', '该账号下找不到对应模板')
  const rendered = render(template, send)
  if ('code' in rendered) return refused(rendered.code, rendered.message)
  const { text } = rendered
  const segments = engine.countSegments(signature.name, text)
  if (control.take('quota-exhausted', 'SendSms') || !engine.charge(segments * phones.length))
    return refused('isv.AMOUNT_NOT_ENOUGH', '账户余额不足')
  const call = { id: nextId(), reference: parameters.OutId ?? '', template: template.key }
  for (const phone of phones) {
    const broken = engine.limit(phone, signature.name, template, nowMs)
    if (broken && phones.length === 1) {
      engine.charge(-segments)
      return refused(
        'isv.BUSINESS_LIMIT_CONTROL',
        `触发${LIMIT_WORDS[broken.name]}级流控Permits:${broken.max}`,
      )
    }
    const outcome = broken ? 'limited' : outcomeOf(phone)
    const charged = segments + (outcome === 'longer' ? 1 : 0)
    engine.accept({ phone, signature: signature.name, text, segments: charged, outcome }, call, nowMs)
  }
  return aliyunAnswer({ BizId: call.id })
}

type Rendered = { text: string } | { code: string; message: string }

function render(template: SimulatedTemplate, { options, parameters }: Send): Rendered {
  let values: Record<string, unknown>
  try {
    values = JSON.parse(parameters.TemplateParam || '{}')
  } catch {
    return { code: 'isv.INVALID_JSON_PARAM', message: '参数格式错误，请修改为字符串值' }
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { code: 'isv.INVALID_JSON_PARAM', message: '参数格式错误，请修改为字符串值' }
  const names = [...template.text.matchAll(/\$\{(\w+)\}/g)].map(match => match[1] as string)
  const absent = names.find(name => values[name] === undefined || values[name] === '')
  if (absent) return { code: 'isv.TEMPLATE_MISSING_PARAMETERS', message: `模板缺少变量：${absent}` }
  const used = names.map(name => String(values[name]))
  const text = template.text.replace(/\$\{(\w+)\}/g, (_, name: string) => String(values[name]))
  if (used.some(value => value.length > (options.variableMax ?? 35)) || text.length > TEXT_MAX)
    return { code: 'isv.PARAM_LENGTH_LIMIT', message: '参数超出长度限制' }
  const words = options.forbiddenWords ?? ['赌博', '代开发票']
  if (used.some(value => words.some(word => value.includes(word))))
    return { code: 'isv.BLACK_KEY_CONTROL_LIMIT', message: '变量内容含有限制发送的内容' }
  return { text }
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
