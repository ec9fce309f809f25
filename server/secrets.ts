// Keys of the program: field encryption (AES-256-GCM with a key id), and passwords (argon2id 19 MiB, 2, 1).
import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'

export type Secrets = {
  encrypt(plain: string): Buffer
  decrypt(sealed: Buffer): string
  /** A keyed hash (HMAC-SHA-256), so that what has few possible values cannot be guessed from it. */
  digest(plain: string): Buffer
  /** Password of the app's database role, the same in every instance that shares the secret. */
  databasePassword: string
}

const KEY_ID = 1

/** Derives the program's keys from SECRET_KEY (64 hexadecimal digits). */
export function makeSecrets(secretKey: string): Secrets {
  const root = Buffer.from(secretKey, 'hex')
  const fieldKey = Buffer.from(hkdfSync('sha256', root, '', 'field encryption', 32))
  const digestKey = Buffer.from(hkdfSync('sha256', root, '', 'digest', 32))
  return {
    encrypt(plain) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', fieldKey, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(KEY_ID), iv, cipher.getAuthTag(), body])
    },
    decrypt(sealed) {
      if (sealed[0] !== KEY_ID) throw new Error(`unknown key id ${sealed[0]}`)
      const decipher = createDecipheriv('aes-256-gcm', fieldKey, sealed.subarray(1, 13))
      decipher.setAuthTag(sealed.subarray(13, 29))
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8')
    },
    digest: plain => createHmac('sha256', digestKey).update(plain).digest(),
    databasePassword: createHmac('sha256', root).update('database role').digest('hex'),
  }
}

const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const hash = promisify(argon2)

/** argon2id hash in the PHC string form. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await hash('argon2id', { ...PARAMETERS, message: password, nonce })
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain64(nonce)}$${plain64(tag)}`
}

/** The argon2id hash alone, of what is found again by it: several secrets share a salt. */
export function saltedHash(secret: Buffer, nonce: Buffer): Promise<Buffer> {
  return hash('argon2id', { ...PARAMETERS, message: secret, nonce })
}

/** Whether `password` is the one behind `stored`. False for a text that is no hash of ours. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) return false
  const [, memory, passes, parallelism, nonce, tag] = match as unknown as string[]
  const expected = Buffer.from(tag as string, 'base64')
  const actual = await hash('argon2id', {
    message: password,
    nonce: Buffer.from(nonce as string, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  })
  return timingSafeEqual(expected, actual)
}

function plain64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
