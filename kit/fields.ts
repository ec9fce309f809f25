// What a field is: said once, in features/<x>/fields.ts. Lists, files, filters, forms, facts and the log read it there.
// Pure data, so that page, server and tests agree.

export type Words = Readonly<Record<string, string>>
export type Tone = 'neutral' | 'done' | 'attention' | 'problem'

/** Where a field must be found besides the lists that name it: rows and details that leave the server, forms, the log. */
export type Place = 'row' | 'details' | 'add' | 'edit' | 'log'

/**
 * text: as it stands. id: a number whose digits are not grouped. digits: text of digits (account, phone). count: a whole number.
 * money: 1/100 of its unit. instant: ISO text in UTC. day: YYYY-MM-DD. word: one of `words`. flag: yes or no.
 */
export type Field = {
  readonly label: string
  readonly kind: 'text' | 'id' | 'digits' | 'count' | 'money' | 'instant' | 'day' | 'word' | 'flag'
  readonly words?: Words
  /** How a word that stands for a state is coloured; without it a word is plain text. */
  readonly tones?: Readonly<Record<string, Tone>>
  /** Stands behind the label in heads of lists and files. */
  readonly unit?: string
  /** The most characters a person may enter. */
  readonly max?: number
  readonly nullable?: true
  /** What people read where there is no value. */
  readonly none?: string
  /** Characters of its column in a file. */
  readonly fileWidth?: number
  readonly in?: readonly Place[]
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

/** The labels under which the log names changed fields. */
export function logNames<F extends Fields>(fields: F): Record<KeysIn<F, 'log'>, string> {
  return Object.fromEntries(keysIn(fields, 'log').map(key => [key, (fields[key] as Field).label])) as Record<
    KeysIn<F, 'log'>,
    string
  >
}

/** These fields of a row or form alone. */
export function picked<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map(key => [key, from[key]])) as Pick<T, K>
}
