// Pictures of messages: uploaded for the purpose before, each shown by one message.
import { and, asc, eq, inArray, notExists, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Ctx, ownRows } from '../ctx.ts'
import { files } from '../tables.ts'

/** Whether all of these were uploaded for it by the acting agency, and no message shows one already. `shownBy`: the column of theirs. */
export async function areUploads(
  ctx: Ctx,
  pictures: readonly string[],
  purpose: string,
  shownBy: PgColumn,
): Promise<boolean> {
  if (pictures.length === 0) return true
  const shown: SQL = notExists(
    ctx.db.select({ one: sql`1` }).from(shownBy.table).where(eq(shownBy, files.id)),
  )
  const known = await ctx.db
    .select({ id: files.id })
    .from(files)
    .where(
      and(inArray(files.id, [...pictures]), eq(files.purpose, purpose), ownRows(ctx, files.agentId), shown),
    )
  return known.length === new Set(pictures).size
}

type PictureTable = PgTable & Record<'messageId' | 'fileId' | 'position' | 'agentId', PgColumn>

/** These messages, each with its pictures in their order. */
export async function withPictures<Message extends { id: number }>(
  ctx: Ctx,
  messages: readonly Message[],
  table: PictureTable,
): Promise<(Message & { pictures: string[] })[]> {
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
