// What the vendor's staff do: answer, leave notes, take steps, charge somebody, say by when; and the program, which ends what is done.
import { and, asc, eq, lt, sql } from 'drizzle-orm'
import { vendorPeople } from '#features/support/demands/server-rows.ts'
import { formatInstant } from '#kit/time.ts'
import { answeredText, refuseText } from '#kit/words/talk.ts'
import type { Ctx, Services, Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import type { workOrders as contract } from './contract.ts'
import { WORK_ORDER_FIELDS } from './fields.ts'
import {
  ANSWER_REFUSALS,
  CHARGE_REFUSALS,
  dueAfterWait,
  meanwhileText,
  ORDER_STATES,
  refuseCharge,
  refuseDue,
  refuseMore,
  refuseStep,
  SAY_REFUSALS,
  STAFF_STEPS,
  STEP_REFUSALS,
  WORK_ORDER_DAYS,
  WORK_ORDER_STEPS,
} from './rules.ts'
import { seen } from './server-rows.ts'
import {
  addMessage,
  afterMessage,
  authorOf,
  lockOrder,
  move,
  record,
  refuseMessage,
  save,
  subjectOf,
  tellPartner,
  tellPresent,
  tellVendor,
  type WorkOrder,
} from './server-write.ts'
import { workOrders } from './tables.ts'

/** Of two at once the second is told who was first. */
function refuseMeanwhile(order: WorkOrder, code: string | null): void {
  if (code === 'CHANGED_MEANWHILE') throw new Refusal(code, meanwhileText(order.changedByName))
}

/** What its row shows after the vendor has said something. */
function afterAnswer(ctx: Ctx, order: WorkOrder, messageId: number, text: string) {
  const shown = afterMessage(ctx, text)
  return {
    ...shown,
    lastVendorId: messageId,
    vendorSeen: order.lastPartnerId,
    firstAnsweredAt: order.firstAnsweredAt ?? shown.lastAt,
  }
}

export const answer: Verb<typeof contract.answer> = async (ctx, { id, text, pictures, revision }) => {
  await refuseMessage(ctx, text, pictures)
  const order = await lockOrder(ctx, id, seen(ctx))
  refuse(refuseMore(order.state), ANSWER_REFUSALS)
  if (revision !== order.revision)
    throw new Refusal('CHANGED_MEANWHILE', answeredText(order.changedByName), { field: 'text' })
  const messageId = await addMessage(ctx, order, { side: 'vendor', text, pictures })
  await save(ctx, order, {
    ...afterAnswer(ctx, order, messageId, text),
    revision: order.revision + 1,
    changedByName: authorOf(ctx).name,
  })
  await tellPartner(ctx, order, '厂商回复了您的工单', `${order.title}：${text}`)
  await tellPresent(ctx, id)
  ctx.note(subjectOf(order), [{ name: '答复', before: null, after: text }])
  return { id: messageId }
}

/** Also in what is closed. */
export const note: Verb<typeof contract.note> = async (ctx, { id, text }) => {
  refuse(refuseText(text), SAY_REFUSALS, { field: 'text' })
  const order = await lockOrder(ctx, id, seen(ctx))
  const messageId = await addMessage(ctx, order, { side: 'note', text })
  await tellPresent(ctx, id)
  ctx.note(subjectOf(order), [{ name: '内部备注', before: null, after: text }])
  return { id: messageId }
}

export const step: Verb<typeof contract.step> = async (ctx, input) => {
  const { id, text } = input
  const order = await lockOrder(ctx, id, seen(ctx))
  const code = refuseStep(order, input)
  refuseMeanwhile(order, code)
  refuse(code, STEP_REFUSALS, { field: code === 'STEP_IMPOSSIBLE' ? undefined : 'text' })
  const now = ctx.now.toISOString()
  const messageId = text === '' ? null : await addMessage(ctx, order, { side: 'vendor', text })
  const to = await move(ctx, order, {
    step: input.step,
    title: STAFF_STEPS[input.step],
    changed: {
      ...(messageId === null ? {} : afterAnswer(ctx, order, messageId, text)),
      ...(order.state === 'waiting' && {
        dueAt: dueAfterWait(order.dueAt, order.stoppedAt, now),
        stoppedAt: null,
      }),
      ...(input.step === 'ask' && { stoppedAt: now }),
      ...(input.step === 'finish' && { doneAt: now }),
      // Whoever takes it up is who does it, unless somebody is charged with it.
      ...(order.assigneeId === null && {
        assigneeId: ctx.actor.accountId,
        assigneeName: authorOf(ctx).name,
      }),
    },
    changes: [
      ...(order.assigneeId === null
        ? [{ name: WORK_ORDER_FIELDS.assigneeName.label, before: '', after: authorOf(ctx).name }]
        : []),
      ...(text === '' ? [] : [{ name: '说明', before: null, after: text }]),
    ],
  })
  await tellPartner(
    ctx,
    order,
    `您的工单${ORDER_STATES[to]}`,
    text === '' ? order.title : `${order.title}：${text}`,
  )
  return { id }
}

export const assign: Verb<typeof contract.assign> = async (ctx, { id, accountId, revision }) => {
  const order = await lockOrder(ctx, id, seen(ctx))
  const code = refuseCharge(order, revision)
  refuseMeanwhile(order, code)
  refuse(code, CHARGE_REFUSALS)
  if (order.assigneeId === accountId) {
    ctx.nothingChanged()
    return { id }
  }
  const assigneeName = accountId === null ? '' : await nameOf(ctx, accountId)
  const changed = { assigneeId: accountId, assigneeName }
  await charge(ctx, order, changed, {
    title: '分配了负责人',
    change: {
      name: WORK_ORDER_FIELDS.assigneeName.label,
      before: order.assigneeName,
      after: assigneeName,
    },
  })
  if (accountId !== null) await tellVendor(ctx, { ...order, ...changed }, '工单已分配给您', order.title)
  return { id }
}

async function nameOf(ctx: Ctx, accountId: number): Promise<string> {
  const person = (await vendorPeople(ctx)).find(one => one.id === accountId)
  if (!person) refuse('PERSON_UNKNOWN', CHARGE_REFUSALS, { field: 'accountId' })
  return found(person).name
}

export const setDue: Verb<typeof contract.setDue> = async (ctx, { id, dueAt, revision }) => {
  refuse(refuseDue(dueAt, ctx.now.getTime()), CHARGE_REFUSALS, { field: 'dueAt' })
  const order = await lockOrder(ctx, id, seen(ctx))
  const code = refuseCharge(order, revision)
  refuseMeanwhile(order, code)
  refuse(code, CHARGE_REFUSALS)
  const due = new Date(dueAt as string).toISOString()
  // What is waited for begins to count anew from here.
  const stoppedAt = order.stoppedAt === null ? null : ctx.now.toISOString()
  await charge(
    ctx,
    order,
    { dueAt: due, stoppedAt },
    {
      title: '修改了截止时间',
      change: {
        name: WORK_ORDER_FIELDS.pressingAt.label,
        before: formatInstant(order.dueAt),
        after: formatInstant(due),
      },
    },
  )
  return { id }
}

type Charged = { title: string; change: { name: string; before: string; after: string } }

async function charge(
  ctx: Ctx,
  order: WorkOrder,
  changed: Parameters<typeof save>[2],
  { title, change }: Charged,
): Promise<void> {
  const changedByName = authorOf(ctx).name
  await save(ctx, order, { ...changed, revision: order.revision + 1, changedByName })
  await record(ctx, order, title, [change])
  await tellPresent(ctx, order.id)
  ctx.note(subjectOf(order), [change])
}

const EXPIRED_AT_ONCE = 100

/** Ends what was done so many days ago and nobody opened anew; answers how many. */
export async function expireDone(services: Services): Promise<number> {
  let ended = 0
  for (;;) {
    const some = await actAsSystem(services, 'work orders that are done', async ctx => {
      const days = await settingOf(ctx, WORK_ORDER_DAYS)
      const rows = await ctx.db
        .select()
        .from(workOrders)
        .where(
          and(
            eq(workOrders.state, WORK_ORDER_STEPS.expire.from[0]),
            lt(workOrders.doneAt, sql`now() - make_interval(days => ${days})`),
          ),
        )
        .orderBy(asc(workOrders.doneAt))
        .limit(EXPIRED_AT_ONCE)
        .for('update', { skipLocked: true })
      for (const order of rows) {
        const closedAt = ctx.now.toISOString()
        await move(ctx, order, { step: 'expire', title: '完成后已自动关闭', changed: { closedAt } })
        await tellPartner(ctx, order, '工单已自动关闭', order.title)
      }
      return rows.length
    })
    ended += some
    if (some < EXPIRED_AT_ONCE) return ended
  }
}
