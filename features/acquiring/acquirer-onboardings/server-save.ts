// What a shop is brought in to an acquirer with: begun with what is known, completed, and handed in. The shop's lock guards each.
import { and, eq, inArray } from 'drizzle-orm'
import { maskAccount } from '#features/acquiring/onboardings/rules.ts'
import { useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { findByAccount } from '#features/shops/merchants/server-list.ts'
import { ACQUIRER_NAMES, picturesFor } from '#kit/ports/acquirers.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseBroken, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { acquirerOnboardings as contract } from './contract.ts'
import { COMPLETION, ACQUIRER_ONBOARDING_FIELDS as FIELDS, REMARK } from './fields.ts'
import {
  ACQUIRER_APPROVAL_STEPS,
  APPROVAL_STATES,
  brokenCompletion,
  REFUSALS,
  refuseEdit,
  refuseSubmission,
} from './rules.ts'
import { type AcquirerOnboarding, begunWith, gather, lackingHere, papersOf } from './server-known.ts'
import { findOnboarding } from './server-rows.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

export type Shop = Awaited<ReturnType<typeof lockMerchant>>

export const nameOf = (ctx: Ctx) => ctx.actor.key?.name ?? ctx.actor.name

/** The shop first, as everybody does. Of what was looked at `revision` is told; what another has changed meanwhile is said. */
export async function lockOnboarding(
  ctx: Ctx,
  { id, revision }: { id: number; revision?: number },
): Promise<{ shop: Shop; row: AcquirerOnboarding }> {
  const { merchantId } = await findOnboarding(ctx, id)
  const shop = await lockMerchant(ctx, merchantId)
  const row = await findOnboarding(ctx, id)
  ctx.object('acquirerOnboarding', id)
  if (revision !== undefined && row.revision !== revision) refuseCommon('STALE')
  return { shop, row }
}

export function noteOf(ctx: Ctx, shop: Shop, row: AcquirerOnboarding, changes: FieldChange[]): void {
  ctx.note(`${shop.shopName} (${shop.id}) ${ACQUIRER_NAMES[row.channel]}`, changes)
}

/** Its agent hears what others did with it. */
export function tell(
  ctx: Ctx,
  shop: Shop,
  row: Pick<AcquirerOnboarding, 'id' | 'channel'>,
  { title, body = '' }: { title: string; body?: string },
) {
  const about = `${shop.shopName} ${ACQUIRER_NAMES[row.channel]}`
  return notify(ctx, {
    ...{ agentId: shop.agentId, merchantId: shop.id, holding: 'merchants.list', exceptActor: true },
    topic: 'Approval_Notify',
    title,
    body: body === '' ? about : `${about}：${body}`,
    link: `/admin/merchant/acquiring?id=${row.id}`,
    args: { merchantId: shop.id },
  })
}

export const begin: Verb<typeof contract.begin> = async (ctx, { account, channel }) => {
  const { merchantId } = await findByAccount(ctx, { account })
  const shop = await lockMerchant(ctx, merchantId)
  refuse(refuseDisabled(shop.status) && 'MERCHANT_DISABLED', REFUSALS, { field: 'account' })
  const [standing] = await ctx.db
    .select({ id: onboarded.id })
    .from(onboarded)
    .where(
      and(
        eq(onboarded.merchantId, merchantId),
        eq(onboarded.channel, channel),
        ownRows(ctx, onboarded.agentId),
      ),
    )
  refuse(standing ? 'ALREADY_BEGUN' : null, REFUSALS, { field: 'channel' })
  const [made] = await ctx.db
    .insert(onboarded)
    .values({
      ...{ agentId: shop.agentId, merchantId, channel, approvalState: 'draft', state: 'waiting' },
      ...(await begunWith(ctx, merchantId)),
      createdAt: ctx.now.toISOString(),
    })
    .returning()
  const row = found(made)
  ctx.object('acquirerOnboarding', row.id)
  noteOf(ctx, shop, row, [{ name: FIELDS.channel.label, before: null, after: ACQUIRER_NAMES[channel] }])
  if (shop.agentId !== ctx.actor.agentId) await tell(ctx, shop, row, { title: '已代为新建收单进件' })
  return { id: row.id, revision: row.revision }
}

export const complete: Verb<typeof contract.complete> = async (
  ctx,
  { id, revision, accountNumber, ...given },
) => {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  refuse(refuseEdit(row), REFUSALS)
  refuseBroken(COMPLETION, { ...given, accountNumber })
  const broken = brokenCompletion({ ...given, accountNumber })
  if (broken) refuse(broken.code, REFUSALS, { field: broken.field })
  const sealed =
    accountNumber === ''
      ? {}
      : {
          accountNumber: ctx.services.secrets.encrypt(accountNumber),
          accountNumberMasked: maskAccount(accountNumber),
        }
  const [after] = await ctx.db
    .update(onboarded)
    .set({ ...given, ...sealed, revision: revision + 1 })
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
    .returning()
  noteOf(ctx, shop, row, changesIn(row, found(after)))
  if (shop.agentId !== ctx.actor.agentId) await tell(ctx, shop, row, { title: '已代为填写进件资料' })
  return { id, revision: revision + 1 }
}

/** Phones and accounts masked. */
function changesIn(before: AcquirerOnboarding, after: AcquirerOnboarding): FieldChange[] {
  const said = (row: AcquirerOnboarding, key: keyof typeof COMPLETION) => {
    if (key === 'accountNumber') return row.accountNumberMasked
    return key === 'contactPhone' && row[key] !== '' ? maskPhone(row[key]) : row[key]
  }
  return (Object.keys(COMPLETION) as (keyof typeof COMPLETION)[]).flatMap(key => {
    const [was, is] = [said(before, key), said(after, key)]
    return was === is ? [] : [{ name: COMPLETION[key].label, before: was, after: is }]
  })
}

export const submit: Verb<typeof contract.submit> = async (ctx, { id, revision }) => {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  refuse(refuseDisabled(shop.status) && 'MERCHANT_DISABLED', REFUSALS)
  const { known, payType } = await gather(ctx, row)
  const kept = await papersOf(ctx, row)
  const asked = picturesFor(row.channel, payType).map(({ paper }) => paper)
  const papers = Object.fromEntries(
    asked.flatMap(paper => (kept[paper] ? [[paper, kept[paper]] as const] : [])),
  )
  const lacking = lackingHere(
    ctx,
    row,
    known,
    asked.filter(paper => kept[paper] !== undefined),
  )
  const code = refuseSubmission(row, lacking.length)
  if (code === 'LACKING')
    throw new Refusal(code, `${REFUSALS.LACKING}：${lacking.map(({ words }) => words).join('；')}`)
  refuse(code, REFUSALS)
  const { from, to } = ACQUIRER_APPROVAL_STEPS.submit
  await ctx.db
    .update(onboarded)
    .set({
      ...{ approvalState: to, revision: revision + 1, reasons: {}, papers },
      ...{ submittedBy: ctx.actor.accountId, submittedByName: nameOf(ctx) },
      submittedAt: ctx.now.toISOString(),
    })
    .where(
      and(eq(onboarded.id, id), inArray(onboarded.approvalState, [...from]), ownRows(ctx, onboarded.agentId)),
    )
  await takeInUse(
    ctx,
    shop.id,
    { feature: 'acquirerOnboardings', objectId: id },
    Object.values(papers) as number[],
  )
  noteOf(ctx, shop, row, [
    {
      name: FIELDS.approvalState.label,
      before: APPROVAL_STATES[row.approvalState],
      after: APPROVAL_STATES[to],
    },
  ])
  if (shop.agentId !== ctx.actor.agentId) await tell(ctx, shop, row, { title: '已代为提交收单进件' })
  return { id, revision: revision + 1 }
}

export const setRemark: Verb<typeof contract.setRemark> = async (ctx, { id, revision, remark }) => {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  refuseBroken(REMARK, { remark })
  if (row.remark === remark) {
    ctx.nothingChanged()
    return { id, revision }
  }
  await ctx.db
    .update(onboarded)
    .set({ remark, revision: revision + 1 })
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
  noteOf(ctx, shop, row, [{ name: FIELDS.remark.label, before: row.remark, after: remark }])
  return { id, revision: revision + 1 }
}
