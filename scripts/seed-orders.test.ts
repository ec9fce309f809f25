// What measurements run on is written by statements of their own: they must follow the tables.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { accountRow } from '#features/office/access/rows.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agentRow, OPERATOR } from '#features/office/agents/rows.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { freshDatabase } from '#test/database.ts'
import { loadOrders, loadTransfers } from './seed-orders.ts'

const AGENT = 1_001
const SHOPS = 60

let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: pg.Client
before(async () => {
  database = await freshDatabase()
  owner = new pg.Client({
    connectionString: database.ownerUrl,
    options: '-c timezone=UTC -c app.scope=all',
  })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await database.drop()
})

test('made-up shops get orders of every kind, at prices that there are', async () => {
  const db = drizzle(owner)
  const createdAt = new Date().toISOString()
  await db
    .insert(agents)
    .values([
      agentRow({ id: 1, ...OPERATOR, createdAt }),
      agentRow({ id: AGENT, companyName: '量一量', createdAt }),
    ])
  await db
    .insert(accounts)
    .values(accountRow({ agentId: AGENT, loginName: 'measured', passwordHash: '', createdAt }))
  const year = (from: number) => new Date(Date.now() + from * 365 * 86_400_000).toISOString()
  const shops = Array.from({ length: SHOPS }, (_, n) =>
    merchantRow({
      id: 50_000_000 + n,
      agentId: AGENT,
      account: String(13_700_000_000 + n),
      registeredAt: year(-2),
      expiresAt: n % 2 === 0 ? year(0.1) : year(1),
    }),
  )
  await insertRows(owner, merchants, shops)
  // One without a price is offered nowhere, and sold to nobody.
  await owner.query(`insert into services (id, parent_id, code, name, unit, position)
    select -1, parent_id, 'unpriced', '没有价格的', unit, 0 from services where parent_id is not null limit 1`)
  const written = await loadOrders(owner, AGENT)
  for (const [table, rows] of Object.entries(written)) assert.ok(rows > 0, `${table}: ${rows}`)
  await loadTransfers(owner, AGENT, 500)
  // Those to the one agent that there is.
  const { rowCount } = await owner.query(`select from ledger_transfers where document like 'seed-%'`)
  assert.ok(Number(rowCount) > 0)
})
