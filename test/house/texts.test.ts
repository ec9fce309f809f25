// Every text that an operation or a download takes is made by a shape of kit/declare/texts.ts, which cleans it before any rule sees it, or is
// a format, a pattern or an enumeration. A name, a phone or a code that goes round the cleaning is refused here.
import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import { contract, downloads, posContract } from '#app/joined.ts'
import { listOps } from '#kit/declare/op.ts'
import { CLEANERS, type TextKind } from '#kit/declare/text-kinds.ts'
import { lineText, secretText } from '#kit/declare/texts.ts'
import { seenIn } from '#kit/words/cleaned.ts'

/** What a shape knows of itself, as far as it is asked here. */
type Known = {
  type: string
  format?: string
  checks?: { _zod: { def: { check: string; format?: string; tx?: unknown } } }[]
  shape?: Record<string, Shape>
  items?: Shape[]
  options?: Shape[]
  element?: Shape
  innerType?: Shape
  valueType?: Shape
  in?: Shape
  left?: Shape
  right?: Shape
  getter?: () => Shape
}
type Shape = { _zod: { def: Known } }
type Text = { at: string; kind: TextKind | 'format' | 'pattern' | null }

const KIND_OF = new Map<unknown, TextKind>(
  Object.entries(CLEANERS).map(([kind, clean]) => [clean, kind as TextKind]),
)

function kindOf({ format, checks = [] }: Known): Text['kind'] {
  if (format !== undefined) return 'format'
  const known = checks.map(({ _zod: { def } }) => def)
  const cleaned = known.find(({ check, tx }) => check === 'overwrite' && KIND_OF.has(tx))
  if (cleaned) return KIND_OF.get(cleaned.tx) ?? null
  return known.some(({ check }) => check === 'string_format') ? 'pattern' : null
}

/** All texts in it. Keys of a record are names of fields, which programs make. */
function textsIn(shape: Shape | undefined, at: string, through: ReadonlySet<Shape> = new Set()): Text[] {
  if (!shape || through.has(shape)) return []
  const inner = new Set([...through, shape])
  const { def } = shape._zod
  if (def.type === 'string') return [{ at, kind: kindOf(def) }]
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([key, one]) => textsIn(one, `${at}.${key}`, inner)),
    ...[...(def.options ?? []), ...(def.items ?? [])].flatMap(one => textsIn(one, at, inner)),
    ...[def.element, def.innerType, def.valueType, def.in, def.left, def.right, def.getter?.()].flatMap(one =>
      textsIn(one, at, inner),
    ),
  ]
}

const INPUTS: [name: string, shape: Shape | undefined][] = [
  ...[...listOps(contract), ...listOps(posContract)].map(({ name, op }): [string, Shape | undefined] => [
    name,
    op['~orpc'].inputSchema as Shape | undefined,
  ]),
  ...Object.entries(downloads).flatMap(([feature, files]) =>
    Object.entries(files).map(([key, { download }]): [string, Shape | undefined] => [
      `${feature}.${key} (file)`,
      download.input as Shape | undefined,
    ]),
  ),
]
const TEXTS = INPUTS.flatMap(([name, shape]) => textsIn(shape, name))

test('no text of an input goes round the cleaning', () => {
  const round = TEXTS.flatMap(({ at, kind }) => (kind === null ? [at] : []))
  assert.deepEqual([...new Set(round)], [], 'make it of a shape of kit/declare/texts.ts')
})

test('passwords are the one thing that nothing is taken from, and they are called so', () => {
  const passwords = TEXTS.filter(({ at }) => /(password|confirmation)$/i.test(at))
  assert.ok(passwords.length > 8)
  assert.deepEqual(
    passwords.filter(({ kind }) => kind !== 'secret'),
    [],
  )
  for (const { at } of passwords) {
    const sent = { [at.split('.').at(-1) ?? '']: 'abc\u200b123' }
    assert.equal(seenIn(sent), sent, at)
  }
})

test('a bare text is found wherever it stands', () => {
  const bare = z.string().trim().max(20)
  const input = z.object({
    ...{
      line: lineText.max(20).default(''),
      secret: secretText,
      id: z.uuid(),
      month: z.string().regex(/^\d{6}$/),
    },
    list: z.array(z.object({ bare: bare.nullable() })).optional(),
    either: z.union([z.number(), bare]),
    record: z.record(z.string(), bare),
    piped: bare.transform(Number).pipe(z.number()),
  })
  const found = textsIn(input as unknown as Shape, '').filter(({ kind }) => kind === null)
  assert.deepEqual(
    found.map(({ at }) => at),
    ['.list.bare', '.either', '.record', '.piped'],
  )
})
