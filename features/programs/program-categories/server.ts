// The list of categories that holds, and the platform's own in its place.
import { desc } from 'drizzle-orm'
import { platformOf, someProgram } from '#features/programs/platform/server-platform.ts'
import { countText } from '#kit/money.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { type Ctx, identityOf, type Verb } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found, Refusal, refuse, staffAlone } from '#server/refuse.ts'
import { makeCtx, serve } from '#server/serve.ts'
import { programCategories as contract } from './contract.ts'
import { CATEGORY_REFUSALS, LIST_SOURCES, type OfferedCategory, placedOf, stepsOf } from './rules.ts'
import { programCategoryLists as lists } from './tables.ts'

/** The newest; a fresh office has the one that is built in. */
export async function listInForce(ctx: Ctx) {
  const [row] = await ctx.db.select().from(lists).orderBy(desc(lists.id)).limit(1)
  return found(row)
}

const list: Verb<typeof contract.list> = async ctx => {
  const { source, takenAt, takenByName, categories } = await listInForce(ctx)
  return { source, takenAt, takenByName, categories: [...categories] }
}

const refresh: Verb<typeof contract.refresh> = async ctx => {
  staffAlone(ctx)
  const categories = await askedOf(ctx)
  refuse(stepsOf(categories).length === 0 ? 'NOTHING_TOLD' : null, CATEGORY_REFUSALS)
  const { services, request, actor } = ctx
  await services.database.write(identityOf(actor, services.walls), async lent => {
    const { ctx: one } = makeCtx(lent, { services, request }, actor)
    const before = await listInForce(one)
    await one.db.insert(lists).values({
      ...{ source: 'platform', takenAt: one.now.toISOString(), takenByName: actor.name, categories },
    })
    await logOperation(one, {
      operation: '/program-categories/refresh refresh',
      title: '更新小程序类目',
      subject: LIST_SOURCES.platform,
      objects: [objectKey('reference', 'program-categories')],
      changes: [
        {
          name: '类目数',
          before: countText(before.categories.length, '个'),
          after: countText(categories.length, '个'),
        },
      ],
      by: actor,
    })
  })
  return { categories: categories.length }
}

/** What the platform offers, asked through any mini program that is authorised. */
async function askedOf({ services }: Ctx): Promise<OfferedCategory[]> {
  const platform = platformOf(services)
  if (!platform) throw new Refusal('NOT_CONNECTED', CATEGORY_REFUSALS.NOT_CONNECTED)
  const program = await someProgram(services)
  if (!program) throw new Refusal('NO_PROGRAM', CATEGORY_REFUSALS.NO_PROGRAM)
  try {
    return placedOf(await program.offeredCategories())
  } catch (error) {
    if (error instanceof ProviderRefused) {
      const { words, advice } = platform.troubleOf(error)
      throw new Refusal('PLATFORM_REFUSED', `${CATEGORY_REFUSALS.PLATFORM_REFUSED}：${words}。${advice}`)
    }
    if (error instanceof ProviderBusy || error instanceof ProviderUnknown)
      throw new Refusal('PLATFORM_SILENT', CATEGORY_REFUSALS.PLATFORM_SILENT)
    throw error
  }
}

export const categoriesRouter = serve(contract, { list, refresh })
