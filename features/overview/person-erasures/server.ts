import { randomBytes } from 'node:crypto'
import { and, desc, eq, ilike, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { maskNumber } from '#features/care/documents/rules.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { type Audience, type Notice, notify } from '#features/office/notices/server-notify.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { formatDay } from '#kit/time.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { personErasures as contract } from './contract.ts'
import {
  CHANNELS,
  ERASURE_STATES,
  ERASURE_STEPS,
  type ErasureStep,
  LOOK_REFUSALS,
  maskName,
  refuseAsk,
  refuseItems,
  refuseLook,
  refuseReason,
  refuseStep,
  STEP_REFUSALS,
} from './rules.ts'
import { whatOf } from './server-words.ts'
import { WORK } from './server-work.ts'
import { personErasures as erasures, personErasureItems as items } from './tables.ts'

/** First wall: they are of no agent, and the operator's alone. */
function operatorOnly(ctx: Ctx): SQL | undefined {
  return ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope ? undefined : sql`false`
}

/** `PE20261130-4F7K2M9Q`: no two offices of one backup give the same. */
export function newNumber(now: Date): string {
  const day = formatDay(now).replaceAll('-', '')
  return `PE${day}-${randomBytes(5).toString('hex').toUpperCase()}`
}

export const look: Verb<typeof contract.look> = async (ctx, input) => {
  const keys = { phone: input.phone, name: input.name, idNumber: input.idNumber.toUpperCase() }
  const broken = refuseLook(keys, formatDay(ctx.now))
  if (broken) refuse(broken.code, LOOK_REFUSALS, { field: broken.field })
  const { secrets } = ctx.services
  const [made] = await ctx.db
    .insert(erasures)
    .values({
      number: newNumber(ctx.now),
      state: 'looking',
      phoneHash: secrets.digest(`person erasure ${keys.phone}`),
      keys: secrets.encrypt(JSON.stringify(keys)),
      phoneMasked: maskPhone(keys.phone),
      nameMasked: maskName(keys.name),
      idNumberMasked: maskNumber(keys.idNumber),
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .onConflictDoNothing()
    .returning({ id: erasures.id, number: erasures.number })
  if (!made) refuse('ALREADY_OPEN', LOOK_REFUSALS, { field: 'phone' })
  const { id, number } = found(made)
  ctx.services.wake(WORK)
  ctx.object('erasure', id)
  ctx.note(number, [
    { name: '手机号', before: null, after: maskPhone(keys.phone) },
    ...(keys.name === '' ? [] : [{ name: '姓名', before: null, after: maskName(keys.name) }]),
    ...(keys.idNumber === '' ? [] : [{ name: '身份证号', before: null, after: maskNumber(keys.idNumber) }]),
  ])
  return { id }
}

const ROW = {
  id: erasures.id,
  number: erasures.number,
  state: erasures.state,
  phoneMasked: erasures.phoneMasked,
  nameMasked: erasures.nameMasked,
  channel: erasures.channel,
  askedOn: erasures.askedOn,
  reason: erasures.reason,
  createdByName: erasures.createdByName,
  createdAt: erasures.createdAt,
  requestedByName: erasures.requestedByName,
  approvedByName: erasures.approvedByName,
  finishedAt: erasures.finishedAt,
}

export const listErasures: Verb<typeof contract.list> = async (ctx, input) => {
  const where = and(
    operatorOnly(ctx),
    input.state === undefined ? undefined : eq(erasures.state, input.state),
    input.search ? ilike(erasures.number, `%${input.search.replace(/[\\%_]/g, '\\$&')}%`) : undefined,
  )
  const rows = await ctx.db
    .select(ROW)
    .from(erasures)
    .where(where)
    .orderBy(desc(erasures.createdAt), desc(erasures.id))
    .limit(input.size)
    .offset((input.page - 1) * input.size)
  const total = await ctx.db.$count(erasures, where)
  return { rows, total: Math.min(total, COUNT_CAP), totalCapped: total > COUNT_CAP }
}

export const findErasure: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select()
    .from(erasures)
    .where(and(eq(erasures.id, id), operatorOnly(ctx)))
  const erasure = found(row)
  const rows = await ctx.db
    .select({
      ...{ key: items.key, kind: items.kind, tableName: items.tableName, rowId: items.rowId },
      ...{ hangsOn: items.hangsOn, agentId: items.agentId, agentName: agents.companyName },
      ...{ merchantId: items.merchantId, shopName: merchants.shopName, matched: items.matched },
      ...{ rows: items.rows, fate: items.fate, reason: items.reason, block: items.block },
      ...{ chosen: items.chosen, choosable: items.choosable, done: items.done },
    })
    .from(items)
    .leftJoin(agents, eq(agents.id, items.agentId))
    .leftJoin(merchants, eq(merchants.id, items.merchantId))
    .where(eq(items.erasureId, id))
    .orderBy(desc(items.choosable), items.kind, items.key)
  const { certificate, signature } = erasure
  return {
    ...erasure,
    isOwn: erasure.requestedBy === ctx.actor.accountId,
    hasSecond: await hasSecond(ctx),
    items: rows.map(({ tableName, ...item }) => ({ ...item, what: whatOf(tableName) })),
    certificate: certificate === '' ? null : { text: certificate, signature },
  }
}

/** Whether there is another who may agree. */
async function hasSecond(ctx: Ctx): Promise<boolean> {
  const others = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(
      and(
        eq(agents.isOperator, true),
        accounts.enabled,
        isNull(accounts.deletedAt),
        sql`${accounts.id} <> ${ctx.actor.accountId}`,
        or(
          accounts.isOwner,
          sql`exists (select from roles r join permission_nodes n on n.id = any(r.node_ids)
            where r.id = ${accounts.roleId} and r.enabled and n.key = 'personErasures.manage')`,
        ),
      ),
    )
    .limit(1)
  return others.length > 0
}

async function locked(ctx: Ctx, id: number) {
  const [row] = await ctx.db
    .select()
    .from(erasures)
    .where(and(eq(erasures.id, id), operatorOnly(ctx)))
    .for('update')
  const erasure = found(row)
  ctx.object('erasure', id)
  return erasure
}

type Erasure = Awaited<ReturnType<typeof locked>>

async function takeStep(
  ctx: Ctx,
  erasure: Erasure,
  step: ErasureStep,
  more: Partial<typeof erasures.$inferInsert> = {},
): Promise<void> {
  const { from, to } = ERASURE_STEPS[step]
  await ctx.db
    .update(erasures)
    .set({ ...more, state: to })
    .where(and(eq(erasures.id, erasure.id), inArray(erasures.state, [...from])))
  ctx.note(erasure.number, [
    { name: '状态', before: ERASURE_STATES[erasure.state], after: ERASURE_STATES[to] },
    ...(more.reason ? [{ name: '原因', before: null, after: more.reason }] : []),
    ...(more.answer ? [{ name: '退回原因', before: null, after: more.answer }] : []),
    ...(more.channel ? [{ name: '提出方式', before: null, after: CHANNELS[more.channel] }] : []),
  ])
  ctx.services.wake(WORK)
}

const askerOf = ({ requestedBy }: Erasure) => (requestedBy === null ? [] : [requestedBy])

/** By its number alone: what is known of the person stands in no notice. */
function tell(ctx: Ctx, { id }: Erasure, notice: Audience & Omit<Notice, 'topic'>): Promise<number> {
  return notify(ctx, {
    ...notice,
    topic: 'Erasure_Notify',
    link: `/admin/operations/person-erasures?erasure=${id}`,
    args: { id },
  })
}

export const choose: Verb<typeof contract.choose> = async (ctx, { id, keys, chosen }) => {
  const erasure = await locked(ctx, id)
  refuse(refuseStep(erasure.state, 'ask'), STEP_REFUSALS)
  const changed = await ctx.db
    .update(items)
    .set({ chosen })
    .where(and(eq(items.erasureId, id), inArray(items.key, keys), eq(items.choosable, true)))
    .returning({ key: items.key })
  refuse(changed.length < new Set(keys).size ? 'NOT_CHOOSABLE' : null, STEP_REFUSALS)
  // What hangs on it goes where it goes.
  await ctx.db
    .update(items)
    .set({ chosen })
    .where(and(eq(items.erasureId, id), inArray(items.hangsOn, keys)))
  ctx.note(erasure.number, [
    { name: chosen ? '勾选' : '取消勾选', before: null, after: `${changed.length} 项` },
  ])
  return { id }
}

export const ask: Verb<typeof contract.ask> = async (ctx, { id, ...asked }) => {
  const erasure = await locked(ctx, id)
  refuse(refuseStep(erasure.state, 'ask'), STEP_REFUSALS)
  const broken = refuseAsk(asked, formatDay(ctx.now))
  if (broken) refuse(broken.code, STEP_REFUSALS, { field: broken.field })
  const all = await ctx.db
    .select({ chosen: items.chosen, fate: items.fate, block: items.block })
    .from(items)
    .where(eq(items.erasureId, id))
  refuse(refuseItems(all), STEP_REFUSALS)
  const waits = await hasSecond(ctx)
  await takeStep(ctx, erasure, waits ? 'ask' : 'begin', {
    reason: asked.reason.trim(),
    askedOn: asked.askedOn,
    channel: asked.channel,
    requestedBy: ctx.actor.accountId,
    requestedByName: ctx.actor.name,
    requestedAt: ctx.now.toISOString(),
    answer: '',
  })
  if (waits)
    await tell(ctx, erasure, {
      ...{ vendor: 'operator', holding: 'personErasures.manage', exceptActor: true },
      title: '个人信息删除待复核',
      body: `${ctx.actor.name}提交了申请${erasure.number}`,
    })
  return { id }
}

export const approve: Verb<typeof contract.approve> = async (ctx, { id }) => {
  const erasure = await locked(ctx, id)
  refuse(refuseStep(erasure.state, 'approve'), STEP_REFUSALS)
  refuse(erasure.requestedBy === ctx.actor.accountId ? 'OWN_REQUEST' : null, STEP_REFUSALS)
  await takeStep(ctx, erasure, 'approve', {
    approvedByName: ctx.actor.name,
    approvedAt: ctx.now.toISOString(),
  })
  await tell(ctx, erasure, {
    accountIds: askerOf(erasure),
    title: '个人信息删除已同意',
    body: `${ctx.actor.name}同意了申请${erasure.number}，正在删除`,
  })
  return { id }
}

export const reject: Verb<typeof contract.reject> = async (ctx, { id, reason }) => {
  const erasure = await locked(ctx, id)
  refuse(refuseStep(erasure.state, 'reject'), STEP_REFUSALS)
  refuse(refuseReason(reason), STEP_REFUSALS, { field: 'reason' })
  await takeStep(ctx, erasure, 'reject', { answer: reason.trim() })
  await tell(ctx, erasure, {
    accountIds: askerOf(erasure),
    title: '个人信息删除被退回',
    body: `${ctx.actor.name}退回了申请${erasure.number}，原因见详情`,
  })
  return { id }
}

/** Whoever it was is forgotten here, too. */
export const withdraw: Verb<typeof contract.withdraw> = async (ctx, { id }) => {
  const erasure = await locked(ctx, id)
  refuse(refuseStep(erasure.state, 'withdraw'), STEP_REFUSALS)
  await takeStep(ctx, erasure, 'withdraw', {
    keys: null,
    phoneHash: null,
    finishedAt: ctx.now.toISOString(),
  })
  return { id }
}

export const personErasuresRouter = serve(contract, {
  list: listErasures,
  details: findErasure,
  look,
  choose,
  ask,
  approve,
  reject,
  withdraw,
})
