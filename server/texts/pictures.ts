// Pictures of messages: uploaded for the purpose before, each shown by one message.
import { and, eq, inArray, notExists, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
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
