// The secret that keys are derived from: given, or made once and kept beside the embedded database.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '#server/env.ts'

export function secretKeyOf(env: Pick<Env, 'secretKey' | 'dataDir'>): string {
  if (env.secretKey) return env.secretKey
  const file = join(env.dataDir, 'secret-key')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}
