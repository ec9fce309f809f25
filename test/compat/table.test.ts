// The table of the documents' calls is whole: nothing that they name is left out, and nothing in it speaks of what our operations do not have.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { contract, downloads, FILE_PURPOSES } from '#app/joined.ts'
import type { Call, Step, Taken, Told } from '#compat/call.ts'
import { THREAD_NAMES } from '#compat/calls/demands.ts'
import { MESSAGE_NAMES } from '#compat/calls/sms.ts'
import { CALLS, pathsOf } from '#compat/calls.ts'
import { compatDocument } from '#compat/document.ts'
import { PAY_METHODS as PAY_NAMES, SALES_NAMES } from '#compat/names.ts'
import { THREAD_STATES } from '#features/care/threads/rules.ts'
import { PAY_METHODS } from '#features/money/ledger/rules.ts'
import { SALES_TYPES } from '#features/sales/orders/rules.ts'
import { MESSAGE_STATUSES } from '#features/shops/messages/rules.ts'
import { type Download, type ListedOp, listOps } from '#kit/declare/op.ts'
import { forbid, ROOT } from '#test/house/sources.ts'
import { NAMES, PATHS } from './names.ts'

const OPERATIONS = new Map<string, ListedOp>(listOps(contract).map(one => [one.name, one]))
const FILES = new Map<string, Download>(
  Object.entries(downloads).flatMap(([feature, files]) =>
    Object.entries(files).map(([name, { download }]) => [`${feature}.${name}`, download] as const),
  ),
)
const stepsOf = ({ does }: Call): readonly Step[] => ('steps' in does ? does.steps : [])

test('every call that the documents name has a row, at the address that they give', () => {
  const named = new Set(CALLS.flatMap(({ name, also = [] }) => [name, ...also]))
  forbid(
    NAMES.filter(name => !named.has(name)),
    'Give it a row in compat/calls/, or name it in `also` of the row that it is.',
  )
  const standing = CALLS.flatMap(call => pathsOf(call).map(path => ({ path, methods: call.methods })))
  const missing = PATHS.filter(
    ([method, path]) =>
      !standing.some(one => one.path === path && (method === null || one.methods.includes(method))),
  )
  forbid(
    missing.map(([method, path]) => `${method ?? ''} ${path}`),
    'The documents give this address.',
  )
})

test('no address and no name stands twice, and what has no operation says why', () => {
  const twice = (all: readonly string[]) => all.filter((one, i) => all.indexOf(one) !== i)
  forbid(twice(CALLS.flatMap(pathsOf)), 'Two rows have it.')
  forbid(twice(CALLS.map(({ name }) => name)), 'Two rows have it.')
  const silent = CALLS.filter(({ does, chosen }) => 'none' in does && (does.none === '' || !chosen))
  forbid(
    silent.map(({ name }) => name),
    'Say to clients what they can do, and in `chosen` why.',
  )
})

test('what rows take and tell is what the operations have', () => {
  const wrong = CALLS.flatMap(call => [...wrongIn(call)].map(what => `${call.name}: ${what}`))
  forbid(wrong, 'The contract has no such operation, field or answer.')
})

function* wrongIn(call: Call): Generator<string> {
  const { does } = call
  if ('none' in does) return
  if ('file' in does) {
    for (const file of [does.file, ...(does.others ?? []).map(one => one.file)]) {
      const download = FILES.get(file)
      if (!download) yield `no file ${file}`
      else
        for (const field of Object.keys(does.takes ?? {}))
          if (!hasField(download.input, field)) yield `${file} takes no ${field}`
    }
    return
  }
  const known = new Map<string, Schema[]>()
  if (does.upload) {
    known.set('uploaded', [])
    const { purpose } = does.upload
    if ('always' in purpose && !Object.hasOwn(FILE_PURPOSES, String(purpose.always)))
      yield `no purpose ${purpose.always}`
  }
  for (const step of does.steps) {
    const operation = OPERATIONS.get(step.operation)
    if (!operation) {
      yield `no operation ${step.operation}`
      continue
    }
    const { inputSchema, outputSchema } = operation.op['~orpc']
    for (const [field, one] of Object.entries(step.takes ?? {})) {
      if (!hasField(inputSchema, field)) yield `${step.operation} takes no ${field}`
      for (const path of hadBy(one)) {
        const [as = '', ...rest] = path.split('.')
        if (!known.has(as)) yield `${path} was not answered before ${step.operation}`
        else if (!isAnswered(known.get(as) ?? [], rest)) yield `${path} is no answer`
      }
    }
    for (const needed of pathParameters(operation.path))
      if (!Object.hasOwn(step.takes ?? {}, needed)) yield `${step.operation} needs ${needed}`
    const answer = outputSchema as unknown as Schema
    if (step.as !== undefined) known.set(step.as, [...(known.get(step.as) ?? []), answer])
    known.set('last', [...(known.get('last') ?? []), answer])
  }
  const last = lastOf(does.steps).map(
    name => OPERATIONS.get(name)?.op['~orpc'].outputSchema as unknown as Schema,
  )
  for (const path of toldBy(does.tells, '')) {
    const [first = '', ...rest] = path.split('.')
    if (path !== '' && !known.has(first) && !isAnswered(last, path.split('.')))
      yield `${path} is told, and not answered`
    if (known.has(first) && !isAnswered(known.get(first) ?? [], rest) && !isAnswered(last, path.split('.')))
      yield `${path} is told, and not answered`
  }
}

/** Operations that may be the last: each that is chosen by a condition, and the one without behind them. */
function lastOf(steps: readonly Step[]): string[] {
  return steps.map(({ operation }) => operation)
}

const pathParameters = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))

function hadBy(one: Taken): string[] {
  if ('had' in one) return [one.had, ...(one.or ? hadBy(one.or) : [])]
  if ('all' in one) return Object.values(one.all).flatMap(hadBy)
  if ('list' in one) return one.list.flatMap(hadBy)
  if ('each' in one) return Object.values(one.of).flatMap(hadBy)
  return 'from' in one && one.or ? hadBy(one.or) : []
}

function toldBy(one: Told, within: string): string[] {
  const at = (path: string) => [within, path].filter(Boolean).join('.')
  if ('told' in one) return [at(one.told)]
  if ('all' in one) return Object.values(one.all).flatMap(each => toldBy(each, within))
  if ('json' in one) return toldBy(one.json, within)
  if ('each' in one) return [at(one.each), ...toldBy(one.of, at(`${one.each}.0`))]
  return []
}

type Schema = {
  _zod?: {
    def: {
      type: string
      shape?: Record<string, Schema>
      element?: Schema
      innerType?: Schema
      options?: Schema[]
      in?: Schema
      out?: Schema
    }
  }
}

/** What stands within wrappers: of a union each. */
function bare(schema: Schema | undefined): Schema[] {
  const def = schema?._zod?.def
  if (!def) return []
  if (def.innerType) return bare(def.innerType)
  if (def.type === 'pipe') return [...bare(def.in), ...bare(def.out)]
  if (def.options) return def.options.flatMap(bare)
  return [schema as Schema]
}

function hasField(schema: unknown, field: string): boolean {
  return bare(schema as Schema).some(one => Object.hasOwn(one._zod?.def.shape ?? {}, field))
}

function isAnswered(schemas: readonly Schema[], path: readonly string[]): boolean {
  if (schemas.length === 0 || path.length === 0) return true
  return schemas.flatMap(bare).some(one => {
    const def = one._zod?.def
    const [first = '', ...rest] = path
    if (def?.type === 'unknown' || def?.type === 'any' || def?.type === 'record') return true
    if (def?.element) return /^\d+$/.test(first) && isAnswered([def.element], rest)
    const inner = def?.shape?.[first]
    return inner !== undefined && isAnswered([inner], rest)
  })
}

test('docs/COMPAT.md is made of the table', () => {
  const kept = readFileSync(join(ROOT, 'docs/COMPAT.md'), 'utf8')
  assert.equal(kept === compatDocument(), true, 'run npm run compat:document')
})

test('names of the documents stand in the glossary', () => {
  const glossary = readFileSync(join(ROOT, 'docs/GLOSSARY.md'), 'utf8')
  const names = new Set(CALLS.flatMap(call => [...namesIn(call)]))
  const unknown = [...names].filter(
    name => /^(sv|sms|reg|pay|dec)_\w+$/.test(name) && !glossary.includes(name),
  )
  forbid(unknown, 'docs/GLOSSARY.md has every name of the documents with ours.')
})

function* namesIn(call: Call): Generator<string> {
  for (const { takes = {} } of stepsOf(call)) for (const one of Object.values(takes)) yield* takenNames(one)
  if ('tells' in call.does) yield* toldNames(call.does.tells)
}
function* takenNames(one: Taken): Generator<string> {
  if ('from' in one) for (const name of one.from) yield name.split('.').at(-1) as string
  if ('all' in one) for (const each of Object.values(one.all)) yield* takenNames(each)
  if ('each' in one) for (const each of Object.values(one.of)) yield* takenNames(each)
}
function* toldNames(one: Told): Generator<string> {
  if ('json' in one) yield* toldNames(one.json)
  if ('each' in one) yield* toldNames(one.of)
  if ('all' in one)
    for (const [name, each] of Object.entries(one.all)) {
      yield name
      yield* toldNames(each)
    }
}

test('states and kinds are called as the pages call them: this room knows no feature that it could ask', () => {
  assert.deepEqual(MESSAGE_NAMES, MESSAGE_STATUSES)
  assert.deepEqual(THREAD_NAMES, THREAD_STATES)
  assert.deepEqual(SALES_NAMES, SALES_TYPES)
  assert.deepEqual(PAY_NAMES, PAY_METHODS)
})
