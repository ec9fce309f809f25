// The shops of an import are taken back, batch by batch, by the rules by which single orders are undone.
import { and, asc, eq, inArray, notExists, sql } from 'drizzle-orm'
import { type Movement, post } from '#features/money/ledger/server.ts'
import { reversalsOf } from '#features/money/ledger/server-reversal.ts'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { versionOrderEffects, versionOrders } from '#features/sales/orders/tables.ts'
import { undoOrders } from '#features/sales/purchases/server-undo-many.ts'
import { STATUS_STEPS } from '#features/shops/merchants/rules.ts'
import { applyTerms } from '#features/shops/merchants/server-changes.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { countText } from '#kit/money.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { BACK_AT_ONCE, LINE_STEPS } from './rules.ts'
import { type ImportLine, type InHand, logBatch, takeInHand, tellImport } from './server-lines.ts'
import { takeStep } from './server-list.ts'
import { shopImports as imports, shopImportRows as lines } from './tables.ts'

export async function takeBackBatch(services: Services, id: number, atOnce = BACK_AT_ONCE): Promise<void> {
  await actAsSystem(services, 'imports roll-back', async system => {
    const hand = await takeInHand(system, id, true)
    if (!hand) return
    const made = await hand.ctx.db
      .select()
      .from(lines)
      .where(and(eq(lines.importId, id), eq(lines.state, 'created')))
      .orderBy(asc(lines.position))
      .limit(atOnce)
      .for('update')
    if (made.length === 0) await end(hand)
    else if (hand.one.mode === 'charge') await undoBought(hand, made)
    else await endTaken(hand, made)
  })
}

async function undoBought(hand: InHand, made: readonly ImportLine[]): Promise<void> {
  const { ctx, one } = hand
  const asked = { reason: one.rollBackReason, askedAt: one.rollBackAt ?? ctx.now.toISOString() }
  const numbers = made.flatMap(({ orderNo }) => orderNo ?? [])
  let back: number[] = []
  await undoOrders(ctx, numbers, asked, async previews => {
    const refusals = new Map(previews.map(({ orderNo, refusal }) => [orderNo, refusal?.message ?? '']))
    back = await settle(hand, made, line => refusals.get(line.orderNo ?? '') ?? UNDO_REFUSALS.UNDO_UNKNOWN)
  })
  await logBack(hand, back)
}

type Taken = {
  id: number
  agentId: number
  versionId: number
  shopsBought: number
  expiresAt: string | null
  termDay: number | null
  branches: number
  bought: boolean
}

/** A term that was taken over has no order: its shop must be as it was made, and nothing bought for it since. */
async function endTaken(hand: InHand, made: readonly ImportLine[]): Promise<void> {
  const { ctx, one } = hand
  const shops = new Map((await takenShops(ctx, made)).map(shop => [shop.id, shop]))
  const refusalOf = ({ merchantId, form }: ImportLine): string => {
    const shop = shops.get(merchantId ?? 0)
    if (!shop || shop.agentId !== one.agentId) return UNDO_REFUSALS.UNDO_MOVED
    if (shop.bought) return UNDO_REFUSALS.UNDO_NOT_LAST
    if (shop.versionId !== form?.versionId) return UNDO_REFUSALS.UNDO_CHANGED
    return shop.branches > 0 ? UNDO_REFUSALS.UNDO_HAS_BRANCHES : ''
  }
  const going = made.filter(line => refusalOf(line) === '')
  const now = ctx.now.toISOString()
  await applyTerms(
    ctx,
    going.flatMap(({ merchantId }) => {
      const shop = shops.get(merchantId ?? 0)
      if (!shop) return []
      const expiresAt = shop.expiresAt !== null && shop.expiresAt < now ? shop.expiresAt : now
      return [
        {
          merchantId: shop.id,
          versionId: shop.versionId,
          shopsBought: shop.shopsBought,
          expiresAt,
          termDay: shop.termDay,
          status: STATUS_STEPS.disable.to,
        },
      ]
    }),
  )
  const reversals = await reversalsOf(
    ctx,
    going.flatMap(({ orderNo }) => orderNo ?? []),
    one.rollBackReason,
  )
  const back = await settle(hand, made, refusalOf)
  await post(
    ctx,
    [...reversals.values()].flatMap(({ movements }): Movement[] => movements),
  )
  await logBack(hand, back)
}

function takenShops(ctx: Ctx, made: readonly ImportLine[]): Promise<Taken[]> {
  const ids = made.flatMap(({ merchantId }) => merchantId ?? [])
  const bought = ctx.db
    .select({ one: sql`1` })
    .from(versionOrderEffects)
    .innerJoin(versionOrders, eq(versionOrders.id, versionOrderEffects.orderId))
    .where(and(eq(versionOrderEffects.merchantId, merchants.id), eq(versionOrders.status, 'paid')))
  return ctx.db
    .select({
      id: merchants.id,
      agentId: merchants.agentId,
      versionId: merchants.versionId,
      shopsBought: merchants.shopsBought,
      expiresAt: merchants.expiresAt,
      termDay: merchants.termDay,
      branches: sql<number>`(select count(*)::int from merchants b where b.head_id = ${merchants.id})`,
      bought: sql<boolean>`not ${notExists(bought)}`,
    })
    .from(merchants)
    .where(inArray(merchants.id, ids))
    .orderBy(asc(merchants.id))
    .for('update')
}

async function settle(
  { ctx, one }: InHand,
  made: readonly ImportLine[],
  refusalOf: (line: ImportLine) => string,
): Promise<number[]> {
  const ends = made.map(line => {
    const problem = refusalOf(line)
    return {
      id: line.id,
      problem,
      state: LINE_STEPS[problem === '' ? 'takeBack' : 'keep'].to,
      merchantId: line.merchantId,
    }
  })
  await ctx.client.query(
    `update shop_import_rows r set state = u.state, problem = u.problem, password = null
     from jsonb_to_recordset($1::jsonb) as u (id bigint, state text, problem text) where r.id = u.id and r.state = 'created'`,
    [JSON.stringify(ends)],
  )
  const back = ends.filter(({ problem }) => problem === '')
  await ctx.db
    .update(imports)
    .set({ takenBack: sql`${imports.takenBack} + ${back.length}` })
    .where(eq(imports.id, one.id))
  return back.flatMap(({ merchantId }) => merchantId ?? [])
}

async function logBack(hand: InHand, shops: readonly number[]): Promise<void> {
  await logBatch(hand, '撤销导入的店铺', shops, [
    { name: '店铺', before: null, after: countText(shops.length, '家') },
    { name: '撤销原因', before: null, after: hand.one.rollBackReason },
  ])
}

async function end({ ctx, one }: InHand): Promise<void> {
  const kept = await ctx.db.$count(lines, and(eq(lines.importId, one.id), eq(lines.state, 'kept')))
  const problem = kept > 0 ? `${countText(kept, '家')}店铺未能撤销` : ''
  await takeStep(ctx, one.id, 'end', { problem, finishedAt: ctx.now.toISOString() })
  const back = `已撤销 ${countText(one.takenBack, '家')}`
  await tellImport(ctx, one, '导入的店铺已撤销', problem === '' ? back : `${back}，${problem}`)
}
