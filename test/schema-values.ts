// Values made from what a schema says, whole and broken: near what is known to be good, at its limits, and of another shape.
import fc from 'fast-check'
import type { TextKind } from '#kit/declare/text-kinds.ts'

export type Schema = {
  type?: string
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | false
  enum?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  'x-cleaned'?: TextKind
}

const LETTERS = [
  'a',
  'Z',
  '0',
  '9',
  '店',
  '𠮷',
  'é',
  ' ',
  '·',
  '-',
  '_',
  '&',
  '(',
  '（',
  '<',
  '{',
  '|',
  '^',
  '~',
  '"',
  '\\',
  '、',
]
const SIGNS = [
  ...LETTERS,
  '\u200b',
  '\u2800',
  '　',
  '１',
  '+86',
  '★',
  '🙂',
  '\u0000',
  '\ud800',
  '\n',
  '.',
  '@',
  '/',
  '【',
  '%',
]
const textOf = (signs: readonly string[], minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...signs), { minLength, maxLength }).map(parts => parts.join(''))

/** Texts about as long as they may be, and what is known to be good with a sign put in, left out or doubled. */
function texts({ minLength = 0, maxLength = 40 }: Schema, known: unknown): fc.Arbitrary<unknown> {
  const most = Math.min(maxLength, 600)
  const lengths = [0, 1, minLength - 1, minLength, most - 1, most, most + 1].filter(length => length >= 0)
  const long = fc
    .tuple(fc.constantFrom(...LETTERS, '1', 'x'), fc.constantFrom(...lengths))
    .map(([sign, length]) => sign.repeat(length))
  const good = typeof known === 'string' && known.length < 1_000 ? known : '13800000001'
  const changed = fc
    .tuple(fc.nat(good.length), fc.constantFrom(...SIGNS, ''), fc.nat(2))
    .map(([at, sign, drop]) => good.slice(0, at) + sign + good.slice(at + drop))
  const digits = fc
    .tuple(fc.nat(9), fc.constantFrom(...lengths))
    .map(([digit, length]) => `${digit}`.repeat(length))
  return fc.oneof(
    long,
    digits,
    changed,
    textOf(LETTERS, 0, Math.min(most, 12)),
    textOf(SIGNS, 0, 6),
    fc.constant(good),
  )
}

const STRANGE = [null, true, 0, -1, 1.5, 2 ** 53, '', '1', 'x', [], {}, [null]]

export function values(schema: Schema, known: unknown): fc.Arbitrary<unknown> {
  const strange = fc.constantFrom<unknown>(...STRANGE)
  const often = (one: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 6, arbitrary: one }, { weight: 1, arbitrary: strange })
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(one => values(one, known)))
  if (schema.const !== undefined) return often(fc.constant(schema.const))
  if (schema.enum) return often(fc.constantFrom<unknown>(...schema.enum, 'else', ''))
  if (schema.type === 'string') return often(texts(schema, known))
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum = 100 } = schema
    return often(
      fc.constantFrom<unknown>(known, minimum - 1, minimum, minimum + 1, maximum, maximum + 1, 1.5),
    )
  }
  if (schema.type === 'boolean') return often(fc.boolean())
  if (schema.type === 'array') {
    const one = Array.isArray(known) ? known[0] : undefined
    const inner = values(schema.items ?? {}, one)
    const most = Math.min(schema.maxItems ?? 3, 10) + 1
    return often(fc.array(inner, { maxLength: most }))
  }
  if (schema.properties) return often(objects(schema, (known ?? {}) as Record<string, unknown>))
  if (schema.additionalProperties) {
    const inner = values(schema.additionalProperties, Object.values((known ?? {}) as object)[0])
    const named = Object.keys((known ?? {}) as object)
    return often(fc.dictionary(fc.constantFrom('more', 'x'.repeat(41), ...named), inner, { maxKeys: 2 }))
  }
  return fc.oneof(strange, texts({}, known))
}

/** What is known to be good with one field, or two, otherwise: another value, or none. */
export function objects(
  { properties = {} }: Schema,
  known: Record<string, unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(properties)
  if (names.length === 0) return fc.constantFrom({}, { more: 1 })
  const change = fc.constantFrom(...names).chain(name =>
    fc.oneof(
      {
        weight: 8,
        arbitrary: values(properties[name] ?? {}, known[name]).map(value => ({ [name]: value })),
      },
      { weight: 1, arbitrary: fc.constant({ [name]: undefined }) },
      { weight: 1, arbitrary: fc.constant({ [`${name}x`]: known[name] ?? 1 }) },
    ),
  )
  return fc
    .array(change, { minLength: 1, maxLength: 2 })
    .map(changes => Object.assign({ ...known }, ...changes))
}
