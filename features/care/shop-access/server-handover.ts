// What a shop is handed over with, on the page and by SMS. Its password is never among it: nobody knows it but who typed it.
import { and, eq } from 'drizzle-orm'
import { balancesOf, nextDocumentNo } from '#features/money/ledger/server.ts'
import { REFUSALS } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import {
  HAND_OVER_REFUSALS,
  refuseReceiver,
  renderTemplate,
  type Sending,
  sendingOf,
} from '#features/shops/messages/rules.ts'
import { queueMessages } from '#features/shops/messages/server.ts'
import { lastMessage } from '#features/shops/messages/server-outbox.ts'
import { templatesByKey } from '#features/shops/messages/server-templates.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { formatDay } from '#kit/time.ts'
import { segmentsOf } from '#kit/words/segments.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { shopAccess as contract } from './contract.ts'

const TEMPLATE = 'hand-over'

export const handOver: Verb<typeof contract.handOver> = async (ctx, { id }) => {
  const shop = await findShop(ctx, id)
  const text = await textOf(ctx, shop)
  const refusal = refuseSending(ctx, shop)
  const { sms } = await balancesOf(ctx, ctx.actor.agentId)
  const { smsSignature } = ctx.services.providers
  return {
    ...shop,
    loginUrl: ctx.services.env.shopLoginUrl ?? null,
    sms: {
      text,
      pieces: ctx.actor.isVendorStaff ? 0 : segmentsOf(smsSignature, text),
      balance: sms,
      refusal: refusal && { code: refusal, message: HAND_OVER_REFUSALS[refusal] },
      sending: await lastSending(ctx, shop),
    },
  }
}

export const sendHandOver: Verb<typeof contract.sendHandOver> = async (ctx, { id }) => {
  const { agentId, account, status, shopName } = await lockMerchant(ctx, id)
  refuse(refuseSending(ctx, { account, status }), { ...REFUSALS, ...HAND_OVER_REFUSALS })
  const params = paramsOf(ctx, await findShop(ctx, id))
  ctx.note(`${shopName} (${id})`, [{ name: '接收手机', before: null, after: account }])
  // An agent pays for what it tells its shops; the vendor pays its own.
  const paid = ctx.actor.isVendorStaff
    ? {}
    : { payer: 'agent' as const, payerId: ctx.actor.agentId, documentNo: await nextDocumentNo(ctx) }
  const message = { agentId, merchantId: id, phone: account, params, ...paid }
  const [queued] = await queueMessages(ctx, [{ ...message, kind: TEMPLATE, template: TEMPLATE }])
  return { id, pieces: found(queued).charged }
}

function refuseSending(ctx: Ctx, shop: Parameters<typeof refuseReceiver>[0]) {
  return refuseReceiver(shop) ?? (ctx.services.providers.sms === null ? 'SMS_UNCONNECTED' : null)
}

/** What became of the last message that this shop was handed over with. */
async function lastSending(ctx: Ctx, { id, account }: Shop): Promise<Sending | null> {
  const last = await lastMessage(ctx, eq(outboxMessages.merchantId, id), eq(outboxMessages.kind, TEMPLATE))
  const { providers } = ctx.services
  const terms = { phone: account, isOperator: ctx.actor.isOperator }
  return last ? sendingOf(providers.sms !== null, last, terms) : null
}

type Shop = Awaited<ReturnType<typeof findShop>>

async function findShop(ctx: Ctx, id: number) {
  const [shop] = await ctx.db
    .select({
      id: merchants.id,
      shopName: merchants.shopName,
      account: merchants.account,
      status: merchants.status,
      versionName: versions.name,
      shopsBought: merchants.shopsBought,
      expiresAt: merchants.expiresAt,
    })
    .from(merchants)
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .where(and(eq(merchants.id, id), ownRows(ctx, merchants.agentId)))
  return found(shop)
}

function paramsOf(ctx: Ctx, shop: Shop): Record<string, string> {
  return {
    shop: shop.shopName,
    version: shop.versionName,
    account: shop.account,
    day: shop.expiresAt === null ? '永久' : formatDay(shop.expiresAt),
    address: ctx.services.env.shopLoginUrl ?? '请向服务商获取',
  }
}

async function textOf(ctx: Ctx, shop: Shop): Promise<string> {
  const template = (await templatesByKey(ctx)).get(TEMPLATE)
  if (!template) throw new Error(`there is no template ${TEMPLATE}`)
  return renderTemplate(template.text, paramsOf(ctx, shop))
}
