// Reads an archive back and says what is not as it was signed: its bytes, files and names; and what does not follow in itself: the chain of
// the operation log, the balances of the ledger.
import { createHash, type KeyObject } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { jsonIn } from '#server/checkpoints/signed-text.ts'
import { Altered, openParts, type Parts } from '#server/documents/zip-reading.ts'
import { isRedaction } from '#server/redact-log.ts'
import { CHAIN_NAME } from './server-archive.ts'
import { CERTIFICATE_NAME, type Inner, innerIn } from './server-certificate.ts'

export type Checked = {
  sound: boolean
  /** What is not as it was signed, in words. */
  problems: string[]
  inner: Inner | null
  /** Of the whole file, to be compared with the certificate on paper. */
  sha256: string
}

const ACCOUNTS = /^账务\/账户余额(-\d+)?\.jsonl$/
const ENTRIES = /^账务\/账务明细(-\d+)?\.jsonl$/
const CERTIFICATE_MOST = 256 * 1_048_576
const READ_BYTES = 1_048_576

/** `key`: the public half of the key that signs checkpoints. */
export async function checkArchive(path: string, key: KeyObject): Promise<Checked> {
  const file = await open(path, 'r')
  try {
    const problems: string[] = []
    let inner: Inner | null = null
    try {
      const parts = await openParts(file)
      inner = await certificateIn(parts, key)
      const { offset = 0 } = parts.entries.at(-1) ?? {}
      if (offset !== inner.before.bytes || (await digestOf(file, offset)) !== inner.before.sha256)
        problems.push('the bytes before the certificate are not those that were signed')
      problems.push(...(await unlikeEntries(parts, inner, key)))
    } catch (error) {
      if (!(error instanceof Altered)) throw error
      problems.push(error.message)
    }
    const { size } = await file.stat()
    return { sound: problems.length === 0, problems, inner, sha256: await digestOf(file, size) }
  } finally {
    await file.close()
  }
}

async function certificateIn(parts: Parts, key: KeyObject): Promise<Inner> {
  const last = parts.entries.at(-1)
  if (last?.name !== CERTIFICATE_NAME || last.size > CERTIFICATE_MOST)
    throw new Altered(`it does not end with ${CERTIFICATE_NAME}`)
  const pieces: Buffer[] = []
  for await (const bytes of parts.bytesOf(last)) pieces.push(bytes)
  const inner = innerIn(Buffer.concat(pieces).toString('utf8'), key)
  if (!inner) throw new Altered('the certificate is not signed by this key')
  return inner
}

async function unlikeEntries(parts: Parts, { entries }: Inner, key: KeyObject): Promise<string[]> {
  const problems: string[] = []
  const present = parts.entries.slice(0, -1)
  if (present.length !== entries.length) problems.push('it does not hold as many files as were signed')
  const [chain, ledger] = [chainReader(key), ledgerReader()]
  for (const [at, entry] of present.entries()) {
    const signed = entries[at]
    const digest = createHash('sha256')
    const lines = lineReader(
      entry.name === CHAIN_NAME
        ? chain.line
        : ACCOUNTS.test(entry.name)
          ? ledger.account
          : ENTRIES.test(entry.name)
            ? ledger.entry
            : null,
    )
    try {
      for await (const bytes of parts.bytesOf(entry)) {
        digest.update(bytes)
        lines.take(bytes)
      }
    } catch (error) {
      if (!(error instanceof Altered)) throw error
      problems.push(error.message)
      continue
    }
    const isSigned = signed?.name === entry.name && signed.bytes === entry.size
    if (!isSigned || signed.sha256 !== digest.digest('hex'))
      problems.push(`${entry.name} is not what was signed`)
  }
  // Of what was changed it is known already.
  return problems.length > 0 ? problems : [...chain.problems(), ...ledger.problems()]
}

/** Hands on lines of JSON, however they are cut. */
function lineReader(use: ((value: Record<string, unknown>) => void) | null) {
  let rest = Buffer.alloc(0)
  return {
    take(bytes: Buffer): void {
      if (!use) return
      rest = Buffer.concat([rest, bytes])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const value = jsonIn(rest.toString('utf8', 0, end))
        // A changed byte may leave no JSON: the digest of the file tells of it.
        if (typeof value === 'object' && value !== null) use(value as Record<string, unknown>)
        rest = rest.subarray(end + 1)
      }
    },
  }
}

type Place = { sequence: string; hash: string | null }

const sha256 = (before: Buffer, text: string) =>
  createHash('sha256').update(before).update(text, 'utf8').digest()

/** A row of which a person was erased: what it is since then was signed, with the link of what it was (server/redact-log.ts). */
function isErased(
  { text, hash, erasure, signature }: Record<'text' | 'hash' | 'erasure' | 'signature', string>,
  key: KeyObject,
): boolean {
  const row = jsonIn(text)
  if (!Array.isArray(row)) return false
  const signed = { id: String(row[0]), agent_id: String(row[1]), at: String(row.at(-1)), erasure }
  return isRedaction(
    { ...signed, link_hash: Buffer.from(hash, 'hex'), row_hash: sha256(Buffer.alloc(0), text) },
    Buffer.from(signature, 'hex'),
    key,
  )
}

function chainReader(key: KeyObject) {
  let last: Place = { sequence: '0', hash: null }
  let broken = 0
  let end: Place | null = null
  return {
    line(value: Record<string, unknown>): void {
      if ('from' in value) last = value.from as Place
      else if ('end' in value) end = value.end as Place
      else {
        const [sequence, hash, text] = [value.sequence, value.hash, value.text].map(String) as [
          string,
          string,
          string,
        ]
        const isSame =
          value.erasure === undefined
            ? sha256(Buffer.from(last.hash ?? '', 'hex'), text).toString('hex') === hash
            : isErased(
                { text, hash, erasure: String(value.erasure), signature: String(value.signature) },
                key,
              )
        if (Number(sequence) !== Number(last.sequence) + 1 || !isSame) broken++
        last = { sequence, hash }
      }
    },
    problems(): string[] {
      const isWhole = end !== null && end.sequence === last.sequence && end.hash === last.hash
      return [
        ...(broken > 0 ? [`${broken} rows of the operation log do not follow from the one before`] : []),
        ...(isWhole ? [] : ['the operation log does not end where its chain ends']),
      ]
    },
  }
}

/** A sum in hundredths; pieces of SMS are whole. */
const hundredths = (text: unknown) => Math.round(Number(text) * 100)

function ledgerReader() {
  const accounts = new Map<unknown, { balance: number; entryCount: unknown }>()
  const ends = new Map<unknown, { sequence: number; after: number }>()
  let wrong = 0
  return {
    account({ id, balance, entryCount }: Record<string, unknown>): void {
      accounts.set(id, { balance: hundredths(balance), entryCount })
    },
    entry(row: Record<string, unknown>): void {
      // The vendor's side of a transfer has no balance.
      if (row.sequence === null) return
      const before = hundredths(row.balanceBefore)
      const after = hundredths(row.balanceAfter)
      const known = ends.get(row.accountId)
      const sequence = Number(row.sequence)
      const follows =
        !known || (known.sequence + 1 === sequence && known.after === before) || known.sequence + 1 < sequence
      if (before + hundredths(row.amount) !== after || !follows) wrong++
      ends.set(row.accountId, { sequence, after })
    },
    problems(): string[] {
      const unlike = [...accounts].filter(([id, { balance, entryCount }]) => {
        const end = ends.get(id)
        return end !== undefined && end.sequence === Number(entryCount) && end.after !== balance
      })
      return [
        ...(wrong > 0 ? [`${wrong} entries of the ledger do not add up`] : []),
        ...(unlike.length > 0 ? [`${unlike.length} balances are not what their entries say`] : []),
      ]
    },
  }
}

async function digestOf(file: FileHandle, length: number): Promise<string> {
  const digest = createHash('sha256')
  const bytes = Buffer.alloc(READ_BYTES)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, 0, Math.min(READ_BYTES, length - at), at)
    if (bytesRead === 0) throw new Altered('it ends before its end')
    digest.update(bytes.subarray(0, bytesRead))
    at += bytesRead
  }
  return digest.digest('hex')
}
