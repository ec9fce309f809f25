// npm run ledger:verify: checks the whole ledger and its checkpoints, prints one line of figures; exits 1 on any drift or an unusable database.
// -- --archive FOLDER: closed years that were written there, as well, and that the ledger goes on from them.
import { createPublicKey } from 'node:crypto'
import { parseArgs } from 'node:util'
import { verifyYears } from '#features/money/ledger/server-archive.ts'
import { LEDGER_BOOK, verifyLedger } from '#features/money/ledger/verify.ts'
import { knownKey } from '#server/checkpoints/key.ts'
import { verifyDatabase } from './verified.ts'

const { archive: folder } = parseArgs({ options: { archive: { type: 'string' } } }).values

await verifyDatabase(
  'ledger',
  verifyLedger,
  LEDGER_BOOK,
  folder === undefined
    ? undefined
    : (client, { env }) => {
        const key = knownKey(env)
        if (!key) throw new Error('the key that signed the archives is missing')
        return verifyYears(client, folder, createPublicKey(key))
      },
)
