// What a form is, made of the fields that it asks for: what it begins with, what was meant by what was typed, and what is wrong with it.
// Page and server judge by the same.
import { formatCents, formatCount, parseCents } from '../money.ts'
import { cleanNumber } from '../words/cleaned.ts'
import { parseCount } from '../words/count.ts'
import type { Control, Field, Fields, KeysIn, Place, ValueOf } from './fields.ts'
import { cleanFor, keysIn } from './fields.ts'

/** A broken rule: the field, and what is said at it. */
type Broken = { field: string; message: string }

/** Fields that a person can give a value. */
export type Asked = Readonly<Record<string, Field & { readonly control: Control }>>

/** What a form sends, its texts without blanks around them; null only where a field is nullable. */
export type Meant<F extends Fields> = { -readonly [K in keyof F & string]: ValueOf<F[K]> }

/** A field's value while it is typed: numbers and amounts as text; null is not chosen yet. */
type TypedValue<F extends Field> = F extends { control: { as: 'number' | 'money' } }
  ? string
  : F extends { kind: 'id' | 'count' | 'money' }
    ? number | null
    : F extends { kind: 'flag' }
      ? boolean
      : F extends { kind: 'word'; words: infer W }
        ? (keyof W & string) | null
        : F extends { nullable: true } | { kind: 'day' | 'instant' }
          ? string | null
          : string

/** What a form holds while it is typed. */
export type Typed<F extends Fields> = { -readonly [K in keyof F & string]: TypedValue<F[K]> }

/** The fields of a place, in their order. */
export function fieldsIn<F extends Fields, P extends Place>(
  fields: F,
  place: P,
): { readonly [K in KeysIn<F, P>]: F[K] } {
  return Object.fromEntries(keysIn(fields, place).map(key => [key, fields[key]])) as {
    [K in KeysIn<F, P>]: F[K]
  }
}

/** The fields of these names, in the order in which they are named. */
export function fieldsNamed<F extends Fields, const K extends readonly (keyof F & string)[]>(
  fields: F,
  ...names: K
): { readonly [P in K[number]]: F[P] } {
  return Object.fromEntries(names.map(name => [name, fields[name]])) as { [P in K[number]]: F[P] }
}

const isNumber = ({ control, kind }: Field) =>
  control?.as === 'number' || control?.as === 'money' || kind === 'count' || kind === 'money'
const isText = ({ kind, nullable }: Field) => TEXTS.includes(kind) && !nullable
const TEXTS: readonly Field['kind'][] = ['text', 'digits', 'phone']

/** What a form holds first: the values that are known already, otherwise what the fields begin with. */
export function typedOf<F extends Fields>(fields: F, known: object = {}): Typed<F> {
  const values = known as Readonly<Record<string, unknown>>
  const typed = Object.entries(fields).map(([key, field]) => [key, typedText(field, values[key])])
  return Object.fromEntries(typed) as Typed<F>
}

function typedText(field: Field, known: unknown): unknown {
  const { kind, control } = field
  const value = known ?? control?.first ?? null
  if (control?.as === 'number') return value === null ? '' : String(value)
  if (control?.as === 'money') return value === null ? '' : formatCents(value as number)
  return value ?? (isText(field) ? '' : kind === 'flag' ? false : null)
}

/** What was meant by what is typed: NaN is no number, null is nothing at all. */
export function meantBy<F extends Fields>(fields: F, typed: object): Meant<F> {
  const values = typed as Readonly<Record<string, unknown>>
  const meant = Object.entries(fields).map(([key, field]) => [key, meantValue(field, values[key])])
  return Object.fromEntries(meant) as Meant<F>
}

function meantValue(field: Field, value: unknown): unknown {
  const { control } = field
  if (typeof value !== 'string' || control?.secret) return value
  if (control?.as === 'number' || control?.as === 'money') return meantNumber(control.as, cleanNumber(value))
  return cleanFor(field, value)
}

function meantNumber(as: 'number' | 'money', text: string): number | null {
  if (text === '') return null
  if (as === 'money') return parseCents(text) ?? Number.NaN
  return parseCount(text) ?? (/^[+-]\d{1,12}$/.test(text) ? Number(text) : Number.NaN)
}

/** What a person reads where nothing was typed. */
export function missingText(label: string): string {
  return `请输入${label}`
}

/** What is wrong with the values of a form as its fields declare them, in their order. Judged is what the form holds of them. */
export function brokenOf(fields: Fields, form: object): Broken[] {
  const values = form as Readonly<Record<string, unknown>>
  return Object.entries(fields).flatMap(([key, field]) => {
    if (!field.control || values[key] === undefined) return []
    const message = brokenText(field, values[key])
    return message === null ? [] : [{ field: key, message }]
  })
}

const CHOSEN: readonly Control['as'][] = ['choice', 'select', 'day']

function brokenText(field: Field, value: unknown): string | null {
  const { control, nullable, max } = field
  const label = control?.label ?? field.label
  const text = typeof value === 'string' ? cleanFor(field, value) : value
  if (text === '' || text === null) {
    if (control?.required && control.missing !== undefined) return control.missing
    if (control?.required)
      return CHOSEN.includes(control.as) || field.kind === 'word' || field.kind === 'id'
        ? `请选择${label}`
        : missingText(label)
    return !nullable && isNumber(field) ? rangeText(field, label) : null
  }
  if (isNumber(field)) return isWithin(field, text as number) ? null : rangeText(field, label)
  if (max !== undefined && typeof text === 'string' && [...text].length > max)
    return `${label}不得超过${max}字`
  return null
}

function isWithin({ min = 0, max = Number.MAX_SAFE_INTEGER }: Field, value: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max
}

function rangeText(field: Field, label: string): string {
  const { kind, unit = '', min = 0, max } = field
  if (kind === 'money') {
    const least = min === 1 ? '须大于0' : `不少于${shortAmount(min)}${unit}`
    return `${label}格式不对，${least}${max === undefined ? '' : `，最高${shortAmount(max)}${unit}`}`
  }
  return max === undefined
    ? `${label}须为不少于${formatCount(min)}的整数`
    : `${label}须为${formatCount(min)}至${formatCount(max)}的整数`
}

/** Without decimals where there are none. */
function shortAmount(cents: number): string {
  return cents % 100 === 0 ? formatCount(cents / 100) : formatCents(cents)
}
