import { asc, sql } from 'drizzle-orm'
import { brokenRow, isOffered, type RowValues, trimmedRow } from '#kit/declare/reference.ts'
import { type Ctx, changesOf, type EditedTable, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import type { FieldChange } from '#server/tables.ts'
import { referenceData as contract } from './contract.ts'
import { inUseText, REFERENCE_REFUSALS } from './rules.ts'
import { exportConfiguration, importConfiguration, rehearse } from './server-configuration.ts'
import { importRows, readTable, rehearseRows } from './server-import.ts'
import { findRegions, importRegions, regionsText, rehearseRegions } from './server-regions.ts'
import {
  changesBetween,
  deleteRow,
  hasTypedKey,
  insertRow,
  keyName,
  keyOf,
  lockRow,
  lockTable,
  type Row,
  rowsOf,
  tableOf,
  updateRow,
  usesOf,
} from './server-rows.ts'
import { limits, listSettings, setSetting } from './server-settings.ts'
import { reasons } from './tables.ts'

const listTables: Verb<typeof contract.tables> = async ctx => {
  // The output presents the declaration: what only the server knows stays here.
  return { tables: ctx.services.edited.map(table => ({ ...table, fields: table.fields as never })) }
}

const listRows: Verb<typeof contract.rows> = async (ctx, { table }) => {
  return { rows: (await rowsOf(ctx, tableOf(ctx, table))).map(writable) }
}

const rowUses: Verb<typeof contract.uses> = async (ctx, { table, id }) => {
  return { uses: await usesOf(ctx, tableOf(ctx, table), id) }
}

/** The contract's own lists may be written to. */
const writable = (row: Row) => row as Row & { values: Record<string, never> }

const nameOf = ({ named }: EditedTable, values: RowValues) => String(values[named] ?? '')

function note(ctx: Ctx, edited: EditedTable, { id, values }: Row, changes: FieldChange[]): void {
  ctx.object('reference', `${edited.key}:${id}`, edited.key)
  ctx.note(`${edited.title}：${nameOf(edited, values)}`, changes)
}

const saveRow: Verb<typeof contract.save> = async (ctx, { table, id, seen, values }) => {
  const edited = tableOf(ctx, table)
  if (id === null) {
    refuseBroken(edited, values)
    return writable(await addRow(ctx, edited, trimmedRow(edited, values as RowValues)))
  }
  const before = await lockRow(ctx, edited, id)
  const standing = Object.entries(edited.fields).flatMap(([key, { fixed, shown }]) =>
    fixed || shown ? [[key, before.values[key]] as const] : [],
  )
  const judged = { ...values, ...Object.fromEntries(standing) }
  refuseBroken(edited, judged)
  if (!isSame(edited, before.values, seen as RowValues | null)) refuseCommon('STALE')
  const after = trimmedRow(edited, judged as RowValues)
  await refuseTaken(ctx, edited, after, id)
  const flaw = await edited.refuse?.(ctx, { id: keyOf(edited, id), before: before.values, after })
  if (flaw) throw new Refusal('ROW_WRONG', flaw.message, { field: flaw.field })
  const row = await updateRow(ctx, edited, id, after)
  const changes = changesBetween(edited.fields, before.values, row.values)
  if (changes.length === 0) ctx.nothingChanged()
  note(ctx, edited, row, changes)
  return writable(row)
}

function refuseBroken(edited: EditedTable, values: Readonly<Record<string, unknown>>): void {
  const [broken] = brokenRow(edited, values)
  if (broken) throw new Refusal('ROW_WRONG', broken.message, { field: broken.field })
}

async function addRow(ctx: Ctx, edited: EditedTable, values: RowValues): Promise<Row> {
  refuse(edited.adds ? null : 'ROWS_FIXED', REFERENCE_REFUSALS)
  await lockTable(ctx, edited)
  await refuseTaken(ctx, edited, values, null)
  const row = await insertRow(ctx, edited, values)
  note(ctx, edited, row, changesBetween(edited.fields, null, row.values))
  return row
}

/** Whether what was edited is still what stands. */
function isSame({ fields }: EditedTable, stands: RowValues, seen: RowValues | null): boolean {
  return changesBetween(fields, stands, seen).length === 0
}

async function refuseTaken(ctx: Ctx, edited: EditedTable, values: RowValues, own: string | null) {
  const { within } = edited
  // A key that is typed stands once, whatever the row is called.
  const named = hasTypedKey(edited) ? keyName(edited) : edited.named
  const taken = (await rowsOf(ctx, edited)).some(
    row =>
      row.id !== own &&
      row.values[named] === values[named] &&
      (within === undefined || row.values[within] === values[within]),
  )
  if (taken) refuse('ROW_TAKEN', REFERENCE_REFUSALS, { field: named })
}

const RETIRED = { retiredAt: { kind: 'instant', label: '停用时间', nullable: true } } as const

const retireRow: Verb<typeof contract.retire> = async (ctx, { table, id, from }) => {
  const edited = tableOf(ctx, table)
  refuse(edited.retires ? null : 'ROWS_FIXED', REFERENCE_REFUSALS)
  const before = await lockRow(ctx, edited, id)
  const now = ctx.now.getTime()
  if (from !== null && Date.parse(from) <= now) refuse('RETIRE_PAST', REFERENCE_REFUSALS, { field: 'from' })
  refuse(isOffered(before.retiredAt, now) ? null : 'ROW_RETIRED', REFERENCE_REFUSALS)
  await refuseLast(ctx, edited, before)
  const row = await updateRow(ctx, edited, id, { retiredAt: from ?? new Date(now).toISOString() })
  note(ctx, edited, row, changesOf(before, row, RETIRED))
  return writable(row)
}

/** Without one that can be chosen, the forms that ask for it could not be sent. */
async function refuseLast(ctx: Ctx, edited: EditedTable, row: Row): Promise<void> {
  const { within } = edited
  if (within !== undefined) return
  const others = (await rowsOf(ctx, edited)).filter(
    ({ id, retiredAt }) => id !== row.id && retiredAt === null,
  )
  refuse(others.length > 0 ? null : 'ROW_LAST', REFERENCE_REFUSALS)
}

const restoreRow: Verb<typeof contract.restore> = async (ctx, { table, id }) => {
  const edited = tableOf(ctx, table)
  refuse(edited.retires ? null : 'ROWS_FIXED', REFERENCE_REFUSALS)
  const before = await lockRow(ctx, edited, id)
  refuse(before.retiredAt === null ? 'ROW_NOT_RETIRED' : null, REFERENCE_REFUSALS)
  const row = await updateRow(ctx, edited, id, { retiredAt: null })
  note(ctx, edited, row, changesOf(before, row, RETIRED))
  return writable(row)
}

const removeRow: Verb<typeof contract.remove> = async (ctx, { table, id }) => {
  const edited = tableOf(ctx, table)
  refuse(edited.adds ? null : 'ROWS_FIXED', REFERENCE_REFUSALS)
  const before = await lockRow(ctx, edited, id)
  const used = inUseText(await usesOf(ctx, edited, id), edited.retires)
  if (used !== null) throw new Refusal('ROW_IN_USE', used)
  await refuseLast(ctx, edited, before)
  await deleteRow(ctx, edited, id)
  note(ctx, edited, before, changesBetween(edited.fields, before.values, null))
  return { removed: true }
}

const reorderRows: Verb<typeof contract.reorder> = async (ctx, { table, ids }) => {
  const edited = tableOf(ctx, table)
  refuse(edited.orders ? null : 'ROWS_FIXED', REFERENCE_REFUSALS)
  await lockTable(ctx, edited)
  const rows = await rowsOf(ctx, edited)
  const isWhole = new Set(ids).size === ids.length && ids.length === rows.length
  if (!isWhole || rows.some(({ id }) => !ids.includes(id))) refuse('ORDER_CHANGED', REFERENCE_REFUSALS)
  for (const [position, id] of ids.entries()) await updateRow(ctx, edited, id, { position })
  const named = (order: readonly string[]) =>
    order.map(id => nameOf(edited, found(rows.find(row => row.id === id)).values)).join(' ')
  ctx.object('reference', edited.key)
  ctx.note(edited.title, [{ name: '顺序', before: named(rows.map(({ id }) => id)), after: named(ids) }])
  return { ids }
}

const offeredReasons: Verb<typeof contract.reasons> = async ctx => {
  const rows = await ctx.db
    .select({ kind: reasons.kind, name: reasons.name })
    .from(reasons)
    .where(sql`${reasons.retiredAt} is null or ${reasons.retiredAt} > now()`)
    .orderBy(asc(reasons.kind), asc(reasons.position), asc(reasons.id))
  return { reasons: rows }
}

export const referenceDataRouter = serve(contract, {
  tables: listTables,
  rows: listRows,
  uses: rowUses,
  save: saveRow,
  retire: retireRow,
  restore: restoreRow,
  remove: removeRow,
  reorder: reorderRows,
  readTable,
  rehearseRows,
  importRows,
  regions: findRegions,
  regionsText,
  rehearseRegions,
  importRegions,
  reasons: offeredReasons,
  settings: listSettings,
  setSetting,
  limits,
  exportConfiguration,
  rehearse,
  importConfiguration,
})
