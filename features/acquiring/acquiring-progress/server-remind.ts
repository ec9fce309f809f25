// A shop is reminded by SMS of what it is to do, with a link that it opens without an account.
import { and, desc, eq, max } from 'drizzle-orm'
import { onboardings } from '#features/acquiring/onboardings/tables.ts'
import { makeLink, sendLink } from '#features/acquiring/owner-papers/server-desk.ts'
import { paymentApplications as applications } from '#features/acquiring/payment-applications/tables.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { queueMessages } from '#features/shops/messages/server-outbox.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import { ONBOARDING_STATE_DAYS } from '#kit/ports/onboarding.ts'
import { formatDay } from '#kit/time.ts'
import { isMainlandMobile, maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { inTheNameOf } from '#server/system.ts'
import type { acquiringProgress as contract } from './contract.ts'
import { PROGRESS_FIELDS } from './fields.ts'
import { REFUSALS, refuseReminder, STEPS } from './rules.ts'
import { laterOf, linksSent } from './server-rows.ts'
import { acquiringProgress as progress } from './tables.ts'

type Progress = typeof progress.$inferSelect
type Shop = Awaited<ReturnType<typeof lockMerchant>>
type Sent = { messageId: number; phone: string }

export const remind: Verb<typeof contract.remind> = async (ctx, { id, step }) => {
  const { merchantId } = await findRow(ctx, id)
  // Under the shop's lock, so that of two presses the second one sees the first.
  const shop = await lockMerchant(ctx, merchantId)
  const row = await findRow(ctx, id)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  if (row.step !== step) refuseCommon('STALE')
  refuse(
    refuseReminder({ turn: row.turn, remindedAt: await remindedLast(ctx, merchantId) }, ctx.now),
    REFUSALS,
  )
  refuse(ctx.services.providers.sms === null ? 'SMS_NONE' : null, REFUSALS)
  const { messageId, phone } =
    step === 'ownerFilling' ? await sendOwnerLink(ctx, shop) : await sendSignLink(ctx, shop, row)
  await ctx.db
    .update(progress)
    .set({ remindedAt: ctx.now.toISOString(), remindedByName: ctx.actor.name, reminderId: messageId })
    .where(and(eq(progress.id, id), ownRows(ctx, progress.agentId)))
  ctx.note(`${shop.shopName} (${shop.id})`, [
    { name: PROGRESS_FIELDS.step.label, before: null, after: STEPS[step].words },
    { name: '手机号', before: null, after: maskPhone(phone) },
  ])
  return { id, phone: maskPhone(phone) }
}

async function findRow(ctx: Ctx, id: number): Promise<Progress> {
  const [row] = await ctx.db
    .select()
    .from(progress)
    .where(and(eq(progress.id, id), ownRows(ctx, progress.agentId)))
  return found(row)
}

/** When the shop was reminded of anything. */
async function remindedLast(ctx: Ctx, merchantId: number): Promise<string | null> {
  const [last] = await ctx.db
    .select({ at: max(progress.remindedAt) })
    .from(progress)
    .where(and(eq(progress.merchantId, merchantId), ownRows(ctx, progress.agentId)))
  return laterOf(last?.at ?? null, (await linksSent(ctx, [merchantId])).get(merchantId))
}

/** The office keeps no link of an owner, so another one takes its place; what was entered goes on there. */
async function sendOwnerLink(ctx: Ctx, shop: Shop): Promise<Sent> {
  refuse(ctx.actor.permissions.has('ownerPapers.invite') ? null : 'NO_INVITE', REFUSALS)
  refuse(isMainlandMobile(shop.account) ? null : 'NO_PHONE', REFUSALS)
  const named = inTheNameOf(ctx, ctx.actor)
  const { id, code } = await makeLink(named.ctx, { merchantId: shop.id })
  await sendLink(named.ctx, { id, code })
  const [sent] = await ctx.db
    .select({ id: outboxMessages.id })
    .from(outboxMessages)
    .where(
      and(
        eq(outboxMessages.merchantId, shop.id),
        eq(outboxMessages.kind, 'owner-link'),
        ownRows(ctx, outboxMessages.agentId),
      ),
    )
    .orderBy(desc(outboxMessages.id))
    .limit(1)
  return { messageId: found(sent).id, phone: shop.account }
}

/** To the phone of the application, which the payment service asks to be the one of whoever signs. */
async function sendSignLink(ctx: Ctx, shop: Shop, { sourceId, step }: Progress): Promise<Sent> {
  const [row] = await ctx.db
    .select({ phone: applications.phone, signUrl: onboardings.signUrl, changedAt: onboardings.changedAt })
    .from(applications)
    .innerJoin(onboardings, eq(onboardings.applicationId, applications.id))
    .where(and(eq(applications.id, sourceId), ownRows(ctx, applications.agentId)))
  const { phone: own, signUrl, changedAt } = found(row)
  const phone = [own, shop.account].find(isMainlandMobile)
  refuse(phone === undefined ? 'NO_PHONE' : null, REFUSALS)
  refuse(signUrl === '' ? 'NO_LINK' : null, REFUSALS)
  const state = step === 'confirming' ? 'toBeConfirmed' : 'toBeSigned'
  const ends = Date.parse(changedAt) + (ONBOARDING_STATE_DAYS[state] ?? 0) * 86_400_000
  const [queued] = await queueMessages(ctx, [
    {
      ...{ agentId: shop.agentId, merchantId: shop.id, kind: 'shop-notice', phone: found(phone) },
      template: 'onboarding-sign',
      params: {
        shop: shop.shopName,
        day: formatDay(new Date(ends)),
        task: step === 'confirming' ? '验证账户' : '签约',
        address: signUrl,
      },
    },
  ])
  return { messageId: found(queued).id, phone: found(phone) }
}
