// Renewal reminders: one message in the outbox for each shop that may get one (D2 §2, §6, sendSms).
import { and, asc, eq, gt, inArray, max, notInArray } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import {
  REMINDER_HOURS,
  refuseReminder,
  reminderMessages,
  reminderParams,
  UNCHARGED,
} from '#features/shops/messages/rules.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import { templatesByKey } from '#features/shops/messages/server-templates.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuseCommon } from '#server/refuse.ts'
import type { messageDesk as contract } from './contract.ts'

/** Names shown in the operation log's subject; the rest is counted. */
const NAMED = 3

export const reminderText: Verb<typeof contract.reminderText> = async ctx => {
  return { text: found((await templatesByKey(ctx)).get('renewal-reminder')).text }
}

export const remind: Verb<typeof contract.remind> = async (ctx, input) => {
  const ids = [...new Set(input.merchantIds)]
  const shops = await lockShops(ctx, ids)
  if (shops.length === 0) refuseCommon('NOT_FOUND')
  const { now } = ctx
  const hours = await settingOf(ctx, REMINDER_HOURS)
  const reminded = await remindedSince(ctx, ids, new Date(now.getTime() - hours * 3_600_000))
  const rows = shops.map(shop => ({
    shop,
    refusal: refuseReminder(shop, reminded.get(shop.id) ?? null, now, hours),
  }))
  const queued = rows.filter(row => row.refusal === null).map(row => row.shop)
  await queueMessages(
    ctx,
    queued.map(({ expiresAt, ...shop }) => ({
      agentId: shop.agentId,
      merchantId: shop.id,
      kind: 'renewal-reminder' as const,
      phone: shop.account,
      template: 'renewal-reminder',
      params: reminderParams({ ...shop, expiresAt: expiresAt as string }, now),
    })),
  )
  const [only] = shops
  if (only && shops.length === 1) ctx.about(only.agentId, only.id)
  ctx.note(
    subjectOf(shops),
    rows.map(({ shop, refusal }) => ({
      name: `${shop.shopName} (${shop.id})`,
      before: null,
      after: refusal === null ? '待发送' : reminderMessages(hours)[refusal],
    })),
  )
  return {
    rows: [
      ...rows.map(({ shop, refusal }) => ({ merchantId: shop.id, shopName: shop.shopName, refusal })),
      ...ids
        .filter(id => shops.every(shop => shop.id !== id))
        .map(merchantId => ({ merchantId, shopName: '', refusal: 'SHOP_UNKNOWN' as const })),
    ],
  }
}

function subjectOf(shops: readonly { id: number; shopName: string }[]): string {
  const names = shops.slice(0, NAMED).map(shop => `${shop.shopName} (${shop.id})`)
  return shops.length > NAMED ? `${names.join('、')} 等 ${shops.length} 家` : names.join('、')
}

/** In the order of their ids, so that two calls never wait for each other; a second call then sees the first one's messages. */
function lockShops(ctx: Ctx, ids: number[]) {
  return ctx.db
    .select({
      id: merchants.id,
      agentId: merchants.agentId,
      shopName: merchants.shopName,
      account: merchants.account,
      status: merchants.status,
      expiresAt: merchants.expiresAt,
      versionName: versions.name,
    })
    .from(merchants)
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .where(and(inArray(merchants.id, ids), ownRows(ctx, merchants.agentId)))
    .orderBy(asc(merchants.id))
    .for('update', { of: merchants })
}

async function remindedSince(ctx: Ctx, ids: number[], since: Date): Promise<Map<number, string>> {
  const rows = await ctx.db
    .select({ merchantId: outboxMessages.merchantId, at: max(outboxMessages.createdAt) })
    .from(outboxMessages)
    .where(
      and(
        inArray(outboxMessages.merchantId, ids),
        eq(outboxMessages.kind, 'renewal-reminder'),
        gt(outboxMessages.createdAt, since.toISOString()),
        // One that never reached the shop reminded nobody.
        notInArray(outboxMessages.status, [...UNCHARGED]),
        ownRows(ctx, outboxMessages.agentId),
      ),
    )
    .groupBy(outboxMessages.merchantId)
  return new Map(rows.map(row => [row.merchantId as number, row.at as string]))
}
