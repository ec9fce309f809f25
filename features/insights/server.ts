import { asc } from 'drizzle-orm'
import { agentLevels } from '#features/agents/tables.ts'
import type { Verb } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { insights as contract } from './contract.ts'
import { findFunds } from './server-funds.ts'
import { rankPartners } from './server-ranking.ts'

const listLevels: Verb<typeof contract.levels> = async ctx => ({
  rows: await ctx.db
    .select({ id: agentLevels.id, name: agentLevels.name })
    .from(agentLevels)
    .orderBy(asc(agentLevels.id)),
})

export const insightsRouter = serve(contract, {
  partners: rankPartners,
  levels: listLevels,
  funds: findFunds,
})
