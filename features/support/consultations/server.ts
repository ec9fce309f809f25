import { and, desc, eq, gte, like, lt, type SQL, sql } from 'drizzle-orm'
import { networkHash, redeemPass } from '#features/office/captcha/server-pass.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { endOfDay, startOfDay } from '#kit/time.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { containing, countUpTo } from '#server/list.ts'
import { refuseSecond } from '#server/office/second.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { SYSTEM_ACTOR } from '#server/system.ts'
import { consultations as contract } from './contract.ts'
import {
  brokenIn,
  CONSULTATION_REFUSALS,
  CONSULTATIONS_PER_MOBILE,
  CONSULTATIONS_PER_NETWORK,
  CONTACT_REFUSALS,
  refuseMore,
} from './rules.ts'
import { consultations as rows } from './tables.ts'

/** Whoever asks, of nobody's agent. */
export const submit: Verb<typeof contract.submit> = async (ctx, input) => {
  const [broken] = brokenIn(input)
  if (broken) refuse(broken.code, CONSULTATION_REFUSALS, { field: broken.field })
  const [name, mobile] = [input.name.trim(), input.mobile.trim()]
  // Holds back whoever sends twice at once, so that what is counted next stays true.
  await redeemPass(ctx, { scene: 'consultation', subject: mobile, token: input.captcha })
  const perMobile = await settingOf(ctx, CONSULTATIONS_PER_MOBILE)
  const perNetwork = await settingOf(ctx, CONSULTATIONS_PER_NETWORK)
  refuse(refuseMore(await countSent(ctx, mobile), { perMobile, perNetwork }), CONSULTATION_REFUSALS)
  const [kept] = await ctx.db
    .insert(rows)
    .values({
      name,
      mobile,
      address: input.address.trim(),
      content: input.content.trim(),
      ipHash: networkHash(ctx),
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: rows.id })
  const { id } = found(kept)
  await notify(ctx, {
    vendor: 'staff',
    holding: 'consultations.list',
    topic: 'Consultation_Notify',
    title: '新的官网咨询',
    body: `${name} ${mobile}`,
    link: '/admin/operations/consultations',
    args: { consultationId: id },
  })
  ctx.object('consultation', id)
  ctx.note(`官网咨询 (${id})`, [{ name: '手机号', before: null, after: maskPhone(mobile) }], SYSTEM_ACTOR)
  return { received: true }
}

async function countSent(ctx: Ctx, mobile: string): Promise<{ byMobile: number; byNetwork: number }> {
  const { rows: counted } = await ctx.client.query<{ by_mobile: number; by_network: number }>({
    name: 'consultations_sent',
    text: `select
        (select count(*)::int from consultations where mobile = $1 and created_at > now() - interval '1 day') as by_mobile,
        (select count(*)::int from consultations where ip_hash = $2 and created_at > now() - interval '1 day') as by_network`,
    values: [mobile, networkHash(ctx)],
  })
  return { byMobile: counted[0]?.by_mobile ?? 0, byNetwork: counted[0]?.by_network ?? 0 }
}

/** First wall: they are of no agent, and the vendor's staff alone may look at them. */
function staffOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

export const listConsultations: Verb<typeof contract.list> = async (ctx, input) => {
  const where = and(
    staffOnly(ctx),
    input.contacted === undefined ? undefined : eq(rows.contacted, input.contacted),
    input.from ? gte(rows.createdAt, startOfDay(input.from).toISOString()) : undefined,
    input.to ? lt(rows.createdAt, endOfDay(input.to).toISOString()) : undefined,
    matches(input.search),
  )
  const page = await ctx.db
    .select()
    .from(rows)
    .where(where)
    .orderBy(desc(rows.createdAt), desc(rows.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const total = await countUpTo(ctx, rows, where)
  return { rows: page, total: Math.min(total, COUNT_CAP), totalCapped: total > COUNT_CAP }
}

export async function countWaiting(ctx: Ctx): Promise<Out<typeof contract.count>> {
  const waiting = await countUpTo(ctx, rows, and(staffOnly(ctx), eq(rows.contacted, false)))
  return { waiting: Math.min(waiting, COUNT_CAP), capped: waiting > COUNT_CAP }
}

/** The beginning of a number, or a part of name or address, by their pieces of two characters where the index has them. */
function matches(search: string | undefined): SQL | undefined {
  if (!search) return undefined
  if (/^\d+$/.test(search)) return like(rows.mobile, `${search}%`)
  return containing(rows.searchText, search)
}

export const contact: Verb<typeof contract.contact> = async (ctx, { id, contacted }) => {
  const [row] = await ctx.db
    .select()
    .from(rows)
    .where(and(eq(rows.id, id), staffOnly(ctx)))
    .for('update')
  const before = found(row)
  // Pressed twice it stays as it is; of two people the second need not call.
  if (contacted && before.contacted && before.contactedByName !== ctx.actor.name)
    await refuseSecond(ctx, 'CONTACTED_ALREADY', CONTACT_REFUSALS, { name: before.contactedByName })
  if (before.contacted !== contacted)
    await ctx.db
      .update(rows)
      .set({
        contacted,
        contactedAt: contacted ? ctx.now.toISOString() : null,
        contactedByName: contacted ? ctx.actor.name : '',
      })
      .where(eq(rows.id, id))
  ctx.object('consultation', id)
  ctx.note(
    `${before.name} (${id})`,
    changesOf(before, { contacted }, { contacted: { kind: 'flag', label: '已联系' } }),
  )
  return { id, contacted }
}

export const consultationsRouter = serve(contract, {
  submit,
  list: listConsultations,
  count: countWaiting,
  contact,
})
