// The rows of an export: a cursor in a transaction of its own, read in batches, so that memory stays flat.
import { Column, is } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { fillPlaceholders } from 'drizzle-orm/sql'
import { type Actor, type CallContext, type ExportHandler, type ExportPlan, identityOf } from '#server/ctx.ts'
import { makeCtx, readerOf } from '#server/serve.ts'
import type { XlsxColumn } from './xlsx.ts'

export type Pace = {
  /** Rows that are asked for at once. */
  batch: number
  /** One batch ahead, so that the database reads while the file is written. */
  readsAhead: boolean
  /** Hears when a batch waits for its reader, and again when it was taken. */
  waiting?: (isWaiting: boolean) => void
  /** Told before the first row how many there will be; not counted where nobody asks. */
  counted?: (rows: number) => void
  /** Called between two batches with the time that the last one took. */
  rest?: (tookMs: number) => Promise<void>
}

/** Rows that are made as they are taken. */
type Rows = Iterable<readonly unknown[]> & { length: number }

export type OpenRows = {
  columns: readonly XlsxColumn[]
  batches: AsyncGenerator<Rows>
  /** Ends the transaction; passes on the error that is given. */
  end(error?: unknown): void
}

/** Opens the cursor in a transaction of its own that lives as long as the rows are read. */
export async function openRows(
  handler: ExportHandler,
  context: CallContext,
  actor: Actor,
  input: never,
  pace: Pace,
): Promise<OpenRows> {
  const opened = Promise.withResolvers<{ plan: ExportPlan; fetch: () => Promise<string[][]> }>()
  const finished = Promise.withResolvers<void>()
  const identity = identityOf(actor, context.services.walls, handler.download.scope)
  const transaction = readerOf(context, handler.download.mayLag).readAtOnce(identity, async lent => {
    const plan = await handler.plan(makeCtx(lent, context, actor).ctx, input)
    const { sql, params } = new PgDialect().sqlToQuery(plan.statement.getSQL())
    await lent.client.query(
      "set local idle_in_transaction_session_timeout = '10min'; set local cursor_tuple_fraction = 0.5",
    )
    if (pace.counted) {
      const counting = `select count(*) from (${sql}) as counted`
      const { rows } = await lent.client.query<{ count: string }>(
        counting,
        fillPlaceholders(params, plan.values),
      )
      pace.counted(Number(rows[0]?.count ?? 0))
    }
    await lent.client.query(
      `declare export no scroll cursor for ${asJsonRows(plan.statement, sql)}`,
      fillPlaceholders(params, plan.values),
    )
    const fetch = async () => {
      const { rows } = await lent.client.query({ text: `fetch ${pace.batch} from export`, rowMode: 'array' })
      return rows as string[][]
    }
    opened.resolve({ plan, fetch })
    await finished.promise
  })
  transaction.catch(opened.reject)
  const { plan, fetch } = await opened.promise
  const end = async () => {
    finished.resolve()
    await transaction
  }
  return {
    columns: plan.columns,
    batches: readBatches(fetch, plan, pace, end),
    end(error) {
      finished.resolve()
      if (error) throw error
    },
  }
}

async function* readBatches(
  fetch: () => Promise<string[][]>,
  plan: ExportPlan,
  { batch, readsAhead, waiting, rest }: Pace,
  end: () => Promise<void>,
): AsyncGenerator<Rows> {
  const ask = () => {
    const asked = fetch()
    // Awaited in its turn; failing before that must not count as unhandled.
    asked.catch(() => undefined)
    return asked
  }
  let next: Promise<string[][]> | null = null
  try {
    for (;;) {
      const startedMs = performance.now()
      const rows: string[][] = await (next ?? ask())
      next = readsAhead && rows.length === batch ? ask() : null
      waiting?.(true)
      if (rows.length > 0) yield { length: rows.length, [Symbol.iterator]: () => cellsOf(plan, rows) }
      waiting?.(false)
      if (rows.length < batch) break
      await rest?.(performance.now() - startedMs)
    }
  } finally {
    waiting?.(false)
    await Promise.allSettled([next])
    await end()
  }
}

/** One row after the other, as it is written: what is made of all of them at once outlives the collector's first looks. */
function* cellsOf(plan: ExportPlan, rows: readonly string[][]): Generator<readonly unknown[]> {
  for (const [text] of rows) yield plan.cells(JSON.parse(text as string) as unknown[])
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
