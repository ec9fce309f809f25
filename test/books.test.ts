// Every kind of movement has its model, and random sequences of all kinds and their undos end where they began: a few here, thousands by
// npm run faults -- movements.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import { TRANSFER_KIND_KEYS } from '#features/money/ledger/rules.ts'
import { verifyLedger } from '#features/money/ledger/verify.ts'
import { type Office, openOffice } from './app.ts'
import { FLOWING_KINDS, movementsOf, type Owners, postSequence, strangeTransfers } from './books.ts'
import { times } from './lane.ts'
import { makeAgent, makeMerchant } from './make.ts'

const SEED = 20_261_130
const STEPS = 200

let office: Office
let owners: Owners

before(async () => {
  office = await openOffice({ demo: true })
  const [first, second] = [await makeAgent(office), await makeAgent(office)]
  const shop = () => makeMerchant(office, first.id)
  owners = { agents: [first.id, second.id], shops: [await shop(), await shop()] }
})
after(() => office.stop())

test('each kind of movement is in the model', () => {
  assert.deepEqual([...FLOWING_KINDS, 'undo'].sort(), [...TRANSFER_KIND_KEYS].sort())
})

test('what has moved in the demo is of the model, and what is not is told', async () => {
  assert.deepEqual(await strangeTransfers(office.owner), [])
  const client = await office.owner.connect()
  try {
    await client.query('begin')
    await client.query(`alter table ledger_transfers disable trigger user`)
    await client.query(`update ledger_transfers set kind = 'hardware' where kind = 'deposit-kept'`)
    assert.deepEqual(await strangeTransfers(client), ['hardware deposit merchant revenue'])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

const sequences = (count: number) => fc.sample(movementsOf(STEPS), { numRuns: count, seed: SEED })

/** Orders and messages that no sequence has. */
const OF_DOCUMENTS = /_unlike_(transfers|requests)$/

test('any sequence of movements of every kind and their undos ends where it began', async () => {
  const kinds = new Set<string>()
  const client = await office.owner.connect()
  try {
    for (const steps of sequences(times(3, 50))) {
      await client.query('begin')
      const { posted, undone, kinds: played } = await postSequence(client, owners, steps)
      await client.query('commit')
      assert.equal(undone, posted)
      for (const kind of played) kinds.add(kind)
    }
    assert.deepEqual([...kinds].sort(), [...TRANSFER_KIND_KEYS].sort())
    const { problems } = await verifyLedger(client)
    const own = Object.entries(problems).filter(
      ([name]) => name === 'days_unlike_transfers' || !OF_DOCUMENTS.test(name),
    )
    assert.ok(own.length > 6)
    assert.deepEqual(
      own.filter(([, count]) => count !== 0),
      [],
    )
  } finally {
    client.release()
  }
})

/** What the ledger would be without each of its guards. */
for (const [what, from, to] of [
  [
    'lets an account fall below nothing',
    'held.balance + signed_amount < 0',
    'held.balance + signed_amount < -100000',
  ],
  ['refuses the last that there is', 'held.balance + signed_amount < 0', 'held.balance + signed_amount <= 0'],
  [
    'loses the second entry',
    'entry.balance_after := held.balance + signed_amount',
    'entry.balance_after := held.balance + least(0, signed_amount)',
  ],
  [
    'takes a hundredth too much',
    'entry.balance_after := held.balance + signed_amount',
    'entry.balance_after := held.balance + signed_amount - (signed_amount < -100)::int',
  ],
] as const)
  test(`a ledger that ${what} is found`, async () => {
    const client = await office.owner.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ text: string }>(
        `select pg_get_functiondef('ledger_write_entry'::regproc) as text`,
      )
      const text = rows[0]?.text ?? ''
      assert.ok(text.includes(from))
      await client.query(`alter table ledger_accounts drop constraint ledger_accounts_never_negative`)
      await client.query(text.replace(from, to))
      await assert.rejects(async () => {
        for (const steps of sequences(3)) await postSequence(client, owners, steps)
      }, /the ledger says/)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

test('a ledger that takes one movement back twice is found', async () => {
  const client = await office.owner.connect()
  try {
    await client.query('begin')
    await client.query('drop index ledger_transfers_reverses_id')
    await assert.rejects(async () => {
      for (const steps of sequences(3)) await postSequence(client, owners, steps)
    }, /the ledger says/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
