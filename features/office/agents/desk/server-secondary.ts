// The shops of the agents under the acting one, only to be read (decisions.md, "Stubs and defects").
import { and, asc, eq, gt, ilike, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { planRows } from '#features/shops/merchants/server-export.ts'
import {
  type Filters,
  filterConditions,
  lengthOf,
  orderOf,
  type Sorting,
  selectRows,
} from '#features/shops/merchants/server-list.ts'
import { merchantCounts, merchants } from '#features/shops/merchants/tables.ts'
import type { DownloadIn } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { serveDownload } from '#server/documents/export.ts'
import { type Condition, conditionOf, type PageIds, totalOf, valuesOf } from '#server/list.ts'
import { refuse } from '#server/refuse.ts'
import { agentDeskDownloads, type agentDesk as contract } from './contract.ts'
import { SECONDARY_MERCHANTS } from './fields.ts'

/** Up to so many agents each gives its first rows through its own index, and they are merged. */
const MERGED_AGENTS = 300
/** Further into the list it costs less to read the rows of all of them. */
const MERGED_ROWS = 1_000
const OPTIONS = 20

export const listSecondary: Verb<typeof contract.secondary> = async (ctx, input) => {
  refuseShortSearch(input)
  const below = await agentsBelow(ctx, input.agentId)
  if (below.length === 0) return { rows: [], total: 0, totalCapped: false }
  const conditions = filterConditions(ctx, { ...input, agentId: undefined })
  const rows = await rowsOf(ctx, below, conditions, input)
  if (conditions.length === 0)
    return { rows, total: below.reduce((sum, agent) => sum + agent.total, 0), totalCapped: false }
  const list = { ...SECONDARY, conditions: [ofAgents(below), ...conditions], order: orderOf(input) }
  return { rows, ...(await totalOf(ctx, { ...list, sort: `${input.sort} ${input.order}` })) }
}

const ID: PgColumn = merchants.id
const SECONDARY = { name: 'secondary merchants', table: merchants, id: ID }

export const secondaryAgents: Verb<typeof contract.secondaryAgents> = async (ctx, { search }) => {
  const rows = await ctx.db
    .select({ id: agents.id, companyName: agents.companyName })
    .from(agents)
    .where(and(isBelow(ctx), matches(search)))
    .orderBy(asc(agents.id))
    .limit(OPTIONS)
  return { rows }
}

function matches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  const byName = ilike(agents.companyName, `%${search.replace(/[\\%_]/g, '\\$&')}%`)
  return /^\d{1,15}$/.test(search) ? or(eq(agents.id, Number(search)), byName) : byName
}

export const secondaryDownload = serveDownload(
  agentDeskDownloads.secondary,
  async (ctx, { columns, sort, order, ...filters }: DownloadIn<typeof agentDeskDownloads.secondary>) => {
    refuseShortSearch(filters)
    const below = await agentsBelow(ctx, filters.agentId)
    const conditions = [ofAgents(below), ...filterConditions(ctx, { ...filters, agentId: undefined })]
    return planRows(ctx, conditions, { sort, order }, { list: SECONDARY_MERCHANTS, columns })
  },
)

/** One character would read every row of every agent. */
function refuseShortSearch({ search, agentId }: Pick<Filters, 'search' | 'agentId'>): void {
  if (search && lengthOf(search) < 2 && agentId === undefined) refuse('SEARCH_TOO_SHORT', REFUSALS)
}

/** First wall: the agents whose parent is the acting one; for vendor staff, all that have a parent. */
function isBelow(ctx: Ctx): SQL {
  return ownRows(ctx, agents.parentId) ?? isNotNull(agents.parentId)
}

type AgentBelow = { id: number; total: number }

/** The agents below that have shops, or the one of them that is asked for. */
function agentsBelow(ctx: Ctx, agentId: number | undefined): Promise<AgentBelow[]> {
  return ctx.db
    .select({ id: agents.id, total: merchantCounts.total })
    .from(agents)
    .innerJoin(merchantCounts, eq(merchantCounts.agentId, agents.id))
    .where(
      and(
        isBelow(ctx),
        gt(merchantCounts.total, 0),
        agentId === undefined ? undefined : eq(agents.id, agentId),
      ),
    )
}

function ofAgents(below: readonly AgentBelow[]): Condition {
  return {
    key: 'below',
    sql: sql`${merchants.agentId} = any(${sql.placeholder('below')}::bigint[])`,
    values: { below: below.map(agent => agent.id) },
  }
}

type Asked = Sorting & { page: number; size: number; search?: string | undefined }

async function rowsOf(ctx: Ctx, below: readonly AgentBelow[], conditions: Condition[], asked: Asked) {
  const reach = asked.page * asked.size
  const isMerged =
    !asked.search && (below.length === 1 || (below.length <= MERGED_AGENTS && reach <= MERGED_ROWS))
  const kind = `secondary ${isMerged ? 'merged' : 'all'} ${asked.sort} ${asked.order}`
  const key = [kind, ...conditions.map(condition => condition.key)].join(' ')
  const statement = ctx.prepared(key, () => {
    const ids = isMerged ? mergedIds(ctx, conditions, asked) : allIds(ctx, below, conditions, asked)
    return selectRows(ctx, asked)(ids).prepare('')
  })
  return statement.execute({
    ...valuesOf([ofAgents(below), ...conditions]),
    limit: asked.size,
    offset: reach - asked.size,
    reach,
  })
}

function allIds(ctx: Ctx, below: readonly AgentBelow[], conditions: Condition[], sorting: Sorting): PageIds {
  const ids = ctx.db
    .select({ id: ID })
    .from(merchants)
    .where(conditionOf({ conditions: [ofAgents(below), ...conditions] }))
    .orderBy(...orderOf(sorting))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
  return ctx.db.$with('page').as(ids)
}

/** The first rows of each agent, each read through an index, and of those the page. */
function mergedIds(ctx: Ctx, conditions: Condition[], sorting: Sorting): PageIds {
  const first = ctx.db
    .select({ id: ID, at: sql`${merchants[sorting.sort]}`.as('at') })
    .from(merchants)
    .where(and(eq(merchants.agentId, agents.id), conditionOf({ conditions })))
    .orderBy(...orderOf(sorting))
    .limit(sql.placeholder('reach'))
    .as('first')
  const ids = ctx.db
    .select({ id: first.id })
    .from(agents)
    .crossJoinLateral(first)
    .where(sql`${agents.id} = any(${sql.placeholder('below')}::bigint[])`)
    .orderBy(...orderOf(sorting, sql`${first.at}`, sql`${first.id}`))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
  return ctx.db.$with('page').as(ids)
}
