// What every verb of work orders has in common: the row that is locked, a message, a step, what is noted of it, and who hears of it.
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { refusePictures, refuseText } from '#kit/words/talk.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import { areUploads } from '#server/texts/pictures.ts'
import { tellPeople } from '#server/texts/presence.ts'
import { WORK_ORDER_FIELDS } from './fields.ts'
import {
  ORDER_LIMITS,
  ORDER_STATES,
  type OrderSide,
  type OrderState,
  type OrderStep,
  pressingAt,
  SAY_REFUSALS,
  WORK_ORDER_EVENT,
  WORK_ORDER_PICTURE,
  WORK_ORDER_STEPS,
} from './rules.ts'
import {
  workOrderEvents,
  workOrderMessages,
  workOrderPictures,
  workOrderPresence,
  workOrders,
} from './tables.ts'

export type WorkOrder = typeof workOrders.$inferSelect
export type Said = { side: OrderSide; text: string; pictures?: readonly string[] }
/** What a verb sets beside the state, which `move` alone does. */
type Changed = Omit<Partial<typeof workOrders.$inferInsert>, 'state' | 'words'> & { words?: SQL }

export const authorOf = ({ actor }: Ctx) => ({ id: actor.accountId, name: actor.key?.name ?? actor.name })

/** The work order, held until the commit. `where`: which of them whoever acts may touch. */
export async function lockOrder(ctx: Ctx, id: number, where: SQL | undefined): Promise<WorkOrder> {
  const [row] = await ctx.db
    .select()
    .from(workOrders)
    .where(and(eq(workOrders.id, id), where))
    .for('update')
  const order = found(row)
  ctx.about(order.agentId, order.merchantId)
  ctx.object('workOrder', id)
  return order
}

export const subjectOf = ({ title, id }: Pick<WorkOrder, 'title' | 'id'>) => `${title} (${id})`

export async function refuseMessage(ctx: Ctx, text: string, pictures: readonly string[]): Promise<void> {
  refuse(refuseText(text), SAY_REFUSALS, { field: 'text' })
  refuse(refusePictures(pictures.length), SAY_REFUSALS, { field: 'pictures' })
  if (!(await areUploads(ctx, pictures, WORK_ORDER_PICTURE, workOrderPictures.fileId)))
    refuse('PICTURE_UNKNOWN', SAY_REFUSALS, { field: 'pictures' })
}

/** Writes a message; what the work order shows of it is its caller's. */
export async function addMessage(
  ctx: Ctx,
  { id: workOrderId, agentId }: Pick<WorkOrder, 'id' | 'agentId'>,
  { side, text, pictures = [] }: Said,
): Promise<number> {
  const author = side === 'system' ? { id: 0, name: '系统' } : authorOf(ctx)
  const [row] = await ctx.db
    .insert(workOrderMessages)
    .values({
      ...{ agentId, workOrderId, side, text: text.trim() },
      authorId: author.id,
      authorName: author.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: workOrderMessages.id })
  const messageId = found(row).id
  if (pictures.length > 0)
    await ctx.db.insert(workOrderPictures).values(
      [...new Set(pictures)].map((fileId, position) => ({
        ...{ messageId, position, agentId, workOrderId, fileId },
      })),
    )
  return messageId
}

/** What its row shows after a message of the partner or the vendor. */
export function afterMessage({ now }: Ctx, text: string) {
  const said = text.trim()
  return {
    lastText: [...said].slice(0, ORDER_LIMITS.title).join(''),
    lastAt: now.toISOString(),
    words: sql`right(${workOrders.words} || chr(31) || ${said}::text, ${ORDER_LIMITS.words})`,
  }
}

/** Writes what has changed while it stays in its state. */
export async function save(ctx: Ctx, order: WorkOrder, changed: Changed): Promise<void> {
  const { dueAt = order.dueAt, lastAt = order.lastAt } = changed
  const pressing = pressingAt({ state: order.state, dueAt, lastAt })
  await ctx.db
    .update(workOrders)
    .set({ ...changed, pressingAt: pressing })
    .where(and(eq(workOrders.id, order.id), ownRows(ctx, workOrders.agentId)))
}

type Moved = {
  step: OrderStep
  /** What was done, as its history says. */
  title: string
  changed?: Changed
  /** Noted beside the change of the state. */
  changes?: FieldChange[]
}

/** Takes a step that its rule has let through: the state, the history and the log of it. Answers the new state. */
export async function move(
  ctx: Ctx,
  order: WorkOrder,
  { step, title, changed = {}, changes = [] }: Moved,
): Promise<OrderState> {
  const { from, to } = WORK_ORDER_STEPS[step]
  const { dueAt = order.dueAt, lastAt = order.lastAt } = changed
  await ctx.db
    .update(workOrders)
    .set({
      ...changed,
      state: to,
      pressingAt: pressingAt({ state: to, dueAt, lastAt }),
      revision: order.revision + 1,
      changedByName: authorOf(ctx).name,
    })
    .where(
      and(
        eq(workOrders.id, order.id),
        inArray(workOrders.state, [...from]),
        ownRows(ctx, workOrders.agentId),
      ),
    )
  const noted = [
    { name: WORK_ORDER_FIELDS.state.label, before: ORDER_STATES[order.state], after: ORDER_STATES[to] },
    ...changes,
  ]
  await record(ctx, order, title, noted)
  ctx.note(subjectOf(order), noted)
  await tellPresent(ctx, order.id)
  return to
}

/** What was done with it, in its own history. */
export async function record(
  ctx: Ctx,
  { id: workOrderId, agentId }: Pick<WorkOrder, 'id' | 'agentId'>,
  title: string,
  changes: FieldChange[] = [],
): Promise<void> {
  const by = authorOf(ctx)
  await ctx.db.insert(workOrderEvents).values({
    ...{ agentId, workOrderId, title, changes },
    createdBy: by.id,
    createdByName: by.name,
    createdAt: ctx.now.toISOString(),
  })
}

/** Whoever submitted it, unless they did it themselves. */
export async function tellPartner(
  ctx: Ctx,
  { id, createdBy }: Pick<WorkOrder, 'id' | 'createdBy'>,
  title: string,
  body: string,
): Promise<void> {
  await notify(ctx, {
    accountIds: [createdBy],
    exceptActor: true,
    topic: 'WorkOrder_Notify',
    ...{ title, body },
    link: `/admin/help/workOrder?workOrder=${id}`,
    args: { workOrderId: id },
  })
}

/** Who of the vendor does it: one person where it is assigned, else all who may. */
export async function tellVendor(
  ctx: Ctx,
  { id, assigneeId }: Pick<WorkOrder, 'id' | 'assigneeId'>,
  title: string,
  body: string,
): Promise<void> {
  const audience =
    assigneeId === null
      ? ({ vendor: 'staff', holding: 'workOrders.handle' } as const)
      : { accountIds: [assigneeId] }
  await notify(ctx, {
    ...audience,
    exceptActor: true,
    topic: 'WorkOrder_Notify',
    ...{ title, body },
    link: `/admin/help/workOrderList?workOrder=${id}`,
    args: { workOrderId: id },
  })
}

export const PRESENT = { table: workOrderPresence, of: workOrderPresence.workOrderId }

/** Those who have it open now, of either side, once it is kept. */
export function tellPresent(ctx: Ctx, workOrderId: number, event = WORK_ORDER_EVENT): Promise<void> {
  return tellPeople(ctx, PRESENT, workOrderId, { event, payload: { workOrderId } })
}
