import { and, asc, count, eq, gte, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { agentMatches } from '#features/agents/server.ts'
import { agentLevels, agents } from '#features/agents/tables.ts'
import { ledgerAccounts } from '#features/ledger/tables.ts'
import { merchantCounts } from '#features/merchants/tables.ts'
import { discountNow } from '#features/prices/server.ts'
import { maskPhone } from '#kit/phone.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { agentDesk as contract } from './contract.ts'
import { endOwnerSessions, listOwners, resetOwnerFactors } from './server-owners.ts'
import { listSecondary, secondaryAgents } from './server-secondary.ts'

const parents = alias(agents, 'parents')
const tokens = alias(ledgerAccounts, 'tokens')
const sms = alias(ledgerAccounts, 'sms')

const listAgents: Verb<typeof contract.list> = async (ctx, input) => {
  const { status, parentId, contractFrom, contractTo } = input
  const where = and(
    ownRows(ctx, agents.id),
    agentMatches(input.search),
    status && eq(agents.status, status),
    parentId === undefined ? undefined : eq(agents.parentId, parentId),
    contractFrom ? gte(agents.contractTo, contractFrom) : undefined,
    contractTo ? lte(agents.contractTo, contractTo) : undefined,
  )
  const rows = await ctx.db
    .select({
      id: agents.id,
      companyName: agents.companyName,
      contactName: agents.contactName,
      mobile: agents.mobile,
      levelName: agentLevels.name,
      discountBasisPoints: discountNow(),
      parentName: parents.companyName,
      status: agents.status,
      payEnabled: agents.payEnabled,
      merchantCount: sql<number>`coalesce(${merchantCounts.total}, 0)`.mapWith(Number),
      tokenBalanceCents: sql<number>`coalesce(${tokens.balance}, 0)`.mapWith(Number),
      smsBalance: sql<number>`coalesce(${sms.balance}, 0)`.mapWith(Number),
      createdAt: agents.createdAt,
      contractTo: agents.contractTo,
    })
    .from(agents)
    .innerJoin(agentLevels, eq(agentLevels.id, agents.levelId))
    .leftJoin(parents, eq(parents.id, agents.parentId))
    .leftJoin(merchantCounts, eq(merchantCounts.agentId, agents.id))
    .leftJoin(
      tokens,
      and(eq(tokens.ownerKind, 'agent'), eq(tokens.ownerId, agents.id), eq(tokens.asset, 'token')),
    )
    .leftJoin(sms, and(eq(sms.ownerKind, 'agent'), eq(sms.ownerId, agents.id), eq(sms.asset, 'sms')))
    .where(where)
    .orderBy(asc(agents.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const [totals] = await ctx.db.select({ total: count() }).from(agents).where(where)
  return {
    rows: rows.map(row => ({ ...row, mobile: maskPhone(row.mobile) })),
    total: totals?.total ?? 0,
    totalCapped: false,
  }
}

export const agentDeskRouter = serve(contract, {
  list: listAgents,
  owners: listOwners,
  resetOwnerFactors,
  endOwnerSessions,
  secondary: listSecondary,
  secondaryAgents,
})
