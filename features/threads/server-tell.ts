// What the program, or a feature after this one, tells a shop in its thread.
import { and, eq } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { addMessage, afterMessage, lockThread, tellPresent, tellShop } from './server-write.ts'
import { threads } from './tables.ts'

/** Posts a system message that asks for the shop's ratings, also into a closed thread, which it leaves as it is. */
export async function tellThread(ctx: Ctx, threadId: number, text: string): Promise<void> {
  const thread = await lockThread(ctx, threadId, ownRows(ctx, threads.agentId))
  if (thread.kind === 'older') return
  const messageId = await addMessage(
    ctx,
    thread,
    { side: 'system', text, rates: true },
    { id: 0, name: '系统' },
  )
  await ctx.db
    .update(threads)
    .set({ ...afterMessage(text), lastOfficeId: messageId })
    .where(and(eq(threads.id, threadId), ownRows(ctx, threads.agentId)))
  await tellShop(ctx, thread, messageId, thread.state)
  await tellPresent(ctx, threadId)
}
