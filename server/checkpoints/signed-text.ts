// A text and its signature, as checkpoints and certificates are signed: Ed25519 over the text as it stands, in base64.
import { type KeyObject, sign, verify } from 'node:crypto'

export const signText = (text: string, key: KeyObject): string =>
  sign(null, Buffer.from(text), key).toString('base64')

/** By either half of the key. */
export const isSigned = (text: string, signature: string, key: KeyObject): boolean =>
  verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))

/** Undefined where it is no JSON: of what somebody else may have written. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
