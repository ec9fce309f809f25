// The key that signs checkpoints: a file beside the database and outside of it, alike for all instances of an office.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Env } from '#server/env.ts'

export type KeyEnv = Pick<Env, 'checkpointKeyFile' | 'dataDir'>

const fileOf = ({ checkpointKeyFile, dataDir }: KeyEnv) =>
  checkpointKeyFile ?? join(dataDir, 'checkpoint-key.pem')

/** Made where there is none. */
export function checkpointKey(env: KeyEnv): KeyObject {
  const file = fileOf(env)
  if (!existsSync(file)) make(file)
  return readKey(file)
}

/** Null: there is none, and nothing was ever signed here. */
export function knownKey(env: KeyEnv): KeyObject | null {
  const file = fileOf(env)
  return existsSync(file) ? readKey(file) : null
}

function make(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // Another instance was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function readKey(file: string): KeyObject {
  if ((statSync(file).mode & 0o077) !== 0) throw new Error(`Others may read ${file}; run chmod 600 on it`)
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} holds no Ed25519 key`)
  return key
}
