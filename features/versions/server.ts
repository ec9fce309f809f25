import { asc, eq } from 'drizzle-orm'
import type { Out } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { serve } from '#server/serve.ts'
import { versions as contract } from './contract.ts'
import { versions } from './tables.ts'

export async function listVersions(ctx: Ctx): Promise<Out<typeof contract.list>> {
  const rows = await ctx.db
    .select()
    .from(versions)
    .where(eq(versions.enabled, true))
    .orderBy(asc(versions.position))
  return { rows }
}

export const versionsRouter = serve(contract, { list: listVersions })
