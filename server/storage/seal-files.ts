// Seals what was uploaded before its purpose was sealed. Each step may be the last before a kill, and two may do them at once: the key
// comes first and stays, and what lies plain goes only when the sealed bytes have been read back.
import type pg from 'pg'
import type { FilePurposes } from '#server/files.ts'
import { type At, plainPlace, readBytes, readPlain, writeSealed } from './file-bytes.ts'
import { newFileKey } from './sealing.ts'

const AT_ONCE = 100

type Owner = Pick<pg.Pool, 'query'>

/** Answers how many it sealed. */
export async function sealFiles(owner: Owner, at: At, purposes: FilePurposes): Promise<number> {
  const names = Object.keys(purposes).filter(name => purposes[name]?.sealed)
  await giveKeys(owner, at, names)
  let sealed = 0
  for (;;) {
    const { rows } = await owner.query<{ id: string; sealed_key: Buffer }>(
      'select id, sealed_key from files where purpose = any($1) and plain_remains order by id limit $2',
      [names, AT_ONCE],
    )
    for (const { id, sealed_key: sealedKey } of rows) {
      if (await sealOne(at, { id, sealedKey })) sealed += 1
      await owner.query('update files set plain_remains = false where id = $1', [id])
    }
    if (rows.length < AT_ONCE) return sealed
  }
}

async function giveKeys(owner: Owner, { secrets }: At, names: readonly string[]): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ id: string }>(
      'select id from files where purpose = any($1) and sealed_key is null limit $2',
      [names, AT_ONCE],
    )
    for (const { id } of rows)
      await owner.query(
        'update files set sealed_key = $2, plain_remains = true where id = $1 and sealed_key is null',
        [id, newFileKey(secrets)],
      )
    if (rows.length < AT_ONCE) return
  }
}

async function sealOne(at: At, file: { id: string; sealedKey: Buffer }): Promise<boolean> {
  const plain = await readPlain(at.storage, file.id)
  if (!plain) return false
  await writeSealed(at, file, plain)
  const kept = await readBytes(at, { ...file, plainRemains: false })
  if (!kept?.equals(plain)) throw new Error(`${file.id} is not what was sealed`)
  await at.storage.delete(plainPlace(file.id))
  return true
}
