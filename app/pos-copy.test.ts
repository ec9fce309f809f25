// The POS of providers/pos keeps its copy: over a restart that missed many webhooks, and when its cursor is kept no more.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, afterEach, before } from 'node:test'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { type Pos, startPos } from '#providers/pos/program.ts'
import { type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { makeKey, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { ANSWERED_WITHIN_MS } from '#test/patience.ts'

const SHOPS = 120
const MISSED = 10_000
/** Changed by one statement. */
const AT_ONCE = 100

let office: Office
let agent: MadeAgent
let key: { token: string; bearer: string }
let folder: string
let running: Pos | null = null
const ids: number[] = []

before(async () => {
  office = await openOffice({ listen: true })
  agent = await makeAgent(office)
  for (let nth = 0; nth < SHOPS; nth++) ids.push(await makeMerchant(office, agent.id))
  const made = await makeKey(office, await office.login(agent.loginName), ['pos.read'])
  await withoutLimit(office, made)
  key = made
  await settle()
  folder = mkdtempSync(join(tmpdir(), 'partner-office-pos-'))
})
afterEach(async () => {
  await running?.stop()
  running = null
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await office.stop()
})

async function settle(): Promise<void> {
  while (await sequenceChanges(office.app.services));
}
async function open(): Promise<Pos> {
  const file = join(folder, 'shops.json')
  running = await startPos({
    office: office.url,
    key: key.token,
    secrets: [],
    file,
    withinMs: ANSWERED_WITHIN_MS,
  })
  await running.copy.caughtUp()
  return running
}
async function officeShops(): Promise<unknown[]> {
  const { body } = await posCaller(office, key.bearer)('pos.shops', { after: 0, size: 1_000 })
  return (body as { shops: unknown[] }).shops
}
/** Row by row. */
async function assertEqual({ copy }: Pos): Promise<void> {
  const shops = await officeShops()
  const copied = copy.shops().reverse()
  assert.equal(copied.length, shops.length)
  for (const [nth, shop] of shops.entries()) assert.deepEqual(copied[nth], shop)
}

test('a restarted POS that missed ten thousand webhooks ends equal to the office, without listing anew', async () => {
  const first = await open()
  await assertEqual(first)
  assert.equal(first.copy.standing().listed, 1)
  await first.stop()
  const lastOf = async () => (await office.owner.query('select last from shop_change_ends')).rows[0].last
  const before = Number(await lastOf())
  for (let nth = 0; nth < MISSED; nth += AT_ONCE)
    await office.owner.query(
      `update merchants set shop_name = '改名' || $2::int, status = case when $2::int % 7 = 0 then 'disabled' else 'normal' end
       where id = any ($1)`,
      [Array.from({ length: AT_ONCE }, (_, one) => ids[(nth + one) % SHOPS]), nth],
    )
  ids.push(await makeMerchant(office, agent.id))
  await office.owner.query(`update versions set name = '改名版' where id = 12`)
  await settle()
  assert.ok(Number(await lastOf()) - before > MISSED)
  const second = await open()
  await assertEqual(second)
  assert.equal(second.copy.standing().listed, 0)
  assert.ok(second.copy.shops().some(({ shopName }) => shopName === `改名${MISSED - AT_ONCE}`))
  assert.ok(second.copy.shops().some(({ version }) => version.name === '改名版'))
})

test('a shop that has moved to another agency leaves the copy', async () => {
  const pos = await open()
  const other = await makeAgent(office)
  const moved = await makeMerchant(office, agent.id)
  await settle()
  await pos.copy.caughtUp()
  assert.ok(pos.copy.shop(moved))
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [moved, other.id])
  await settle()
  await pos.copy.caughtUp()
  assert.equal(pos.copy.shop(moved), undefined)
  await assertEqual(pos)
})

test('a POS whose cursor is kept no more lists all shops anew', async () => {
  const first = await open()
  await first.stop()
  await office.owner.query(`update merchants set shop_name = '后来的名字' where id = $1`, [ids[0]])
  await settle()
  await office.owner.query('update shop_change_ends set cleared = last where id = 1')
  const second = await open()
  assert.equal(second.copy.standing().listed, 1)
  assert.equal(second.copy.shop(ids[0] as number)?.shopName, '后来的名字')
  await assertEqual(second)
})
