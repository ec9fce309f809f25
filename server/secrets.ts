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
import { hashingRoom } from './rooms.ts'

export type Secrets = {
  encrypt(plain: string): Buffer
  decrypt(sealed: Buffer): string
  /** Of the key that `encrypt` uses; the first byte of what it answers. */
  keyId: number
  /** A keyed hash (HMAC-SHA-256), so that what has few possible values cannot be guessed from it. */
  digest(plain: string): Buffer
  /** Password of the app's database role, the same in every instance that shares the secret. */
  databasePassword: string
}

/** The key that is derived from SECRET_KEY; FIELD_KEYS may name others. */
const DERIVED_ID = 1

/**
 * Derives the program's keys from SECRET_KEY (64 hexadecimal digits). `fieldKeys`: FIELD_KEYS, such as `2:<64 digits>,1`; what is
 * encrypted is encrypted with the first, and each is known for what was encrypted with it before.
 */
export function makeSecrets(secretKey: string, fieldKeys: string | undefined = undefined): Secrets {
  const root = Buffer.from(secretKey, 'hex')
  const known = readFieldKeys(fieldKeys, Buffer.from(hkdfSync('sha256', root, '', 'field encryption', 32)))
  const [[keyId, fieldKey]] = known
  const digestKey = Buffer.from(hkdfSync('sha256', root, '', 'digest', 32))
  return {
    encrypt(plain) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', fieldKey, iv)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(keyId), iv, cipher.getAuthTag(), body])
    },
    keyId,
    decrypt(sealed) {
      const key = known.find(([id]) => id === sealed[0])?.[1]
      if (!key) throw new Error(`unknown key id ${sealed[0]}`)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13))
      decipher.setAuthTag(sealed.subarray(13, 29))
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8')
    },
    digest: plain => createHmac('sha256', digestKey).update(plain).digest(),
    databasePassword: createHmac('sha256', root).update('database role').digest('hex'),
  }
}

type FieldKey = readonly [id: number, key: Buffer]
const FIELD_KEY = /^([1-9]\d{0,2})(?::([0-9a-f]{64}))?$/

/** Throws in words, without a key. The key derived from SECRET_KEY is known last where it is not named. */
function readFieldKeys(fieldKeys: string | undefined, derived: Buffer): [FieldKey, ...FieldKey[]] {
  const wrong = (what: string) => new Error(`Settings are wrong. FIELD_KEYS: ${what}`)
  const named = (fieldKeys ?? '').split(',').flatMap((text): FieldKey[] => {
    if (text.trim() === '') return []
    const [, digits = '', hex] = FIELD_KEY.exec(text.trim()) ?? []
    const id = Number(digits)
    if (id < 1 || id > 255 || (hex === undefined) !== (id === DERIVED_ID))
      throw wrong('must be keys such as 2:<64 hexadecimal digits>, and 1 for the one that SECRET_KEY gives')
    return [[id, hex === undefined ? derived : Buffer.from(hex, 'hex')]]
  })
  if (new Set(named.map(([id]) => id)).size < named.length) throw wrong('names a key twice')
  const [first, ...others] = named
  if (!first) return [[DERIVED_ID, derived]]
  const isNamed = named.some(([id]) => id === DERIVED_ID)
  return [first, ...others, ...(isNamed ? [] : [[DERIVED_ID, derived] as const])]
}

const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const argon2Hash = promisify(argon2)
/** The library's threads are as many as four, and each fills a processor. */
const hash = (...input: Parameters<typeof argon2Hash>) => hashingRoom(() => argon2Hash(...input))

/** argon2id hash in the PHC string form. */
export function hashPassword(password: string): Promise<string> {
  return hashedWith(password, PARAMETERS)
}

/** The same of at least 80 random bits, which nobody guesses however quick a try is: in a thousandth of the time. */
export function hashRandom(password: string): Promise<string> {
  return hashedWith(password, { ...PARAMETERS, memory: 16, passes: 1 })
}

async function hashedWith(
  password: string,
  parameters: Record<keyof typeof PARAMETERS, number>,
): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await hash('argon2id', { ...parameters, message: password, nonce })
  const { memory, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain64(nonce)}$${plain64(tag)}`
}

/** The argon2id hash alone, of what is found again by it: several secrets share a salt. */
export function saltedHash(secret: Buffer, nonce: Buffer): Promise<Buffer> {
  return hash('argon2id', { ...PARAMETERS, message: secret, nonce })
}

/** A hash that no password has, so that an unknown account takes as long as a wrong password. */
export const NOBODYS_HASH = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

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
