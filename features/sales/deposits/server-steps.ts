// A deposit is asked for and called off; some of it is asked to be given back or kept, and decided by another.
import { randomBytes } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { TransferKind } from '#features/money/ledger/rules.ts'
import { nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { isRefundable, refundPart, replaceRefund } from '#features/sales/payments/server-refunds.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { amountText } from '#kit/money.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { refuseSecond } from '#server/office/second.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import type { deposits as contract } from './contract.ts'
import { DEPOSIT_FIELDS } from './fields.ts'
import {
  ASK_REFUSALS,
  DEPOSIT_KINDS,
  DEPOSIT_REQUEST_STEPS,
  DEPOSIT_STATES,
  DEPOSIT_STEPS,
  type DepositState,
  outcomeText,
  REQUEST_KINDS,
  REQUEST_STATES,
  type RequestKind,
  refuseAsk,
  refuseDecision,
  refusePart,
  refuseReason,
  refuseReceipt,
  refuseRequest,
  STEP_REFUSALS,
} from './rules.ts'
import { payUrlOf } from './server-rows.ts'
import { depositRequests, deposits } from './tables.ts'

export type Deposit = typeof deposits.$inferSelect
export type Request = typeof depositRequests.$inferSelect

/** 192 bits: nobody finds an address by trying. */
const CODE_BYTES = 24

export const ask: Verb<typeof contract.ask> = async (ctx, input) => {
  const broken = refuseAsk(input)
  if (broken) throw new Refusal(broken.code, ASK_REFUSALS[broken.code], { field: broken.field })
  const [shop] = await ctx.db
    .select({
      id: merchants.id,
      agentId: merchants.agentId,
      shopName: merchants.shopName,
      status: merchants.status,
    })
    .from(merchants)
    .where(and(eq(merchants.id, input.merchantId ?? 0), ownRows(ctx, merchants.agentId)))
    .for('share')
  const refused = !shop ? 'SHOP_UNKNOWN' : shop.status === 'disabled' ? 'MERCHANT_DISABLED' : null
  refuse(refused, ASK_REFUSALS, { field: 'merchantId' })
  const { id: merchantId, agentId, shopName } = found(shop)
  const { kind } = input
  const subject = input.subject.trim()
  const amountFen = input.amountFen ?? 0
  const orderNo = await nextDocumentNo(ctx)
  const code = randomBytes(CODE_BYTES).toString('base64url')
  const { accountId: askedBy, name: askedByName } = ctx.actor
  const [made] = await ctx.db
    .insert(deposits)
    .values({
      ...{ orderNo, agentId, merchantId, kind, subject, amountFen, code },
      ...{ state: 'waiting', askedBy, askedByName, askedAt: sql`now()` },
    })
    .returning({ id: deposits.id })
  const { id } = found(made)
  ctx.object('deposit', id)
  ctx.object('order', orderNo)
  ctx.about(agentId, merchantId)
  ctx.note(`${shopName} (${merchantId})`, [
    { name: DEPOSIT_FIELDS.orderNo.label, before: null, after: orderNo },
    { name: DEPOSIT_FIELDS.kind.label, before: null, after: DEPOSIT_KINDS[kind] },
    { name: DEPOSIT_FIELDS.subject.label, before: null, after: subject },
    { name: DEPOSIT_FIELDS.amountFen.label, before: null, after: amountText(amountFen, '元') },
  ])
  await tell(ctx, { id, agentId, merchantId }, '有待支付的押金', [
    shopName,
    `${subject}，${amountText(amountFen, '元')}`,
  ])
  return { id, orderNo, payUrl: payUrlOf(ctx, code) }
}

export const cancel: Verb<typeof contract.cancel> = async (ctx, { id, reason }) => {
  refuse(refuseReason(reason), STEP_REFUSALS, { field: 'reason' })
  const deposit = await lockDeposit(ctx, id)
  const { from, to } = DEPOSIT_STEPS.cancel
  const [cancelled] = await ctx.db
    .update(deposits)
    .set({
      state: to,
      cancelReason: reason.trim(),
      cancelledByName: ctx.actor.name,
      cancelledAt: sql`now()`,
    })
    .where(and(eq(deposits.id, id), inArray(deposits.state, from), ownRows(ctx, deposits.agentId)))
    .returning({ state: deposits.state })
  if (!cancelled) await refuseSecond(ctx, 'NOT_WAITING', STEP_REFUSALS, { name: deposit.cancelledByName })
  await note(ctx, deposit, to, [{ name: '原因', before: null, after: reason.trim() }])
  await tell(ctx, deposit, '押金已取消', [deposit.subject, reason.trim()])
  return { id, state: to, heldFen: deposit.heldFen }
}

export const request: Verb<typeof contract.request> = async (ctx, input) => {
  const { id, kind, amountFen } = input
  if (kind === 'keep' && !ctx.actor.isVendorStaff) refuse('KEEP_BY_STAFF', STEP_REFUSALS, { field: 'kind' })
  refuse(refuseReason(input.reason), STEP_REFUSALS, { field: 'reason' })
  const deposit = await lockDeposit(ctx, id)
  refuse(refuseRequest(deposit), STEP_REFUSALS)
  if (deposit.heldFen !== input.heldFen)
    refuse('HELD_CHANGED', STEP_REFUSALS, { field: 'amountFen', heldFen: deposit.heldFen })
  refuse(refusePart(amountFen, deposit.heldFen), STEP_REFUSALS, { field: 'amountFen' })
  const asked = amountFen ?? 0
  const reason = input.reason.trim()
  const { from, to } = DEPOSIT_STEPS.request
  await ctx.db
    .update(deposits)
    .set({ state: to })
    .where(and(eq(deposits.id, id), inArray(deposits.state, from), ownRows(ctx, deposits.agentId)))
  await ctx.db.insert(depositRequests).values({
    depositId: id,
    agentId: deposit.agentId,
    merchantId: deposit.merchantId,
    kind,
    amountFen: asked,
    reason,
    state: 'asked',
    askedBy: ctx.actor.accountId,
    askedByName: ctx.actor.name,
    askedAt: sql`now()`,
  })
  await note(ctx, deposit, to, [
    { name: '申请内容', before: null, after: outcomeText(kind, asked, deposit.heldFen) },
    { name: '原因', before: null, after: reason },
  ])
  await notify(ctx, {
    ...{ vendor: 'staff', holding: 'deposits.decide', exceptActor: true, merchantId: deposit.merchantId },
    topic: 'Approval_Notify',
    title: `押金${REQUEST_KINDS[kind]}待审批`,
    body: `${ctx.actor.name}申请${REQUEST_KINDS[kind]} ${amountText(asked, '元')}。原因：${reason}`,
    link: `/admin/tool/importDeposit?id=${id}`,
    args: { depositId: id },
  })
  return { id, state: to, heldFen: deposit.heldFen }
}

export const withdraw: Verb<typeof contract.withdraw> = async (ctx, { id }) => {
  const { deposit, asked } = await lockRequest(ctx, id)
  if (asked.state !== 'asked') await refuseDecided(ctx, asked)
  if (asked.askedBy !== ctx.actor.accountId) refuse('NOT_OWN_REQUEST', STEP_REFUSALS)
  const { from, to } = DEPOSIT_REQUEST_STEPS.withdraw
  await ctx.db
    .update(depositRequests)
    .set({ state: to, doneAt: sql`now()` })
    .where(and(eq(depositRequests.id, id), inArray(depositRequests.state, from)))
  const state = await release(ctx, deposit, {})
  await note(ctx, deposit, state, [requestChange(asked, to)])
  return { id: deposit.id, state, heldFen: deposit.heldFen }
}

export const reject: Verb<typeof contract.reject> = async (ctx, { id, reason }) => {
  refuse(refuseReason(reason), STEP_REFUSALS, { field: 'reason' })
  const { deposit, asked } = await lockUndecided(ctx, id)
  const { from, to } = DEPOSIT_REQUEST_STEPS.reject
  await ctx.db
    .update(depositRequests)
    .set({ state: to, answer: reason.trim(), ...decidedNow(ctx) })
    .where(and(eq(depositRequests.id, id), inArray(depositRequests.state, from)))
  const state = await release(ctx, deposit, {})
  await note(ctx, deposit, state, [
    requestChange(asked, to),
    { name: '原因', before: null, after: reason.trim() },
  ])
  await tellAsker(ctx, deposit, asked, '未通过', reason.trim())
  return { id: deposit.id, state, heldFen: deposit.heldFen }
}

/** The money leaves the deposit at once, in the ledger; by its channel it is given back in the background. */
export const approve: Verb<typeof contract.approve> = async (ctx, { id }) => {
  const { deposit, asked } = await lockUndecided(ctx, id)
  const { kind, amountFen } = asked
  const { step, refundId } = kind === 'keep' ? KEPT : await giveBack(ctx, deposit, asked)
  const { from, to } = DEPOSIT_REQUEST_STEPS[step]
  await ctx.db
    .update(depositRequests)
    .set({
      ...{ state: to, refundId, ...decidedNow(ctx) },
      ...(step === 'keep' ? { doneAt: sql`now()` } : {}),
    })
    .where(and(eq(depositRequests.id, id), inArray(depositRequests.state, from)))
  const heldFen = deposit.heldFen - amountFen
  const state = await release(ctx, deposit, {
    heldFen,
    returnedFen: deposit.returnedFen + (kind === 'return' ? amountFen : 0),
    keptFen: deposit.keptFen + (kind === 'keep' ? amountFen : 0),
  })
  await note(ctx, deposit, state, [
    requestChange(asked, to),
    {
      name: DEPOSIT_FIELDS.heldFen.label,
      before: amountText(deposit.heldFen, '元'),
      after: amountText(heldFen, '元'),
    },
  ])
  await tellAsker(ctx, deposit, asked, '已通过', HOW[to])
  await postPart(ctx, deposit, asked)
  return { id: deposit.id, state, heldFen }
}

const KEPT = { step: 'keep', refundId: null } as const
const HOW = { done: '', paying: '款项将原路退回', owed: '无法原路退回，由工作人员线下退款' } as const

async function giveBack(ctx: Ctx, deposit: Deposit, { amountFen, reason }: Request) {
  const { intentId } = deposit
  if (intentId === null || !(await isRefundable(ctx, intentId)))
    return { step: 'owe', refundId: null } as const
  const refund = await refundPart(ctx, { intentId, amountFen, reason: 'deposit', remark: reason })
  ctx.object('payment', intentId)
  return { step: 'send', refundId: refund.id } as const
}

const KINDS: Record<RequestKind, TransferKind> = { return: 'deposit-returned', keep: 'deposit-kept' }

/** Given back, it leaves the vendor's clearing as it came; kept, it is the vendor's revenue. */
async function postPart(
  ctx: Ctx,
  { orderNo, agentId, merchantId, payMethod, subject }: Deposit,
  { kind, amountFen, reason }: Request,
): Promise<void> {
  if (payMethod === null) throw new Error(`deposit ${orderNo} was not paid`)
  await post(ctx, [
    {
      kind: KINDS[kind],
      asset: 'deposit',
      amount: amountFen,
      from: { kind: 'merchant', id: merchantId },
      to: { kind: 'vendor', book: kind === 'keep' ? 'revenue' : 'payment-clearing' },
      document: orderNo,
      merchantId,
      payMethod,
      agentId,
      description: `押金${REQUEST_KINDS[kind]}：${subject}`,
      remark: reason,
    },
  ])
}

/** Whoever pays out by hand locks the refund first, as whoever learns of it does. */
export const payOut: Verb<typeof contract.payOut> = async (ctx, input) => {
  refuse(refuseReceipt(input.receiptNo), STEP_REFUSALS, { field: 'receiptNo' })
  const receiptNo = input.receiptNo.trim()
  const own = and(eq(depositRequests.id, input.id), ownRows(ctx, depositRequests.agentId))
  const [seen] = await ctx.db.select().from(depositRequests).where(own)
  const { refundId, state } = found(seen)
  if (state !== 'owed') refuse('NOT_OWED', STEP_REFUSALS)
  const isReplaced = refundId === null || (await replaceRefund(ctx, refundId))
  refuse(isReplaced ? null : 'REFUND_UNDER_WAY', STEP_REFUSALS)
  const { from, to } = DEPOSIT_REQUEST_STEPS.payOut
  const [paid] = await ctx.db
    .update(depositRequests)
    .set({ state: to, receiptNo, paidOutByName: ctx.actor.name, doneAt: sql`now()` })
    .where(and(own, inArray(depositRequests.state, from)))
    .returning()
  if (!paid) refuse('NOT_OWED', STEP_REFUSALS)
  const deposit = await depositOf(ctx, found(paid).depositId)
  await note(ctx, deposit, deposit.state, [
    requestChange(found(seen), to),
    { name: '付款回单号', before: null, after: receiptNo },
  ])
  await tell(ctx, deposit, '押金已线下退款', [
    deposit.subject,
    `${amountText(found(paid).amountFen, '元')}，回单号 ${receiptNo}`,
  ])
  return { id: deposit.id, state: deposit.state, heldFen: deposit.heldFen }
}

async function lockDeposit(ctx: Ctx, id: number): Promise<Deposit> {
  const [row] = await ctx.db
    .select()
    .from(deposits)
    .where(and(eq(deposits.id, id), ownRows(ctx, deposits.agentId)))
    .for('update')
  return found(row)
}

export async function depositOf(ctx: Ctx, id: number): Promise<Deposit> {
  const [row] = await ctx.db
    .select()
    .from(deposits)
    .where(and(eq(deposits.id, id), ownRows(ctx, deposits.agentId)))
  return found(row)
}

/** The deposit first: whatever happens to its requests happens one after the other. */
async function lockRequest(ctx: Ctx, id: number): Promise<{ deposit: Deposit; asked: Request }> {
  const own = and(eq(depositRequests.id, id), ownRows(ctx, depositRequests.agentId))
  const [of] = await ctx.db.select({ depositId: depositRequests.depositId }).from(depositRequests).where(own)
  const deposit = await lockDeposit(ctx, found(of).depositId)
  const [asked] = await ctx.db.select().from(depositRequests).where(own)
  return { deposit, asked: found(asked) }
}

async function lockUndecided(ctx: Ctx, id: number) {
  const locked = await lockRequest(ctx, id)
  const code = refuseDecision(locked.asked, ctx.actor.accountId)
  if (code === 'DECIDED_ALREADY') await refuseDecided(ctx, locked.asked)
  refuse(code, STEP_REFUSALS)
  return locked
}

function refuseDecided(ctx: Ctx, { decidedByName }: Request): Promise<void> {
  return refuseSecond(ctx, 'DECIDED_ALREADY', STEP_REFUSALS, { name: decidedByName })
}

const decidedNow = (ctx: Ctx) => ({
  decidedBy: ctx.actor.accountId,
  decidedByName: ctx.actor.name,
  decidedAt: sql`now()`,
})

type Sums = Partial<Pick<Deposit, 'heldFen' | 'returnedFen' | 'keptFen'>>

/** Nothing is asked of it any more: it is held on, or settled once nothing of it is. */
async function release(ctx: Ctx, deposit: Deposit, sums: Sums): Promise<DepositState> {
  const isSettled = (sums.heldFen ?? deposit.heldFen) === 0
  const { from, to } = DEPOSIT_STEPS[isSettled ? 'settle' : 'release']
  await ctx.db
    .update(deposits)
    .set({ state: to, ...sums, ...(isSettled ? { settledAt: sql`now()` } : {}) })
    .where(and(eq(deposits.id, deposit.id), inArray(deposits.state, from), ownRows(ctx, deposits.agentId)))
  return to
}

const requestChange = ({ kind, amountFen, state }: Request, to: Request['state']) => ({
  name: `申请${REQUEST_KINDS[kind]} ${amountText(amountFen, '元')}`,
  before: REQUEST_STATES[state],
  after: REQUEST_STATES[to],
})

async function note(
  ctx: Ctx,
  { id, orderNo, agentId, merchantId, state }: Deposit,
  to: DepositState,
  changes: { name: string; before: string | null; after: string }[],
): Promise<void> {
  const [shop] = await ctx.db
    .select({ shopName: merchants.shopName })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  ctx.object('deposit', id)
  ctx.object('order', orderNo)
  ctx.about(agentId, merchantId)
  ctx.note(`${found(shop).shopName} (${merchantId})`, [
    { name: DEPOSIT_FIELDS.orderNo.label, before: null, after: orderNo },
    ...(state === to
      ? []
      : [{ name: DEPOSIT_FIELDS.state.label, before: DEPOSIT_STATES[state], after: DEPOSIT_STATES[to] }]),
    ...changes,
  ])
}

/** The shop's agent. */
export async function tell(
  ctx: Ctx,
  { id, agentId, merchantId }: Pick<Deposit, 'id' | 'agentId' | 'merchantId'>,
  title: string,
  words: readonly string[],
): Promise<void> {
  await notify(ctx, {
    ...{ agentId, merchantId, holding: 'deposits.list', exceptActor: true },
    topic: 'PaymentStatus_Notify',
    title,
    body: words.filter(Boolean).join('：'),
    link: `/admin/tool/importDeposit?id=${id}`,
    args: { depositId: id },
  })
}

/** Whoever asked, and the shop's agent where it was one of staff. */
async function tellAsker(
  ctx: Ctx,
  deposit: Deposit,
  { kind, amountFen, askedBy }: Request,
  outcome: string,
  more: string,
): Promise<void> {
  const said = {
    topic: 'Approval_Notify',
    title: `押金${REQUEST_KINDS[kind]}申请${outcome}`,
    body: [deposit.subject, amountText(amountFen, '元'), more].filter(Boolean).join('，'),
    link: `/admin/tool/importDeposit?id=${deposit.id}`,
    args: { depositId: deposit.id },
  } as const
  await notify(ctx, { ...said, accountIds: [askedBy] })
  if (outcome === '已通过') await tell(ctx, deposit, `押金${REQUEST_KINDS[kind]}`, [said.body])
}
