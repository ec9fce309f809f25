// The office's key for updates of the desk's print program, and what it signs. The key lies in a file outside of the repository and of every
// database; programs that were packed hold its public half.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { PackSystem, SignedUpdate } from '#kit/print/bridge/packs.ts'
import { manifestText } from '#kit/print/bridge/updates.ts'

export const KEY_SETTING = 'PRINT_PROGRAM_KEY_FILE'

/** Of the setting, else in the settings of whoever packs. */
export const keyFileOf = (env: NodeJS.ProcessEnv): string =>
  env[KEY_SETTING]
    ? resolve(env[KEY_SETTING])
    : join(homedir(), '.config', 'partner-office', 'print-program.pem')

/** Made where there is none. Throws in words where the file is in the repository, may be read by others, or holds another kind of key. */
export function updateKey(file: string, root: string): { key: KeyObject; isNew: boolean } {
  if (!relative(root, file).startsWith('..'))
    throw new Error(`${KEY_SETTING}: ${file} is in the repository; keep the key outside of it`)
  const isNew = !existsSync(file)
  if (isNew) {
    const { privateKey } = generateKeyPairSync('ed25519')
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  }
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`${KEY_SETTING}: others may read ${file}; run chmod 600 on it`)
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${KEY_SETTING}: ${file} holds no Ed25519 key`)
  return { key, isNew }
}

/** The public half, as programs hold it. */
export const publicHalf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')

type New = { system: PackSystem; version: string; name: string; bytes: Buffer }

/** `bytes`: the program in gzip, which the office hands out under `name`. */
export function signedUpdate(key: KeyObject, { system, version, name, bytes }: New): SignedUpdate {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const manifest = manifestText({ version, system, name, byteSize: bytes.length, sha256 })
  const signature = sign(null, Buffer.from(manifest), key).toString('base64')
  return { system, name, byteSize: bytes.length, manifest, signature }
}
