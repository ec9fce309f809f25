// What every message of a thread has in common: its row and pictures, what the thread then shows, and who hears of it.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { noteShopChange } from '#features/shops/pos-changes/server.ts'
import { refusePictures, refuseText } from '#kit/words/talk.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { areUploads } from '#server/texts/pictures.ts'
import { tellPeople } from '#server/texts/presence.ts'
import { MESSAGE_REFUSALS, type MessageSide, THREAD_EVENT, THREAD_LIMITS, THREAD_PICTURE } from './rules.ts'
import { threadMessages, threadPictures, threadPresence, threads } from './tables.ts'

export type Thread = typeof threads.$inferSelect
export type Said = { side: MessageSide; text: string; pictures?: readonly string[]; rates?: boolean }

/** The thread, held until the commit. `where`: which of them whoever acts may touch. */
export async function lockThread(ctx: Ctx, id: number, where: SQL | undefined): Promise<Thread> {
  const thread = await holdThread(ctx, id, where)
  ctx.about(thread.agentId, thread.merchantId)
  ctx.object('thread', id)
  return thread
}

/** As `lockThread`, for what is about something else, which is no matter of the shop's agent. */
export async function holdThread(ctx: Ctx, id: number, where: SQL | undefined): Promise<Thread> {
  const [row] = await ctx.db
    .select()
    .from(threads)
    .where(and(eq(threads.id, id), where))
    .for('update')
  return found(row)
}

export function subjectOf({
  shopName,
  createdByName,
  id,
}: Pick<Thread, 'shopName' | 'createdByName' | 'id'>) {
  return `${shopName || createdByName} 的反馈 (${id})`
}

export async function refuseMessage(ctx: Ctx, text: string, pictures: readonly string[]): Promise<void> {
  refuse(refuseText(text), MESSAGE_REFUSALS, { field: 'text' })
  refuse(refusePictures(pictures.length), MESSAGE_REFUSALS, { field: 'pictures' })
  if (!(await areUploads(ctx, pictures, THREAD_PICTURE, threadPictures.fileId)))
    refuse('PICTURE_UNKNOWN', MESSAGE_REFUSALS, { field: 'pictures' })
}

/** Writes a message; what the thread shows of it is its caller's. */
export async function addMessage(
  ctx: Ctx,
  thread: Pick<Thread, 'id' | 'agentId' | 'merchantId'>,
  { side, text, pictures = [], rates = false }: Said,
  author: { id: number; name: string },
): Promise<number> {
  const { agentId, merchantId } = thread
  const [row] = await ctx.db
    .insert(threadMessages)
    .values({
      ...{ agentId, merchantId, threadId: thread.id, side, text: text.trim(), rates },
      authorId: author.id,
      authorName: author.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: threadMessages.id })
  const messageId = found(row).id
  if (pictures.length > 0)
    await ctx.db.insert(threadPictures).values(
      [...new Set(pictures)].map((fileId, position) => ({
        ...{ messageId, position, agentId, merchantId, threadId: thread.id, fileId },
      })),
    )
  return messageId
}

/** Whether its shop has been asked to rate it already: it is asked once, and may still answer then. */
export async function wasAsked(ctx: Ctx, threadId: number): Promise<boolean> {
  const { agentId, rates } = threadMessages
  const asking = and(eq(threadMessages.threadId, threadId), rates, ownRows(ctx, agentId))
  const [row] = await ctx.db.select({ id: threadMessages.id }).from(threadMessages).where(asking).limit(1)
  return row !== undefined
}

/** What the thread's row shows after a message of either side. */
export function afterMessage({ now }: Ctx, text: string) {
  const said = text.trim()
  return {
    lastText: [...said].slice(0, THREAD_LIMITS.title).join(''),
    lastAt: now.toISOString(),
    words: sql`right(${threads.words} || chr(31) || ${said}::text, ${THREAD_LIMITS.words})`,
  }
}

/** Programs at the shop's point of sale, which read the thread then. */
export async function tellShop(
  ctx: Ctx,
  thread: Thread,
  messageId: number,
  state: Thread['state'],
): Promise<void> {
  if (thread.merchantId === null) return
  await noteShopChange(ctx, {
    shopId: thread.merchantId,
    agentId: thread.agentId,
    topic: 'feedback.replied',
    data: { feedbackId: thread.id, messageId, state },
  })
}

type ForDesk = Pick<Thread, 'id' | 'agentId' | 'merchantId' | 'desk' | 'assigneeId'>

/** Whoever is to answer: one person where it is assigned, else all of the desk who may. */
export async function tellDesk(ctx: Ctx, thread: ForDesk, title: string, body: string): Promise<void> {
  const { id, agentId, merchantId, desk, assigneeId } = thread
  const audience =
    assigneeId !== null
      ? { accountIds: [assigneeId] }
      : desk === 'vendor'
        ? { vendor: 'staff' as const, holding: 'threads.all' }
        : { agentId, holding: 'threads.list' }
  await notify(ctx, {
    ...audience,
    merchantId,
    // Whoever made a program's key has not said what the shop says through it.
    exceptActor: ctx.actor.key === null,
    topic: 'FeedBackUserSendMsg',
    title,
    body,
    link: `/admin/help/${desk === 'vendor' ? 'feedbackList' : 'feedback'}?thread=${id}`,
    args: { threadId: id, merchantId },
  })
}

/** The shop's agent, of what the vendor's staff did. */
export async function tellAgent(ctx: Ctx, thread: Thread, title: string, body: string): Promise<void> {
  if (thread.agentId === ctx.actor.agentId) return
  await notify(ctx, {
    agentId: thread.agentId,
    holding: 'threads.list',
    merchantId: thread.merchantId,
    topic: 'FeedBackUserSendMsg',
    title,
    body,
    link: `/admin/help/feedback?thread=${thread.id}`,
    args: { threadId: thread.id, merchantId: thread.merchantId },
  })
}

export const PRESENT = { table: threadPresence, of: threadPresence.threadId }

/** Those who have it open now, in whatever agency, once it is kept. */
export function tellPresent(ctx: Ctx, threadId: number, event = THREAD_EVENT): Promise<void> {
  return tellPeople(ctx, PRESENT, threadId, { event, payload: { threadId } })
}
