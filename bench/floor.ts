// The floor: a bare HTTP server that runs the program's statements through pg and writes JSON. No session, permission,
// validation, log or row-level security (it connects as the owner). Also times the Excel writer alone.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import { fillPlaceholders } from 'drizzle-orm/sql'
import pg from 'pg'
import { merchantsDownload } from '#features/shops/merchants/server-export.ts'
import type { ExportPlan } from '#server/documents/export.ts'
import { writeXlsx } from '#server/documents/xlsx.ts'
import { fillHoles, type Recorded, type Statement, type Vars } from './statements.ts'

export type FloorOrder =
  | { kind: 'serve'; cases: Record<string, Recorded[]> }
  | { kind: 'write'; agentId: number; query: Record<string, string> }

const WRITER_BATCH = 1_000
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
  options: '-c timezone=UTC -c app.scope=all',
})
// Instants stay text, as in the program: making dates of them would only slow the floor down.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.TIMESTAMPTZ
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig
const EXPORT_TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig
let cases: Record<string, Recorded[]> = {}

async function run(client: pg.PoolClient, statements: readonly Statement[], vars: Vars): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const { name, text, values } of statements) {
    const { rows } = await client.query({ name, text, types, values: values.map(v => fillHoles(v, vars)) })
    answers.push(rows)
    // What a later statement needs of an earlier one: the new row's id.
    if (text.startsWith('insert')) vars.newId = rows[0]?.id
  }
  return answers
}

async function answer(url: string): Promise<string> {
  const { pathname, searchParams } = new URL(url, 'http://floor')
  const [, name = '', variant = ''] = pathname.split('/')
  const recorded = cases[name]?.[Number(variant)]
  if (!recorded) throw new Error(`no case ${pathname}`)
  const vars: Vars = Object.fromEntries(searchParams)
  const client = await pool.connect()
  try {
    if (!recorded.writes) return JSON.stringify(await run(client, recorded.statements, vars))
    await client.query('begin')
    const answers = await run(client, recorded.statements, vars)
    await client.query('commit')
    return JSON.stringify(answers)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  answer(request.url ?? '/').then(
    body => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    },
    (error: Error) => {
      response.writeHead(500, { 'content-length': Buffer.byteLength(error.message) }).end(error.message)
    },
  )
})

/** The same cells that the program's export writes, kept; each order times the writer over them. */
let kept: { plan: ExportPlan; rows: (readonly unknown[])[] } | null = null

async function readExport(order: Extract<FloorOrder, { kind: 'write' }>) {
  const actor = { agentId: order.agentId, isVendorStaff: false }
  const ctx = { db: drizzle(pool), actor, services: { walls: { explicitScope: true, rowSecurity: true } } }
  const input = merchantsDownload.download.input.parse(order.query)
  const plan = await merchantsDownload.plan(ctx as never, input as never)
  const { sql, params } = new PgDialect().sqlToQuery(plan.statement.getSQL())
  const found = await pool.query({
    text: sql,
    values: fillPlaceholders(params, plan.values),
    types: EXPORT_TYPES,
    rowMode: 'array',
  })
  return { plan, rows: (found.rows as unknown[][]).map(row => plan.cells(row)) }
}

async function timeWriter(order: Extract<FloorOrder, { kind: 'write' }>): Promise<object> {
  kept ??= await readExport(order)
  const { plan, rows } = kept
  async function* batches() {
    for (let at = 0; at < rows.length; at += WRITER_BATCH) yield rows.slice(at, at + WRITER_BATCH)
  }
  const startedMs = performance.now()
  let bytes = 0
  for await (const piece of writeXlsx({ sheetName: '商户', columns: plan.columns, rows: batches() }))
    bytes += piece.length
  return { ms: performance.now() - startedMs, bytes, rows: rows.length }
}

process.on('message', (order: FloorOrder) => {
  if (order.kind === 'serve') {
    cases = order.cases
    process.send?.({ ready: true })
  } else
    timeWriter(order).then(
      result => process.send?.(result),
      error => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      },
    )
})
process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
