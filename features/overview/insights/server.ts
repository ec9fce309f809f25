import { asc } from 'drizzle-orm'
import { agentLevels } from '#features/office/agents/tables.ts'
import type { Verb } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { insights as contract } from './contract.ts'
import { OWN_LEVEL, OWN_LEVEL_NAME } from './rules.ts'
import { findCohorts } from './server-cohorts.ts'
import { findFunds } from './server-funds.ts'
import { findIncome, findPlan, setPlan } from './server-income.ts'
import { rankPartners } from './server-ranking.ts'
import { listRenewals } from './server-renewals.ts'
import { findSales } from './server-sales.ts'

const listLevels: Verb<typeof contract.levels> = async ctx => ({
  rows: [
    { id: OWN_LEVEL, name: OWN_LEVEL_NAME },
    ...(await ctx.db
      .select({ id: agentLevels.id, name: agentLevels.name })
      .from(agentLevels)
      .orderBy(asc(agentLevels.id))),
  ],
})

export const insightsRouter = serve(contract, {
  partners: rankPartners,
  levels: listLevels,
  sales: findSales,
  cohorts: findCohorts,
  renewals: listRenewals,
  income: findIncome,
  plan: findPlan,
  setPlan,
  funds: findFunds,
})
