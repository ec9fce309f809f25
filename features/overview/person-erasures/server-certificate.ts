// What is signed of an erasure, with the key of checkpoints (docs/decisions/0079): the certificate, and the line that lies in the storage for
// whoever restores a backup. The line knows the person by keyed hashes alone: with them the same person is found again in what came back.
import { createHash, createHmac, hkdfSync, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { checkpointKey, type KeyEnv, knownKey } from '#server/checkpoints/key.ts'
import { isSigned, jsonIn, signText } from '#server/checkpoints/signed-text.ts'
import { type Storage, wholeOf } from '#server/storage/storage.ts'
import { CHANNELS, type Channel, FATES, type Keys, KIND_KEYS, KINDS, REASONS } from './rules.ts'

const Certificate = z.strictObject({
  number: z.string(),
  /** Of the person, masked. */
  person: z.strictObject({ phone: z.string(), name: z.string(), idNumber: z.string() }),
  askedOn: z.string().nullable(),
  channel: z.enum(Object.keys(CHANNELS) as [Channel, ...Channel[]]).nullable(),
  reason: z.string(),
  requestedBy: z.string(),
  /** '': there was no second operator. */
  approvedBy: z.string(),
  finishedAt: z.iso.datetime(),
  kinds: z.array(
    z.strictObject({
      kind: z.enum(KIND_KEYS),
      fate: z.enum(['goes', 'masked', 'stays']),
      rows: z.int(),
      reason: z.enum(Object.keys(REASONS) as [keyof typeof REASONS, ...(keyof typeof REASONS)[]]).nullable(),
    }),
  ),
  /** Whole backups that are kept, in which what was erased still is. 0: none are made here. */
  backupsKept: z.int(),
})
export type Certificate = z.infer<typeof Certificate>

const Signed = z.strictObject({ text: z.string(), signature: z.string() })
export type Signed = z.infer<typeof Signed>

export function signed(env: KeyEnv, value: object): Signed {
  const text = JSON.stringify(value)
  return { text, signature: signText(text, checkpointKey(env)) }
}

/** Null: this office has not signed it. */
export function readCertificate(text: string, env: KeyEnv): Certificate | null {
  const key = knownKey(env)
  const found = Signed.safeParse(jsonIn(text))
  if (!key || !found.success || !isSigned(found.data.text, found.data.signature, key)) return null
  return Certificate.parse(JSON.parse(found.data.text))
}

export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A kind of a certificate in words. */
export function kindText({ kind, fate, rows, reason }: Certificate['kinds'][number]): string {
  return `${KINDS[kind]}：${FATES[fate]} ${rows}${reason ? `（${REASONS[reason]}）` : ''}`
}

const Line = z.strictObject({
  number: z.string(),
  at: z.iso.datetime(),
  /** Keyed hashes; '' of what was not given. */
  phone: z.string(),
  name: z.string(),
  idNumber: z.string(),
  /** Rows with the number that are somebody else's. */
  others: z.array(z.string()),
})
export type Line = z.infer<typeof Line>

/** A keyed hash: whoever has not the key that signs cannot try all numbers there are. */
export function hashWith(key: KeyObject): (what: keyof Keys, value: string) => string {
  const { d } = key.export({ format: 'jwk' })
  const secret = Buffer.from(hkdfSync('sha256', Buffer.from(String(d), 'base64url'), '', 'erasures', 32))
  return (what, value) =>
    value === '' ? '' : createHmac('sha256', secret).update(`${what} ${value}`).digest('hex')
}

const AREA = 'erasures/'

export async function keepLine(
  { storage, env }: { storage: Storage; env: KeyEnv },
  { number, at, keys, others }: { number: string; at: string; keys: Keys; others: readonly string[] },
): Promise<void> {
  const hash = hashWith(checkpointKey(env))
  const line: Line = {
    number,
    at,
    phone: hash('phone', keys.phone),
    name: hash('name', keys.name),
    idNumber: hash('idNumber', keys.idNumber),
    others: [...others],
  }
  const place = `${AREA}${number.toLowerCase()}.json`
  // A line never changes: what is erased again is known by it, and backups copy it once.
  if (await storage.head(place)) return
  await storage.put(place, Buffer.from(JSON.stringify(signed(env, line))))
}

/** All that were kept, and how many of them this office has not signed. */
export async function keptLines({
  storage,
  env,
}: {
  storage: Storage
  env: KeyEnv
}): Promise<{ lines: Line[]; forged: number }> {
  const key = knownKey(env)
  const lines: Line[] = []
  let forged = 0
  for (let after: string | null = ''; after !== null; ) {
    const { kept, next }: Awaited<ReturnType<Storage['list']>> = await storage.list(AREA, after)
    for (const { key: at } of kept) {
      const found = Signed.safeParse(jsonIn((await wholeOf(storage, at))?.toString('utf8') ?? ''))
      if (key && found.success && isSigned(found.data.text, found.data.signature, key))
        lines.push(Line.parse(JSON.parse(found.data.text)))
      else forged++
    }
    after = next
  }
  return { lines: lines.sort((one, other) => one.at.localeCompare(other.at)), forged }
}
