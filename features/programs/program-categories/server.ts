// The list of categories that holds, and the platform's own in its place.
import { desc, sql } from 'drizzle-orm'
import { askPlatform } from '#features/programs/platform/server-asking.ts'
import { someProgram } from '#features/programs/platform/server-platform.ts'
import { countText } from '#kit/money.ts'
import { type Ctx, identityOf, type Verb } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { Refusal, refuse, refuseCommon, staffAlone } from '#server/refuse.ts'
import { makeCtx, serve } from '#server/serve.ts'
import { programCategories as contract } from './contract.ts'
import { BUILT_IN_LIST } from './reference.ts'
import { CATEGORY_REFUSALS, LIST_SOURCES, type OfferedCategory, placedOf, stepsOf } from './rules.ts'
import { programCategoryLists as lists } from './tables.ts'

/** The newest; a fresh office has the one that is built in. */
export async function listInForce(ctx: Ctx) {
  const [row] = await ctx.db.select().from(lists).orderBy(desc(lists.id)).limit(1)
  return row ?? BUILT_IN_LIST
}

export const listCategories: Verb<typeof contract.list> = async ctx => {
  const { categories, ...list } = await listInForce(ctx)
  return { ...list, categories: [...categories] }
}

const refresh: Verb<typeof contract.refresh> = async (ctx, { seen }) => {
  staffAlone(ctx)
  await inTurn(ctx, one => listSeen(one, seen))
  const categories = await askedOf(ctx)
  refuse(stepsOf(categories).length === 0 ? 'NOTHING_TOLD' : null, CATEGORY_REFUSALS)
  const { actor } = ctx
  await inTurn(ctx, async one => {
    // Two at once take it one after the other.
    await one.db.execute(sql`select pg_advisory_xact_lock(hashtext('program_category_lists'))`)
    const before = await listSeen(one, seen)
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

/** The list in force, where it is still the one that was seen. */
async function listSeen(ctx: Ctx, seen: number) {
  const list = await listInForce(ctx)
  if (list.id !== seen) refuseCommon('STALE')
  return list
}

/** A transaction in the name of whoever acts. */
function inTurn<T>({ services, request, actor }: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return services.database.write(identityOf(actor, services.walls), lent =>
    work(makeCtx(lent, { services, request }, actor).ctx),
  )
}

/** What the platform offers, asked through any mini program that is authorised. */
function askedOf({ services }: Ctx): Promise<OfferedCategory[]> {
  return askPlatform(services, CATEGORY_REFUSALS, async () => {
    const program = await someProgram(services)
    if (!program) throw new Refusal('NO_PROGRAM', CATEGORY_REFUSALS.NO_PROGRAM)
    return placedOf(await program.offeredCategories())
  })
}

export const categoriesRouter = serve(contract, { list: listCategories, refresh })
