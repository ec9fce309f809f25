// npm run ledger:verify: checks the whole ledger and prints one line of figures; exits 1 on any drift.

import pg from 'pg'
import { verifyLedger } from '#features/ledger/verify.ts'
import { ownerDatabase } from './owner-database.ts'

const { url, close } = await ownerDatabase()
const client = new pg.Client({ connectionString: url })
await client.connect()
const result = await verifyLedger(client)
await client.end()
await close()
process.stdout.write(`${result.line}\n`)
process.exitCode = result.sound ? 0 : 1
