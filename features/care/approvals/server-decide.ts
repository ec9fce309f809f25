// The decision of the vendor's staff: of one request or of many, each for itself. What is approved takes effect by the shop's own
// verb in the same transaction. A signature that SMS services review first waits in `reviewing` between the two: what they say is
// followed in server-settle.ts.
import { and, asc, eq, inArray } from 'drizzle-orm'
import { anotherMay } from '#features/office/access/server-holders.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant, updateMerchant } from '#features/shops/merchants/server-edit.ts'
import { refuseReceiver } from '#features/shops/messages/rules.ts'
import { queueMessages } from '#features/shops/messages/server.ts'
import { noteShopChange } from '#features/shops/pos-changes/server.ts'
import { beginReviews, endReviews } from '#features/shops/signatures/server-hand-in.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { approvals as contract } from './contract.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_LISTS,
  APPROVAL_STATES,
  APPROVAL_STEPS,
  DECISION_REFUSALS,
  OWN_REQUEST,
  REQUEST_REFUSALS,
  REQUEST_UNKNOWN,
  refuseAdvice,
  refuseContent,
  refuseReason,
  undecidableText,
} from './rules.ts'
import { handledNow } from './server-request.ts'
import { approvalRequests as requests } from './tables.ts'

type Request = typeof requests.$inferSelect
type Shop = Awaited<ReturnType<typeof lockMerchant>>
export type Decision = {
  step: 'approve' | 'reject' | 'handIn' | 'accept' | 'decline'
  reason: string
  advice: string
}

export const approve: Verb<typeof contract.approve> = (ctx, { ids }) =>
  decide(ctx, ids, { step: 'approve', reason: '', advice: '' })

export const reject: Verb<typeof contract.reject> = (ctx, { ids, reason, advice }) => {
  refuse(refuseReason(reason), DECISION_REFUSALS, { field: 'reason' })
  refuse(refuseAdvice(advice), DECISION_REFUSALS, { field: 'advice' })
  return decide(ctx, ids, { step: 'reject', reason, advice })
}

async function decide(
  ctx: Ctx,
  ids: readonly number[],
  decision: Decision,
): Promise<Out<typeof contract.approve>> {
  const wanted = [...new Set(ids)]
  const { shops, asked } = await lockAll(ctx, wanted)
  const own = decision.step === 'approve' ? await ownKinds(ctx, asked) : new Set()
  const judged = asked.map(request => ({
    request,
    refusal:
      refusalOf(request, shops.get(request.merchantId), decision) ??
      (request.createdBy === ctx.actor.accountId && own.has(request.kind) ? OWN_REQUEST : null),
    decision: isReviewed(ctx, request, decision) ? { ...decision, step: 'handIn' as const } : decision,
  }))
  const told: Told[] = []
  for (const { request, refusal, decision } of judged) {
    if (refusal !== null) continue
    if (decision.step === 'approve') {
      const before = shops.get(request.merchantId) as Shop
      shops.set(before.id, await takeEffect(ctx, before, request))
    }
    const handled = handledNow(ctx)
    await mark(
      ctx,
      request,
      decision,
      decision.step === 'reject' ? handled : { ...handled, ...approvedBy(handled) },
    )
    if (decision.step === 'handIn')
      await beginReviews(ctx, { ...named(request), requestId: request.id, signature: request.content })
    else {
      await tell(ctx, request, decision)
      told.push({ request, decision, shop: shops.get(request.merchantId) })
    }
  }
  const rejected = judged.filter(({ refusal }) => refusal === null && decision.step === 'reject')
  await endReviews(
    ctx,
    rejected.map(({ request }) => request.id),
  )
  note(ctx, judged, decision)
  await tellPhones(ctx, told)
  const rows = judged.map(({ request: { id, content, merchantId, state }, refusal, decision }) => ({
    ...{ id, content, refusal },
    shopName: shops.get(merchantId)?.shopName ?? '',
    state: refusal === null ? APPROVAL_STEPS[decision.step].to : state,
  }))
  const unknown = wanted
    .filter(id => rows.every(row => row.id !== id))
    .map(id => ({ id, content: `申请 ${id}`, refusal: REQUEST_UNKNOWN, shopName: '', state: null }))
  return { rows: [...rows, ...unknown] }
}

/** Of which kinds another of the staff could decide, so that nobody approves what they asked for themselves. */
async function ownKinds(ctx: Ctx, asked: readonly Request[]): Promise<Set<Request['kind']>> {
  const mine = asked.filter(({ createdBy }) => createdBy === ctx.actor.accountId)
  const kinds = new Set<Request['kind']>()
  for (const kind of new Set(mine.map(one => one.kind)))
    if (await anotherMay(ctx, ['approvals.decide', APPROVAL_LISTS[kind]])) kinds.add(kind)
  return kinds
}

const approvedBy = ({ handledBy, handledByName, handledAt }: ReturnType<typeof handledNow>) => ({
  ...{ approvedBy: handledBy, approvedByName: handledByName, approvedAt: handledAt },
})

const named = ({ agentId, merchantId }: Request) => ({ agentId, merchantId })

/** Whether SMS services decide about it once staff have approved. */
function isReviewed(ctx: Ctx, { kind }: Request, { step }: Decision): boolean {
  return step === 'approve' && kind === 'signature' && ctx.services.providers.signatureDesks.length > 0
}

/** Answers the shop as it is now. */
export async function takeEffect(ctx: Ctx, before: Shop, { kind, content }: Request): Promise<Shop> {
  const changed = { [kind]: content }
  return { ...before, ...changed, revision: await updateMerchant(ctx, before, changed) }
}

/** Shops before their requests, both in the order of their ids: so does whoever asks, and two who decide wait for each other. */
async function lockAll(ctx: Ctx, ids: number[]) {
  const kinds = Object.entries(APPROVAL_LISTS)
    .filter(([, permission]) => ctx.actor.permissions.has(permission))
    .map(([kind]) => kind as Request['kind'])
  const where = and(inArray(requests.id, ids), inArray(requests.kind, kinds), ownRows(ctx, requests.agentId))
  const named = await ctx.db
    .selectDistinct({ merchantId: requests.merchantId })
    .from(requests)
    .where(where)
    .orderBy(asc(requests.merchantId))
  const shops = new Map<number, Shop>()
  for (const { merchantId } of named) shops.set(merchantId, await lockMerchant(ctx, merchantId))
  const asked = await ctx.db.select().from(requests).where(where).orderBy(asc(requests.id)).for('update')
  if (asked.length === 0) refuseCommon('NOT_FOUND')
  // Of many shops the row in the log is about none.
  if (shops.size > 1) ctx.about(ctx.actor.agentId, null)
  return { shops, asked }
}

function refusalOf(request: Request, shop: Shop | undefined, decision: Decision): string | null {
  const step = decision.step === 'reject' ? 'reject' : 'approve'
  const undecidable = undecidableText(request, step)
  if (undecidable !== null || step === 'reject' || !shop) return undecidable
  const disabled = refuseDisabled(shop.status)
  if (disabled) return MERCHANT_REFUSALS[disabled]
  const broken = refuseContent(request.kind, request.content)
  return broken && REQUEST_REFUSALS[broken]
}

export async function mark(
  ctx: Ctx,
  { id }: Request,
  { step, reason, advice }: Decision,
  handled: Partial<typeof requests.$inferInsert>,
): Promise<void> {
  const { from, to } = APPROVAL_STEPS[step]
  await ctx.db
    .update(requests)
    .set({ ...handled, reason, advice, state: to })
    .where(and(eq(requests.id, id), inArray(requests.state, [...from]), ownRows(ctx, requests.agentId)))
}

/** Programs at the point of sale, and the shop's agent; its pages that show the signature ask for it again. */
export async function tell(ctx: Ctx, request: Request, { step, reason, advice }: Decision): Promise<void> {
  const { id, merchantId, kind, content } = request
  const label = APPROVAL_KINDS[kind]
  const done = step === 'approve' || step === 'accept'
  const state = APPROVAL_STEPS[step].to
  await noteShopChange(ctx, {
    shopId: merchantId,
    agentId: request.agentId,
    topic: 'approval.decided',
    data: { requestId: id, kind, content, state, reason, advice },
  })
  await notify(ctx, {
    agentId: request.agentId,
    merchantId,
    holding: 'merchants.list',
    exceptActor: true,
    topic: kind === 'signature' ? 'Refresh_Signature_Notify' : 'Approval_Notify',
    title: `${label}申请${APPROVAL_STATES[state]}`,
    body: [
      `${request.shopName}：「${content}」${done ? '已生效' : `未通过，${reason}`}`,
      ...(advice ? [advice] : []),
    ].join('。'),
    link: `/admin/merchant/merchantDetails?user_id=${merchantId}`,
    args: {
      ...{ merchantId, requestId: id, kind, state },
      ...(done && kind === 'signature' ? { signature: content } : {}),
    },
  })
}

type Told = { request: Request; decision: Decision; shop: Shop | undefined }

/** To the shops' own phones where that was wanted, at the vendor's cost; last before commit. */
export async function tellPhones(ctx: Ctx, told: readonly Told[]): Promise<void> {
  const messages = told.flatMap(({ request, decision: { step, reason }, shop }) => {
    // One that cannot be told hears of it at its point of sale, and from its agent.
    if (!request.bySms || !shop || refuseReceiver(shop)) return []
    const { agentId, merchantId, kind, content } = request
    const params = { shop: shop.shopName, item: APPROVAL_KINDS[kind], content }
    const to = { agentId, merchantId, phone: shop.account, kind: 'shop-notice' as const }
    return step === 'approve' || step === 'accept'
      ? { ...to, template: 'approval-passed', params }
      : { ...to, template: 'approval-refused', params: { ...params, reason } }
  })
  await queueMessages(ctx, messages)
}

/** Requests named in the operation log; the rest is counted. */
const NAMED = 20

function note(
  ctx: Ctx,
  judged: readonly { request: Request; refusal: string | null; decision: Decision }[],
  { step, reason, advice }: Decision,
): void {
  const done = judged.filter(({ refusal }) => refusal === null).map(({ request }) => request)
  if (done.length === 0) ctx.nothingChanged()
  const toOf = (one: Decision) => APPROVAL_STATES[APPROVAL_STEPS[one.step].to]
  const why: FieldChange[] =
    step === 'approve'
      ? []
      : [
          { name: '驳回原因', before: null, after: reason },
          ...(advice ? [{ name: '给商户的建议', before: null, after: advice }] : []),
        ]
  ctx.object('approval', ...done.map(({ id }) => id))
  const [only] = judged
  if (judged.length === 1 && only) {
    const { shopName, merchantId, kind, content, contentBefore } = only.request
    ctx.note(`${shopName} (${merchantId})`, [
      {
        name: APPROVAL_KINDS[kind],
        before: only.decision.step === 'approve' ? contentBefore : null,
        after: content,
      },
      { name: '审批', before: APPROVAL_STATES[only.request.state], after: toOf(only.decision) },
      ...why,
    ])
    return
  }
  if (done.length > 0) ctx.object('merchant', ...new Set(done.map(({ merchantId }) => merchantId)))
  ctx.note(`${done.length} 条申请`, [
    ...judged.slice(0, NAMED).map(({ request, refusal, decision }) => ({
      name: `${APPROVAL_KINDS[request.kind]} ${request.shopName} (${request.merchantId})`,
      before: null,
      after: `${request.content}：${refusal ?? toOf(decision)}`,
    })),
    ...why,
  ])
}
