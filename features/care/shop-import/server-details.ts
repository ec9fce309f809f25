// One import as its page shows it.
import { and, eq, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { shopImport as contract } from './contract.ts'
import { IMPORT_REFUSALS } from './rules.ts'
import { backOffer, extentOf, rollBackRefusal } from './server-approval.ts'
import { countsOf } from './server-lines.ts'
import { shopImports as imports, shopImportRows as lines } from './tables.ts'

export const findDetails: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({ one: imports, agentName: agents.companyName })
    .from(imports)
    .innerJoin(agents, eq(agents.id, imports.agentId))
    .where(and(eq(imports.id, id), ownRows(ctx, imports.agentId)))
  const { one, agentName } = found(row)
  const refusal = await rollBackRefusal(ctx, one)
  const counts = await countsOf(ctx, id)
  const passwords = await ctx.db.$count(
    lines,
    and(eq(lines.importId, id), eq(lines.state, 'created'), sql`${lines.password} is not null`),
  )
  return {
    ...one,
    agentName,
    counts,
    rollBackRefusal: refusal && IMPORT_REFUSALS[refusal],
    // Of a draft the rehearsal says it, with what it would cost.
    back: await backOffer(ctx, one, extentOf(one)),
    passwords,
  }
}
