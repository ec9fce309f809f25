// What stands to be chosen in what a POS sends: versions and industries of a registration, districts of an address.
import { asc, eq, isNull } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { refuseOnAdd } from '#features/sales/selling/server-add.ts'
import { industries } from '#features/shops/merchants/tables.ts'
import { isSoldBy, pricedVersion } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import type { pos as contract } from './contract-pos.ts'

export const listChoices: Verb<typeof contract.choices> = async ctx => {
  const [agency] = await ctx.db
    .select({ format: agents.accountFormat })
    .from(agents)
    .where(eq(agents.id, ctx.actor.agentId))
  const sold = await ctx.db
    .select({ version: pricedVersion(), authorised: isSoldBy(agents.id) })
    .from(versions)
    .innerJoin(agents, eq(agents.id, ctx.actor.agentId))
    .orderBy(asc(versions.position), asc(versions.id))
  const offered = await ctx.db
    .select({ id: industries.id, name: industries.name })
    .from(industries)
    .where(isNull(industries.retiredAt))
    .orderBy(asc(industries.position), asc(industries.id))
  const answer = {
    accountFormat: found(agency).format,
    versions: sold
      .filter(one => refuseOnAdd(one) === null)
      .map(({ version: { id, code, name } }) => ({ id, code, name })),
    industries: offered,
  }
  ctx.request.tag(JSON.stringify(answer))
  return answer
}

export const listDistricts: Verb<typeof contract.districts> = async (ctx, { under }) => {
  const regions = await regionsOf(ctx)
  const districts = regions
    .offered()
    .filter(({ code }) => code.length === 6 && code.startsWith(under))
    .map(({ code, name }) => ({ code, name, wholeName: regions.regionName(code) }))
  ctx.request.tag(JSON.stringify(districts))
  return { districts }
}
