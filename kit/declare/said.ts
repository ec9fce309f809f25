// What a program may send, described as exactly as it is refused. A rule refuses a text with a code and words of its own, which the
// description of an operation cannot read out of it: here the shape says both, the rule's limit for whoever reads and a wider one for zod.

import type { TextKind } from './text-kinds.ts'
import { textOf } from './texts.ts'
import * as z from './z.ts'

/** Words of JSON Schema. */
export type Said = Readonly<Record<string, unknown>>

const SAID = new WeakMap<object, Said>()

/** `schema`, described so. */
export function said<S extends z.ZodType>(schema: S, words: Said): S {
  if (z.SHARED.has(schema)) throw new Error('a bare shape is everybody’s: nothing can be said of it alone')
  SAID.set(schema, words)
  return schema
}

export function saidOf(schema: object): Said | undefined {
  return SAID.get(schema)
}

/** What no column of the database holds: a zero, and half of a sign. */
const UNKEEPABLE = '\\u0000\\ud800-\\udfff'
/** No text has as much. */
const FAR_ABOVE = 20_000

const isKeepable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Said of a text that is cleaned before the other words of its schema are asked. */
export const CLEANED = 'x-cleaned' as const
const cleanedAs = (kind: TextKind): Said => (kind === 'secret' || kind === 'made' ? {} : { [CLEANED]: kind })

/**
 * A text that a rule judges once it is cleaned as what it is. `most` and `least` count characters as people do; `pattern` is the rule's own,
 * for the whole of it.
 */
export function entered({
  as = 'line',
  most,
  least = 0,
  pattern,
  ...more
}: {
  as?: TextKind
  most: number
  least?: number
  pattern?: string
  description?: string
  examples?: readonly string[]
}) {
  const schema = textOf(as).max(FAR_ABOVE).refine(isKeepable, 'a character that cannot be kept')
  const shape = pattern ?? (least > 0 ? FILLED : KEPT)
  const bounds = { ...(least > 0 && { minLength: least }), maxLength: most, pattern: shape }
  return said(schema, { ...bounds, ...cleanedAs(as), ...more })
}

const KEPT = `^[^${UNKEEPABLE}]*$`
/** Something that is seen is in it. */
const FILLED = `^(?=[\\s\\S]*\\S)[^${UNKEEPABLE}]*$`

/** The same, but the shape refuses what is too long or empty: where no rule does. */
export function shortText(
  most: number,
  { as = 'line', least = 0, ...more }: { as?: TextKind; least?: number; description?: string } = {},
) {
  const counts = (text: string) => isKeepable(text) && [...text].length <= most && [...text].length >= least
  return said(textOf(as).max(FAR_ABOVE).refine(counts, `${least} to ${most} characters`), {
    ...(least > 0 && { minLength: least }),
    maxLength: most,
    pattern: KEPT,
    ...cleanedAs(as),
    ...more,
  })
}

const INTEGER_MOST = 2_147_483_647

/** An id in a body: a number, and no text of one. `whole` of page.ts is for addresses. */
export const numbered = (most = Number.MAX_SAFE_INTEGER) => z.int().min(1).max(most)
/** An id of a small table. */
export const smallId = () => numbered(INTEGER_MOST)

const GUID = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
/** The id of a picture or a file. */
export const fileId = () => said(z.string().regex(new RegExp(GUID)), { format: 'uuid', pattern: GUID })

const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
/** Bytes in base64. */
export const bytesInBase64 = (most: number, description: string) =>
  said(z.string().min(1).max(most).regex(new RegExp(BASE64)), {
    minLength: 4,
    maxLength: most,
    pattern: BASE64,
    contentEncoding: 'base64',
    description,
  })
