// Where sealed archives lie, and how they go.
import type { Services } from '#server/ctx.ts'
import type { Page } from '#server/storage/storage.ts'
import { deletePast } from './server-queue.ts'

const AREA = 'handovers/'
const HOUR_MS = 3_600_000

/** That of one beginning, since each has a key of its own. */
export const archiveKey = (id: number, attempt: number) => `${AREA}${id}.${attempt}.zip`

/** Deletes archives whose time is over, each with its key, and what a lost beginning left. */
export async function deletePastArchives({
  database,
  storage,
}: Pick<Services, 'database' | 'storage'>): Promise<void> {
  const wanted = new Set((await deletePast({ database })).map(({ id, attempts }) => archiveKey(id, attempts)))
  // The system’s clock: as the disk or the bucket says when a file was written. One that was put there just now has its row in a moment.
  const past = Date.now() - HOUR_MS
  for (let after: string | null = ''; after !== null; ) {
    const page: Page = await storage.list(AREA, after)
    for (const { key, modifiedAt } of page.kept)
      if (!wanted.has(key) && modifiedAt.getTime() < past) await storage.delete(key)
    after = page.next
  }
}
