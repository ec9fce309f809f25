// Papers of a person who is to be forgotten: whatever used them, uses them no more. As the owner, within a transaction of the caller's; a
// trigger deletes the keys with it (docs/decisions/0035).
import { and, inArray, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { SYSTEM_ACTOR } from '#server/system.ts'
import { DOCUMENT_STEPS } from './rules.ts'
import { documents, documentUses } from './tables.ts'

/** Answers the files whose bytes are to be removed behind the commit. */
export async function erasePapers(
  client: pg.Client | pg.PoolClient,
  ids: number[],
  { number, now }: { number: string; now: Date },
): Promise<{ files: string[] }> {
  if (ids.length === 0) return { files: [] }
  const db = drizzle(client)
  await db.delete(documentUses).where(inArray(documentUses.documentId, ids))
  const gone = await db
    .update(documents)
    .set({
      state: DOCUMENT_STEPS.erase.to,
      ...{
        fileId: null,
        facts: null,
        numberMasked: '',
        keepUntil: null,
        erasedFileId: sql`${documents.fileId}`,
      },
      ...{ erasedAt: now.toISOString(), erasedBy: null, erasedByName: SYSTEM_ACTOR.name },
      eraseReason: `个人信息删除 ${number}`,
    })
    .where(and(inArray(documents.id, ids), inArray(documents.state, DOCUMENT_STEPS.erase.from)))
    .returning({ fileId: documents.erasedFileId })
  return { files: gone.flatMap(({ fileId }) => fileId ?? []) }
}
