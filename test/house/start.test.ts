// What a start of the built server loads before it is ready. Everything here is time before the first answer, and memory for as long as the
// program runs: what few ask for is loaded when it is first asked for, by `await import`.
import assert from 'node:assert/strict'
import test from 'node:test'
import { forbid, isOurs, SOURCES } from './sources.ts'

/** The packages that it cannot do without, each with its reason. */
const AT_START: Readonly<Record<string, string>> = {
  '@fastify/cookie': 'every request has a session',
  '@fastify/static': 'the page is served from the first moment',
  '@orpc/contract': 'every operation is declared with it',
  '@orpc/openapi/fastify': 'answers every operation',
  '@orpc/server': 'answers every operation',
  '@socket.io/postgres-adapter': 'pages hear of what changes from the first moment',
  'bwip-js/generic': 'what a label may hold is judged where it is kept; its module is small until it draws',
  'drizzle-orm': 'every statement is made with it',
  'drizzle-orm/migrator': 'the database is brought to its schema first',
  'drizzle-orm/node-postgres': 'every statement is made with it',
  'drizzle-orm/pg-core': 'every table is declared with it',
  'drizzle-orm/sql': 'every statement is made with it',
  fastify: 'the server itself',
  pg: 'the database',
  'pg-boss': 'jobs are due at any moment',
  'prom-client': 'counts from the first request on',
  'socket.io': 'pages hear of what changes from the first moment',
  ws: 'pages hear of what changes from the first moment',
  zod: 'every operation is declared with it',
}

/** Our own that are loaded by whoever needs them. */
const LATER: readonly [RegExp, string][] = [
  [/^compat\/|^server\/realtime\/realtime-hub\.ts$/, 'most offices never answer the old clients'],
  [/^app\/openapi\.ts$/, 'the description of the operations is made when somebody reads it'],
  [
    /^app\/demo(-pos|-child)?\.ts$|^features\/.*\/demo\.ts$|^server\/demo\.ts$/,
    'the demo’s data are made once, by a program that ends',
  ],
  [/^features\/.*\/walk\.ts$/, 'walks are for tests'],
  [/^providers\/simulators(-shared)?\.ts$/, 'real services are not simulated'],
  [/^server\/sheets\/(workbook|shown|sheet-child)\.ts$/, 'tables are read by a program that ends'],
  [/^app\/export-child\.ts$/, 'files are written by a program that ends'],
  [/-drawing\.ts$/, 'papers are drawn in a thread of its own'],
  [/^server\/backup\//, 'backups are made by a program that ends, or where there is a place for them'],
  [/^scripts\/build-/, 'a bundler takes hundreds of megabytes that never come back'],
]

/** What is loaded for `scripts/run.ts`, which the built server's entry loads for an office, without what is left to later. */
function loadedAtStart(): Map<string, string> {
  const files = new Map(SOURCES.map(source => [source.path, source.imports]))
  const loaded = new Map([['scripts/run.ts', '']])
  for (const path of loaded.keys())
    for (const { target, isType, isDynamic } of files.get(path) ?? [])
      if (!isType && !isDynamic && !loaded.has(target)) loaded.set(target, path)
  return loaded
}

const LOADED = loadedAtStart()
const PACKAGES = [...LOADED].filter(([target]) => !isOurs(target) && !/^node:|\.json$/.test(target))

test('a start loads no package but those that every office needs at once', () => {
  assert.ok(LOADED.has('app/server.ts') && LOADED.size > 500)
  forbid(
    PACKAGES.filter(([name]) => !Object.hasOwn(AT_START, name)).map(([name, by]) => `${by} imports ${name}`),
    'Load it where it is first needed (await import), or name it here with the reason why a start cannot do without.',
  )
  const gone = Object.keys(AT_START).filter(name => !LOADED.has(name))
  forbid(gone, 'It is not loaded at start any more: take it off the list.')
})

test('a start loads nothing of its own that few need', () => {
  const early = [...LOADED].flatMap(([path, by]) => {
    const later = LATER.find(([pattern]) => pattern.test(path))
    return later ? [`${by} imports ${path}: ${later[1]}`] : []
  })
  forbid(early, 'Load it where it is first needed (await import).')
})
