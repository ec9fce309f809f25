// npm run log:verify: checks the chains of the operation log and its checkpoints, prints one line of figures; exits 1 where any row was touched.
// -- --archives: those of the office as well, from the first month on; -- --archive FOLDER: copies of them. What is wrong with which is named.
import { parseArgs } from 'node:util'
import { verifyArchives } from '#features/overview/operation-log/server-archive-verify.ts'
import { LOG_BOOK, verifyLog } from '#features/overview/operation-log/verify.ts'
import { knownKey } from '#server/checkpoints/key.ts'
import { makeSecrets } from '#server/secrets.ts'
import { secretKeyOf } from './secret-key.ts'
import { verifyDatabase } from './verified.ts'

const { values } = parseArgs({
  options: { archives: { type: 'boolean', default: false }, archive: { type: 'string' } },
})

await verifyDatabase(
  'operation log',
  (client, env) => verifyLog(client, knownKey(env)),
  LOG_BOOK,
  values.archives || values.archive !== undefined
    ? (client, { storage, env }) => {
        const secrets = makeSecrets(secretKeyOf(env), env.fieldKeys)
        return verifyArchives(client, { storage, env, secrets, folder: values.archive ?? null })
      }
    : undefined,
)
