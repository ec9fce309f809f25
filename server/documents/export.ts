// Streams what a list filters as .xlsx: same session, permission and log as an operation; rows through a cursor, so memory stays flat.

import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { type Field, headOf, type Words } from '#kit/declare/fields.ts'
import { fieldOf, fileKeys, type List, STEP_UP_ROWS } from '#kit/declare/list.ts'
import type { Download } from '#kit/declare/op.ts'
import { countText } from '#kit/money.ts'
import {
  type Actor,
  type CallContext,
  type Ctx,
  type ExportHandler,
  type ExportPlan,
  identityOf,
  type Services,
} from '#server/ctx.ts'
import { type LogRow, logOperation } from '#server/operation-log.ts'
import { type Issue, refuseCommon, refuseInput } from '#server/refuse.ts'
import { admitDownload, asAnswer, makeCtx, requireFactor } from '#server/serve.ts'
import { fairShares, NoPlaceError } from '#server/shares.ts'
import type { FieldChange } from '#server/tables.ts'
import { openRows } from './export-rows.ts'
import { writeXlsx, type XlsxColumn } from './xlsx.ts'

export type { ExportPlan }

const BATCH = 500

/** Each file holds a connection for as long as its reader takes; the rest of the pool is left to everything else. */
const POOL_SHARE = 0.5
const AGENT_SHARE = 0.25
const PER_ACCOUNT = 3
/** They are written one after the other, which makes none later: together they take of everybody's processors what one does. */
const turns = fairShares({
  atOnce: Number.POSITIVE_INFINITY,
  alone: 1,
  beside: 1,
  waiting: PER_ACCOUNT,
  // Then it begins beside one that is long, or read slowly.
  waitMs: 5_000,
})

/** A file that nobody reads any further is ended after this time. */
const STALLED_MS = 60_000

export type DownloadHandler = ExportHandler

/** Ties a download of the contract to what it writes. */
export function serveDownload<S extends z.ZodType>(
  download: Download<S>,
  plan: (ctx: Ctx, input: z.infer<S>) => ExportPlan | Promise<ExportPlan>,
): ExportHandler {
  return { download, plan }
}

type Cell = (row: Readonly<Record<string, unknown>>) => unknown

/**
 * Columns and cells of a list's file: `keys` are columns separated by commas, in their order; those that are not the list's are
 * passed over, and none chosen means all. `row` holds the statement's fields by the same keys; `cells` makes what is no field.
 */
export function fileColumns(
  list: List,
  row: object,
  keys: string | undefined,
  cells: Readonly<Record<string, Cell>> = {},
): Pick<ExportPlan, 'columns' | 'cells'> {
  const all = fileKeys(list)
  const wanted = [...new Set((keys ?? '').split(','))]
  const known = wanted.filter(key => all.includes(key))
  const shown = known.length > 0 ? known : all
  const fields = Object.keys(row)
  const readers = shown.map(key => {
    const cell = cells[key]
    if (cell)
      return (found: readonly unknown[]) =>
        cell(Object.fromEntries(fields.map((field, at): [string, unknown] => [field, found[at]])))
    const position = fields.indexOf(key)
    if (position < 0) throw new Error(`the file of ${list.key} has no value for ${key}`)
    const { words, kind } = fieldOf(list, key)
    const names = kind === 'flag' ? FLAG_WORDS : words
    return (found: readonly unknown[]) => (names ? names[String(found[position])] : found[position])
  })
  return {
    columns: shown.map(key => fileColumn(fieldOf(list, key))),
    cells: found => readers.map(read => read(found)),
  }
}

const FLAG_WORDS: Words = { true: '是', false: '否' }
const CELL_KINDS: Record<Field['kind'], XlsxColumn['kind']> = {
  text: 'text',
  id: 'integer',
  digits: 'text',
  phone: 'text',
  count: 'integer',
  money: 'cents',
  instant: 'time',
  day: 'date',
  word: 'text',
  flag: 'text',
}

function fileColumn(field: Field): XlsxColumn {
  const width = field.fileWidth === undefined ? {} : { width: field.fileWidth }
  return { header: headOf(field), kind: CELL_KINDS[field.kind], ...width }
}

/** Checks session, permission and input, writes the log row, and answers the file's stream. Throws refusals as answers. */
export async function openDownload(
  handler: DownloadHandler,
  context: CallContext,
  query: unknown,
): Promise<Readable> {
  try {
    const actor = await admitDownload(handler.download, context)
    const parsed = handler.download.input.safeParse(query)
    if (!parsed.success) refuseInput(parsed.error.issues as Issue[])
    const slot = await takeSlot(context, actor)
    let expected = 0
    try {
      const rows = await openRows(handler, context, actor, parsed.data as never, {
        batch: BATCH,
        readsAhead: true,
        counted: count => {
          expected = count
        },
        waiting: watchReader(() => file.destroy(new Error('the reader of a file stopped reading'))),
      })
      await refuseStolen(context, actor, expected).catch(rows.end)
      await logDownload(handler, context, actor, parsed.data, expected).catch(rows.end)
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

/** A file of many rows asks for a fresh factor: a session alone, which may be stolen, does not carry everything away. */
export async function refuseStolen(context: CallContext, actor: Actor, rows: number): Promise<void> {
  if (rows > STEP_UP_ROWS) await requireFactor(context, actor)
}

/** Calls `onStalled` when one batch has waited too long for its reader. */
function watchReader(onStalled: () => void): (isWaiting: boolean) => void {
  let stalled: NodeJS.Timeout | undefined
  return isWaiting => {
    clearTimeout(stalled)
    if (isWaiting) stalled = setTimeout(onStalled, STALLED_MS).unref()
  }
}

const openOf = new WeakMap<Services, Set<Pick<Actor, 'accountId' | 'agentId'>>>()

/** One of the connections that files may hold, few for each account and agent, in its turn; refuses when they are taken. */
export async function takeSlot(
  { services }: CallContext,
  { accountId, agentId }: Pick<Actor, 'accountId' | 'agentId'>,
): Promise<{ free(): void }> {
  const open = openOf.get(services) ?? new Set()
  openOf.set(services, open)
  const { poolSize } = services.env
  const ofAgent = [...open].filter(one => one.agentId === agentId)
  const ofAccount = ofAgent.filter(one => one.accountId === accountId).length
  if (ofAccount >= PER_ACCOUNT || ofAgent.length >= poolSize * AGENT_SHARE)
    refuseCommon('TOO_MANY_AT_ONCE', { secondsLeft: 5 })
  if (open.size >= poolSize * POOL_SHARE) refuseCommon('BUSY')
  const slot = { accountId, agentId }
  open.add(slot)
  const end = await turnOf(accountId)
  return {
    free() {
      open.delete(slot)
      end()
    },
  }
}

async function turnOf(accountId: number): Promise<() => void> {
  try {
    return await turns.take(accountId)
  } catch (error) {
    if (!(error instanceof NoPlaceError)) throw error
    return () => undefined
  }
}

/** What a row says of a file beyond its name. */
export type FileLogged = Partial<
  Pick<LogRow, 'subject' | 'objects' | 'merchantId' | 'aboutAgentId' | 'changes'>
> & {
  /** Within the row's transaction: false where there is to be none. */
  begins?: (ctx: Ctx) => Promise<boolean>
}

/** The operation log's row of a file: who, which filter, and of a list how many rows. */
export async function logDownload(
  handler: { download: Download },
  context: CallContext,
  by: Actor,
  filter: unknown,
  rowCount?: number,
  logged: FileLogged = {},
): Promise<void> {
  const { path, log, fileName } = handler.download
  const { changes: told = [], begins, ...about } = logged
  const changes = [...fileChanges(handler.download, filter, rowCount), ...told]
  await context.services.database.write(identityOf(by, context.services.walls), async lent => {
    const { ctx } = makeCtx(lent, context, by)
    if (begins && !(await begins(ctx))) return
    await logOperation(ctx, { operation: path, title: log, subject: fileName, changes, by, ...about })
  })
}

/** What the log says of a file: what was asked for, and how many rows it holds. */
export function fileChanges(download: Download, filter: unknown, rowCount?: number): FieldChange[] {
  const told = download.told?.(filter) ?? []
  const rows = rowCount === undefined ? [] : [['行数', countText(rowCount, '行')] as const]
  return [...told, ...rows].map(([name, after]) => ({ name, before: null, after }))
}
