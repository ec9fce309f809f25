// Comparing a day with the bill of the vendor's account with a channel: by our numbers and the amounts. What agents' own
// accounts were paid is on their bills alone. What the bill has and we have not paid is asked for.
import { and, eq, gte, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { type BillLine, ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { endOfDay, startOfDay } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { OPEN, RECONCILIATION_STEPS } from './rules.ts'
import { tellDifferences, tellFailedComparison } from './server-notices.ts'
import { paymentAttempts, paymentDifferences, paymentReconciliations, paymentRefunds } from './tables.ts'

type Claimed = typeof paymentReconciliations.$inferSelect
type Difference = typeof paymentDifferences.$inferInsert
type Ours = {
  outTradeNo: string
  refundNo: string
  amountFen: number
  transactionId: string
  isSettled: boolean
}

const LEASE = sql`now() + interval '120 seconds'`
const ASKED_MOST = 12
const AT_ONCE = 2
const CHUNK = 1_000
const VENDORS = isNull(paymentAttempts.settingsId)

export function claimBills(services: Services): Promise<Claimed[]> {
  return actAsSystem(services, 'reconciliation', ctx => {
    const due = sql`array(select id from payment_reconciliations where ask_at <= now() order by ask_at limit ${AT_ONCE} for update skip locked)`
    return ctx.db
      .update(paymentReconciliations)
      .set({ askAt: LEASE, asked: sql`${paymentReconciliations.asked} + 1` })
      .where(sql`${paymentReconciliations.id} = any(${due})`)
      .returning()
  })
}

export async function workOnBill(services: Services, wanted: Claimed): Promise<void> {
  const channel = services.providers.pay[wanted.channel]
  if (!channel) return giveUp(services, wanted, '渠道未接入')
  try {
    const lines = await channel.bill(wanted.day)
    await actAsSystem(services, 'reconciliation', ctx => compare(ctx, wanted, lines))
    services.wake('payments')
  } catch (error) {
    const isOpen = error instanceof ProviderUnknown || error instanceof ProviderBusy
    if (error instanceof ProviderRefused && !isOpen)
      return giveUp(services, wanted, `${error.message} (${error.code})`)
    if (!isOpen) throw error
    if (wanted.asked >= ASKED_MOST) return giveUp(services, wanted, error.message)
    const seconds = Math.min(3_600, 10 * 2 ** wanted.asked)
    await actAsSystem(services, 'reconciliation', ctx =>
      ctx.db
        .update(paymentReconciliations)
        .set({ problem: error.message.slice(0, 200), askAt: sql`now() + make_interval(secs => ${seconds})` })
        .where(eq(paymentReconciliations.id, wanted.id)),
    )
  }
}

function giveUp(services: Services, wanted: Claimed, problem: string): Promise<void> {
  const words = problem.slice(0, 200)
  return actAsSystem(services, 'reconciliation', async ctx => {
    await ctx.db
      .update(paymentReconciliations)
      .set({ status: RECONCILIATION_STEPS.fail.to, problem: words, askAt: null })
      .where(eq(paymentReconciliations.id, wanted.id))
    await tellFailedComparison(ctx, wanted, words)
  })
}

async function compare(ctx: Ctx, wanted: Claimed, lines: readonly BillLine[]): Promise<void> {
  await ctx.db
    .select({ id: paymentReconciliations.id })
    .from(paymentReconciliations)
    .where(eq(paymentReconciliations.id, wanted.id))
    .for('update')
  const paid = lines.filter(line => line.kind === 'payment')
  const returned = lines.filter(line => line.kind === 'refund')
  const ourPayments = await paymentsOf(ctx, wanted, paid)
  const ourRefunds = await refundsOf(ctx, wanted, returned)
  const differences = [
    ...differencesOf(wanted, paid, ourPayments, ({ outTradeNo }) => outTradeNo, false),
    ...differencesOf(wanted, returned, ourRefunds, ({ refundNo }) => refundNo ?? '', true),
  ]
  await askForMissing(ctx, wanted.channel, differences)
  const kept = await replaceOpen(ctx, wanted.id, differences)
  const sum = (rows: readonly { amountFen: number }[]) => rows.reduce((fen, row) => fen + row.amountFen, 0)
  const ofDay = (rows: readonly (Ours & { isOfDay: boolean })[]) =>
    rows.filter(row => row.isOfDay && row.isSettled)
  await ctx.db
    .update(paymentReconciliations)
    .set({
      status: RECONCILIATION_STEPS.finish.to,
      problem: '',
      billPayments: paid.length,
      billFen: sum(paid),
      ourPayments: ofDay(ourPayments).length,
      ourFen: sum(ofDay(ourPayments)),
      billRefunds: returned.length,
      billRefundFen: sum(returned),
      ourRefunds: ofDay(ourRefunds).length,
      ourRefundFen: sum(ofDay(ourRefunds)),
      differences: kept.all,
      comparedAt: sql`now()`,
      askAt: null,
    })
    .where(eq(paymentReconciliations.id, wanted.id))
  if (kept.open > 0) await tellDifferences(ctx, wanted, kept.open)
}

type Found = Ours & { isOfDay: boolean }

/** Ours that were paid on that day, and those that the bill names, whenever they were paid. */
async function paymentsOf(ctx: Ctx, { channel, day }: Claimed, lines: readonly BillLine[]): Promise<Found[]> {
  const isOfDay = and(
    gte(paymentAttempts.paidAt, startOfDay(day).toISOString()),
    lt(paymentAttempts.paidAt, endOfDay(day).toISOString()),
    eq(paymentAttempts.status, 'paid'),
  )
  return collect(
    where =>
      ctx.db
        .select({
          outTradeNo: paymentAttempts.outTradeNo,
          refundNo: sql<string>`''`,
          amountFen: paymentAttempts.amountFen,
          transactionId: sql<string>`coalesce(${paymentAttempts.transactionId}, '')`,
          isSettled: sql<boolean>`${paymentAttempts.status} = 'paid'`,
          isOfDay: sql<boolean>`coalesce(${isOfDay}, false)`,
        })
        .from(paymentAttempts)
        .where(and(eq(paymentAttempts.channel, channel), VENDORS, where)),
    isOfDay,
    chunk => inArray(paymentAttempts.outTradeNo, chunk),
    lines.map(line => line.outTradeNo),
    row => row.outTradeNo,
  )
}

async function refundsOf(ctx: Ctx, { channel, day }: Claimed, lines: readonly BillLine[]): Promise<Found[]> {
  const isOfDay = and(
    gte(paymentRefunds.doneAt, startOfDay(day).toISOString()),
    lt(paymentRefunds.doneAt, endOfDay(day).toISOString()),
  )
  return collect(
    where =>
      ctx.db
        .select({
          outTradeNo: paymentAttempts.outTradeNo,
          refundNo: paymentRefunds.refundNo,
          amountFen: paymentRefunds.amountFen,
          transactionId: sql<string>`coalesce(${paymentAttempts.transactionId}, '')`,
          isSettled: sql<boolean>`${paymentRefunds.status} = 'done'`,
          isOfDay: sql<boolean>`coalesce(${isOfDay}, false)`,
        })
        .from(paymentRefunds)
        .innerJoin(paymentAttempts, eq(paymentAttempts.id, paymentRefunds.attemptId))
        .where(and(eq(paymentAttempts.channel, channel), VENDORS, where)),
    isOfDay,
    chunk => inArray(paymentRefunds.refundNo, chunk),
    lines.flatMap(line => (line.refundNo === null ? [] : [line.refundNo])),
    row => row.refundNo,
  )
}

type Where = ReturnType<typeof and>

async function collect(
  select: (where: Where) => PromiseLike<Found[]>,
  isOfDay: Where,
  named: (chunk: string[]) => Where,
  numbers: readonly string[],
  keyOf: (row: Found) => string,
): Promise<Found[]> {
  const found = new Map((await select(isOfDay)).map(row => [keyOf(row), row]))
  for (let start = 0; start < numbers.length; start += CHUNK)
    for (const row of await select(named(numbers.slice(start, start + CHUNK)))) found.set(keyOf(row), row)
  return [...found.values()]
}

function differencesOf(
  { id: reconciliationId }: Claimed,
  lines: readonly BillLine[],
  ours: readonly Found[],
  keyOf: (line: BillLine) => string,
  isRefund: boolean,
): Difference[] {
  const known = new Map(ours.map(row => [isRefund ? row.refundNo : row.outTradeNo, row]))
  const seen = new Set(lines.map(keyOf))
  const fromBill = lines.flatMap((line): Difference[] => {
    const our = known.get(keyOf(line))
    if (our?.isSettled && our.amountFen === line.amountFen) return []
    return [
      {
        reconciliationId,
        kind: our?.isSettled ? 'amount' : 'missing-here',
        isRefund,
        outTradeNo: line.outTradeNo,
        refundNo: line.refundNo ?? '',
        transactionId: line.transactionId,
        billFen: line.amountFen,
        ourFen: our?.isSettled ? our.amountFen : null,
      },
    ]
  })
  const missingThere = ours.filter(
    row => row.isOfDay && row.isSettled && !seen.has(isRefund ? row.refundNo : row.outTradeNo),
  )
  return [
    ...fromBill,
    ...missingThere.map(
      (row): Difference => ({
        reconciliationId,
        kind: 'missing-there',
        isRefund,
        outTradeNo: row.outTradeNo,
        refundNo: row.refundNo,
        transactionId: row.transactionId,
        billFen: null,
        ourFen: row.amountFen,
      }),
    ),
  ]
}

/** What the bill has and we do not know to be paid: its channel is asked, and what it says is settled. */
async function askForMissing(ctx: Ctx, channel: PayChannelName, differences: readonly Difference[]) {
  const missing = differences.filter(({ kind }) => kind === 'missing-here')
  const numbers = missing.filter(({ isRefund }) => !isRefund).map(({ outTradeNo }) => outTradeNo)
  const refundNos = missing.filter(({ isRefund }) => isRefund).map(({ refundNo }) => refundNo ?? '')
  if (numbers.length > 0)
    await ctx.db
      .update(paymentAttempts)
      .set({ askAt: sql`now()` })
      .where(
        and(
          eq(paymentAttempts.channel, channel),
          VENDORS,
          inArray(paymentAttempts.outTradeNo, numbers),
          inArray(paymentAttempts.status, [...OPEN, 'closed', 'failed']),
        ),
      )
  if (refundNos.length > 0)
    await ctx.db
      .update(paymentRefunds)
      .set({ askAt: sql`now()` })
      .where(
        and(
          inArray(paymentRefunds.refundNo, refundNos),
          notInArray(paymentRefunds.status, ['done', 'replaced']),
        ),
      )
}

/** Differences that somebody resolved stay, and are not listed a second time. Answers how many there are now, and how many of them are open. */
async function replaceOpen(ctx: Ctx, reconciliationId: number, differences: readonly Difference[]) {
  const ofThis = eq(paymentDifferences.reconciliationId, reconciliationId)
  await ctx.db.delete(paymentDifferences).where(and(ofThis, eq(paymentDifferences.resolution, '')))
  const resolved = await ctx.db.select().from(paymentDifferences).where(ofThis)
  const keyOf = (row: Difference) => [row.kind, row.isRefund, row.outTradeNo, row.refundNo].join(' ')
  const known = new Set(resolved.map(keyOf))
  const fresh = differences.filter(row => !known.has(keyOf(row)))
  for (let start = 0; start < fresh.length; start += CHUNK)
    await ctx.db.insert(paymentDifferences).values(fresh.slice(start, start + CHUNK))
  return { all: resolved.length + fresh.length, open: fresh.length }
}
