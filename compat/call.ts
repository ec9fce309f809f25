// What one call of the documents is, as data: its name and address, what it takes and answers in their words, and the operation that it is.
import { text, type Unit } from './units.ts'

export type Sent = Readonly<Record<string, unknown>>
/** What steps have answered, by their names. */
export type Answers = Readonly<Record<string, unknown>>

/** (a) succeed, values, errmsg; (b) code, data, msg. */
export type Envelope = 'values' | 'data'

export type Method = 'GET' | 'POST'

/** Where a value of an operation's input comes from. */
export type Taken =
  | { from: readonly string[]; as: Unit; or?: Taken }
  /** The same for everybody. */
  | { always: unknown }
  /** What an earlier step has answered: `shop.revision`. */
  | { had: string; as?: Unit; or?: Taken }
  | { all: Readonly<Record<string, Taken>> }
  /** A list in one parameter: of each its own. */
  | { each: readonly string[]; of: Readonly<Record<string, Taken>> }
  /** A payload that another reader knows, of what was sent and what earlier steps have answered. */
  | { made: (sent: Sent, answers: Answers) => unknown; words: string }
  /** Several values as the list of them. */
  | { list: readonly Taken[] }
export type Takes = Readonly<Record<string, Taken>>

/** What is told of an answer: a path in it (`shop.revision`; `''` is all of it), with its unit, or made of several. */
export type Told =
  | { told: string; as?: Unit; or?: unknown }
  | { always: unknown }
  | { all: Readonly<Record<string, Told>> }
  | { each: string; of: Told }
  /** As JSON within a text. */
  | { json: Told }
  /** What the client itself has sent. */
  | { sent: string }
  /** An address below this one's host that the client opens next, with its own parameters and its key. */
  | { opens: string }

/** When a step is taken; without one always. */
export type When =
  | { given: string }
  | { missing: string }
  | { sent: string; is: readonly string[] }
  | { both: readonly When[] }

export type Step = {
  operation: string
  takes?: Takes
  when?: When
  /** What later steps and the answer know its answer by. */
  as?: string
  /** Two amounts that are the same, where the first is sent at all: what the client has shown, and what it is. */
  sameAs?: readonly [Taken, Taken]
  /** A path in its answer that holds the words of a refusal, or null. */
  refusedBy?: string
  /** Of a list in its answer those rows alone whose field is this; none is refused as not found. */
  only?: { of: string; where: string; is: Taken }
  /** Its condition chooses nothing that must be chosen. */
  isOptional?: true
  /** The refusal where a search has found nothing at this path. */
  notFound?: readonly [path: string, words: string]
}

export type Deed =
  /** With `upload` a picture in a field of a form is kept first, and known as `uploaded`. */
  | { upload?: { field: string; purpose: Taken }; steps: readonly Step[]; tells: Told }
  /** A file of ours, by the name of its feature's download. */
  | { file: string; takes?: Takes; others?: readonly { when: When; file: string }[] }
  /** Why there is nothing behind it; it is answered so. */
  | { none: string }

export type Call = {
  name: string
  /** Other names that the documents have for the same. */
  also?: readonly string[]
  methods: readonly Method[]
  path: string
  /** Where the documents say it. */
  said: string
  /** What of it was our choice. */
  chosen?: string
  envelope: Envelope
  /** Nobody is asked for a token. */
  isOpen?: true
  does: Deed
}

export const BOTH: readonly Method[] = ['GET', 'POST']

/** The path of what the documents name alone. */
export const named = (name: string) => `/UserInfo/${name}`

/** A parameter by the names that the documents have for it, separated by `|`. */
export const of = (names: string, as: Unit = text, or?: Taken): Taken => ({
  from: names.split('|'),
  as,
  ...(or && { or }),
})
export const always = (value: unknown): { always: unknown } => ({ always: value })
export const had = (path: string, or?: Taken, as?: Unit): Taken => ({
  had: path,
  ...(or && { or }),
  ...(as && { as }),
})
export const told = (path: string, as?: Unit): Told => ({ told: path, ...(as && { as }) })
export const all = (of: Readonly<Record<string, Told>>): Told => ({ all: of })

/** A list as the documents have it. */
export function listed(row: Readonly<Record<string, Told>>, more: Readonly<Record<string, Told>> = {}): Told {
  return all({ total: told('total'), dataList: { each: 'rows', of: all(row) }, ...more })
}

/** The rows alone. */
export const rows = (row: Readonly<Record<string, Told>>, at = 'rows'): Told => ({ each: at, of: all(row) })
