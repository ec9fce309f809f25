// What /metrics tells of the ledger, read from the running program.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { type Office, openOffice } from '#test/app.ts'
import { figureLater, figureOf } from '#test/figures.ts'
import { makeAgent, newMerchantForm } from '#test/make.ts'

let office: Office
/** Past triggers and foreign keys. */
let intruder: pg.Client

before(async () => {
  office = await openOffice()
  const agent = await makeAgent(office, { tokens: 10_000, sms: 500 })
  const me = office.as(await office.login(agent.loginName))
  for (const smsCount of [5, 7]) {
    const quote = await me.selling.quote(newMerchantForm({ smsCount }))
    await me.selling.add({ orderNo: quote.orderNo })
  }
  intruder = new pg.Client({
    connectionString: office.ownerUrl,
    options: '-c session_replication_role=replica',
  })
  await intruder.connect()
})
after(async () => {
  await intruder.end()
  await office.stop()
})

const SOUND = { unbalanced_transfers: 0, broken_chains: 0, balances_unlike_entries: 0 }
const NEWEST = '(select max(id) from ledger_entries where sequence is not null)'

test('a sound ledger has no drift', async () => {
  assert.deepEqual(await figureOf(office, 'ledger_drift'), SOUND)
})

test('a balance, an amount and a balance before that do not fit are told, until they are put right', async () => {
  const changes = {
    [`update ledger_accounts set balance = balance + DELTA where id = (select account_id from ledger_entries where id = ${NEWEST})`]:
      { ...SOUND, balances_unlike_entries: 1 },
    [`update ledger_entries set balance_before = balance_before + DELTA where id = ${NEWEST}`]: {
      ...SOUND,
      broken_chains: 1,
    },
    [`update ledger_entries set amount = amount + DELTA where id = ${NEWEST}`]: {
      ...SOUND,
      unbalanced_transfers: 1,
      broken_chains: 1,
    },
  }
  for (const [change, drift] of Object.entries(changes)) {
    await intruder.query(change.replace('DELTA', '1'))
    assert.deepEqual(await figureLater(office, 'ledger_drift'), drift, change)
    await intruder.query(change.replace('DELTA', '-1'))
  }
  assert.deepEqual(await figureLater(office, 'ledger_drift'), SOUND)
})
