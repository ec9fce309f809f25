// Under whose name a page stands: what of an agency whoever opens a public page may know, and no more.
import { and, eq, type SQL } from 'drizzle-orm'
import type { Ctx, Services } from '#server/ctx.ts'
import { agentLabelOf } from '#server/own-origin.ts'
import { readAsSystem } from '#server/system.ts'
import type { Brand } from './contract.ts'
import { agents } from './tables.ts'

/** The brand of an agency, for public pages that name it; null where it is none or disabled. */
export function brandOf(ctx: Ctx, agentId: number): Promise<Brand | null> {
  return findBrand(ctx, eq(agents.id, agentId))
}

/**
 * The brand of the agency whose domain a request named, or null: no such domain, nobody's, or of an agency that is disabled, all
 * alike. A database that does not answer leaves the page without it.
 */
export async function brandAt(services: Services, host: string | undefined): Promise<Brand | null> {
  const label = agentLabelOf(host, services.env)
  if (label === null) return null
  try {
    return await readAsSystem(services, ctx => findBrand(ctx, eq(agents.domainLabel, label)))
  } catch (error) {
    services.onProblem(error)
    return null
  }
}

async function findBrand(ctx: Ctx, wanted: SQL): Promise<Brand | null> {
  const [brand] = await ctx.db
    .select({ companyName: agents.companyName, logoId: agents.logoId })
    .from(agents)
    .where(and(wanted, agents.enabled))
  return brand ?? null
}
