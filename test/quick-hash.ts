// Passwords of made accounts: in the program's form, but quick to verify, since tests log in some thousand times.
import { argon2Sync, randomBytes } from 'node:crypto'

const PARAMETERS = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 } as const

export function quickHash(password: string): string {
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { ...PARAMETERS, message: password, nonce })
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain64(nonce)}$${plain64(tag)}`
}

const plain64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
