// The tree of partners, one level at a time.
import { eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { AgentStatus } from '#features/office/agents/rules.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { merchantCounts } from '#features/shops/merchants/tables.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import type { partnerDesk as contract } from './contract.ts'
import { TREE_ROWS } from './rules.ts'
import { pageOfRows } from './server-people.ts'

type Row = { id: string; name: string; level: string; status: AgentStatus; children: string; shops: string }

export const listTree: Verb<typeof contract.tree> = async (ctx, { parentId, after, below }) => {
  const children = sql`(select count(*) from ${agents} as under where under.parent_id = ${agents.id})`
  const conditions: (SQL | undefined)[] = [
    ownRows(ctx, agents.id),
    // The vendor's own companies stand above the tree.
    parentId === undefined
      ? sql`${isNull(agents.parentId)} and not ${agents.isOperator} and not ${agents.isVendorStaff}`
      : eq(agents.parentId, parentId),
    after === undefined ? undefined : sql`${agents.id} > ${after}`,
    below ? sql`exists (select from ${agents} as under where under.parent_id = ${agents.id})` : undefined,
  ]
  const where = sql.join(
    conditions.filter(condition => condition !== undefined),
    sql` and `,
  )
  const { rows } = await ctx.db.execute<Row>(sql`
    select ${agents.id} as id, ${agents.companyName} as name, ${agentLevels.name} as level, ${agents.status} as status,
      ${children} as children, coalesce(${merchantCounts.total}, 0) as shops
    from ${agents} join ${agentLevels} on ${agentLevels.id} = ${agents.levelId}
      left join ${merchantCounts} on ${merchantCounts.agentId} = ${agents.id}
    where ${where} order by ${agents.id} limit ${TREE_ROWS + 1}`)
  return pageOfRows(
    rows.map(({ id, name, level, status, children: under, shops }) => ({
      id: Number(id),
      companyName: name,
      levelName: level,
      status,
      children: Number(under),
      shops: Number(shops),
    })),
    TREE_ROWS,
  )
}
