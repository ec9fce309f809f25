// SendSms (one text to many numbers) and SendBatchSms (one template, to each number with its own signature and variables)
// of the simulated service: all messages of a call are taken, or none is.
import { mainlandNumber, type SmsEngine } from '../simulated-sms.ts'
import type { SimulatedTemplate } from '../simulated-sms-registry.ts'
import { outcomeOf } from '../simulated-sms-store.ts'
import type { Control, SimAnswer } from '../simulator.ts'
import { aliyunAnswer, aliyunError } from './simulator-answer.ts'

export type TextRules = {
  /** Characters that the value of one variable may have; 35 at the real service for most kinds of variables. */
  variableMax?: number
  /** Words that no variable may hold. */
  forbiddenWords?: readonly string[]
}
export type Send = {
  rules: TextRules
  engine: SmsEngine
  parameters: Record<string, string>
  nowMs: number
  nextId: () => string
}

const NUMBERS_MAX = 1000
const BATCH_MAX = 100
const TEXT_MAX = 500
const LIMIT_WORDS = { minute: '分钟', hour: '小时', day: '天' } as const

type Refusal = { code: string; message: string }
type Addressed = { phone: string; signature: string; values: unknown }
type Made = { phone: string; signature: string; text: string; segments: number }

export const SEND_ACTIONS: Record<string, (send: Send, control: Control) => SimAnswer> = {
  SendSms: (send, control) => answerSend(send, control, 'SendSms', readCommon(send)),
  SendBatchSms: (send, control) => answerSend(send, control, 'SendBatchSms', readEach(send)),
}

function answerSend(send: Send, control: Control, name: string, addressed: Addressed[] | Refusal): SimAnswer {
  const answer = 'code' in addressed ? addressed : takeAll(send, control, name, addressed)
  if (typeof answer === 'string') return aliyunAnswer({ BizId: answer })
  send.engine.counts.refused++
  return aliyunError(answer.code, answer.message)
}

function readCommon({ parameters }: Send): Addressed[] | Refusal {
  const phones = (parameters.PhoneNumbers ?? '').split(',')
  if (phones.length > NUMBERS_MAX)
    return { code: 'isv.MOBILE_COUNT_OVER_LIMIT', message: '手机号码数量超过限制' }
  const values = readJson(parameters.TemplateParam || '{}')
  return phones.map(phone => ({ phone, signature: parameters.SignName ?? '', values }))
}

function readEach({ parameters }: Send): Addressed[] | Refusal {
  const phones = readJson(parameters.PhoneNumberJson)
  const signatures = readJson(parameters.SignNameJson)
  const sets = parameters.TemplateParamJson ? readJson(parameters.TemplateParamJson) : null
  if (!isTexts(phones) || !isTexts(signatures) || (sets !== null && !Array.isArray(sets)))
    return { code: 'isv.INVALID_JSON_PARAM', message: '参数格式错误，请修改为字符串值' }
  if (phones.length > BATCH_MAX)
    return { code: 'isv.MOBILE_COUNT_OVER_LIMIT', message: '手机号码数量超过限制' }
  if (phones.length < 1 || signatures.length !== phones.length || (sets ?? phones).length !== phones.length)
    return { code: 'isv.INVALID_PARAMETERS', message: '手机号、签名与模板变量的个数不一致' }
  return phones.map((phone, at) => ({ phone, signature: signatures[at] ?? '', values: sets?.[at] ?? {} }))
}

function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}

/** The call's number, or why nothing of it was taken. */
function takeAll(send: Send, control: Control, name: string, addressed: Addressed[]): string | Refusal {
  const { engine, parameters, nowMs } = send
  const template = engine.registry.template(parameters.TemplateCode ?? '', nowMs)
  const makeOne = maker(send, template)
  const messages: Made[] = []
  for (const one of addressed) {
    const made = makeOne(one)
    if ('code' in made) return made
    messages.push(made)
  }
  const segments = messages.reduce((sum, message) => sum + message.segments, 0)
  if (control.take('quota-exhausted', name) || !engine.charge(segments))
    return { code: 'isv.AMOUNT_NOT_ENOUGH', message: '账户余额不足' }
  const call = {
    id: send.nextId(),
    reference: parameters.OutId ?? '',
    template: parameters.TemplateCode ?? '',
  }
  for (const message of messages) {
    const broken = engine.limit(message.phone, message.signature, template as SimulatedTemplate, nowMs)
    if (broken && messages.length === 1) {
      engine.charge(-segments)
      return {
        code: 'isv.BUSINESS_LIMIT_CONTROL',
        message: `触发${LIMIT_WORDS[broken.name]}级流控Permits:${broken.max}`,
      }
    }
    const outcome = broken ? 'limited' : outcomeOf(message.phone)
    const charged = message.segments + (outcome === 'longer' ? 1 : 0)
    engine.accept({ ...message, segments: charged, outcome }, call, nowMs)
  }
  return call.id
}

/** Makes messages of the template; the text of the last values is kept, since a call may have the same for all. */
function maker({ rules, engine, nowMs }: Send, template: SimulatedTemplate | null) {
  let lastValues: unknown
  let last: { text: string } | Refusal | null = null
  return ({ phone: given, signature, values }: Addressed): Made | Refusal => {
    const phone = mainlandNumber(given)
    if (!/^1[3-9]\d{9}$/.test(phone)) return { code: 'isv.MOBILE_NUMBER_ILLEGAL', message: '非法手机号' }
    if (engine.registry.signature(signature, nowMs)?.state !== 'approved')
      return { code: 'isv.SMS_SIGNATURE_ILLEGAL', message: '短信签名不合法' }
    if (template?.state !== 'approved')
      return { code: 'isv.SMS_TEMPLATE_ILLEGAL', message: '该账号下找不到对应模板' }
    if (last === null || lastValues !== values) last = render(template, values, rules)
    lastValues = values
    if ('code' in last) return last
    return { phone, signature, text: last.text, segments: engine.countSegments(signature, last.text) }
  }
}

function render(template: SimulatedTemplate, given: unknown, rules: TextRules): { text: string } | Refusal {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { code: 'isv.INVALID_JSON_PARAM', message: '参数格式错误，请修改为字符串值' }
  const values = given as Record<string, unknown>
  const names = [...template.text.matchAll(/\$\{(\w+)\}/g)].map(match => match[1] as string)
  const absent = names.find(name => values[name] === undefined || values[name] === '')
  if (absent) return { code: 'isv.TEMPLATE_MISSING_PARAMETERS', message: `模板缺少变量：${absent}` }
  const used = names.map(name => String(values[name]))
  const text = template.text.replace(/\$\{(\w+)\}/g, (_, name: string) => String(values[name]))
  if (used.some(value => value.length > (rules.variableMax ?? 35)) || text.length > TEXT_MAX)
    return { code: 'isv.PARAM_LENGTH_LIMIT', message: '参数超出长度限制' }
  const words = rules.forbiddenWords ?? ['赌博', '代开发票']
  if (used.some(value => words.some(word => value.includes(word))))
    return { code: 'isv.BLACK_KEY_CONTROL_LIMIT', message: '变量内容含有限制发送的内容' }
  return { text }
}
