// The command: what is found and who else has the number, and a restored backup, which brings back who was forgotten.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import pg from 'pg'
import { archivePast } from '#features/overview/operation-log/server-archive.ts'
import { searchArchives, verifyArchives } from '#features/overview/operation-log/server-archive-verify.ts'
import { verifyLog } from '#features/overview/operation-log/verify.ts'
import { checkpointKey } from '#server/checkpoints/key.ts'
import { type Office, openOffice } from '#test/app.ts'
import { allLinked } from '#test/links.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'
import { logAt } from '#test/make-log.ts'
import { eraseAgain, eraseNow, missingErasures } from './server-command.ts'

const KEYS = { phone: '13987650422', name: '金丝雀', idNumber: '' }
const ASKED = {
  keys: KEYS,
  askedOn: '2026-11-01',
  channel: 'letter' as const,
  reason: '来信',
  also: [],
  isDry: false,
}

let office: Office
let owner: pg.Client
let shop: number
let other: number

before(async () => {
  office = await openOffice()
  owner = new pg.Client({ connectionString: office.ownerUrl, options: '-c timezone=UTC -c app.scope=all' })
  await owner.connect()
  const agent = await makeAgent(office)
  const me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { person_name: KEYS.name, shop_phone: KEYS.phone })
  other = await makeMerchant(office, agent.id, { person_name: '另一人', shop_phone: KEYS.phone })
  await me.merchants.setRemark({ id: shop, remark: `店长 139-8765-0422 ${KEYS.name}` })
  await me.merchants.setRemark({ id: other, remark: `电话 ${KEYS.phone}` })
  await allLinked(owner)
})
after(async () => {
  await owner.end()
  await office.stop()
})

const shopOf = async (id: number) =>
  (await owner.query('select person_name, shop_phone, remark from merchants where id = $1', [id])).rows[0]
const at = () => office.app.services
const known = { person_name: KEYS.name, shop_phone: KEYS.phone, remark: `店长 139-8765-0422 ${KEYS.name}` }
const gone = { person_name: '已删除', shop_phone: '', remark: '店长 已删除 已删除' }
const others = { person_name: '另一人', shop_phone: KEYS.phone, remark: `电话 ${KEYS.phone}` }

test('a rehearsal finds, ticks who has both phone and name, and changes nothing', async () => {
  const { lines, isDone } = await eraseNow(owner, at(), { ...ASKED, isDry: true })
  assert.ok(isDone)
  assert.ok(lines.some(line => line.startsWith(`抹除 merchants:${shop} `)))
  assert.ok(lines.some(line => line.startsWith(`不处理 merchants:${other} `)))
  assert.deepEqual(await shopOf(shop), known)
  assert.equal((await owner.query('select from person_erasures')).rowCount, 0)
})

test('who shares the number keeps it, with what is told of them', async () => {
  const { lines } = await eraseNow(owner, at(), ASKED)
  assert.match(lines.join('\n'), /certificate PE\d{8}-/)
  assert.deepEqual(await shopOf(shop), gone)
  assert.deepEqual(await shopOf(other), others)
  const { rows } = await owner.query<{ merchant_id: string }>(
    `select merchant_id from operation_logs where changes::text like '%0422%' order by id`,
  )
  assert.deepEqual(
    rows.map(row => Number(row.merchant_id)),
    [other],
  )
})

test('a database that was restored does it again, and knows when it has', async () => {
  assert.deepEqual((await missingErasures(owner, at())).missing, [])
  // As of a moment before.
  await owner.query('delete from person_erasure_items; delete from person_erasures')
  await owner.query('update merchants set person_name = $2, shop_phone = $3, remark = $4 where id = $1', [
    shop,
    known.person_name,
    known.shop_phone,
    known.remark,
  ])
  assert.equal((await missingErasures(owner, at())).missing.length, 1)
  const { lines, isDone } = await eraseAgain(owner, at())
  assert.ok(isDone, lines.join('\n'))
  assert.deepEqual(await shopOf(shop), gone)
  assert.deepEqual(await shopOf(other), others)
  assert.deepEqual((await missingErasures(owner, at())).missing, [])
  assert.match((await eraseAgain(owner, at())).lines.join('\n'), /erasures done again: 0/)
})

test('of a number that nobody has any more, what texts still say goes, and rows with another stay', async () => {
  await owner.query('delete from person_erasure_items; delete from person_erasures')
  await owner.query(`update merchants set shop_phone = '13900000000' where id in ($1, $2)`, [shop, other])
  await eraseAgain(owner, at())
  assert.equal((await shopOf(shop)).shop_phone, '13900000000')
  assert.deepEqual(await shopOf(other), { ...others, shop_phone: '13900000000', remark: '电话 已删除' })
  assert.deepEqual((await missingErasures(owner, at())).missing, [])
})

test('where nothing of the person has come back, nothing is touched', async () => {
  await owner.query('delete from person_erasure_items; delete from person_erasures')
  const { lines } = await eraseAgain(owner, at())
  assert.match(lines.join('\n'), /nothing of it has come back/)
  assert.equal((await shopOf(other)).shop_phone, '13900000000')
  assert.deepEqual((await missingErasures(owner, at())).missing, [])
})

test('whoever stands in an archive of the log alone is found there, and erased again', async () => {
  await owner.query(`select make_operation_log_months('2021-01-15')`)
  await logAt(owner, '2021-01-20T12:00:00Z', {
    ...{ agentId: 900_007, accountName: '店员', subject: `电话 ${KEYS.phone}` },
  })
  await allLinked(owner)
  await archivePast(owner, at())
  await owner.query('delete from person_erasure_items; delete from person_erasures')
  const { lines } = await eraseAgain(owner, at())
  assert.match(lines.join('\n'), /操作日志归档中的文字：抹除 1/)
  const reading = { ...at(), folder: null }
  const asked = { words: [KEYS.phone], agentId: null, from: '0000-01', to: '9999-12' }
  for await (const line of searchArchives(owner, reading, asked)) assert.fail(line)
  assert.deepEqual((await verifyArchives(owner, reading)).named, [])
})

test('the log is sound behind all of it', async () => {
  await allLinked(owner)
  const { sound, line } = await verifyLog(owner, checkpointKey(at().env))
  assert.ok(sound, line)
})

test('a line that somebody wrote into the list is none', async () => {
  await at().storage.put('erasures/pe1.json', Buffer.from('{"text":"{}","signature":"eA=="}'))
  const { forged } = await missingErasures(owner, at())
  assert.equal(forged, 1)
  assert.equal((await eraseAgain(owner, at())).isDone, false)
})
