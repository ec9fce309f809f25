// Renews what was paid online: each by the purchase's own verbs in one transaction with its state, so that it happens once; what the
// agent's tokens do not suffice for waits, and what cannot be renewed any more is left to people.
import { and, asc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { markShopPaid } from '#features/sales/orders/server.ts'
import { purchases } from '#features/sales/purchases/contract.ts'
import { confirmPurchase, quotePurchase } from '#features/sales/purchases/server-purchase.ts'
import { amountText, formatCents } from '#kit/money.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { Refusal } from '#server/refuse.ts'
import { actAsSystem, inTheNameOf, readAsSystem, systemOf } from '#server/system.ts'
import { ONLINE_RENEWAL_STEPS, STUCK_WORDS, secondsUntilTry, TRIES_MAX } from './rules.ts'
import { wantedOf } from './server-page.ts'
import { onlineRenewals as renewals } from './tables.ts'

type Renewal = typeof renewals.$inferSelect

const AT_ONCE = 20
/** A payment may still come for some minutes after the order's end; what comes later is renewed too. */
const UNPAID_MINUTES = 30
const PAGE = '/admin/order/onlineRenewals' as const

/** Answers whether more is due. */
export async function workOnRenewals(services: Services): Promise<boolean> {
  const due = await readAsSystem(services, findDue)
  for (const { id } of due) await renewOne(services, id)
  await actAsSystem(services, 'onlineRenewals expire', expireUnpaid)
  return due.length === AT_ONCE
}

/** What waits for tokens is due once the agent has so many, and each hour, since prices fall too. */
function findDue(ctx: Ctx) {
  return ctx.db
    .select({ id: renewals.id })
    .from(renewals)
    .leftJoin(
      ledgerAccounts,
      and(
        eq(ledgerAccounts.ownerKind, 'agent'),
        eq(ledgerAccounts.ownerId, renewals.agentId),
        eq(ledgerAccounts.asset, 'token'),
      ),
    )
    .innerJoin(agents, eq(agents.id, renewals.agentId))
    .where(
      and(
        ne(agents.status, 'suspended'),
        inArray(renewals.state, ['paid', 'short']),
        lt(renewals.tryAt, sql`now() + interval '1 millisecond'`),
        or(
          eq(renewals.state, 'paid'),
          sql`coalesce(${ledgerAccounts.balance}, 0) >= ${renewals.needCents}`,
          lt(renewals.triedAt, sql`now() - interval '1 hour'`),
        ),
      ),
    )
    .orderBy(asc(renewals.tryAt), asc(renewals.id))
    .limit(AT_ONCE)
}

async function expireUnpaid(ctx: Ctx): Promise<void> {
  const { from, to } = ONLINE_RENEWAL_STEPS.expire
  await ctx.db
    .update(renewals)
    .set({ state: to })
    .where(
      and(
        inArray(renewals.state, from),
        lt(renewals.createdAt, sql`now() - make_interval(mins => ${UNPAID_MINUTES})`),
      ),
    )
}

/** One renewal, whatever becomes of it; a failure of our own is told and tried again later. */
async function renewOne(services: Services, id: number): Promise<void> {
  try {
    await actAsSystem(services, 'onlineRenewals', async ctx => {
      const renewal = await take(ctx, id)
      if (renewal) await renew(ctx, renewal)
    })
  } catch (error) {
    await actAsSystem(services, 'onlineRenewals', async ctx => {
      const renewal = await take(ctx, id)
      if (renewal) await keepFailure(ctx, renewal, error)
    })
    if (!(error instanceof Refusal)) services.onProblem(error)
  }
}

/** Locked, or null where another instance has it in hand or it is due no more. */
async function take(ctx: Ctx, id: number): Promise<Renewal | undefined> {
  const [renewal] = await ctx.db
    .select()
    .from(renewals)
    .where(and(eq(renewals.id, id), inArray(renewals.state, ONLINE_RENEWAL_STEPS.renew.from)))
    .for('update', { skipLocked: true })
  return renewal
}

async function renew(ctx: Ctx, renewal: Renewal): Promise<void> {
  const { agentId, merchantId, versionId, years, scope, shops, amountFen, orderNo } = renewal
  const actor = systemOf({ agentId })
  const named = inTheNameOf(ctx, actor)
  const quote = await quotePurchase(named.ctx, {
    ...{ merchantId, versionId, branchIds: [], remark: `在线续费 ${orderNo}` },
    ...wantedOf(years, scope),
  })
  if (quote.salesType !== 'renew') throw new Refusal('STUCK', STUCK_WORDS.VERSION)
  if (quote.shops !== shops) throw new Refusal('STUCK', STUCK_WORDS.SHOPS)
  const bought = await confirmPurchase(named.ctx, { orderNo: quote.orderNo })
  await markShopPaid(named.ctx, bought.orderNo, amountFen)
  const { from, to } = ONLINE_RENEWAL_STEPS.renew
  await ctx.db
    .update(renewals)
    .set({
      state: to,
      problem: '',
      versionOrderNo: bought.orderNo,
      renewedAt: sql`now()`,
      triedAt: sql`now()`,
      tryAt: null,
    })
    .where(and(eq(renewals.id, renewal.id), inArray(renewals.state, from)))
  await tellAgent(ctx, renewal, '门店在线续费成功', `已续费，扣除 ${formatCents(bought.totalCents)} 代币`)
  await logOperation(ctx, {
    operation: '/purchases confirm',
    title: purchases.confirm['~orpc'].meta.log ?? '',
    subject: named.noted.subject,
    objects: [...new Set([...named.noted.objects, objectKey('order', orderNo)])],
    changes: [
      ...named.noted.changes,
      { name: '在线续费', before: null, after: orderNo },
      { name: '商户实付', before: null, after: amountText(amountFen, '元') },
    ],
    by: actor,
    merchantId,
  })
}

async function keepFailure(ctx: Ctx, renewal: Renewal, error: unknown): Promise<void> {
  // Suspended just now: it is found again once the agency is resumed.
  if (error instanceof Refusal && error.code === 'AGENT_SUSPENDED') return
  if (error instanceof Refusal && error.code === 'INSUFFICIENT') return waitForTokens(ctx, renewal, error)
  if (error instanceof Refusal) return stop(ctx, renewal, problemOf(error))
  const tries = renewal.tries + 1
  if (tries >= TRIES_MAX) return stop(ctx, renewal, STUCK_WORDS.FAILED)
  const seconds = secondsUntilTry(tries)
  await ctx.db
    .update(renewals)
    .set({ tries, triedAt: sql`now()`, tryAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(renewals.id, renewal.id))
}

function problemOf({ code, message, data }: Refusal): string {
  // What its data name is a branch.
  if ((data as { merchantId?: number } | undefined)?.merchantId !== undefined) return STUCK_WORDS.BRANCH
  if (code === 'MERCHANT_DISABLED') return STUCK_WORDS.DISABLED
  return code === 'NOT_FOUND' ? STUCK_WORDS.MOVED : message
}

async function waitForTokens(ctx: Ctx, renewal: Renewal, { data }: Refusal): Promise<void> {
  const { balance, missing } = data as { balance: number; missing: number }
  const { from, to } = ONLINE_RENEWAL_STEPS.wait
  await ctx.db
    .update(renewals)
    .set({
      state: to,
      problem: `代币不足，还差 ${formatCents(missing)} 代币，充值后自动开通`,
      needCents: balance + missing,
      triedAt: sql`now()`,
      tryAt: sql`now()`,
    })
    .where(and(eq(renewals.id, renewal.id), inArray(renewals.state, from)))
  const words = `已付款，代币还差 ${formatCents(missing)}，充值后自动开通`
  await tellAgent(ctx, renewal, '在线续费待充值', words, `online-renewal ${renewal.id} short`)
}

async function stop(ctx: Ctx, renewal: Renewal, problem: string): Promise<void> {
  const { from, to } = ONLINE_RENEWAL_STEPS.stick
  await ctx.db
    .update(renewals)
    .set({ state: to, problem, triedAt: sql`now()`, tryAt: null })
    .where(and(eq(renewals.id, renewal.id), inArray(renewals.state, from)))
  await tellAgent(ctx, renewal, '在线续费待处理', `已付款但未能开通：${problem}。请重试或退款`)
}

async function tellAgent(
  ctx: Ctx,
  { agentId, merchantId, shopName, amountFen, orderNo }: Renewal,
  title: string,
  words: string,
  onceKey?: string,
): Promise<void> {
  await notify(ctx, {
    agentId,
    merchantId,
    holding: 'shopPages.renewals',
    topic: 'OnlineRenewal_Notify',
    title,
    body: `${shopName} 在线支付 ${formatCents(amountFen)} 元续费，${words}`,
    link: `${PAGE}?search=${orderNo}`,
    args: { orderNo, merchantId },
    ...(onceKey === undefined ? {} : { onceKey }),
  })
}
