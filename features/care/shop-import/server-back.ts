// The shops of an import are taken back, batch by batch, by the rules by which single orders are undone: those that nobody has used go
// as if they had never been, and stay with their line alone; others stay as they are, each with why.
import { and, asc, eq, inArray, notExists, type SQL, sql } from 'drizzle-orm'
import { type Movement, post } from '#features/money/ledger/server.ts'
import { reversalsOf } from '#features/money/ledger/server-reversal.ts'
import { ORDER_STEPS, UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { removeUndone } from '#features/sales/orders/server.ts'
import { versionOrderEffects, versionOrders } from '#features/sales/orders/tables.ts'
import { undoOrders } from '#features/sales/purchases/server-undo-many.ts'
import { closeUndone } from '#features/sales/settlement/server-pending.ts'
import { removeShops } from '#features/shops/merchants/server-changes.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { countText } from '#kit/money.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { BACK_AT_ONCE, LINE_STEPS, type Remains, USES, type Use } from './rules.ts'
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
  // Orders before shops, as an undo locks them.
  const orders = await ctx.db
    .select({ orderNo: versionOrders.orderNo, status: versionOrders.status })
    .from(versionOrders)
    .where(inArray(versionOrders.orderNo, numbersOf(made)))
    .orderBy(asc(versionOrders.id))
    .for('update')
  const undone = new Set(
    orders.flatMap(({ orderNo, status }) => (status === ORDER_STEPS.undo.to ? orderNo : [])),
  )
  const used = await usesOf(hand, made)
  const paid = made.filter(({ id, orderNo }) => !used.has(id) && !undone.has(orderNo ?? ''))
  let going: ImportLine[] = []
  await undoOrders(ctx, numbersOf(paid), asked, async previews => {
    const refusals = new Map(previews.map(({ orderNo, refusal }) => [orderNo, refusal?.message ?? '']))
    going = await settle(hand, made, ({ id, orderNo }) => {
      const no = orderNo ?? ''
      return used.get(id) ?? (undone.has(no) ? '' : (refusals.get(no) ?? UNDO_REFUSALS.UNDO_UNKNOWN))
    })
    await closeUndone(ctx, numbersOf(going))
  })
  await remove(hand, going)
}

const numbersOf = (made: readonly ImportLine[]) => made.flatMap(({ orderNo }) => orderNo ?? [])
const shopsOf = (made: readonly ImportLine[]) => made.flatMap(({ merchantId }) => merchantId ?? [])

/** Locks the shops of these lines; by their lines those that somebody has used or that are another agency's, each with why it stays. */
async function usesOf({ ctx, one }: InHand, made: readonly ImportLine[]): Promise<Map<number, string>> {
  const locked = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(inArray(merchants.id, shopsOf(made)), eq(merchants.agentId, one.agentId)))
    .orderBy(asc(merchants.id))
    .for('update')
  const asked = made.filter(({ merchantId, orderNo }) => merchantId !== null && orderNo !== null)
  const column = (values: readonly unknown[], type: string): SQL =>
    sql`${sql.param(values)}::${sql.raw(type)}[]`
  const { rows } = await ctx.db.execute<{ shop: string; used: Use }>(
    sql`select shop, used from shop_uses(${column(shopsOf(asked), 'bigint')}, ${column(numbersOf(asked), 'text')}) order by shop, used`,
  )
  const uses = Map.groupBy(rows, ({ shop }) => Number(shop))
  const there = new Set(locked.map(({ id }) => id))
  return new Map(
    made.flatMap(({ id, merchantId }) => {
      if (!there.has(merchantId ?? 0)) return [[id, UNDO_REFUSALS.UNDO_MOVED] as const]
      const found = uses.get(merchantId ?? 0) ?? []
      return found.length === 0 ? [] : [[id, found.map(({ used }) => USES[used]).join('，')] as const]
    }),
  )
}

/** What went stands with its line alone from here on. */
async function remove(hand: InHand, going: readonly ImportLine[]): Promise<void> {
  const { ctx } = hand
  if (going.length === 0) return
  const shops = await removeShops(ctx, shopsOf(going))
  const orders = await removeUndone(ctx, numbersOf(going))
  const kept = going.map(({ id, merchantId, orderNo }): { id: number; remains: Remains } => {
    const shop = shops.get(merchantId ?? 0)
    if (!shop) throw new Error(`shop ${merchantId} was to go`)
    return { id, remains: { shop, order: orders.get(orderNo ?? '') ?? null } }
  })
  await ctx.client.query(
    `update shop_import_rows r set remains = u.remains
     from jsonb_to_recordset($1::jsonb) as u (id bigint, remains jsonb) where r.id = u.id`,
    [JSON.stringify(kept)],
  )
  await logBack(hand, shopsOf(going))
}

type Taken = { id: number; agentId: number; versionId: number; bought: boolean }

/** A term that was taken over has no order: its shop must be as it was made, and nothing bought for it since. */
async function endTaken(hand: InHand, made: readonly ImportLine[]): Promise<void> {
  const { ctx, one } = hand
  const shops = new Map((await takenShops(ctx, made)).map(shop => [shop.id, shop]))
  const used = await usesOf(hand, made)
  const refusalOf = ({ id, merchantId, form }: ImportLine): string => {
    const use = used.get(id)
    if (use) return use
    const shop = shops.get(merchantId ?? 0)
    if (!shop || shop.agentId !== one.agentId) return UNDO_REFUSALS.UNDO_MOVED
    if (shop.bought) return UNDO_REFUSALS.UNDO_NOT_LAST
    return shop.versionId === form?.versionId ? '' : UNDO_REFUSALS.UNDO_CHANGED
  }
  const reversals = await reversalsOf(
    ctx,
    numbersOf(made.filter(line => refusalOf(line) === '')),
    one.rollBackReason,
  )
  const going = await settle(hand, made, refusalOf)
  await post(
    ctx,
    [...reversals.values()].flatMap(({ movements }): Movement[] => movements),
  )
  await remove(hand, going)
}

function takenShops(ctx: Ctx, made: readonly ImportLine[]): Promise<Taken[]> {
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
      bought: sql<boolean>`not ${notExists(bought)}`,
    })
    .from(merchants)
    .where(inArray(merchants.id, shopsOf(made)))
    .orderBy(asc(merchants.id))
    .for('update')
}

async function settle(
  { ctx, one }: InHand,
  made: readonly ImportLine[],
  refusalOf: (line: ImportLine) => string,
): Promise<ImportLine[]> {
  const ends = made.map(line => {
    const problem = refusalOf(line)
    return {
      id: line.id,
      problem,
      state: LINE_STEPS[problem === '' ? 'takeBack' : 'keep'].to,
    }
  })
  await ctx.client.query(
    `update shop_import_rows r set state = u.state, problem = u.problem, password = null
     from jsonb_to_recordset($1::jsonb) as u (id bigint, state text, problem text) where r.id = u.id and r.state = 'created'`,
    [JSON.stringify(ends)],
  )
  const going = made.filter((_, at) => ends[at]?.problem === '')
  await ctx.db
    .update(imports)
    .set({ takenBack: sql`${imports.takenBack} + ${going.length}` })
    .where(eq(imports.id, one.id))
  return going
}

async function logBack(hand: InHand, shops: readonly number[]): Promise<void> {
  await logBatch(hand, '撤回导入的店铺', shops, [
    { name: '店铺', before: null, after: countText(shops.length, '家') },
    { name: '撤回原因', before: null, after: hand.one.rollBackReason },
  ])
}

async function end({ ctx, one }: InHand): Promise<void> {
  const kept = await ctx.db.$count(lines, and(eq(lines.importId, one.id), eq(lines.state, 'kept')))
  const problem = kept > 0 ? `${countText(kept, '家')}店铺未能撤回` : ''
  await takeStep(ctx, one.id, 'end', { problem, finishedAt: ctx.now.toISOString() })
  const back = `已撤回 ${countText(one.takenBack, '家')}`
  await tellImport(ctx, one, '导入的店铺已撤回', problem === '' ? back : `${back}，${problem}`)
}
