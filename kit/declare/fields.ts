// What a field is: said once, in features/<district>/<x>/fields.ts. Lists, files, filters, forms, facts and the log read it there.
// Pure data, so that page, server and tests agree.
import { CLEANERS, type TextKind } from './text-kinds.ts'

export type Words = Readonly<Record<string, string>>
export type Tone = 'neutral' | 'done' | 'attention' | 'problem'

/** Where a field must be found besides the lists that name it: rows and details that leave the server, forms, the log. */
export type Place = 'row' | 'details' | 'add' | 'edit' | 'log'

/** How a person gives the field its value in a form. */
export type Control = {
  /**
   * text: a line of it, digits and phone numbers too. lines: several. number: a whole number. money: an amount. choice: words that are
   * all seen. select: words to pick from. switch: yes or no. day: YYYY-MM-DD. picture: an upload. own: the page draws it.
   */
  readonly as:
    | 'text'
    | 'lines'
    | 'number'
    | 'money'
    | 'choice'
    | 'select'
    | 'switch'
    | 'day'
    | 'picture'
    | 'own'
  /** Over it, where a form says more or less than a list. */
  readonly label?: string
  readonly required?: true
  /** What is said where nothing was given, where that is not 请输入 or 请选择 with the label. */
  readonly missing?: string
  readonly placeholder?: string
  readonly hint?: string
  /** Lines that are seen of a text with more than one. */
  readonly rows?: number
  /** Tells how many of the allowed characters are typed. */
  readonly counted?: true
  readonly inputMode?: 'text' | 'tel' | 'email' | 'numeric' | 'decimal'
  /** Shown as dots, and sent as it is typed. */
  readonly secret?: true
  /** So short that it stands beside the next one. */
  readonly half?: true
  /** What stands there first; unless told nothing, and no. */
  readonly first?: string | number | boolean
  /** The last of the words stands first. */
  readonly reversed?: true
  /** How a choice looks. */
  readonly look?: 'buttons' | 'lines'
  /** Any other text may be typed too. */
  readonly suggestions?: readonly string[]
  /** What a picture is for; the server knows who may send such. */
  readonly purpose?: string
  /** What is said to several pictures at once. */
  readonly onlyOne?: string
  /** Of a form in parts: in which it stands. */
  readonly group?: string
}

/**
 * text: as it stands. id: a number whose digits are not grouped. digits: what stands for something, digits or a few letters. phone: digits that are dialled. count: a whole number.
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
  /** The least number or amount that a person may enter: 0 unless told. */
  readonly min?: number
  /** The most that a person may enter: characters of a text, otherwise the number or the amount itself. */
  readonly max?: number
  readonly nullable?: true
  /** What people read where there is no value. */
  readonly none?: string
  /** An instant that is told without its seconds. */
  readonly toMinute?: true
  /** Characters of its column in a file. */
  readonly fileWidth?: number
  readonly in?: readonly Place[]
  readonly control?: Control
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

type Said = Pick<Field, 'kind' | 'control'>

/** What a text is that somebody gives a field. */
export function textKind({ kind, control }: Said): TextKind {
  if (control?.secret) return 'secret'
  if (kind === 'digits') return 'code'
  // What is no mobile phone keeps its dashes: behind the last may stand an extension.
  if (kind === 'phone') return 'account'
  return control?.as === 'lines' ? 'lines' : 'line'
}

export const cleanFor = (field: Said, text: string): string => CLEANERS[textKind(field)](text)

/** A form whose texts are clean; secrets stay as they are typed. */
export function trimmed<D extends object>(draft: D, ...secrets: (keyof D & string)[]): D {
  const entries = Object.entries(draft).map(([key, value]) => [
    key,
    typeof value === 'string' && !(secrets as string[]).includes(key) ? CLEANERS.lines(value) : value,
  ])
  return Object.fromEntries(entries) as D
}

/** These fields of a row or form alone. */
export function picked<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map(key => [key, from[key]])) as Pick<T, K>
}
