// The bytes behind a row of `files`: under the row's id, sealed where the row has a key.
import { createHash, randomUUID } from 'node:crypto'
import type { Services } from '#server/ctx.ts'
import { files } from '#server/tables.ts'
import { newFileKey, seal, unseal } from './sealing.ts'
import { wholeOf } from './storage.ts'

export type At = Pick<Services, 'storage' | 'secrets'>
/** What of a row its bytes are found and opened with, to be selected. */
export const FILE_ROW = {
  id: files.id,
  sealedKey: files.sealedKey,
  plainRemains: files.plainRemains,
} as const
type FileRow = Pick<typeof files.$inferSelect, keyof typeof FILE_ROW>

/** Where the bytes of a file may lie; a sealed one's where they lay before it was sealed, too. */
export const plainPlace = (id: string) => `files/${id.slice(0, 2)}/${id}`
const sealedPlace = (id: string) => `sealed/${id.slice(0, 2)}/${id}`

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Writes bytes under a new id. The caller writes the row, or removes them again. */
export async function writeBytes(
  at: At,
  bytes: Buffer,
  { sealed = false }: { sealed?: boolean | undefined } = {},
): Promise<{ id: string; sealedKey: Buffer | null }> {
  const id = randomUUID()
  const sealedKey = sealed ? newFileKey(at.secrets) : null
  if (sealedKey) await writeSealed(at, { id, sealedKey }, bytes)
  else await at.storage.put(plainPlace(id), bytes)
  return { id, sealedKey }
}

/** Under the key that the row has already: whoever else does the same writes what opens with the same key. */
export async function writeSealed(
  { storage, secrets }: At,
  { id, sealedKey }: { id: string; sealedKey: Buffer },
  bytes: Buffer,
): Promise<void> {
  await storage.put(sealedPlace(id), seal(secrets, sealedKey, id, bytes))
}

/** Null where there are none any more. Throws where they are not what was sealed. To be called when no connection is held. */
export async function readBytes({ storage, secrets }: At, file: FileRow): Promise<Buffer | null> {
  const { id, sealedKey, plainRemains } = file
  if (sealedKey === null) return readPlain(storage, id)
  const opened = async () => {
    const sealed = await wholeOf(storage, sealedPlace(id))
    return sealed && unseal(secrets, sealedKey, id, sealed)
  }
  if (!plainRemains) return opened()
  // It has been given its key, and its turn has not come, or is just now.
  return (await opened()) ?? (await readPlain(storage, id)) ?? opened()
}

export function readPlain(storage: At['storage'], id: string): Promise<Buffer | null> {
  return wholeOf(storage, plainPlace(id))
}

/** Every place in which bytes of this file may lie. */
export function placesOf(id: string): string[] {
  return [plainPlace(id), sealedPlace(id)]
}
