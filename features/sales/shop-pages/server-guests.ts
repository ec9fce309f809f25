// A shop signs in at its own page with a code to its phone, for this page alone, and sees more.
import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { redeemPass } from '#features/office/captcha/server-pass.ts'
import { versionOrders } from '#features/sales/orders/tables.ts'
import { merchantServices, services } from '#features/sales/services/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { CODE_RESEND } from '#features/shops/messages/rules.ts'
import { lockReceiver, redeemCode, sendCodeTo } from '#features/shops/messages/server-codes.ts'
import { durationText } from '#features/shops/versions/rules.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { METHOD_NAMES } from '#kit/ports/channels.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { found } from '#server/refuse.ts'
import { inTheNameOf, systemOf } from '#server/system.ts'
import type { shopPages as contract } from './contract.ts'
import { daysLeft, OWED, SESSION_MINUTES, SHOWN_TO_SHOP } from './rules.ts'
import { type OpenedShop, openShop } from './server-page.ts'
import { onlineRenewals as renewals, shopSessions as sessions } from './tables.ts'

const TOKEN_BYTES = 32
const RECEIPT_STATES = [...OWED, 'renewed', 'refunded'] as const

export const sendShopCode: Verb<typeof contract.sendCode> = async (ctx, { code, captcha }) => {
  const shop = await openShop(ctx, code)
  await redeemPass(ctx, { scene: 'shop', subject: code, token: captcha })
  const named = inTheNameOf(ctx, systemOf(shop)).ctx
  const receiver = await lockReceiver(named, shop.merchantId)
  const phone = await sendCodeTo(named, { ...receiver, id: shop.merchantId }, 'shop')
  noteShop(ctx, shop, [{ name: '手机号', before: null, after: maskPhone(phone) }])
  return { secondsLeft: await settingOf(ctx, CODE_RESEND), inboxUrl: ctx.services.providers.inboxUrl }
}

export const signInShop: Verb<typeof contract.signIn> = async (ctx, { code, typed }) => {
  const shop = await openShop(ctx, code)
  const named = inTheNameOf(ctx, systemOf(shop)).ctx
  await redeemCode(named, { merchantId: shop.merchantId, purpose: 'shop', code: typed })
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const [made] = await ctx.db
    .insert(sessions)
    .values({
      tokenHash: hashOf(ctx, token),
      codeId: shop.codeId,
      agentId: shop.agentId,
      merchantId: shop.merchantId,
      createdAt: sql`now()`,
      expiresAt: sql`now() + make_interval(mins => ${SESSION_MINUTES})`,
    })
    .returning({ expiresAt: sessions.expiresAt })
  ctx.request.setGuest('shop', token)
  noteShop(ctx, shop, [{ name: '登录方式', before: null, after: '手机验证码' }])
  return found(made)
}

export const signOutShop: Verb<typeof contract.signOut> = async ctx => {
  const guestToken = ctx.request.guestToken('shop')
  if (guestToken !== undefined)
    await ctx.db.delete(sessions).where(eq(sessions.tokenHash, hashOf(ctx, guestToken)))
  ctx.request.setGuest('shop', null)
  return { ended: true }
}

function hashOf(ctx: Ctx, token: string): Buffer {
  return ctx.services.secrets.digest(`shop session ${token}`)
}

export function noteShop(ctx: Ctx, shop: OpenedShop, changes: Parameters<Ctx['note']>[1]): void {
  ctx.about(shop.agentId, shop.merchantId)
  const by = { ...systemOf(shop), name: shop.shopName }
  ctx.note(`${shop.shopName} (${shop.merchantId})`, changes, by)
}

/** The shop that signed in at this very address, or null. */
async function signedIn(ctx: Ctx, code: string): Promise<(OpenedShop & { until: string }) | null> {
  const shop = await openShop(ctx, code)
  const guestToken = ctx.request.guestToken('shop')
  if (guestToken === undefined) return null
  const [session] = await ctx.db
    .select({ until: sessions.expiresAt })
    .from(sessions)
    .where(
      and(
        eq(sessions.tokenHash, hashOf(ctx, guestToken)),
        eq(sessions.codeId, shop.codeId),
        eq(sessions.merchantId, shop.merchantId),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
  return session ? { ...shop, ...session } : null
}

export const readAccount: Verb<typeof contract.account> = async (ctx, { code }) => {
  const shop = await signedIn(ctx, code)
  if (!shop) return null
  const { merchantId, agentId } = shop
  const [person] = await ctx.db
    .select({
      personName: merchants.personName,
      phone: merchants.account,
      shopPhone: merchants.shopPhone,
      payee: agents.companyName,
    })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .where(and(eq(merchants.id, merchantId), eq(merchants.agentId, agentId)))
  const { personName, phone, shopPhone, payee } = found(person)
  return {
    expiresAt: shop.until,
    contact: {
      personName: maskName(personName),
      phone: maskPhone(phone),
      shopPhone: shopPhone === '' ? '' : maskPhone(shopPhone),
    },
    orders: await ordersOf(ctx, shop),
    services: await servicesOf(ctx, shop),
    receipts: (await receiptsOf(ctx, shop)).map(receipt => ({ ...receipt, payee })),
  }
}

/** The family name alone. */
export function maskName(name: string): string {
  const [first = '', ...others] = [...name]
  return first + '＊'.repeat(others.length)
}

async function ordersOf(ctx: Ctx, { merchantId, agentId }: OpenedShop) {
  const rows = await ctx.db
    .select()
    .from(versionOrders)
    .where(
      and(
        eq(versionOrders.merchantId, merchantId),
        eq(versionOrders.agentId, agentId),
        isNotNull(versionOrders.paidAt),
      ),
    )
    .orderBy(desc(versionOrders.id))
    .limit(SHOWN_TO_SHOP)
  return rows.map(({ orderNo, content, term, periods, paidAt, undoneAt }) => ({
    ...{ orderNo, content, paidAt: paidAt ?? '', undone: undoneAt !== null },
    duration: durationText(term, periods),
  }))
}

async function servicesOf(ctx: Ctx, { merchantId }: OpenedShop) {
  const rows = await ctx.db
    .select({ name: services.name, expiresAt: merchantServices.expiresAt })
    .from(merchantServices)
    .innerJoin(services, eq(services.id, merchantServices.serviceId))
    .where(eq(merchantServices.merchantId, merchantId))
    .orderBy(services.position)
  const { now } = ctx
  return rows.map(({ name, expiresAt }) => ({
    ...{ name, expiresAt },
    daysLeft: expiresAt === null ? null : daysLeft(expiresAt, now),
  }))
}

async function receiptsOf(ctx: Ctx, { merchantId, agentId }: OpenedShop) {
  const rows = await ctx.db
    .select({ renewal: renewals, versionName: versions.name })
    .from(renewals)
    .innerJoin(versions, eq(versions.id, renewals.versionId))
    .where(
      and(
        eq(renewals.merchantId, merchantId),
        eq(renewals.agentId, agentId),
        inArray(renewals.state, [...RECEIPT_STATES]),
      ),
    )
    .orderBy(desc(renewals.id))
    .limit(SHOWN_TO_SHOP)
  return rows.map(({ renewal, versionName }) => ({
    orderNo: renewal.orderNo,
    shopName: renewal.shopName,
    versionName,
    years: renewal.years,
    shops: renewal.shops,
    amountFen: renewal.amountFen,
    payMethod: renewal.payMethod === null ? '' : METHOD_NAMES[renewal.payMethod],
    state: renewal.state,
    paidAt: renewal.paidAt ?? '',
  }))
}
