// npm run log:verify: checks the chains of the operation log and its checkpoints, prints one line of figures; exits 1 where any row was touched.
import { LOG_BOOK, verifyLog } from '#features/overview/operation-log/verify.ts'
import { knownKey } from '#server/checkpoints/key.ts'
import { verifyDatabase } from './verified.ts'

await verifyDatabase('operation log', (client, env) => verifyLog(client, knownKey(env)), LOG_BOOK)
