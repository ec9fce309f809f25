// How an object of a backup is written: AES-256-GCM in pieces, so that one of any size passes through little memory. A piece counts, and the
// last one says so: none can be changed, left out, put elsewhere or cut off. Each object has a key of its own, made of the backup's key, a
// random salt and the object's name.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'

const MARK = Buffer.from('POB1')
const SALT_BYTES = 16
const HEAD_BYTES = MARK.length + SALT_BYTES
const TAG_BYTES = 16
export const PIECE_BYTES = 1_048_576
const ALGORITHM = 'aes-256-gcm'

/** What cannot be opened: with another key, under another name, or no more as it was written. */
export class Unopened extends Error {}

const keyFor = (key: string, salt: Buffer, name: string) =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), salt, name, 32))

function nonceOf(piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(piece, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** How many bytes so many become. */
export function sealedBytes(plain: number): number {
  return HEAD_BYTES + plain + TAG_BYTES * Math.max(1, Math.ceil(plain / PIECE_BYTES))
}

/** Holds what came, and hands it on in pieces of a size; the last one, however small, is handed on at the end. */
function inPieces(bytes: number, piece: (part: Buffer, nth: number, isLast: boolean) => Buffer) {
  let held: Buffer[] = []
  let size = 0
  let nth = 0
  const whole = () => {
    const all = Buffer.concat(held)
    held = []
    size = 0
    return all
  }
  return {
    take(chunk: Buffer, push: (made: Buffer) => void): void {
      held.push(chunk)
      size += chunk.length
      if (size <= bytes) return
      let all = whole()
      // What fills it to the byte may be the last.
      for (; all.length > bytes; all = all.subarray(bytes)) push(piece(all.subarray(0, bytes), nth++, false))
      held = [all]
      size = all.length
    },
    end: (): Buffer => piece(whole(), nth, true),
  }
}

export function sealStream(key: string, name: string): Transform {
  const salt = randomBytes(SALT_BYTES)
  const own = keyFor(key, salt, name)
  const pieces = inPieces(PIECE_BYTES, (part, nth, isLast) => {
    const cipher = createCipheriv(ALGORITHM, own, nonceOf(nth, isLast))
    return Buffer.concat([cipher.update(part), cipher.final(), cipher.getAuthTag()])
  })
  let hasBegun = false
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (!hasBegun) this.push(Buffer.concat([MARK, salt]))
      hasBegun = true
      pieces.take(chunk, made => this.push(made))
      done()
    },
    flush(done) {
      if (!hasBegun) this.push(Buffer.concat([MARK, salt]))
      done(null, pieces.end())
    },
  })
}

/** Hands on no byte whose piece it has not checked; fails with `Unopened`. */
export function openStream(key: string, name: string): Transform {
  let head = Buffer.alloc(0)
  let own: Buffer | null = null
  const pieces = inPieces(PIECE_BYTES + TAG_BYTES, (part, nth, isLast) => {
    if (own === null || part.length < TAG_BYTES) throw new Unopened(`${name} is cut off`)
    const opener = createDecipheriv(ALGORITHM, own, nonceOf(nth, isLast), { authTagLength: TAG_BYTES })
    opener.setAuthTag(part.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([opener.update(part.subarray(0, -TAG_BYTES)), opener.final()])
    } catch (error) {
      throw new Unopened(`${name} does not open: BACKUP_KEY is another, or it was changed`, { cause: error })
    }
  })
  const attempt = (done: TransformCallback, work: () => Buffer | undefined) => {
    try {
      done(null, work())
    } catch (error) {
      done(error as Error)
    }
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      attempt(done, () => {
        let rest = chunk
        if (own === null) {
          head = Buffer.concat([head, chunk])
          if (head.length < HEAD_BYTES) return undefined
          if (!head.subarray(0, MARK.length).equals(MARK))
            throw new Unopened(`${name} is no part of a backup`)
          own = keyFor(key, head.subarray(MARK.length, HEAD_BYTES), name)
          rest = head.subarray(HEAD_BYTES)
        }
        pieces.take(rest, made => this.push(made))
        return undefined
      })
    },
    flush(done) {
      attempt(done, () => pieces.end())
    },
  })
}
