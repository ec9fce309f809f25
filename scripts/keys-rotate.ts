// npm run keys:rotate: encrypts what lies encrypted with the first of FIELD_KEYS, reads all of it, and prints one line; exits 1 where
// anything cannot be read.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rotateKeys } from '#app/sealed.ts'
import { readEnv } from '#server/env.ts'
import { makeSecrets } from '#server/secrets.ts'
import { secretKeyOf } from './secret-key.ts'
import { verifyDatabase } from './verified.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

await verifyDatabase('encrypted fields', client => {
  const env = readEnv({ ...process.env, DATA_DIR: resolve(ROOT, process.env.DATA_DIR || './data') })
  return rotateKeys(client, makeSecrets(secretKeyOf(env), env.fieldKeys))
})
