// What has changed at shops, as a feed by number for programs that hold a copy of them.
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { type Ctx, ownRows, type Services } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import { CHANGE_REFUSALS, type ChangeData, type ChangeTopic, PAGE_MOST, refuseCursor } from './rules.ts'
import { shopChangeEnds, shopChanges } from './tables.ts'

/** Given numbers in one transaction. */
const SEQUENCED_AT_ONCE = 1_000

export type ShopChange = {
  seq: number
  at: string
  topic: ChangeTopic
  agentId: number
  /** Null: of the agency. */
  shopId: number | null
  data: ChangeData
}

export type ChangesRead = {
  changes: ShopChange[]
  /** What the next page begins after. */
  last: number
  more: boolean
}

/**
 * What the acting agent may see of what came after a number, in order. Without one nothing but the last number: whoever begins reads
 * it first, then all shops, then what has changed since.
 */
export async function readChanges(
  ctx: Ctx,
  { after, size = PAGE_MOST }: { after?: number | undefined; size?: number },
): Promise<ChangesRead> {
  const page = ctx.db
    .select({
      seq: shopChanges.seq,
      at: shopChanges.at,
      topic: shopChanges.topic,
      agentId: shopChanges.agentId,
      shopId: shopChanges.merchantId,
      data: shopChanges.data,
    })
    .from(shopChanges)
    .where(and(gt(shopChanges.seq, after ?? Number.MAX_SAFE_INTEGER), ownRows(ctx, shopChanges.agentId)))
    .orderBy(asc(shopChanges.seq))
    .limit(size + 1)
    .as('page')
  // One statement: what is cleared away meanwhile is either read or refused.
  const rows = await ctx.db
    .select({
      ends: { last: shopChangeEnds.last, cleared: shopChangeEnds.cleared },
      ...{
        seq: page.seq,
        at: page.at,
        topic: page.topic,
        agentId: page.agentId,
        shopId: page.shopId,
        data: page.data,
      },
    })
    .from(shopChangeEnds)
    .leftJoinLateral(page, sql`true`)
    .where(eq(shopChangeEnds.id, 1))
    .orderBy(asc(page.seq))
  const { ends } = found(rows[0])
  if (after !== undefined) refuse(refuseCursor(after, ends), CHANGE_REFUSALS)
  // Nothing joined: there is none.
  const changes = rows.flatMap(({ ends: _, ...change }) =>
    change.seq === null ? [] : [change as ShopChange],
  )
  const more = changes.length > size
  if (more) changes.pop()
  return { changes, last: more ? (changes.at(-1)?.seq ?? ends.last) : ends.last, more }
}

/** Tells programs of something that no trigger sees; in the transaction that does it. */
export async function noteShopChange(
  ctx: Ctx,
  {
    shopId,
    agentId,
    topic,
    data = {},
  }: { shopId: number | null; agentId: number; topic: ChangeTopic; data?: ChangeData },
): Promise<void> {
  await ctx.client.query({
    name: 'note_shop_change',
    text: 'select note_shop_change($1, $2, $3, $4)',
    values: [shopId, agentId, topic, JSON.stringify(data)],
  })
}

/** Gives numbers to what was committed meanwhile, by one instance at a time; answers whether more waits. */
export function sequenceChanges(services: Services): Promise<boolean> {
  return actAsSystem(services, 'changes sequence', async ctx => {
    const { rows } = await ctx.client.query<{ moved: number }>({
      name: 'sequence_shop_changes',
      text: 'select sequence_shop_changes($1) as moved',
      values: [SEQUENCED_AT_ONCE],
    })
    return rows[0]?.moved === SEQUENCED_AT_ONCE
  })
}
