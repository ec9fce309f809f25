// What every scene ends with: the ledger is whole, and nothing has moved but what the model beside the product knows.
import type pg from 'pg'
import { verifyLedger } from '#features/money/ledger/verify.ts'
import { strangeTransfers } from '#test/books.ts'

/** `line`: the ledger's own figures. `breaches`: what does not hold; none where all does. */
export async function judgeLedger(client: pg.Client): Promise<{ line: string; breaches: string[] }> {
  const { sound, line } = await verifyLedger(client)
  const strange = await strangeTransfers(client)
  return {
    line,
    breaches: [
      ...(sound ? [] : [line]),
      ...strange.map(flow => `a movement that no kind of money makes: ${flow}`),
    ],
  }
}
