// A month of the operation log as a file: the first line says which month it is and where each agent's chain stood before it, each other line
// is a row with its link, in the order of their numbers. Compressed, and sealed under a key and the file's own name.
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { openStream, sealStream } from '#server/backup/seal-stream.ts'
import { through } from '#server/backup/through.ts'

/** Where a chain goes on: number and hash (hexadecimal) of its last link before. */
const Place = z.tuple([z.int().min(0), z.string()])
export type Place = z.infer<typeof Place>
export const Head = z.strictObject({ month: z.string(), before: z.record(z.string(), Place) })
export type Head = z.infer<typeof Head>

/** What a row's line holds besides the row itself. */
export const Row = z.looseObject({
  id: z.int(),
  agent_id: z.int(),
  about_agent_id: z.int().nullable(),
  sequence: z.int().nullable(),
  hash: z.string().nullable(),
  created_at: z.string(),
  /** Of a row of which a person was erased: what it is since then, as it was signed. Its link is that of what it was. */
  redaction: z.strictObject({ erasure: z.string(), row_hash: z.string(), signature: z.string() }).optional(),
})
export type Row = z.infer<typeof Row>

/** What of its redaction is signed (server/redact-log.ts). */
export function redactionOf({ id, agent_id, created_at, hash, redaction }: Row) {
  if (!redaction) return null
  return {
    signed: {
      ...{ id: String(id), agent_id: String(agent_id), at: String(Date.parse(created_at)) },
      ...{ erasure: redaction.erasure, link_hash: Buffer.from(hash ?? '', 'hex') },
      row_hash: Buffer.from(redaction.row_hash, 'hex'),
    },
    signature: Buffer.from(redaction.signature, 'hex'),
  }
}

type Told = { rows: number; digest: string }

/** What is to be written, and what was once all of it has been read. */
export function archived(
  { key, name }: { key: string; name: string },
  head: Head,
  lines: AsyncIterable<string>,
): { bytes: Readable; told(): Told } {
  const hash = createHash('sha256')
  let rows = 0
  async function* texts() {
    yield noted(JSON.stringify(head))
    for await (const line of lines) {
      rows++
      yield noted(line)
    }
  }
  function noted(line: string) {
    const text = `${line}\n`
    hash.update(text)
    return text
  }
  const plain = Readable.from(texts(), { objectMode: false })
  return {
    bytes: through(through(plain, createGzip()), sealStream(key, name)),
    told: () => ({ rows, digest: hash.digest('hex') }),
  }
}

/** Its lines, the head's first; fails where it was changed or cut, or is another's. What it holds is told once all was read. */
export function read(
  { key, name }: { key: string; name: string },
  bytes: Readable,
): { lines: AsyncIterable<string>; told(): Told } {
  const hash = createHash('sha256')
  let count = 0
  async function* lines() {
    const plain = through(through(bytes, openStream(key, name)), createGunzip())
    let failure: unknown = null
    plain.once('error', error => {
      failure = error
    })
    for await (const line of createInterface({ input: plain, crlfDelay: Number.POSITIVE_INFINITY })) {
      hash.update(`${line}\n`)
      count++
      yield line
    }
    if (failure) throw failure
  }
  return { lines: lines(), told: () => ({ rows: count - 1, digest: hash.digest('hex') }) }
}
