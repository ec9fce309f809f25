// Causes of refusals as staff see them, and what they advise.
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import {
  type Condition,
  filtered,
  type ListSource,
  ownColumns,
  rowsAndTotal,
  sortedBy,
} from '#server/list.ts'
import { found, refuseBroken, refuseCommon, staffAlone } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { refusals as contract } from './contract.ts'
import { ADVICE, CAUSE_FIELDS, CAUSES } from './fields.ts'
import { LIMITS } from './rules.ts'
import { refusalCauses as causes, applicationRefusals as refusals } from './tables.ts'

const ROW = { ...ownColumns(causes, keysIn(CAUSE_FIELDS, 'row')), revision: causes.revision }

const WAITS = sql`select 1 from application_refusals waiting where waiting.cause_id = refusal_causes.id and waiting.mended_at is null`
const waits = (on: boolean): Condition[] => [
  on ? { key: 'waits', sql: sql`exists (${WAITS})` } : { key: 'mended', sql: sql`not exists (${WAITS})` },
]
const advised = (on: boolean): Condition[] => [
  on
    ? { key: 'advised', sql: sql`${causes.advice} <> ''` }
    : { key: 'unadvised', sql: eq(causes.advice, '') },
]
/** Of some hundred rows that staff alone see. */
const searched = (text: string | undefined): Condition[] =>
  text
    ? [
        {
          key: 'search',
          sql: sql`strpos(lower(${causes.reason} || ' ' || ${causes.label}), lower(${sql.placeholder('searched')}::text)) > 0`,
          values: { searched: text },
        },
      ]
    : []

const listCauses: Verb<typeof contract.causes> = async (ctx, { search, ...input }) => {
  staffAlone(ctx)
  const sorted = sortedBy(input, { lastAt: causes.lastAt, times: causes.times }, causes.id)
  const list: ListSource = {
    name: 'refusal causes',
    table: causes,
    conditions: [
      ...filtered(CAUSES, input, { waits, advised, last: causes.lastAt }, causes),
      ...searched(search),
    ],
    ...sorted,
  }
  const { rows, ...total } = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(causes, eq(causes.id, page.id))
      .orderBy(...sorted.order),
  )
  const waiting = await waitingOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return { ...total, rows: rows.map(row => ({ ...row, waiting: waiting.get(row.id) ?? 0 })) }
}

async function waitingOf(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .select({
      causeId: refusals.causeId,
      shops: sql<number>`count(distinct ${refusals.merchantId})`.mapWith(Number),
    })
    .from(refusals)
    .where(and(inArray(refusals.causeId, [...ids]), isNull(refusals.mendedAt)))
    .groupBy(refusals.causeId)
  return new Map(rows.map(({ causeId, shops }) => [causeId, shops]))
}

const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  staffAlone(ctx)
  const [row] = await ctx.db.select(ROW).from(causes).where(eq(causes.id, id))
  const cause = found(row)
  const shops = await ctx.db
    .select({
      applicationId: refusals.applicationId,
      merchantId: refusals.merchantId,
      shopName: merchants.shopName,
      agentName: agents.companyName,
      refusedAt: refusals.refusedAt,
    })
    .from(refusals)
    .innerJoin(merchants, eq(merchants.id, refusals.merchantId))
    .innerJoin(agents, eq(agents.id, refusals.agentId))
    .where(and(eq(refusals.causeId, id), isNull(refusals.mendedAt)))
    .orderBy(asc(refusals.id))
    .limit(LIMITS.shops)
  return { ...cause, waiting: (await waitingOf(ctx, [id])).get(id) ?? 0, shops }
}

const advise: Verb<typeof contract.advise> = async (ctx, { id, revision, advice }) => {
  staffAlone(ctx)
  refuseBroken(ADVICE, { advice })
  const [before] = await ctx.db.select().from(causes).where(eq(causes.id, id)).for('update')
  const cause = found(before)
  if (cause.revision !== revision) refuseCommon('STALE')
  ctx.object('refusalCause', id)
  if (cause.advice === advice) {
    ctx.nothingChanged()
    return { revision }
  }
  await ctx.db
    .update(causes)
    .set({
      ...{ advice, revision: revision + 1 },
      ...{ advisedByName: ctx.actor.name, advisedAt: ctx.now.toISOString() },
    })
    .where(eq(causes.id, id))
  ctx.note(cause.reason, [{ name: CAUSE_FIELDS.advice.label, before: cause.advice, after: advice }])
  return { revision: revision + 1 }
}

export const refusalsRouter = serve(contract, { causes: listCauses, details, advise })
