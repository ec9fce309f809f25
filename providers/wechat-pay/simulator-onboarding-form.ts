// Reads an application that a service provider sent, as the simulated WeChat Pay takes it: every field by a rule, sensitive ones
// decrypted, no name unknown, nothing empty. Shares nothing with the client.
// Different from the real service: a name that it does not know is refused.
import { Refused } from './simulator-orders.ts'

export type Values = Record<string, unknown>
/** `decrypt` throws Refused where the key is not ours or the text is not for it. */
export type Counter = { decrypt(text: string): string; hasPicture(id: string): boolean; today: string }
/** What an application says, decrypted, by path: `contact_info.contact_name`. */
export type Said = Record<string, string | string[]>

export const LONG_TERM = '长期'

/** One object of the body. */
export type Part = { counter: Counter; said: Said; path: string; values: Values; seen: Set<string> }

export function fail(path: string, label: string, why: string): never {
  throw new Refused(
    400,
    'PARAM_ERROR',
    `输入源“/body/${path.replaceAll('.', '/')}”映射到字段“${label}”${why}`,
  )
}

export function openPart(counter: Counter, said: Said, values: unknown, path = ''): Part {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new Refused(400, 'PARAM_ERROR', '请求体不是JSON对象')
  refuseEmpty(values, path)
  return { counter, said, path, values: values as Values, seen: new Set() }
}

function refuseEmpty(value: unknown, path: string): void {
  const isEmpty =
    value === '' || value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
  if (isEmpty && path !== '') fail(path, path, '不能为空，无需填写时请不要传该字段')
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) refuseEmpty(one, path === '' ? name : `${path}.${name}`)
}

export const pathOf = ({ path }: Part, name: string) => (path === '' ? name : `${path}.${name}`)

function take(part: Part, name: string, label: string, isRequired: boolean): unknown {
  part.seen.add(name)
  const value = part.values[name]
  if (value === undefined && isRequired) fail(pathOf(part, name), label, '必填性规则校验失败，此字段为必填项')
  return value
}

type Rule = {
  optional?: boolean
  sealed?: boolean
  max?: number
  fits?: (text: string) => boolean
  /** What is said where it does not fit. */
  why?: string
}

/** Empty where it is absent. */
export function text(
  part: Part,
  name: string,
  label: string,
  { optional = false, sealed = false, max = 128, fits, why = '格式有误' }: Rule = {},
): string {
  const value = take(part, name, label, !optional)
  if (value === undefined) return ''
  const path = pathOf(part, name)
  if (typeof value !== 'string') fail(path, label, '类型有误')
  const plain = sealed ? part.counter.decrypt(value) : value
  if (plain === '' || plain.length > max) fail(path, label, '长度有误')
  if (fits && !fits(plain)) fail(path, label, why)
  part.said[path] = plain
  return plain
}

export function oneOf(part: Part, name: string, label: string, allowed: readonly string[]): string {
  return text(part, name, label, { fits: value => allowed.includes(value), why: '枚举值有误' })
}

export function picture(part: Part, name: string, label: string, optional = false): string {
  return text(part, name, label, {
    optional,
    max: 512,
    fits: id => part.counter.hasPicture(id),
    why: '图片无效，请重新上传',
  })
}

export function pictures(
  part: Part,
  name: string,
  label: string,
  { optional = false, max = 5 }: { optional?: boolean; max?: number } = {},
): string[] {
  const value = take(part, name, label, !optional)
  if (value === undefined) return []
  const path = pathOf(part, name)
  if (!Array.isArray(value) || value.some(one => typeof one !== 'string')) fail(path, label, '类型有误')
  if (value.length > max) fail(path, label, `最多上传${max}张`)
  const ids = value as string[]
  if (!ids.every(id => part.counter.hasPicture(id))) fail(path, label, '图片无效，请重新上传')
  part.said[path] = ids
  return ids
}

export function flag(part: Part, name: string, label: string, isRequired: boolean): boolean | null {
  const value = take(part, name, label, isRequired)
  if (value === undefined) return null
  if (typeof value !== 'boolean') fail(pathOf(part, name), label, '类型有误')
  part.said[pathOf(part, name)] = String(value)
  return value
}

export function object(part: Part, name: string, label: string, isRequired = true): Part | null {
  const value = take(part, name, label, isRequired)
  if (value === undefined) return null
  return openPart(part.counter, part.said, value, pathOf(part, name))
}

export function need(part: Part, name: string, label: string): Part {
  return object(part, name, label) ?? fail(pathOf(part, name), label, '必填性规则校验失败，此字段为必填项')
}

export function list(part: Part, name: string, label: string, max: number): Part[] {
  const value = take(part, name, label, false)
  if (value === undefined) return []
  const path = pathOf(part, name)
  if (!Array.isArray(value)) fail(path, label, '类型有误')
  if (value.length > max) fail(path, label, `最多填写${max}个`)
  return value.map((one, place) => openPart(part.counter, part.said, one, `${path}.${place}`))
}

export function words(part: Part, name: string, label: string, allowed: readonly string[]): string[] {
  const value = take(part, name, label, true)
  const path = pathOf(part, name)
  if (!Array.isArray(value)) fail(path, label, '类型有误')
  if (new Set(value).size !== value.length || value.some(one => !allowed.includes(one)))
    fail(path, label, '枚举值有误')
  part.said[path] = value as string[]
  return value as string[]
}

/** Two days, or a day and 长期. */
export function term(part: Part, from: string, to: string, label: string, optional = false): void {
  const begins = text(part, from, `${label}开始时间`, { optional, fits: isDay })
  const ends = text(part, to, `${label}结束时间`, {
    optional,
    fits: value => value === LONG_TERM || isDay(value),
  })
  if ((begins === '') !== (ends === '')) fail(pathOf(part, to), label, '开始时间与结束时间须同时填写')
  if (ends !== '' && ends !== LONG_TERM && ends <= begins)
    fail(pathOf(part, to), `${label}结束时间`, '结束时间须大于开始时间')
}

function isDay(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
}

/** Refuses names that nobody asked for. */
export function close(...parts: readonly (Part | null)[]): void {
  for (const part of parts) {
    const odd = part && Object.keys(part.values).find(name => !part.seen.has(name))
    if (part && odd !== undefined && odd !== null)
      fail(pathOf(part, odd), odd, '是未知的字段，或当前主体类型无需填写')
  }
}
