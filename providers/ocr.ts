// What all readers of papers share: days and terms as papers write them, and how far a value is believed.
import {
  type BankCardField,
  type IdCardField,
  type LicenceField,
  LONG_TERM,
  type OcrField,
  type OcrProblem,
  type OcrReading,
  OcrRefused,
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
} from '#kit/ports/providers.ts'
import { formatDay, isDay } from '#kit/time.ts'
import { refuseIdNumber } from '#kit/words/id-number.ts'
import { refuseLicenceNumber, warnOfLicenceNumber } from '#kit/words/licence-number.ts'

/** Of a number whose check does not hold: at least one sign was misread. */
const BROKEN_NUMBER = 0.2
/** Open end, as services write it too. */
const NEVER = /^(长期|永久|无固定期限|2999|9999)/

/** A value as it was found, and how sure its reader is of it. */
export type Found = { text: string | null; confidence: number }

/** YYYY-MM-DD of `1995年5月3日`, `1995/5/3`, `1995.05.03`, `19950503`; null: no such day. */
export function readDay(text: string): string | null {
  const parts =
    /^(\d{4})\D+(\d{1,2})\D+(\d{1,2})\D*$/.exec(text.trim()) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text.trim())
  if (!parts) return null
  const [year, month = '', day = ''] = parts.slice(1)
  const read = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(read) ? read : null
}

/** Begin and end of `2017年01月04日至长期`, `2010.07.21-2030.07.21`; null: not said. */
export function readTerm(text: string): { from: string | null; to: string | null } {
  const [from = '', to = ''] = /至/.test(text) ? text.split('至') : text.split(/[-–—~]+(?=\d{4}|\D*$)/)
  const only = from.trim()
  if (to === '' && NEVER.test(only)) return { from: null, to: LONG_TERM }
  return { from: readDay(only), to: readEnd(to) }
}

function readEnd(text: string): string | null {
  return NEVER.test(text.trim()) ? LONG_TERM : readDay(text)
}

export function licenceReading(
  found: Partial<Record<LicenceField, Found>>,
  warnings: readonly OcrProblem[],
  now: Date,
): OcrReading<LicenceField> {
  const isNumber = (text: string) => refuseLicenceNumber(text) === null && warnOfLicenceNumber(text) === null
  return readingOf(found, { number: isNumber }, warnings, now)
}

export function idCardReading(
  found: Partial<Record<IdCardField, Found>>,
  warnings: readonly OcrProblem[],
  now: Date,
): OcrReading<IdCardField> {
  const isNumber = (text: string) => refuseIdNumber(text, formatDay(now)) === null
  return readingOf(found, { idNumber: isNumber }, warnings, now)
}

export function bankCardReading(
  found: Partial<Record<BankCardField, Found>>,
  warnings: readonly OcrProblem[],
  now: Date,
): OcrReading<BankCardField> {
  return readingOf(found, { number: isCardNumber }, warnings, now)
}

/** By the check digit that all cards have (ISO/IEC 7812). */
export function isCardNumber(text: string): boolean {
  if (!/^\d{15,19}$/.test(text)) return false
  const sum = [...text].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Checks by field: a value that fails its own is kept, and hardly believed. */
function readingOf<Field extends string>(
  found: Partial<Record<Field, Found>> & { validTo?: Found },
  checks: Partial<Record<Field, (text: string) => boolean>>,
  warnings: readonly OcrProblem[],
  now: Date,
): OcrReading<Field> {
  const fields: Partial<Record<Field, OcrField>> = {}
  for (const [field, value] of Object.entries(found) as [Field, Found | undefined][]) {
    const text = value?.text?.trim()
    if (!value || !text) continue
    const sure = Math.min(Math.max(value.confidence, 0), 1)
    const isBroken = checks[field]?.(text) === false
    fields[field] = { value: text, confidence: isBroken ? Math.min(sure, BROKEN_NUMBER) : sure }
  }
  const end = found.validTo?.text
  const isOver = typeof end === 'string' && end !== LONG_TERM && end < formatDay(now)
  return { fields, warnings: [...new Set([...warnings, ...(isOver ? (['expired'] as const) : [])])] }
}

/** How a service names what it refused, by its codes; a code that stands nowhere is one of wrong settings. */
export type OcrCodes = {
  problems: Readonly<Record<string, OcrRefused['problem']>>
  isBusy(code: string): boolean
  unknown: readonly string[]
}

/** Does a call, and says what it rejects with in the words of `Ocr`. */
export async function inOurWords<T>(codes: OcrCodes, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    const { code, message, reference } = error
    const problem = codes.problems[code]
    if (problem) throw new OcrRefused(problem, code, message, reference)
    if (codes.isBusy(code)) throw new ProviderBusy(code, message, reference)
    if (codes.unknown.includes(code)) throw new ProviderUnknown(`${code}: ${message}`, error)
    throw error
  }
}

/** Refuses where nothing of what was asked for was read; `other`: something of the card's other side was. */
export function refuseEmpty<Field extends string>(
  reading: OcrReading<Field>,
  other: boolean,
  reference: string,
): OcrReading<Field> {
  if (Object.keys(reading.fields).length > 0) return reading
  const problem = other ? 'wrong-side' : reading.warnings.includes('blurred') ? 'blurred' : 'unreadable'
  throw new OcrRefused(problem, '', 'nothing was read', reference)
}
