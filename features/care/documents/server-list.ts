// The papers of all shops, what ends first in the beginning, and how many end soon.
import { and, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { searchShops } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { In } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import {
  type Condition,
  countUpTo,
  equal,
  filtered,
  type ListSource,
  ownCondition,
  rowsAndTotal,
  skewed,
  sortedBy,
} from '#server/list.ts'
import { files } from '#server/tables.ts'
import type { documents as contract } from './contract.ts'
import { DOCUMENTS } from './fields.ts'
import { type DocumentEnds, endRange } from './rules.ts'
import { DOCUMENT_ROW } from './server-look.ts'
import { documents } from './tables.ts'

export const listDocuments: Verb<typeof contract.list> = async (ctx, input) => {
  const search = await searchShops(ctx, input, documents.merchantId)
  const list = sourceOf(ctx, input, search.conditions)
  const [page, ...counts] = await together([
    rowsAndTotal(ctx, list, input, ids =>
      ctx.db
        .with(ids)
        .select({
          ...DOCUMENT_ROW,
          agentId: documents.agentId,
          shopName: merchants.shopName,
          agentName: agents.companyName,
        })
        .from(documents)
        .innerJoin(ids, eq(ids.id, documents.id))
        .innerJoin(merchants, eq(merchants.id, documents.merchantId))
        .innerJoin(agents, eq(agents.id, documents.agentId))
        .leftJoin(files, eq(files.id, documents.fileId))
        .orderBy(...list.order),
    ),
    ...(['ended', 'in15', 'in60'] as const).map(ends => countEnding(ctx, ends)),
  ])
  const [ended = 0, in15 = 0, in60 = 0] = counts
  return { ...page, soon: { ended, in15, in60 }, shopsCapped: search.shopsCapped }
}

type Asked = In<typeof contract.list>

function sourceOf(ctx: Ctx, input: Asked, searching: Condition[]): ListSource {
  const { state = 'current' } = input
  return {
    name: 'documents',
    table: documents,
    conditions: [
      ...ownCondition(ctx, documents.agentId),
      ...filtered(DOCUMENTS, input, {
        kind: documents.kind,
        // What is meant where none is chosen is asked for below.
        state: () => [],
        ends: (ends: DocumentEnds) => endConditions(ctx, ends),
        agentId: documents.agentId,
      }),
      ...(state === 'all' ? [] : skewed(equal('state', documents.state, state))),
      ...searching,
    ],
    ...sortedBy(input, { expiresOn: documents.expiresOn }, documents.id),
  }
}

/** The days are values, so that a statement that is kept means another day tomorrow. */
function endConditions(ctx: Ctx, ends: DocumentEnds): Condition[] {
  const range = endDays(ctx, ends)
  if (!range) return [{ key: 'ends unknown', sql: UNKNOWN }]
  const { from, to } = range
  const until = {
    key: 'ends until',
    sql: lte(documents.expiresOn, sql.placeholder('endsTo')),
    values: { endsTo: to },
  }
  if (from === null) return [until]
  const since = gte(documents.expiresOn, sql.placeholder('endsFrom'))
  return [{ key: 'ends since', sql: since, values: { endsFrom: from } }, until]
}

const UNKNOWN = and(isNull(documents.expiresOn), eq(documents.isLongTerm, false))

function endDays({ now }: Ctx, ends: DocumentEnds): { from: string | null; to: string } | null {
  const range = endRange(ends)
  const today = formatDay(now)
  return (
    range && { from: range.from === null ? null : addDays(today, range.from), to: addDays(today, range.to) }
  )
}

async function countEnding(ctx: Ctx, ends: Exclude<DocumentEnds, 'unknown'>): Promise<number> {
  const { from = null, to = '' } = endDays(ctx, ends) ?? {}
  const where = and(
    eq(documents.state, 'current'),
    from === null ? undefined : gte(documents.expiresOn, from),
    lte(documents.expiresOn, to),
    ownRows(ctx, documents.agentId),
  )
  return Math.min(await countUpTo(ctx, documents, where), COUNT_CAP)
}
