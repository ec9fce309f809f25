// What a table of reference data is: said once, by the feature that owns its rows. Editor, rules, log and configuration file are
// made of it. Pure, so that page and server agree.
import { isDay } from '../time.ts'
import { cleanLine, cleanLines, lengthOf } from '../words/cleaned.ts'
import { flawOfPlaceholders, type Placeholder } from '../words/placeholders.ts'
import type { Field } from './fields.ts'

/** One entry of a field that holds several: a field that a payment method asks for. */
export type Line = Readonly<Record<string, string | boolean>>
export type ReferenceValue = string | number | boolean | null | readonly Line[]
export type RowValues = Readonly<Record<string, ReferenceValue>>

export type LineField = {
  readonly label: string
  readonly kind: 'text' | 'flag'
  readonly max?: number
  /** What its text must look like, and how that is said. */
  readonly pattern?: string
  readonly patternWords?: string
}

export type ReferenceField = Field & {
  readonly required?: true
  readonly hint?: string
  /** Lines to type in, where it has more than one. */
  readonly rows?: number
  /** Shown and never changed: what the program itself relies on. */
  readonly shown?: true
  /** Chosen when a row is made, and kept. */
  readonly fixed?: true
  /** The field whose entries (`name`, `label`) are the places of this text: each must stand in it, and no other. */
  readonly placeholders?: string
  /** It holds entries of its own, told apart by the field of this name. */
  readonly lines?: {
    readonly by: string
    readonly most: number
    readonly fields: Readonly<Record<string, LineField>>
  }
}

export type ReferenceTable = {
  readonly key: string
  readonly title: string
  /** What its rows are there for. */
  readonly about: string
  /** The field that people know a row by; unique among the rows of the same `within`. */
  readonly named: string
  readonly within?: string
  readonly fields: Readonly<Record<string, ReferenceField>>
  readonly adds: boolean
  readonly orders: boolean
  /** Rows can be brought as lines of text. */
  readonly imports?: true
  /** A row can be kept from being chosen, now or from a day on; those who have it keep it. */
  readonly retires: boolean
}

export type BrokenValue = { field: string; message: string }

/** What is wrong with a row, in the order of its form. */
export function brokenRow(
  { fields }: Pick<ReferenceTable, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): BrokenValue[] {
  return Object.entries(fields).flatMap(([field, declared]) => {
    if (declared.shown) return []
    const message = flawOf(declared, values[field]) ?? flawOfPlaces(declared, values, field)
    return message === null ? [] : [{ field, message }]
  })
}

/** What stands at the places of a text. */
export function placesOf({ placeholders }: ReferenceField, values: Readonly<Record<string, unknown>>) {
  if (placeholders === undefined) return null
  const known = values[placeholders]
  return Array.isArray(known) ? (known as readonly Placeholder[]) : []
}

function flawOfPlaces(
  field: ReferenceField,
  values: Readonly<Record<string, unknown>>,
  key: string,
): string | null {
  const places = placesOf(field, values)
  return places && flawOfPlaceholders(field.label, String(values[key]), places)
}

function flawOf(field: ReferenceField, value: unknown): string | null {
  const { label, kind, max, words, required, lines } = field
  if (lines) return flawOfLines(label, lines, value)
  if (kind === 'flag') return typeof value === 'boolean' ? null : `请选择${label}`
  if (kind === 'word') return typeof value === 'string' && words && value in words ? null : `请选择${label}`
  if (typeof value !== 'string') return `请输入${label}`
  if (kind === 'day') return isDay(value) ? null : `请选择${label}`
  const length = lengthOf(value)
  if (length === 0) return required ? `请输入${label}` : null
  return max !== undefined && length > max ? `${label}不得超过${max}字` : null
}

function flawOfLines(
  label: string,
  { by, most, fields }: NonNullable<ReferenceField['lines']>,
  value: unknown,
): string | null {
  if (!Array.isArray(value)) return `请输入${label}`
  if (value.length > most) return `${label}最多 ${most} 项`
  const lines = value as readonly Line[]
  for (const [index, line] of lines.entries()) {
    const at = `${label}第 ${index + 1} 项`
    for (const [name, declared] of Object.entries(fields)) {
      const flaw = flawInLine(declared, line[name])
      if (flaw) return `${at}：${flaw}`
    }
  }
  const names = lines.map(line => cleanLine(String(line[by])))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? null : `${label}有两项的${fields[by]?.label ?? by}同为「${twice}」`
}

function flawInLine({ label, kind, max, pattern, patternWords }: LineField, value: unknown): string | null {
  if (kind === 'flag') return typeof value === 'boolean' ? null : `请选择${label}`
  if (typeof value !== 'string' || cleanLine(value) === '') return `请输入${label}`
  if (max !== undefined && lengthOf(value) > max) return `${label}不得超过${max}字`
  return pattern !== undefined && !new RegExp(pattern).test(cleanLine(value))
    ? `${label}${patternWords ?? '格式不正确'}`
    : null
}

const cleanText = (text: string, rows: number) => (rows > 1 ? cleanLines(text) : cleanLine(text))

/** A row as it is kept: declared fields alone, their texts clean. */
export function trimmedRow({ fields }: Pick<ReferenceTable, 'fields'>, values: RowValues): RowValues {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, { lines, shown, rows = 1 }]) => {
      const value = values[key]
      if (shown || value === undefined) return []
      if (!lines) return [[key, typeof value === 'string' ? cleanText(value, rows) : value]]
      return [[key, (value as readonly Line[]).map(line => trimmedLine(lines.fields, line))]]
    }),
  )
}

function trimmedLine(fields: Readonly<Record<string, LineField>>, line: Line): Line {
  return Object.fromEntries(
    Object.keys(fields).map(key => {
      const value = line[key] as string | boolean
      return [key, typeof value === 'string' ? cleanLine(value) : value]
    }),
  )
}

/** What a form begins with. */
export function blankRow({ fields }: Pick<ReferenceTable, 'fields'>): Record<string, ReferenceValue> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, { kind, lines, words }]) => {
      if (lines) return [key, []]
      if (kind === 'flag') return [key, false]
      return [key, kind === 'word' ? (Object.keys(words ?? {})[0] ?? '') : '']
    }),
  )
}

/** A value as people read it; the entries of one are named with what they are. */
export function valueText({ kind, words, lines }: ReferenceField, value: ReferenceValue | undefined): string {
  if (value === null || value === undefined || value === '') return ''
  if (lines) return (value as readonly Line[]).map(line => lineText(lines.fields, line)).join('；')
  if (kind === 'flag') return value ? '是' : '否'
  if (kind === 'word') return words?.[String(value)] ?? String(value)
  return String(value)
}

function lineText(fields: Readonly<Record<string, LineField>>, line: Line): string {
  const texts = Object.entries(fields).map(([key, { label, kind }]) =>
    kind === 'flag' ? (line[key] ? label : '') : String(line[key] ?? ''),
  )
  return texts.filter(text => text !== '').join(' ')
}

/** Whether a row can be chosen at this moment; `at` in ms. */
export function isOffered(retiredAt: string | null, at: number): boolean {
  return retiredAt === null || Date.parse(retiredAt) > at
}
