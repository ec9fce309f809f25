// What the program, or a feature after this one, says in a thread: to its shop, or to colleagues. The operation log's row is the caller's.
import { and, eq } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { addMessage, afterMessage, holdThread, tellPresent, tellShop, wasAsked } from './server-write.ts'
import { threads } from './tables.ts'

/**
 * Posts a system message, also into a closed thread, which it leaves as it is. Where the shop has not been asked to rate yet, it is asked
 * now, in the words of `invitation`.
 */
export async function tellThread(
  ctx: Ctx,
  threadId: number,
  { news, invitation }: { news: string; invitation: string },
): Promise<void> {
  const thread = await holdThread(ctx, threadId, ownRows(ctx, threads.agentId))
  if (thread.kind === 'older') return
  const rates = !(await wasAsked(ctx, threadId))
  const text = rates ? news + invitation : news
  const said = { side: 'system', text, rates } as const
  const messageId = await addMessage(ctx, thread, said, { id: 0, name: '系统' })
  await ctx.db
    .update(threads)
    .set({ ...afterMessage(ctx, text), lastOfficeId: messageId })
    .where(and(eq(threads.id, threadId), ownRows(ctx, threads.agentId)))
  await tellShop(ctx, thread, messageId, thread.state)
  await tellPresent(ctx, threadId)
}

/** Leaves what was done with a thread elsewhere among its notes, which no shop sees. */
export async function noteInThread(ctx: Ctx, threadId: number, text: string): Promise<void> {
  const thread = await holdThread(ctx, threadId, ownRows(ctx, threads.agentId))
  if (thread.kind === 'older') return
  const author = { id: ctx.actor.accountId, name: ctx.actor.key?.name ?? ctx.actor.name }
  await addMessage(ctx, thread, { side: 'note', text }, author)
  await tellPresent(ctx, threadId)
}
