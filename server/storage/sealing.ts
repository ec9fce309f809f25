// Encryption of one file (AES-256-GCM) with a key of its own, which lies in the database, itself encrypted. The disk alone shows
// nothing, nor does a database without SECRET_KEY. Must never hand out a byte whose tag it has not checked.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Secrets } from '#server/secrets.ts'

/** How the rest is written: 12 bytes of nonce, 16 of tag, and the text. */
const FORM = 1
const HEAD = 1 + 12 + 16

/** A new file's key, as its row keeps it. */
export function newFileKey(secrets: Secrets): Buffer {
  return secrets.encrypt(randomBytes(32).toString('base64'))
}

/** `name` is sealed in: the bytes of one file do not open under the name of another. */
export function seal(secrets: Secrets, fileKey: Buffer, name: string, bytes: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyIn(secrets, fileKey), nonce).setAAD(Buffer.from(name))
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([Buffer.of(FORM), nonce, cipher.getAuthTag(), text])
}

/** Throws where a byte of it was changed, or the key or name is another's. */
export function unseal(secrets: Secrets, fileKey: Buffer, name: string, sealed: Buffer): Buffer {
  if (sealed[0] !== FORM || sealed.length < HEAD) throw new Error(`${name} is not sealed as we seal`)
  const opener = createDecipheriv('aes-256-gcm', keyIn(secrets, fileKey), sealed.subarray(1, 13), {
    authTagLength: 16,
  })
  opener.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(13, HEAD))
  return Buffer.concat([opener.update(sealed.subarray(HEAD)), opener.final()])
}

function keyIn(secrets: Secrets, fileKey: Buffer): Buffer {
  return Buffer.from(secrets.decrypt(fileKey), 'base64')
}
