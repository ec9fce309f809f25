// Terms that were renewed, one by one, through the indexes of the day on which they would have ended.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import {
  type Condition,
  conditionOf,
  equal,
  filtered,
  type ListSource,
  ownCondition,
  type PageIds,
  rowsAndTotal,
  sortedBy,
  valuesOf,
  within,
} from '#server/list.ts'
import { type insights as contract, insightDownloads } from './contract.ts'
import { RENEWED } from './fields.ts'
import { renewedTerms } from './tables.ts'

type Filters = Omit<DownloadIn<typeof insightDownloads.renewals>, 'columns'>

const ROW = {
  id: renewedTerms.id,
  merchantId: renewedTerms.merchantId,
  shopName: merchants.shopName,
  versionName: versions.name,
  registeredAt: merchants.registeredAt,
  day: renewedTerms.day,
  expiresAt: merchants.expiresAt,
  orders: renewedTerms.orders,
  agentId: renewedTerms.agentId,
  agentName: agents.companyName,
}

/** As the indexes have it: a term that is renewed no more keeps its row. */
const RENEWED_STILL: Condition = { key: 'renewed', sql: sql`${renewedTerms.orders} > 0`, onePlan: true }

export const listRenewals: Verb<typeof contract.renewals> = (ctx, input) => {
  const list = listOf(ctx, input)
  return rowsAndTotal(ctx, list, input, page =>
    selectRows(ctx, page)
      .innerJoin(page, eq(page.id, renewedTerms.id))
      .orderBy(...list.order),
  )
}

function listOf(ctx: Ctx, filters: Filters): ListSource {
  const conditions = [
    RENEWED_STILL,
    ...ownCondition(ctx, renewedTerms.agentId),
    ...filtered(RENEWED, filters, {
      agentId: renewedTerms.agentId,
      due: (from, to) => [...dueOn('dueFrom', '>=', from), ...dueOn('dueTo', '<=', to)],
      registered: (from, to) => ofShops(within('registered', merchants.registeredAt, from, to)),
      versionId: versionId => ofShops(equal('versionId', merchants.versionId, versionId)),
    }),
  ]
  return {
    name: 'renewed terms',
    table: renewedTerms,
    conditions,
    ...sortedBy(filters, renewedTerms, renewedTerms.id),
  }
}

function dueOn(key: string, sign: '>=' | '<=', day: string | undefined): Condition[] {
  if (day === undefined) return []
  return [
    {
      key,
      sql: sql`${renewedTerms.day} ${sql.raw(sign)} ${sql.placeholder(key)}::date`,
      values: { [key]: day },
    },
  ]
}

/** What the shop is: planned for its values. */
function ofShops(conditions: readonly Condition[]): Condition[] {
  const ofShop = (condition: SQL | undefined) =>
    sql`exists (select from ${merchants} where ${and(eq(merchants.id, renewedTerms.merchantId), condition)})`
  return conditions.map(({ key, sql: condition, values = {} }) => ({
    key: `shop ${key}`,
    sql: ofShop(condition),
    values,
  }))
}

function selectRows(ctx: Ctx, page?: PageIds) {
  return (page ? ctx.db.with(page) : ctx.db)
    .select(ROW)
    .from(renewedTerms)
    .innerJoin(merchants, eq(merchants.id, renewedTerms.merchantId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .innerJoin(agents, eq(agents.id, renewedTerms.agentId))
    .$dynamic()
}

export const renewalsDownload = serveDownload(insightDownloads.renewals, (ctx, { columns, ...filters }) => {
  const list = listOf(ctx, filters)
  return {
    statement: selectRows(ctx)
      .where(conditionOf(list))
      .orderBy(...list.order),
    values: valuesOf(list.conditions),
    ...fileColumns(RENEWED, ROW, columns),
  }
})
