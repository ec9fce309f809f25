// Clearings as they are found, locked and moved from one state to the next.
import { and, desc, eq, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { searchShops } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { countText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  conditionOf,
  equal,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  rowsAndTotal,
  valuesOf,
} from '#server/list.ts'
import { refuseSecond } from '#server/office/second.ts'
import { found, refuse } from '#server/refuse.ts'
import { type tableClearing as contract, tableClearingDownloads } from './contract.ts'
import { CLEARING_FIELDS, CLEARINGS } from './fields.ts'
import {
  CLEARING_REFUSALS,
  CLEARING_STATES,
  CLEARING_STEPS,
  type ClearingEvent,
  type ClearingRefusal,
  type ClearingStep,
  refuseStep,
} from './rules.ts'
import { tableClearings as clearings } from './tables.ts'

export type Clearing = typeof clearings.$inferSelect
type Shown = keyof typeof CLEARING_FIELDS

const ROW = {
  ...ownColumns(clearings, Object.keys(CLEARING_FIELDS) as Shown[]),
  agentName: agents.companyName,
}

type Filters = Parameters<typeof filtered<typeof CLEARINGS>>[1] & { search?: string | undefined }

async function sourceOf(ctx: Ctx, input: Filters): Promise<ListSource & { shopsCapped: boolean }> {
  const searched = await searchShops(ctx, input, clearings.merchantId)
  return {
    name: 'table clearings',
    table: clearings,
    conditions: [
      ...ownCondition(ctx, clearings.agentId),
      ...filtered(CLEARINGS, input, {
        state: clearings.state,
        shop: text => equal('shop', clearings.merchantId, /^\d{1,15}$/.test(text) ? Number(text) : 0),
        asked: clearings.askedAt,
        agentId: clearings.agentId,
      }),
      ...searched.conditions,
    ],
    sort: 'id',
    order: [desc(clearings.id)],
    shopsCapped: searched.shopsCapped,
  }
}

export const listClearings: Verb<typeof contract.list> = async (ctx, input) => {
  const source = await sourceOf(ctx, input)
  return rowsAndTotal(ctx, source, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(clearings, eq(clearings.id, page.id))
      .innerJoin(agents, eq(agents.id, clearings.agentId))
      .orderBy(desc(clearings.id)),
  )
}

export const clearingsDownload = serveDownload(
  tableClearingDownloads.list,
  async (ctx, { columns, ...filters }) => {
    const source = await sourceOf(ctx, filters)
    return {
      statement: ctx.db
        .select(ROW)
        .from(clearings)
        .innerJoin(agents, eq(agents.id, clearings.agentId))
        .where(conditionOf(source))
        .orderBy(...source.order),
      values: valuesOf(source.conditions),
      ...fileColumns(CLEARINGS, ROW, columns),
    }
  },
)

const LATEST = 5

/** What was emptied of a shop lately. */
export function latestOf(ctx: Ctx, merchantId: number) {
  return ctx.db
    .select({ ...ROW, tableKey: clearings.tableKey })
    .from(clearings)
    .innerJoin(agents, eq(agents.id, clearings.agentId))
    .where(and(eq(clearings.merchantId, merchantId), ownRows(ctx, clearings.agentId)))
    .orderBy(desc(clearings.id))
    .limit(LATEST)
}

/** The acting agent's clearing; whoever changes it locks it. */
export async function findClearing(ctx: Ctx, id: number, locks = false): Promise<Clearing> {
  const query = ctx.db
    .select()
    .from(clearings)
    .where(and(eq(clearings.id, id), ownRows(ctx, clearings.agentId)))
    .$dynamic()
  const [row] = await (locks ? query.for('update') : query)
  return found(row)
}

/** Locks a clearing that this step can be taken with. */
export async function forStep(ctx: Ctx, id: number, step: ClearingStep): Promise<Clearing> {
  const one = await findClearing(ctx, id, true)
  await refuseNow(ctx, one, refuseStep(one.state, step))
  noteClearing(ctx, one)
  return one
}

/** Whoever comes second is told who was first. */
export async function refuseNow(ctx: Ctx, one: Clearing, code: ClearingRefusal | null): Promise<void> {
  if (code === 'STEP_NOT_NOW')
    await refuseSecond(ctx, code, CLEARING_REFUSALS, { name: one.events.at(-1)?.by ?? '' })
  refuse(code, CLEARING_REFUSALS)
}

export function subjectOf({ shopName, merchantId }: Pick<Clearing, 'shopName' | 'merchantId'>): string {
  return `${shopName} (${merchantId})`
}

export function rowsText(rows: number): string {
  return countText(rows, '行')
}

export function noteClearing(ctx: Ctx, one: Clearing, changes: Parameters<Ctx['note']>[1] = []): void {
  ctx.about(one.agentId, one.merchantId)
  ctx.object('tableClearing', one.id)
  ctx.note(subjectOf(one), [{ name: '数据表', before: null, after: one.tableName }, ...changes])
}

type Changed = Partial<Omit<typeof clearings.$inferInsert, 'state' | 'events'>>

/** Takes a locked clearing to the step's state, and says in its history what was done by whom. */
export async function takeStep(
  ctx: Ctx,
  one: Clearing,
  step: ClearingStep,
  { text, by, ...changed }: Changed & { text?: string; by?: string },
): Promise<Clearing> {
  const { from, to } = CLEARING_STEPS[step]
  const event: ClearingEvent = {
    at: ctx.now.toISOString(),
    text: text ?? CLEARING_STATES[to],
    by: by ?? ctx.actor.name,
  }
  const [written] = await ctx.db
    .update(clearings)
    .set({
      problem: '',
      silences: 0,
      percent: 0,
      lookAt: event.at,
      ...changed,
      events: [...one.events, event],
      state: to,
    })
    .where(
      and(eq(clearings.id, one.id), inArray(clearings.state, [...from]), ownRows(ctx, clearings.agentId)),
    )
    .returning()
  return found(written)
}

export const findDetails: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      ...ROW,
      ...ownColumns(clearings, ['askedBy', 'checksum', 'percent', 'events']),
      account: merchants.account,
    })
    .from(clearings)
    .innerJoin(agents, eq(agents.id, clearings.agentId))
    .innerJoin(merchants, eq(merchants.id, clearings.merchantId))
    .where(and(eq(clearings.id, id), ownRows(ctx, clearings.agentId)))
  return found(row)
}
