// npm run ledger:verify: checks the whole ledger and its checkpoints, prints one line of figures; exits 1 on any drift or an unusable database.
import { LEDGER_BOOK, verifyLedger } from '#features/money/ledger/verify.ts'
import { verifyDatabase } from './verified.ts'

await verifyDatabase('ledger', verifyLedger, LEDGER_BOOK)
