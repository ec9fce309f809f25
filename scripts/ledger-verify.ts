// npm run ledger:verify: checks the whole ledger and prints one line of figures; exits 1 on any drift or an unusable database.

import pg from 'pg'
import { verifyLedger } from '#features/ledger/verify.ts'
import { ownerDatabase } from './owner-database.ts'

async function main(): Promise<void> {
  const { url, close } = await ownerDatabase({ mustExist: true })
  try {
    const result = await verifyAt(url)
    process.stdout.write(`${result.line}\n`)
    process.exitCode = result.sound ? 0 : 1
  } finally {
    await close()
  }
}

async function verifyAt(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  let lost: Error | undefined
  client.on('error', error => {
    lost = error
  })
  try {
    await client.connect()
    return await verifyLedger(client)
  } catch (error) {
    throw inWords(lost ?? (error as Error))
  } finally {
    await client.end()
  }
}

/** What a person can do about it, as far as the database's code tells. */
function inWords(error: Error & { code?: string }): Error {
  if (error.code === '42P01' || error.code === '42883')
    return new Error('This database has no ledger. Start the office on it first.', { cause: error })
  return new Error(`The ledger could not be verified: ${error.message || error.code}`, { cause: error })
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
