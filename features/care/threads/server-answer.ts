// What the office says and does: answers, notes, the end of a thread and its new beginning, who answers.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { answer as answerFeedback } from '#features/care/feedback/server.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { answeredText, refuseText } from '#kit/words/talk.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { refuseSecond } from '#server/office/second.ts'
import { objectKey } from '#server/operation-log.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import type { threads as contract } from './contract.ts'
import { THREAD_FIELDS } from './fields.ts'
import {
  ANSWER_REFUSALS,
  closedText,
  MESSAGE_REFUSALS,
  PRESENCE_EVENT,
  refuseAssign,
  refuseClose,
  refusePass,
  refuseReason,
  refuseReopen,
  refuseReply,
  STEP_REFUSALS,
  type StepRefusal,
  THREAD_DESKS,
  THREAD_STATES,
  THREAD_STEPS,
  type ThreadDesk,
} from './rules.ts'
import { findSeen, seen } from './server-rows.ts'
import {
  addMessage,
  afterMessage,
  lockThread,
  refuseMessage,
  subjectOf,
  type Thread,
  tellAgent,
  tellDesk,
  tellPresent,
  tellShop,
  wasAsked,
} from './server-write.ts'
import { threadPresence, threads } from './tables.ts'

const authorOf = ({ actor }: Ctx) => ({ id: actor.accountId, name: actor.key?.name ?? actor.name })
const SYSTEM = { id: 0, name: '系统' }
/** The side that whoever acts speaks for. */
const deskOf = ({ actor }: Ctx): ThreadDesk => (actor.isVendorStaff ? 'vendor' : 'agent')
const own = (ctx: Ctx, id: number) => and(eq(threads.id, id), ownRows(ctx, threads.agentId))

export const reply: Verb<typeof contract.reply> = async (ctx, { id, text, pictures, revision }) => {
  await refuseMessage(ctx, text, pictures)
  const thread = await lockThread(ctx, id, seen(ctx))
  if (thread.olderId !== null) return answerOlder(ctx, thread, text, pictures)
  refuse(refuseReply(thread, deskOf(ctx)), ANSWER_REFUSALS)
  if (revision !== thread.revision)
    throw new Refusal('ANSWERED_MEANWHILE', answeredText(thread.repliedByName), { field: 'text' })
  const author = authorOf(ctx)
  const messageId = await addMessage(ctx, thread, { side: deskOf(ctx), text, pictures }, author)
  const shown = afterMessage(ctx, text)
  await ctx.db
    .update(threads)
    .set({
      ...shown,
      state: THREAD_STEPS.reply.to,
      revision: thread.revision + 1,
      repliedByName: author.name,
      lastOfficeId: messageId,
      officeSeen: thread.lastShopId,
      waitingSince: null,
      firstAnsweredAt: thread.firstAnsweredAt ?? shown.lastAt,
    })
    .where(and(own(ctx, id), inArray(threads.state, [...THREAD_STEPS.reply.from])))
  await tellShop(ctx, thread, messageId, THREAD_STEPS.reply.to)
  await tellAgent(ctx, thread, `${thread.shopName}的反馈已由厂商回复`, text)
  await tellPresent(ctx, id)
  ctx.note(subjectOf(thread), [{ name: '回复', before: null, after: text }])
  return { id: messageId }
}

/** By the verb of where it is kept; a trigger brings the answer here. */
async function answerOlder(ctx: Ctx, thread: Thread, text: string, pictures: readonly string[]) {
  if (!ctx.actor.permissions.has('feedback.list')) refuse('OLDER_NOT_YOURS', ANSWER_REFUSALS)
  if (pictures.length > 0) refuse('OLDER_NO_PICTURE', ANSWER_REFUSALS, { field: 'pictures' })
  if (thread.state === 'replied') refuse('OLDER_ANSWERED', ANSWER_REFUSALS)
  await answerFeedback(ctx, { id: thread.olderId as number, answer: text })
  return { id: thread.id }
}

export const note: Verb<typeof contract.note> = async (ctx, { id, text }) => {
  refuse(refuseText(text), MESSAGE_REFUSALS, { field: 'text' })
  const thread = await lockThread(ctx, id, seen(ctx))
  if (thread.kind === 'older') refuse('OLDER_ANSWERED', ANSWER_REFUSALS)
  const messageId = await addMessage(ctx, thread, { side: 'note', text }, authorOf(ctx))
  await tellPresent(ctx, id)
  ctx.note(subjectOf(thread), [{ name: '内部备注', before: null, after: text }])
  return { id: messageId }
}

/** Done by somebody meanwhile: whoever comes second is told who did. */
const DONE: readonly StepRefusal[] = ['CLOSED_ALREADY', 'NOT_CLOSED', 'PASSED_ALREADY']

async function refuseNow(ctx: Ctx, { id }: Thread, code: StepRefusal | null): Promise<void> {
  if (code !== null && DONE.includes(code))
    await refuseSecond(ctx, code, STEP_REFUSALS, { object: objectKey('thread', id) })
  refuse(code, STEP_REFUSALS)
}
const REOPENED_TEXT = '反馈已重新打开，我们会继续处理。'

export const close: Verb<typeof contract.close> = async (ctx, { id }) => {
  const thread = await lockThread(ctx, id, seen(ctx))
  await refuseNow(ctx, thread, refuseClose(thread, deskOf(ctx)))
  const rates = !(await wasAsked(ctx, id))
  const said = { side: 'system', text: closedText(rates), rates } as const
  const messageId = await addMessage(ctx, thread, said, SYSTEM)
  await ctx.db
    .update(threads)
    .set({
      state: THREAD_STEPS.close.to,
      revision: thread.revision + 1,
      repliedByName: authorOf(ctx).name,
      lastOfficeId: messageId,
      officeSeen: thread.lastShopId,
      waitingSince: null,
    })
    .where(and(own(ctx, id), inArray(threads.state, [...THREAD_STEPS.close.from])))
  await tellShop(ctx, thread, messageId, THREAD_STEPS.close.to)
  await tellPresent(ctx, id)
  noteState(ctx, thread, THREAD_STEPS.close.to)
  return { id }
}

function noteState(ctx: Ctx, thread: Thread, after: Thread['state'], reason?: string): void {
  ctx.note(subjectOf(thread), [
    { name: THREAD_FIELDS.state.label, before: THREAD_STATES[thread.state], after: THREAD_STATES[after] },
    ...(reason === undefined ? [] : [{ name: '原因', before: null, after: reason }]),
  ])
}

/** The reason stays among colleagues. */
export const reopen: Verb<typeof contract.reopen> = async (ctx, { id, reason }) => {
  refuse(refuseReason(reason), STEP_REFUSALS, { field: 'reason' })
  const thread = await lockThread(ctx, id, seen(ctx))
  await refuseNow(ctx, thread, refuseReopen(thread, deskOf(ctx)))
  // It would be of an agency that whoever acts is not of.
  const [shop] = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.id, found(thread.merchantId)), ownRows(ctx, merchants.agentId)))
  if (!shop) refuse('SHOP_MOVED', STEP_REFUSALS)
  await addMessage(ctx, thread, { side: 'note', text: `重新打开：${reason}` }, authorOf(ctx))
  const messageId = await addMessage(ctx, thread, { side: 'system', text: REOPENED_TEXT }, SYSTEM)
  const now = ctx.now.toISOString()
  await ctx.db
    .update(threads)
    .set({
      state: THREAD_STEPS.reopen.to,
      revision: thread.revision + 1,
      lastOfficeId: messageId,
      lastAt: now,
      waitingSince: now,
    })
    .where(and(own(ctx, id), inArray(threads.state, [...THREAD_STEPS.reopen.from])))
  await tellShop(ctx, thread, messageId, THREAD_STEPS.reopen.to)
  await tellDesk(ctx, thread, '反馈已重新打开', `${thread.shopName}：${reason}`)
  await tellPresent(ctx, id)
  noteState(ctx, thread, THREAD_STEPS.reopen.to, reason)
  return { id }
}

export const assign: Verb<typeof contract.assign> = async (ctx, { id, accountId, seenId }) => {
  const thread = await lockThread(ctx, id, seen(ctx))
  await refuseNow(ctx, thread, refuseAssign(thread, deskOf(ctx)))
  // A colleague was charged with it, or took it, since it was seen.
  const isTaken = thread.assigneeId !== null && thread.assigneeId !== accountId
  if (isTaken && seenId !== undefined && thread.assigneeId !== seenId)
    await refuseSecond(ctx, 'ASSIGNED_ALREADY', STEP_REFUSALS, { name: thread.assigneeName })
  const assigneeName = accountId === null ? '' : await nameOf(ctx, accountId)
  if (thread.assigneeId === accountId) {
    ctx.nothingChanged()
    return { id }
  }
  await ctx.db.update(threads).set({ assigneeId: accountId, assigneeName }).where(own(ctx, id))
  if (accountId !== null)
    await tellDesk(
      ctx,
      { ...thread, assigneeId: accountId },
      '商户反馈已分配给您',
      `${thread.shopName}：${thread.title}`,
    )
  await tellPresent(ctx, id)
  ctx.note(subjectOf(thread), [
    { name: THREAD_FIELDS.assigneeName.label, before: thread.assigneeName, after: assigneeName },
  ])
  return { id }
}

async function nameOf(ctx: Ctx, accountId: number): Promise<string> {
  const [person] = await ctx.db
    .select({ name: accounts.name })
    .from(accounts)
    .where(
      and(
        eq(accounts.id, accountId),
        eq(accounts.agentId, ctx.actor.agentId),
        accounts.enabled,
        isNull(accounts.deletedAt),
      ),
    )
  if (!person) refuse('PERSON_UNKNOWN', STEP_REFUSALS, { field: 'accountId' })
  return found(person).name
}

/** Whoever gets it decides who of theirs answers. */
export const passOn: Verb<typeof contract.passOn> = async (ctx, { id, to, note: words }) => {
  if (words !== '') refuse(refuseText(words), MESSAGE_REFUSALS, { field: 'note' })
  const thread = await lockThread(ctx, id, seen(ctx))
  const [agent] = await ctx.db
    .select({ ofVendor: agents.isVendorStaff })
    .from(agents)
    .where(eq(agents.id, thread.agentId))
  const { ofVendor } = found(agent)
  await refuseNow(ctx, thread, refusePass(thread, { to, side: deskOf(ctx), ofVendor }))
  const given = `转交${THREAD_DESKS[to]}${words === '' ? '' : `：${words}`}`
  await addMessage(ctx, thread, { side: 'note', text: given }, authorOf(ctx))
  const changed = { desk: to, assigneeId: null, assigneeName: '' }
  await ctx.db
    .update(threads)
    .set({ ...changed, passedAt: to === 'vendor' ? ctx.now.toISOString() : null })
    .where(own(ctx, id))
  await tellDesk(
    ctx,
    { ...thread, ...changed },
    '有商户反馈转交给您',
    `${thread.shopName}：${words || thread.title}`,
  )
  await tellPresent(ctx, id)
  ctx.note(subjectOf(thread), [
    { name: THREAD_FIELDS.desk.label, before: THREAD_DESKS[thread.desk], after: THREAD_DESKS[to] },
    ...(words === '' ? [] : [{ name: '说明', before: null, after: words }]),
  ])
  return { id }
}

export const markRead: Verb<typeof contract.read> = async (ctx, { id }) => {
  await findSeen(ctx, id)
  await ctx.db
    .update(threads)
    .set({ officeSeen: sql`${threads.lastShopId}` })
    .where(own(ctx, id))
  return { id }
}

export const beHere: Verb<typeof contract.here> = async (ctx, { id, typing }) => {
  const { agentId, merchantId } = await findSeen(ctx, id)
  const now = ctx.now.toISOString()
  const looked = { seenAt: now, ...(typing && { typingAt: now }), name: ctx.actor.name, agentId, merchantId }
  await ctx.db
    .insert(threadPresence)
    .values({ threadId: id, accountId: ctx.actor.accountId, ...looked })
    .onConflictDoUpdate({ target: [threadPresence.threadId, threadPresence.accountId], set: looked })
  await tellPresent(ctx, id, PRESENCE_EVENT)
  return { id }
}
