// What a shop's point-of-sale software reads: which templates are meant for the shop, and their contents.
import { and, eq, isNull } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { printTemplatesAtPos as contract } from './contract-pos.ts'
import { isMeant } from './rules.ts'
import { servedTo } from './server-live.ts'
import { withAudiences } from './server-rows.ts'
import { printTemplateVersions as versions } from './tables.ts'

/** The shop, of those that the key may see. */
async function shopOf(ctx: Ctx, id: number) {
  const [shop] = await ctx.db
    .select({ id: merchants.id, industryId: merchants.industryId })
    .from(merchants)
    .where(and(eq(merchants.id, id), ownRows(ctx, merchants.agentId)))
  return found(shop)
}

const listTemplates: Verb<typeof contract.templates> = async (ctx, { id }) => {
  const answer = { templates: await servedTo(ctx, await shopOf(ctx, id)) }
  ctx.request.tag(JSON.stringify(answer))
  return answer
}

/** Also a version that a newer one has superseded since the list was read, but none that is withdrawn. */
const readTemplate: Verb<typeof contract.template> = async (ctx, { id, templateId, version }) => {
  const shop = await shopOf(ctx, id)
  const [row] = await ctx.db
    .select()
    .from(versions)
    .where(
      and(eq(versions.templateId, templateId), eq(versions.number, version), isNull(versions.withdrawnAt)),
    )
  const { kind, name, publishedAt, content } = found(row)
  const [one] = await withAudiences(ctx, templateId, row ? [row] : [])
  found(one && isMeant(one.audience, shop) ? one : null)
  const answer = {
    id: templateId,
    kind,
    version,
    name,
    publishedAt,
    content: content as Record<string, unknown>,
  }
  ctx.request.tag(JSON.stringify(answer))
  return answer
}

export const printTemplatesPosRouter = serve(contract, { templates: listTemplates, template: readTemplate })
