// Who may open the trial version of a mini program. The platform keeps them; what it does not tell, whose number it is and who added it, is kept here.
import { and, eq } from 'drizzle-orm'
import { askPlatform } from '#features/programs/platform/server-asking.ts'
import { maskWechat } from '#features/programs/program-applications/rules.ts'
import { lockApplication } from '#features/programs/program-applications/server-decide.ts'
import { nameOf } from '#features/programs/program-applications/server-save.ts'
import { lockFlow } from '#features/programs/program-flow/server-flows.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { cleanLine } from '#kit/words/cleaned.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found, refuse } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { programVersions as contract } from './contract.ts'
import { refuseWechat, VERSION_REFUSALS } from './rules.ts'
import { authorized } from './server-rows.ts'
import { programTesters as kept } from './tables.ts'

const WORDS = {
  ...VERSION_REFUSALS,
  PLATFORM_SILENT: '微信没有答复，请刷新体验者名单核对后再试',
  PLATFORM_REFUSED: '体验者设置失败',
}
const ADD_WORDS = { ...WORDS, PLATFORM_REFUSED: '体验者添加失败' }

export const testers: Verb<typeof contract.testers> = async (ctx, { id }) => {
  const { services, request, actor } = ctx
  const { appid } = await authorized(ctx, id)
  const there = await askPlatform(services, VERSION_REFUSALS, platform => platform.of(appid).testers())
  const ours = await services.database.read(identityOf(actor, services.walls), lent => {
    const one = makeCtx(lent, { services, request }, actor).ctx
    return one.db
      .select()
      .from(kept)
      .where(and(eq(kept.applicationId, id), eq(kept.appid, appid), ownRows(one, kept.agentId)))
  })
  return {
    testers: there.map(userString => {
      const known = ours.find(one => one.userString === userString)
      const { wechatMasked = null, addedByName = null, addedAt = null } = known ?? {}
      return { userString, wechatMasked, addedByName, addedAt }
    }),
  }
}

/** A transaction in the name of whoever acts. */
function inTurn<T>({ services, request, actor }: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return services.database.write(identityOf(actor, services.walls), lent =>
    work(makeCtx(lent, { services, request }, actor).ctx),
  )
}

/** Whose trial version may be opened by others now; ends before the platform is asked. */
const changeable = (ctx: Ctx, id: number) =>
  inTurn(ctx, async one => {
    const { shop, flow } = await lockFlow(one, id)
    refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
    refuse(flow.appid !== null && flow.isAuthorized ? null : 'NOT_AUTHORIZED', VERSION_REFUSALS)
    return found(flow.appid ?? undefined)
  })

export const addTester: Verb<typeof contract.addTester> = async (ctx, { id, wechat: typed }) => {
  const wechat = cleanLine(typed)
  refuse(refuseWechat(wechat), VERSION_REFUSALS, { field: 'wechat' })
  const appid = await changeable(ctx, id)
  const userString = await askPlatform(ctx.services, ADD_WORDS, platform =>
    platform.of(appid).addTester(wechat),
  )
  await inTurn(ctx, async one => {
    const { shop, row } = await lockApplication(one, id)
    const { agentId, merchantId } = row
    const wechatMasked = maskWechat(wechat)
    const known = {
      ...{ wechat: one.services.secrets.encrypt(wechat), wechatMasked },
      ...{ addedByName: nameOf(one), addedAt: one.now.toISOString() },
    }
    await one.db
      .insert(kept)
      .values({ agentId, merchantId, applicationId: id, appid, userString, ...known })
      .onConflictDoUpdate({ target: [kept.appid, kept.userString], set: known })
    await log(one, shop, id, '添加小程序体验者', { before: null, after: wechatMasked })
  })
  return { userString }
}

export const removeTester: Verb<typeof contract.removeTester> = async (ctx, { id, userString }) => {
  const appid = await changeable(ctx, id)
  await askPlatform(ctx.services, WORDS, async platform => {
    const program = platform.of(appid)
    // One that is gone already is refused by no platform alike.
    refuse((await program.testers()).includes(userString) ? null : 'TESTER_GONE', VERSION_REFUSALS)
    await program.removeTester(userString)
  })
  await inTurn(ctx, async one => {
    const { shop } = await lockApplication(one, id)
    const [gone] = await one.db
      .delete(kept)
      .where(and(eq(kept.appid, appid), eq(kept.userString, userString), ownRows(one, kept.agentId)))
      .returning({ wechatMasked: kept.wechatMasked })
    const before = gone?.wechatMasked ?? '由其他方式添加的体验者'
    await log(one, shop, id, '移除小程序体验者', { before, after: '' })
  })
  return { userString }
}

type Shop = Awaited<ReturnType<typeof lockApplication>>['shop']

async function log(
  ctx: Ctx,
  shop: Shop,
  id: number,
  title: string,
  change: { before: string | null; after: string },
): Promise<void> {
  await logOperation(ctx, {
    ...{ operation: '/program-versions/testers', title, subject: `${shop.shopName} (${shop.id})` },
    ...{ merchantId: shop.id, aboutAgentId: shop.agentId },
    objects: [objectKey('programApplication', id)],
    changes: [{ name: '体验者', ...change }],
    by: ctx.actor,
  })
}
