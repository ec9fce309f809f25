// zod, with the plainest shapes made once: contracts ask for a bare text, number or flag some four thousand times, each of which would stay in
// memory as long as the program runs. A shape never changes: what narrows it makes another.
import { boolean as makeBoolean, number as makeNumber, string as makeString, type ZodType } from 'zod'

export * from 'zod'

function once<S extends ZodType>(shape: S): S {
  const [nullable, optional] = [shape.nullable(), shape.optional()]
  return Object.assign(shape, { nullable: () => nullable, optional: () => optional })
}

const [STRING, NUMBER, BOOLEAN] = [once(makeString()), once(makeNumber()), once(makeBoolean())]
/** Nothing may be noted of these, as `said` does: it would be noted of all. */
export const SHARED: ReadonlySet<ZodType> = new Set(
  [STRING, NUMBER, BOOLEAN].flatMap(shape => [shape, shape.nullable(), shape.optional()]),
)

export const string = ((params?: Parameters<typeof makeString>[0]) =>
  params === undefined ? STRING : makeString(params)) as typeof makeString
export const number = ((params?: Parameters<typeof makeNumber>[0]) =>
  params === undefined ? NUMBER : makeNumber(params)) as typeof makeNumber
export const boolean = ((params?: Parameters<typeof makeBoolean>[0]) =>
  params === undefined ? BOOLEAN : makeBoolean(params)) as typeof makeBoolean
