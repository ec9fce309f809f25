// What is said in a conversation, as it is shown: the latest, each with its pictures. Pictures of what is not shown are not read.
import { and, asc, desc, eq, type InferSelectModel, inArray, ne, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Ctx, ownRows } from '../ctx.ts'

type MessageTable = PgTable & Record<'id' | 'side' | 'agentId', PgColumn>
type PictureTable = PgTable & Record<'messageId' | 'fileId' | 'position' | 'agentId', PgColumn>
/** The tables of a kind of conversation, its column that says which one, and how many are shown. */
type Said<Messages extends MessageTable> = {
  messages: Messages
  of: PgColumn
  pictures: PictureTable
  most: number
}

/** The latest of a conversation, the earliest first; notes are for colleagues alone. */
export async function latestMessages<Messages extends MessageTable>(
  ctx: Ctx,
  { messages, of, pictures, most }: Said<Messages>,
  id: number,
  withNotes: boolean,
): Promise<(InferSelectModel<Messages> & { pictures: string[] })[]> {
  const latest = await ctx.db
    .select()
    .from(messages as PgTable)
    .where(and(eq(of, id), withNotes ? undefined : ne(messages.side, 'note'), ownRows(ctx, messages.agentId)))
    .orderBy(desc(messages.id))
    .limit(most)
  const shown = latest.reverse() as (InferSelectModel<Messages> & { id: number })[]
  return withPictures(ctx, shown, pictures)
}

/** Each with its pictures in their order. */
async function withPictures<Message extends { id: number }>(
  ctx: Ctx,
  messages: readonly Message[],
  table: PictureTable,
): Promise<(Message & { pictures: string[] })[]> {
  if (messages.length === 0) return []
  const ids = messages.map(({ id }) => id)
  const shown = await ctx.db
    .select({
      messageId: sql`${table.messageId}`.mapWith(Number),
      fileId: sql<string>`${table.fileId}`,
    })
    .from(table as PgTable)
    .where(and(inArray(table.messageId, ids), ownRows(ctx, table.agentId)))
    .orderBy(asc(table.messageId), asc(table.position))
  const byMessage = Map.groupBy(shown, ({ messageId }) => messageId)
  return messages.map(message => ({
    ...message,
    pictures: byMessage.get(message.id)?.map(({ fileId }) => fileId) ?? [],
  }))
}
