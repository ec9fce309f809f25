import assert from 'node:assert/strict'
import test from 'node:test'
import { openOffice } from '#test/app.ts'
import { createDemoData } from './demo.ts'

test('the ledger of the demo data is sound', async () => {
  const office = await openOffice()
  try {
    assert.equal(await createDemoData(office.ownerUrl), true)
    assert.match(await office.verifyLedger(), /^ledger sound accounts=[1-9]/)
  } finally {
    await office.stop()
  }
})
