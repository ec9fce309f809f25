// Streams what a list filters as .xlsx: same session, permission and log as an operation; rows through a cursor, so memory stays flat.
import type { Readable } from 'node:stream'
import { Column, is, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { fillPlaceholders } from 'drizzle-orm/sql'
import type { z } from 'zod'
import type { Download } from '#kit/op.ts'
import { type Actor, type Ctx, identityOf, type Services } from './ctx.ts'
import { refuseCommon } from './refuse.ts'
import { admit, asAnswer, type CallContext, logOperation, makeCtx } from './serve.ts'
import { writeXlsx, type XlsxColumn } from './xlsx.ts'

const BATCH = 2_000

/** Each file holds a connection for as long as its reader takes; the rest of the pool is left to everything else. */
const POOL_SHARE = 0.5
const PER_ACCOUNT = 3

/** A file that nobody reads any further is ended after this time. */
const STALLED_MS = 60_000

export type ExportPlan = {
  columns: readonly XlsxColumn[]
  /** The statement whose rows are written, its fields, and the values of its placeholders. */
  statement: { getSQL(): SQL; _: { selectedFields: Record<string, unknown> } }
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
    const slot = takeSlot(context, actor)
    try {
      const rows = await openRows(handler, context, actor, parsed.data as never, () =>
        file.destroy(new Error('the reader of a file stopped reading')),
      )
      await logDownload(handler, context, actor, parsed.data).catch(rows.end)
      const file: Readable = writeXlsx({
        sheetName: handler.download.fileName,
        columns: rows.columns,
        rows: rows.batches,
      })
      // Also a file of which nothing was ever read: the rows of such a one are not asked to end.
      file.once('close', () => {
        slot.free()
        rows.end()
      })
      return file
    } catch (error) {
      slot.free()
      throw error
    }
  } catch (error) {
    throw asAnswer(error)
  }
}

const openOf = new WeakMap<Services, Map<number, number>>()

/** One of the connections that files may hold, few for each account; refuses BUSY when they are taken. */
function takeSlot({ services }: CallContext, { accountId }: Actor): { free(): void } {
  const open = openOf.get(services) ?? new Map<number, number>()
  openOf.set(services, open)
  const all = [...open.values()].reduce((sum, count) => sum + count, 0)
  const own = open.get(accountId) ?? 0
  if (own >= PER_ACCOUNT || all >= services.env.poolSize * POOL_SHARE) refuseCommon('BUSY')
  open.set(accountId, own + 1)
  let held = true
  return {
    free() {
      if (!held) return
      held = false
      const left = (open.get(accountId) ?? 1) - 1
      if (left > 0) open.set(accountId, left)
      else open.delete(accountId)
    },
  }
}

async function logDownload(handler: DownloadHandler, context: CallContext, by: Actor, filter: unknown) {
  const { path, log, fileName } = handler.download
  const changes = [{ name: '筛选条件', before: null, after: filter }]
  await context.services.database.write(identityOf(by, context.services.walls), async lent => {
    const { ctx } = makeCtx(lent, context, by)
    await logOperation(ctx, { operation: path, title: log, subject: fileName, changes, by })
  })
}

/** The statement's rows as one text each: a connection decodes a text for every value otherwise, which costs most of an export. */
function asJsonRows(statement: ExportPlan['statement'], text: string): string {
  const fields = Object.values(statement._.selectedFields)
  const names = fields.map((_, position) => `c${position}`)
  const values = fields.map((field, position) =>
    is(field, Column) && field.getSQLType().startsWith('timestamptz')
      ? `(extract(epoch from c${position}) * 1000)::bigint`
      : `c${position}`,
  )
  return `select json_build_array(${values.join(', ')})::text from (${text}) as source (${names.join(', ')})`
}

type OpenRows = {
  columns: readonly XlsxColumn[]
  batches: AsyncGenerator<(readonly unknown[])[]>
  /** Ends the transaction; passes on the error that is given. */
  end(error?: unknown): void
}

/** Opens the cursor in a transaction of its own that lives as long as the rows are read. */
async function openRows(
  handler: DownloadHandler,
  context: CallContext,
  actor: Actor,
  input: never,
  onStalled: () => void,
): Promise<OpenRows> {
  const opened = Promise.withResolvers<{ plan: ExportPlan; fetch: () => Promise<string[][]> }>()
  const finished = Promise.withResolvers<void>()
  const identity = identityOf(actor, context.services.walls)
  const transaction = context.services.database.write(identity, async lent => {
    const plan = handler.plan(makeCtx(lent, context, actor).ctx, input)
    const { sql, params } = new PgDialect().sqlToQuery(plan.statement.getSQL())
    await lent.client.query(
      "set local idle_in_transaction_session_timeout = '10min'; set local cursor_tuple_fraction = 1",
    )
    await lent.client.query(
      `declare export no scroll cursor for ${asJsonRows(plan.statement, sql)}`,
      fillPlaceholders(params, plan.values),
    )
    const fetch = async () => {
      const { rows } = await lent.client.query({ text: `fetch ${BATCH} from export`, rowMode: 'array' })
      return rows as string[][]
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
        const stalled = setTimeout(onStalled, STALLED_MS).unref()
        if (rows.length > 0) yield rows.map(row => plan.cells(JSON.parse(row[0] as string) as unknown[]))
        clearTimeout(stalled)
        if (rows.length < BATCH) break
      }
    } finally {
      await Promise.allSettled([next])
      finished.resolve()
      await transaction
    }
  }
  return {
    columns: plan.columns,
    batches: batches(),
    end(error) {
      finished.resolve()
      if (error) throw error
    },
  }
}
