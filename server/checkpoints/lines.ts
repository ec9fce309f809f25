// Checkpoints as they lie in files: one signed line each, and each names the one before, so that none is changed, left out or put in.
import { createHash, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { isSigned, jsonIn, signText } from './signed-text.ts'

const Checkpoint = z.strictObject({
  book: z.string(),
  /** Ids of the first and the last row that may be in it, both counted. */
  from: z.int().min(1),
  to: z.int().min(1),
  rows: z.int().min(0),
  /** SHA-256 over ids and hashes of its rows in their order, hexadecimal. */
  digest: z.string(),
  /** Of a book of replacements: the number of what it is written anew of. */
  of: z.int().optional(),
  /** When it was taken, ISO. */
  at: z.string(),
  /** SHA-256 of the line before, hexadecimal; '' of the first. */
  previous: z.string(),
})
export type Checkpoint = z.infer<typeof Checkpoint>
const Signed = z.strictObject({ checkpoint: z.string(), signature: z.string() })

export const hashOf = (line: string) => createHash('sha256').update(line).digest('hex')

export function lineOf(checkpoint: Checkpoint, key: KeyObject): string {
  const text = JSON.stringify(checkpoint)
  return JSON.stringify({ checkpoint: text, signature: signText(text, key) })
}

/** What is signed and follows from what stands before it; how many lines do not. */
export function readLines(
  lines: readonly string[],
  book: string,
  key: KeyObject,
): { checkpoints: Checkpoint[]; forged: number; astray: number } {
  const checkpoints: Checkpoint[] = []
  let forged = 0
  let astray = 0
  let before = ''
  for (const line of lines) {
    const checkpoint = signedIn(line, key)
    if (!checkpoint || checkpoint.book !== book) forged++
    else {
      const last = checkpoints.at(-1)
      if (checkpoint.previous !== before || checkpoint.from !== (last?.to ?? 0) + 1) astray++
      checkpoints.push(checkpoint)
    }
    before = hashOf(line)
  }
  return { checkpoints, forged, astray }
}

/** Null where this key has not signed it: nothing is read before its signature has been. */
export function signedIn(line: string, key: KeyObject): Checkpoint | null {
  const signed = Signed.safeParse(jsonIn(line))
  if (!signed.success) return null
  const { checkpoint: text, signature } = signed.data
  if (!isSigned(text, signature, key)) return null
  return Checkpoint.parse(jsonIn(text))
}
