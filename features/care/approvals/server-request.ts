// What is asked for, and taken back. A request of a shop takes the place of the one of its kind that waits.
import { and, eq, gte, inArray } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { endReviews } from '#features/shops/signatures/server-hand-in.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { type FilePurposes, isUploaded } from '#server/files.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse } from '#server/refuse.ts'
import type { approvals as contract } from './contract.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_PICTURE,
  APPROVAL_STATES,
  APPROVAL_STEPS,
  type ApprovalKind,
  brokenIn,
  REQUEST_REFUSALS,
  REQUESTS_PER_DAY,
  refuseRequest,
  refuseWithdraw,
  WITHDRAW_REFUSALS,
} from './rules.ts'
import { approvalRequests as requests } from './tables.ts'

export const APPROVAL_FILES: FilePurposes = {
  [APPROVAL_PICTURE]: {
    permission: 'approvals.request',
    log: '上传申请图片',
    shared: false,
    usedBy: [{ table: 'approval_requests', column: 'picture_id' }],
  },
}

/** Who dealt with a request, and when. */
export function handledNow(ctx: Ctx) {
  return {
    handledBy: ctx.actor.accountId,
    handledByName: ctx.actor.key?.name ?? ctx.actor.name,
    handledAt: ctx.now.toISOString(),
  }
}

export const request: Verb<typeof contract.request> = (ctx, { kind, merchantId, content, ...more }) =>
  requestApproval(ctx, kind, merchantId, content, more)

/** Asks for a shop's new signature, store name or member title. The shop is locked first, as whoever decides does. */
export async function requestApproval(
  ctx: Ctx,
  kind: ApprovalKind,
  merchantId: number,
  content: string,
  {
    note = '',
    pictureId = null,
    bySms = false,
  }: Partial<Pick<typeof requests.$inferInsert, 'note' | 'pictureId' | 'bySms'>> = {},
): Promise<{ id: number }> {
  const asked = { kind, content: content.trim(), note: note.trim() }
  const [broken] = brokenIn(asked)
  if (broken) refuse(broken.code, REQUEST_REFUSALS, { field: broken.field })
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  if (pictureId !== null && !(await isUploaded(ctx, pictureId, APPROVAL_PICTURE)))
    refuse('PICTURE_UNKNOWN', REQUEST_REFUSALS, { field: 'pictureId' })
  const standing = shop[kind]
  const waiting = await waitingOf(ctx, kind, merchantId)
  const sentToday = await sentTodayOf(ctx, kind, merchantId)
  const perDay = await settingOf(ctx, REQUESTS_PER_DAY)
  refuse(refuseRequest(asked.content, { standing, waiting, sentToday, perDay }), REQUEST_REFUSALS, {
    field: 'content',
  })
  if (waiting !== null) await replaceWaiting(ctx, kind, merchantId)
  const [kept] = await ctx.db
    .insert(requests)
    .values({
      ...asked,
      agentId: shop.agentId,
      merchantId,
      contentBefore: standing,
      ...{ pictureId, bySms },
      shopName: shop.shopName,
      state: 'pending',
      createdBy: ctx.actor.accountId,
      // A program says who it is; whose key it has stands in the log.
      createdByName: ctx.actor.key?.name ?? ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: requests.id })
  const { id } = found(kept)
  ctx.object('approval', id)
  ctx.note(`${shop.shopName} (${merchantId})`, [
    { name: APPROVAL_KINDS[kind], before: standing, after: asked.content },
    ...(waiting === null ? [] : [{ name: '被替代的申请', before: null, after: waiting }]),
  ])
  if (shop.agentId !== ctx.actor.agentId) await tellAgent(ctx, shop, kind, asked.content)
  return { id }
}

/** A signature that comes with other data of the shop: asked for unless the shop has it, or waits for it. Answers the request's id. */
export async function askAlong(
  ctx: Ctx,
  shop: { id: number; signature: string },
  signature: string,
): Promise<number | null> {
  if (signature === shop.signature) return null
  const [waiting] = await ctx.db
    .select({ id: requests.id })
    .from(requests)
    .where(
      and(
        eq(requests.merchantId, shop.id),
        eq(requests.kind, 'signature'),
        eq(requests.content, signature),
        inArray(requests.state, APPROVAL_STEPS.replace.from),
        ownRows(ctx, requests.agentId),
      ),
    )
  if (waiting) return waiting.id
  const { id } = await requestApproval(ctx, 'signature', shop.id, signature, { note: '随实名资料提交' })
  return id
}

/** What is asked for already and not decided yet; null: nothing. */
async function waitingOf(ctx: Ctx, kind: ApprovalKind, merchantId: number): Promise<string | null> {
  const [row] = await ctx.db
    .select({ content: requests.content })
    .from(requests)
    .where(
      and(
        eq(requests.merchantId, merchantId),
        eq(requests.kind, kind),
        inArray(requests.state, APPROVAL_STEPS.replace.from),
        ownRows(ctx, requests.agentId),
      ),
    )
  return row?.content ?? null
}

async function replaceWaiting(ctx: Ctx, kind: ApprovalKind, merchantId: number): Promise<void> {
  const replaced = await ctx.db
    .update(requests)
    .set({ ...handledNow(ctx), state: APPROVAL_STEPS.replace.to })
    .where(
      and(
        eq(requests.merchantId, merchantId),
        eq(requests.kind, kind),
        inArray(requests.state, APPROVAL_STEPS.replace.from),
        ownRows(ctx, requests.agentId),
      ),
    )
    .returning({ id: requests.id })
  await endReviews(
    ctx,
    replaced.map(({ id }) => id),
  )
}

function sentTodayOf(ctx: Ctx, kind: ApprovalKind, merchantId: number): Promise<number> {
  const today = startOfDay(formatDay(ctx.now)).toISOString()
  return ctx.db.$count(
    requests,
    and(
      eq(requests.merchantId, merchantId),
      eq(requests.kind, kind),
      gte(requests.createdAt, today),
      ownRows(ctx, requests.agentId),
    ),
  )
}

type Shop = { id: number; agentId: number; shopName: string }

/** Staff asked for a shop of an agent's. */
async function tellAgent(ctx: Ctx, shop: Shop, kind: ApprovalKind, content: string): Promise<void> {
  await notify(ctx, {
    agentId: shop.agentId,
    merchantId: shop.id,
    holding: 'merchants.list',
    topic: 'Approval_Notify',
    title: `已代为申请${APPROVAL_KINDS[kind]}`,
    body: `${shop.shopName}：「${content}」，提交人 ${ctx.actor.key?.name ?? ctx.actor.name}`,
    link: `/admin/merchant/merchantDetails?user_id=${shop.id}`,
    args: { merchantId: shop.id, kind },
  })
}

export const withdraw: Verb<typeof contract.withdraw> = async (ctx, { id }) => {
  const own = and(eq(requests.id, id), ownRows(ctx, requests.agentId))
  const [asked] = await ctx.db.select().from(requests).where(own)
  const { merchantId, shopName, kind, content } = found(asked)
  refuse(refuseWithdraw(found(asked).state), WITHDRAW_REFUSALS)
  // The shop first, as whoever decides does.
  await lockMerchant(ctx, merchantId)
  const [row] = await ctx.db.select().from(requests).where(own).for('update')
  const { state, agentId } = found(row)
  refuse(refuseWithdraw(state), WITHDRAW_REFUSALS)
  await ctx.db
    .update(requests)
    .set({ ...handledNow(ctx), state: APPROVAL_STEPS.withdraw.to })
    .where(and(own, inArray(requests.state, APPROVAL_STEPS.withdraw.from)))
  await endReviews(ctx, [id])
  ctx.about(agentId, merchantId)
  ctx.object('approval', id)
  ctx.note(`${shopName} (${merchantId})`, [
    { name: APPROVAL_KINDS[kind], before: null, after: content },
    { name: '审批', before: APPROVAL_STATES[state], after: APPROVAL_STATES.withdrawn },
  ])
  return { id }
}
