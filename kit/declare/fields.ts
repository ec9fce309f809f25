// What a field is: said once, in features/<district>/<x>/fields.ts. Lists, files, filters, forms, facts and the log read it there.
// Pure data, so that page, server and tests agree.

export type Words = Readonly<Record<string, string>>
export type Tone = 'neutral' | 'done' | 'attention' | 'problem'

/** Where a field must be found besides the lists that name it: rows and details that leave the server, forms, the log. */
export type Place = 'row' | 'details' | 'add' | 'edit' | 'log'

/** How a text is typed, where its form shows it without naming it. */
export type Entry = {
  /** Among which fields of its form it stands. */
  readonly group: string
  readonly required?: true
  readonly placeholder?: string
  readonly hint?: string
  /** Lines to type in, where it has more than one. */
  readonly rows?: number
  /** Tells how many of the allowed characters are typed. */
  readonly counted?: true
  readonly inputMode?: 'tel' | 'email' | 'numeric'
}

/**
 * text: as it stands. id: a number whose digits are not grouped. digits: text of digits. phone: digits that are dialled. count: a whole number.
 * money: 1/100 of its unit. instant: ISO text in UTC. day: YYYY-MM-DD. word: one of `words`. flag: yes or no.
 */
export type Field = {
  readonly label: string
  readonly kind: 'text' | 'id' | 'digits' | 'phone' | 'count' | 'money' | 'instant' | 'day' | 'word' | 'flag'
  readonly words?: Words
  /** How a word that stands for a state is coloured; without it a word is plain text. */
  readonly tones?: Readonly<Record<string, Tone>>
  /** Stands behind the label in heads of lists and files. */
  readonly unit?: string
  /** Of a row whose unit is its own: the field that holds it; stands behind the value. */
  readonly unitIn?: string
  /** The most characters a person may enter. */
  readonly max?: number
  readonly nullable?: true
  /** What people read where there is no value. */
  readonly none?: string
  /** Characters of its column in a file. */
  readonly fileWidth?: number
  readonly in?: readonly Place[]
  readonly entry?: Entry
}

export type Fields = Readonly<Record<string, Field>>

/** The type of a field's value where it leaves the server. */
export type ValueOf<F extends Field> =
  | (F extends { kind: 'id' | 'count' | 'money' }
      ? number
      : F extends { kind: 'flag' }
        ? boolean
        : F extends { kind: 'word'; words: infer W }
          ? keyof W & string
          : string)
  | (F extends { nullable: true } ? null : never)

export type KeysIn<F extends Fields, P extends Place> = {
  [K in keyof F & string]: F[K] extends { in: readonly (infer Q)[] } ? (P extends Q ? K : never) : never
}[keyof F & string]

/** The keys of the fields that stand in a place, in their order. */
export function keysIn<F extends Fields, P extends Place>(fields: F, place: P): KeysIn<F, P>[] {
  return Object.keys(fields).filter((key): key is KeysIn<F, P> => fields[key]?.in?.includes(place) ?? false)
}

/** What stands over the field's values in a list or a file: 结算（代币）. */
export function headOf({ label, unit }: Field): string {
  return unit ? `${label}（${unit}）` : label
}

/** The labels of the fields that stand in a place. */
export function labelsIn<F extends Fields, P extends Place>(
  fields: F,
  place: P,
): Record<KeysIn<F, P>, string> {
  const labels = keysIn(fields, place).map(key => [key, (fields[key] as Field).label])
  return Object.fromEntries(labels) as Record<KeysIn<F, P>, string>
}

/** The type of a field's value as a form holds it: null is not chosen yet. */
export type Entered<F> = F extends { kind: 'id' | 'count' | 'money' }
  ? number | null
  : F extends { kind: 'flag' }
    ? boolean
    : F extends { kind: 'word'; words: infer W }
      ? keyof W & string
      : F extends { kind: 'instant'; nullable: true }
        ? string | null
        : string

/** Fields that can be left empty. */
type Blank<F extends Fields, P extends Place> = {
  [K in KeysIn<F, P> as F[K] extends { kind: 'word' | 'instant' | 'day' } ? never : K]: Entered<F[K]>
}

const TYPED: readonly Field['kind'][] = ['text', 'digits', 'phone']

/** What a form begins with: nothing is typed, and nothing chosen. Words, instants and days it chooses itself. */
export function blankOf<F extends Fields, P extends 'add' | 'edit'>(fields: F, form: P): Blank<F, P> {
  const blanks = keysIn(fields, form).map((key): [string, unknown] => {
    const { kind } = fields[key] as Field
    return [key, TYPED.includes(kind) ? '' : kind === 'flag' ? false : null]
  })
  return Object.fromEntries(blanks) as Blank<F, P>
}

/** A form without the blanks around its texts; secrets stay as they are typed. */
export function trimmed<D extends object>(draft: D, ...secrets: (keyof D & string)[]): D {
  const entries = Object.entries(draft).map(([key, value]) => [
    key,
    typeof value === 'string' && !(secrets as string[]).includes(key) ? value.trim() : value,
  ])
  return Object.fromEntries(entries) as D
}

/** What a person reads where nothing was typed. */
export function missingText(label: string): string {
  return `请输入${label}`
}

/** The texts that are missing, or longer than they may be, as their fields declare it; each with its message. */
export function brokenTexts(fields: Fields, draft: object): { field: string; message: string }[] {
  const values = draft as Readonly<Record<string, unknown>>
  return Object.entries(fields).flatMap(([field, { entry, label, max = Number.POSITIVE_INFINITY }]) => {
    const value = values[field]
    if (!entry || typeof value !== 'string') return []
    const { length } = [...value.trim()]
    if (length === 0) return entry.required ? [{ field, message: missingText(label) }] : []
    return length > max ? [{ field, message: `${label}不得超过${max}字` }] : []
  })
}

/** These fields of a row or form alone. */
export function picked<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map(key => [key, from[key]])) as Pick<T, K>
}
