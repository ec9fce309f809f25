// What is signed of an archive, and how it is read back. Signed with the key that signs checkpoints (docs/decisions/0079): the text as it
// stands, so that nothing is read before its signature has been.
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { isSigned, jsonIn, signText } from '#server/checkpoints/signed-text.ts'

export const CERTIFICATE_NAME = '证明.json'

const Entry = z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() })
export type Entry = z.infer<typeof Entry>
const Kind = z.strictObject({ title: z.string(), group: z.string(), rows: z.int() })
export type Kind = z.infer<typeof Kind>

const COUNTED = {
  form: z.literal(1),
  number: z.string(),
  agency: z.strictObject({ id: z.int(), name: z.string() }),
  by: z.string(),
  reason: z.string(),
  /** The moment of which all of it is, ISO. */
  snapshotAt: z.string(),
  rows: z.int(),
  files: z.int(),
  /** Files whose bytes are gone or do not open; each is named in the list of files. */
  missing: z.int(),
  kinds: z.array(Kind),
}

/** Within the archive: each of its other files, and all of its bytes that stand before this one. */
const Inner = z.strictObject({
  ...COUNTED,
  entries: z.array(Entry),
  before: z.strictObject({ bytes: z.int(), sha256: z.string() }),
})
export type Inner = z.infer<typeof Inner>

/** Beside it: the archive as a whole. */
const Outer = z.strictObject({
  ...COUNTED,
  entries: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  madeAt: z.string(),
  /** SHA-256 of what was signed within. */
  inner: z.string(),
})
export type Outer = z.infer<typeof Outer>

const Signed = z.strictObject({ certificate: z.string(), signature: z.string(), publicKey: z.string() })

/** One line: the text, its signature and the key that others verify it by. */
export function signedLine(certificate: Inner | Outer, key: KeyObject): string {
  const text = JSON.stringify(certificate)
  return JSON.stringify({
    certificate: text,
    signature: signText(text, key),
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
  } satisfies z.infer<typeof Signed>)
}

function signedIn<T>(line: string, key: KeyObject, shape: z.ZodType<T>): T | null {
  const signed = Signed.safeParse(jsonIn(line))
  if (!signed.success) return null
  const { certificate: text, signature } = signed.data
  if (!isSigned(text, signature, key)) return null
  return shape.parse(jsonIn(text))
}

/** Null where this key has not signed it. */
export const innerIn = (line: string, key: KeyObject): Inner | null => signedIn(line, key, Inner)
export const outerIn = (line: string, key: KeyObject): Outer | null => signedIn(line, key, Outer)

/** What was signed and its signature, for a paper; nothing is concluded from it. */
export function shownOf(line: string): { outer: Outer; signature: string; keyPrint: string } {
  const { certificate, signature, publicKey } = Signed.parse(jsonIn(line))
  return {
    outer: Outer.parse(jsonIn(certificate)),
    signature,
    keyPrint: keyPrintOf(createPublicKey(publicKey)),
  }
}

/** By which a key is known: SHA-256 of its public half. */
export function keyPrintOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha256')
    .update(half.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** SHA-256 of the text that a line signs. */
export function textHashOf(line: string): string {
  return createHash('sha256')
    .update(Signed.parse(jsonIn(line)).certificate)
    .digest('hex')
}
