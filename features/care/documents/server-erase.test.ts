// Papers that end and papers that go: told in time and once, erased with key and bytes, by a person or once nothing needs them.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { placesOf } from '#server/storage/file-bytes.ts'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { certificateNo } from './rules.ts'
import { erasePast, markNeedless } from './server-erase.ts'
import { useDocuments } from './server-keep.ts'
import { openDocument } from './server-look.ts'
import { warnInHours, warnOfEnds } from './server-watch.ts'
import { makeDocument } from './walk.ts'

const DAY_MS = 86_400_000

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
})
after(() => office.stop())
beforeEach(async () => {
  await office.owner.query('delete from notices')
  await office.owner.query(`update documents set expires_on = null, keep_until = null`)
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
})

const today = formatDay(new Date())
const inDays = (days: number) => addDays(today, days)
const paper = (more: object = {}) =>
  makeDocument(office, { by: agent, merchantId: shop, kind: 'permit', ...more })
const use = (ids: number[]) =>
  acting(office, cookie, async ctx => {
    await lockMerchant(ctx, shop)
    await useDocuments(ctx, shop, { feature: 'verification', objectId: 1 }, ids)
  })
const told = async () =>
  (
    await office.owner.query(
      'select title, body, link, account_id::int as account from notices where topic = $1 order by id',
      ['Document_Notify'],
    )
  ).rows
const rowOf = async (id: number) =>
  (await office.owner.query('select * from documents where id = $1', [id])).rows[0]
const logOf = async (id: number) =>
  (
    await office.owner.query(
      'select title, subject, account_name, changes from operation_logs where objects @> array[$1] order by id',
      [`document:${id}`],
    )
  ).rows
async function lies(fileId: string): Promise<boolean> {
  const { storage } = office.app.services
  return (await Promise.all(placesOf(fileId).map(place => storage.head(place)))).some(Boolean)
}
const get = (url: string, as = cookie) =>
  office.app.http.inject({ url: `/api${url}`, headers: { cookie: as } })

test('an agent is told 60 and 15 days before, once each, of all papers of a shop in one notice', async () => {
  await paper({ expiresOn: inDays(60) })
  await paper({ kind: 'businessLicence', expiresOn: inDays(61) })
  assert.equal(await warnOfEnds(office.app.services, today), 1)
  assert.equal(await warnOfEnds(office.app.services, today), 0)
  const [first] = await told()
  assert.equal(first.title, '老张面馆的证件即将到期')
  assert.equal(first.body, `行业许可证 ${inDays(60)} 到期（还有 60 天），请及时更换。`)
  assert.equal(first.link, `/admin/merchant/merchantDetails?user_id=${shop}`)
  assert.equal(await warnOfEnds(office.app.services, inDays(1)), 1)
  assert.equal(await warnOfEnds(office.app.services, inDays(44)), 0)
  assert.equal(await warnOfEnds(office.app.services, inDays(46)), 1)
  assert.equal(await warnOfEnds(office.app.services, inDays(60)), 0)
  const texts = (await told()).map(({ body }) => body)
  assert.equal(texts.length, 3)
  assert.match(texts[2], /行业许可证 .*还有 14 天.*、营业执照 .*还有 15 天/)
})

test('two instances that look at once tell it once', async () => {
  await paper({ expiresOn: inDays(10) })
  const counts = await Promise.all([1, 2, 3].map(() => warnOfEnds(office.app.services, today)))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    1,
  )
})

test('of what has ended, was replaced, or is of a disabled shop nobody is told; of another day anew', async () => {
  await paper({ expiresOn: inDays(-1) })
  await paper({ expiresOn: inDays(5), state: 'replaced' })
  const id = await paper({ expiresOn: inDays(5) })
  await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
  assert.equal(await warnOfEnds(office.app.services, today), 0)
  await office.owner.query(`update merchants set status = 'normal' where id = $1`, [shop])
  assert.equal(await warnOfEnds(office.app.services, today), 1)
  await me.documents.setExpiry({ id, expiresOn: inDays(50) })
  assert.equal(await warnOfEnds(office.app.services, today), 1)
})

test('of the shops of the vendor its staff are told', async () => {
  const vendor = await makeAgent(office, { operator: true, staff: true })
  const own = await makeMerchant(office, vendor.id)
  await makeDocument(office, { by: vendor, merchantId: own, expiresOn: inDays(3) })
  await warnOfEnds(office.app.services, today)
  const accounts = (await told()).map(({ account }) => account)
  assert.ok(accounts.includes(vendor.accountId))
  assert.ok(!accounts.includes(agent.accountId))
})

test('nobody is told at night or on a day off', async () => {
  await paper({ expiresOn: inDays(3) })
  await warnInHours(office.app.services, new Date(`${today}T03:00:00+08:00`))
  assert.equal((await told()).length, 0)
  let sunday = today
  while (new Date(`${sunday}T12:00:00Z`).getUTCDay() !== 0) sunday = addDays(sunday, 1)
  await office.owner.query('update documents set expires_on = $1 where merchant_id = $2', [
    addDays(sunday, 3),
    shop,
  ])
  await warnInHours(office.app.services, new Date(`${sunday}T10:00:00+08:00`))
  assert.equal((await told()).length, 0)
})

test('the list has what ends first in the beginning, counts what ends soon, and finds by shop, kind, state and end', async () => {
  const ids = [
    await paper({ expiresOn: inDays(40) }),
    await paper({ kind: 'businessLicence', expiresOn: inDays(-3) }),
    await paper({ kind: 'other', expiresOn: inDays(9) }),
    await paper({ kind: 'qualification' }),
    await paper({ kind: 'shopFront', state: 'replaced' }),
  ]
  const idsOf = async (input: object) => (await me.documents.list(input)).rows.map(({ id }) => id)
  assert.deepEqual(await idsOf({}), [ids[1], ids[2], ids[0], ids[3]])
  assert.deepEqual((await me.documents.list({})).soon, { ended: 1, in15: 1, in60: 2 })
  assert.deepEqual(await idsOf({ ends: 'ended' }), [ids[1]])
  assert.deepEqual(await idsOf({ ends: 'in60' }), [ids[2], ids[0]])
  assert.deepEqual(await idsOf({ ends: 'unknown' }), [ids[3]])
  assert.deepEqual(await idsOf({ state: 'replaced' }), [ids[4]])
  assert.equal((await idsOf({ state: 'all' })).length, 5)
  assert.deepEqual(await idsOf({ kind: 'other', search: '老张' }), [ids[2]])
  assert.deepEqual(await idsOf({ search: String(shop), ends: 'in15' }), [ids[2]])
  assert.deepEqual(await idsOf({ search: '没有这家' }), [])
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  const seen = (await staff.documents.list({ search: String(shop) })).rows
  assert.deepEqual(
    seen.map(({ id }) => id),
    [ids[1], ids[2], ids[0], ids[3]],
  )
  assert.equal(seen[0]?.agentId, agent.id)
  assert.equal(
    (await office.as(await office.login((await makeAgent(office)).loginName)).documents.list({})).total,
    0,
  )
})

test('a paper that something uses is not erased; one that nothing uses goes with key and bytes, and a certificate stays', async () => {
  const id = await paper({ numberMasked: '1101**********0012' })
  const before = await rowOf(id)
  await use([id])
  assert.equal(await refusalOf(me.documents.erase({ id, reason: '重复上传' })), 'DOCUMENT_USED')
  await use([])
  assert.equal(await refusalOf(me.documents.erase({ id, reason: ' ' })), 'ERASE_REASON_REQUIRED')
  assert.equal((await get(`/documents/${id}/certificate`)).statusCode, 404)
  await me.documents.erase({ id, reason: '商户要求删除' })
  const row = await rowOf(id)
  assert.deepEqual(
    [row.state, row.file_id, row.facts, row.number_masked, row.sha256, row.erase_reason],
    ['erased', null, null, '', before.sha256, '商户要求删除'],
  )
  const { rows: kept } = await office.owner.query('select sealed_key from files where id = $1', [
    before.file_id,
  ])
  assert.deepEqual(kept, [])
  for (let tried = 0; tried < 50 && (await lies(before.file_id)); tried++)
    await new Promise(resolve => setTimeout(resolve, 20))
  assert.equal(await lies(before.file_id), false)
  for (const url of [`/documents/${id}/picture?purpose=support`, `/documents/${id}/file?purpose=support`])
    assert.equal((await get(url)).statusCode, 404)
  assert.equal(await refusalOf(me.documents.erase({ id, reason: '再来一次' })), 'DOCUMENT_ERASED')
  const certificate = await get(`/documents/${id}/certificate`)
  assert.equal(certificate.statusCode, 200)
  assert.equal(certificate.rawPayload.subarray(0, 5).toString(), '%PDF-')
  const log = await logOf(id)
  assert.deepEqual(
    log.map(({ title }) => title),
    ['销毁证件资料', '下载销毁证明'],
  )
  assert.equal(log[0].changes.at(-1).after, '商户要求删除')
  assert.equal(certificateNo(id).length, 12)
})

test('the storage away, the key is gone at once and the bytes follow with the hourly job', async () => {
  const id = await paper()
  const { file_id: fileId } = await rowOf(id)
  const { services } = office.app
  const { storage } = services
  const problems: unknown[] = []
  const { onProblem } = services
  Object.assign(services, {
    storage: { ...storage, delete: () => Promise.reject(new Error('away')) },
    onProblem: (error: unknown) => problems.push(error),
  })
  try {
    await me.documents.erase({ id, reason: '重复上传' })
    await new Promise(resolve => setTimeout(resolve, 50))
  } finally {
    Object.assign(services, { storage, onProblem })
  }
  assert.equal(problems.length, 1)
  assert.ok(await lies(fileId))
  const { rows } = await office.owner.query('select id from removed_files where id = $1', [fileId])
  assert.equal(rows.length, 1)
})

test('what was replaced is erased once it was kept long enough, what is used again or still stays', async () => {
  const [gone, used, back, current] = [
    await paper({ state: 'replaced', replacedAt: new Date(Date.now() - 181 * DAY_MS).toISOString() }),
    await paper({ state: 'replaced', replacedAt: new Date(Date.now() - 400 * DAY_MS).toISOString() }),
    await paper({ state: 'replaced', replacedAt: new Date(Date.now() - 10 * DAY_MS).toISOString() }),
    await paper(),
  ]
  await use([used])
  await markNeedless(office.owner, new Date())
  assert.ok((await rowOf(back)).keep_until > new Date(Date.now() + 169 * DAY_MS))
  assert.deepEqual([(await rowOf(used)).keep_until, (await rowOf(current)).keep_until], [null, null])
  assert.equal(await erasePast(office.app.services, new Date()), 1)
  const row = await rowOf(gone)
  assert.deepEqual([row.state, row.erased_by, row.erased_by_name], ['erased', null, '系统'])
  const [log] = await logOf(gone)
  assert.deepEqual([log.title, log.account_name], ['自动销毁证件资料', '系统'])
  // Marked, and taken into use before its day has come.
  await use([used, back])
  await markNeedless(office.owner, new Date())
  assert.equal((await rowOf(back)).keep_until, null)
  await erasePast(office.app.services, new Date(Date.now() + 400 * DAY_MS))
  assert.deepEqual([(await rowOf(used)).state, (await rowOf(back)).state], ['replaced', 'replaced'])
})

test('papers of a shop that left go after their own time, unless it comes back', async () => {
  const id = await paper()
  await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
  await markNeedless(office.owner, new Date())
  const { keep_until: until } = await rowOf(id)
  assert.ok(until > new Date(Date.now() + 1_094 * DAY_MS))
  const then = new Date(Date.now() + 1_096 * DAY_MS)
  await office.owner.query(`update merchants set status = 'normal', expires_at = null where id = $1`, [shop])
  assert.equal(await erasePast(office.app.services, then), 0)
  await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
  assert.equal(await erasePast(office.app.services, then), 1)
  assert.equal((await rowOf(id)).erase_reason, '商户已禁用或到期且资料不再使用，保留期满')
})

test('a paper that is taken into use while it is erased is either used or erased, never both', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await paper({ kind: 'other' })
    const outcomes = await Promise.allSettled([use([id]), me.documents.erase({ id, reason: '重复上传' })])
    const { rows } = await office.owner.query('select 1 from document_uses where document_id = $1', [id])
    assert.equal(rows.length > 0, (await rowOf(id)).state !== 'erased', JSON.stringify(outcomes))
    await use([])
  }
})

test('one upload is one paper, so that erasing it takes nothing from another', async () => {
  const id = await paper()
  const { file_id: fileId } = await rowOf(id)
  const other = await makeMerchant(office, agent.id)
  assert.equal(
    await refusalOf(me.documents.keep({ merchantId: other, kind: 'other', fileId })),
    'DOCUMENT_FILE_UNKNOWN',
  )
  const ctx = await acting(office, cookie, async ({ actor, request }) => ({
    services: office.app.services,
    actor,
    request,
  }))
  assert.ok((await openDocument(ctx, id, 'support')).bytes.length > 0)
})
