// Streams what a list filters as .xlsx: same session, permission and log as an operation; rows through a cursor, so memory stays flat.
import type { Readable } from 'node:stream'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { fillPlaceholders } from 'drizzle-orm/sql'
import pg from 'pg'
import type { z } from 'zod'
import type { Download } from '#kit/op.ts'
import { type Ctx, identityOf } from './ctx.ts'
import { refuseCommon } from './refuse.ts'
import { admit, asAnswer, type CallContext, logOperation, makeCtx } from './serve.ts'
import { writeXlsx, type XlsxColumn } from './xlsx.ts'

const BATCH = 2_000

/** Each file holds a connection for as long as its reader takes; the rest of the pool is left to everything else. */
const POOL_SHARE = 0.5
let openFiles = 0

/** 64-bit integers as numbers: ids and amounts stay below 2^53. Instants as epoch ms: dates of a million rows cost seconds. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.TIMESTAMPTZ]: epochMs,
}
const TYPES = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig

/** Of an instant as a connection in UTC writes it, "2026-11-20 08:00:00.123+00". */
function epochMs(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T${text.slice(11).replace('+00', 'Z')}`)
}

export type ExportPlan = {
  columns: readonly XlsxColumn[]
  /** The statement whose rows are written, and the values of its placeholders. */
  statement: { getSQL(): SQL }
  values: Record<string, unknown>
  /** Turns a raw row of the statement, in the order of its columns, into cells. */
  cells(row: readonly unknown[]): readonly unknown[]
}

export type DownloadHandler = {
  download: Download
  plan(ctx: Ctx, input: never): ExportPlan
}

/** Ties a download of the contract to what it writes. */
export function serveDownload<S extends z.ZodType>(
  download: Download<S>,
  plan: (ctx: Ctx, input: z.infer<S>) => ExportPlan,
): DownloadHandler {
  return { download, plan }
}

/** Checks session, permission and input, writes the log row, and answers the file's stream. Throws refusals as answers. */
export async function openDownload(
  handler: DownloadHandler,
  context: CallContext,
  query: unknown,
): Promise<Readable> {
  try {
    const actor = await admit(handler.download, context)
    if (!actor) throw new Error('a download needs a session')
    const parsed = handler.download.input.safeParse(query)
    if (!parsed.success)
      refuseCommon('INPUT_INVALID', { issues: parsed.error.issues.map(issue => issue.message) })
    const identity = identityOf(actor, context.services.walls)
    await context.services.database.write(identity, async lent => {
      const { ctx } = makeCtx(lent, context, actor)
      const { path, log } = handler.download
      const changes = [{ name: '筛选条件', before: null, after: parsed.data }]
      await logOperation(ctx, {
        operation: path,
        title: log,
        subject: handler.download.fileName,
        changes,
        by: actor,
      })
    })
    if (openFiles >= context.services.env.poolSize * POOL_SHARE) refuseCommon('BUSY')
    openFiles++
    try {
      const { columns, batches, release } = await start(handler, context, parsed.data as never)
      const file = writeXlsx({ sheetName: handler.download.fileName, columns, rows: batches })
      // Also a file of which nothing was ever read: the rows of such a one are not asked to end.
      file.once('close', () => {
        openFiles--
        release()
      })
      return file
    } catch (error) {
      openFiles--
      throw error
    }
  } catch (error) {
    throw asAnswer(error)
  }
}

/** Opens the cursor in a transaction of its own that lives as long as the rows are read. */
async function start(handler: DownloadHandler, context: CallContext, input: never) {
  const actor = await admit(handler.download, context)
  const identity = identityOf(actor as NonNullable<typeof actor>, context.services.walls)
  const opened = Promise.withResolvers<{ plan: ExportPlan; fetch: () => Promise<unknown[][]> }>()
  const finished = Promise.withResolvers<void>()
  const transaction = context.services.database.write(identity, async lent => {
    const { ctx } = makeCtx(lent, context, actor)
    const plan = handler.plan(ctx, input)
    const { sql, params } = new PgDialect().sqlToQuery(plan.statement.getSQL())
    await lent.client.query(
      "set local idle_in_transaction_session_timeout = '10min'; set local cursor_tuple_fraction = 1",
    )
    await lent.client.query(
      `declare export no scroll cursor for ${sql}`,
      fillPlaceholders(params, plan.values),
    )
    const fetch = async () => {
      const { rows } = await lent.client.query({
        text: `fetch ${BATCH} from export`,
        rowMode: 'array',
        types: TYPES,
      })
      return rows as unknown[][]
    }
    opened.resolve({ plan, fetch })
    await finished.promise
  })
  transaction.catch(opened.reject)
  const { plan, fetch } = await opened.promise
  async function* batches() {
    // One batch ahead, so that the database reads while the file is written.
    const ask = () => {
      const asked = fetch()
      // Awaited in its turn; failing before that must not count as unhandled.
      asked.catch(() => undefined)
      return asked
    }
    let next = ask()
    try {
      for (;;) {
        const rows = await next
        if (rows.length === BATCH) next = ask()
        if (rows.length > 0) yield rows.map(row => plan.cells(row))
        if (rows.length < BATCH) break
      }
    } finally {
      await Promise.allSettled([next])
      finished.resolve()
      await transaction
    }
  }
  return { columns: plan.columns, batches: batches(), release: () => finished.resolve() }
}
