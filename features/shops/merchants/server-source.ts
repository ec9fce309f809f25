// Where shops came from (D2 §2 screen 3): for the operator, over all agents.
import type { DownloadIn, In } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { serveDownload } from '#server/documents/export.ts'
import { type Condition, equal, type ListSource, rowsAndTotal } from '#server/list.ts'
import type { merchants as contract } from './contract.ts'
import { merchantDownloads } from './contract.ts'
import { MERCHANT_SOURCES } from './fields.ts'
import { planRows } from './server-export.ts'
import { conditionsOf, keptTotal, orderOf, reversed, type Sorting, selectRows } from './server-list.ts'
import { merchants } from './tables.ts'

type SourceFilters = Omit<In<typeof contract.bySource>, 'page' | 'size' | 'sort' | 'order'>

export const listBySource: Verb<typeof contract.bySource> = async (ctx, input) => {
  const sorting = sortingOf(input.order)
  const list: ListSource = {
    name: 'merchants by source',
    table: merchants,
    conditions: sourceConditions(ctx, input),
    sort: `${sorting.sort} ${sorting.order}`,
    order: orderOf(sorting),
    reversed: orderOf(reversed(sorting)),
    keptTotal: () => keptTotal(ctx),
  }
  return rowsAndTotal(ctx, list, input, selectRows(ctx, sorting))
}

export const sourceDownload = serveDownload(
  merchantDownloads.source,
  (ctx, { columns, order, ...filters }: DownloadIn<typeof merchantDownloads.source>) =>
    planRows(ctx, sourceConditions(ctx, filters), sortingOf(order), { list: MERCHANT_SOURCES, columns }),
)

function sortingOf(order: Sorting['order']): Sorting {
  return { sort: 'registeredAt', order }
}

function sourceConditions(ctx: Ctx, filters: SourceFilters): Condition[] {
  const { search, agentId, registeredFrom, registeredTo } = filters
  return [
    ...conditionsOf(ctx, { search, agentId, registeredFrom, registeredTo }),
    ...equal('source', merchants.source, filters.source),
  ]
}
