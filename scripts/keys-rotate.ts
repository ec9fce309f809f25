// npm run keys:rotate: encrypts what lies encrypted with the first of FIELD_KEYS, reads all of it, and prints one line; exits 1 where
// anything cannot be read.
import { rotateKeys } from '#app/sealed.ts'
import { makeSecrets } from '#server/secrets.ts'
import { readSettings } from './owner-database.ts'
import { secretKeyOf } from './secret-key.ts'
import { verifyDatabase } from './verified.ts'

await verifyDatabase('encrypted fields', client => {
  const env = readSettings()
  return rotateKeys(client, makeSecrets(secretKeyOf(env), env.fieldKeys))
})
