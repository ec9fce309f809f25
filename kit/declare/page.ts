// Pages of a list: sizes, and the zod shapes that every list operation shares. Query strings carry text, so numbers are parsed.

import { said } from './said.ts'
import { soughtText } from './texts.ts'
import * as z from './z.ts'

export const PAGE_SIZES = [10, 20, 30, 50, 100] as const
export const DEFAULT_PAGE_SIZE = 10
/** A filtered total is counted up to here; beyond, the page shows "10,000+". */
export const COUNT_CAP = 10_000

/** What is said of a number that is none, wherever it arrives. */
export const NOT_WHOLE = '须为整数'

const WHOLES = new Map<string, ReturnType<typeof makeWhole>>()

/** An integer that may arrive as text (query string). One shape for each pair of bounds: contracts ask for the same ones hundreds of times. */
export function whole(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  const key = `${min} ${max}`
  const shape = WHOLES.get(key) ?? makeWhole(min, max)
  WHOLES.set(key, shape)
  return shape
}

function makeWhole(min: number, max: number) {
  const shape = z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d{1,16}$/)
          .transform(Number),
      ],
      { error: ({ input }) => (input === undefined ? undefined : NOT_WHOLE) },
    )
    .pipe(z.number().int().min(min).max(max))
  return said(shape, { type: 'integer', minimum: min, maximum: max, anyOf: undefined })
}

/** A yes-or-no that may arrive as text (query string). */
export function flag() {
  return z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')])
}

/** A calendar day of Asia/Shanghai, YYYY-MM-DD. */
export const day = z.iso.date()

export const pageInput = {
  page: whole(1, 1_000_000).default(1),
  size: whole(10, 100)
    .default(DEFAULT_PAGE_SIZE)
    .refine(size => (PAGE_SIZES as readonly number[]).includes(size)),
}

/** Search box of a list; blank means no search. */
export const searchText = soughtText.max(50).optional()

/** One page of rows. `total` stops at COUNT_CAP when `totalCapped` is true. */
export function pageOf<T extends z.ZodType>(row: T) {
  return z.object({ rows: z.array(row), total: z.number().int(), totalCapped: z.boolean() })
}
