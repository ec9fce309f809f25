import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'

let office: Office
let agent: MadeAgent
let vendor: MadeAgent
let staff: Client
let partner: Client

const DAY = 86_400_000
const reason = '客户要求'
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { tokens: 10_000, sms: 100 })
  vendor = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(vendor.loginName))
  partner = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const shop = (columns: Record<string, unknown> = {}) => makeMerchant(office, agent.id, columns)
const rowOf = async (id: number) =>
  (
    await office.owner.query(
      `select agent_id::int, store_kind, head_id::int, version_id, shops_bought, expires_at, revision, manager_id
       from merchants where id = $1`,
      [id],
    )
  ).rows[0]
const lastLog = async () =>
  (
    await office.owner.query(
      'select title, subject, merchant_id::int, changes from operation_logs order by id desc limit 1',
    )
  ).rows[0]
/** Shops as a tool finds them. */
const seen = async (id: number) => {
  const { shop: found } = await staff.aftersales.extendFind({ search: String(id) })
  assert.ok(found)
  return { id, revision: found.revision }
}

test('the tools are for vendor staff; an agent and a role without the node are refused', async () => {
  const sub = await makeAccount(office, vendor.id, { nodeIds: [7, 71] })
  const canceller = office.as(await office.login(sub.loginName))
  for (const client of [partner, canceller])
    for (const call of [
      () => client.aftersales.extendFind({ search: '1' }),
      () => client.aftersales.extend({ id: 1, revision: 1, days: 1, reason }),
      () => client.aftersales.associate({ id: 1, revision: 1, headId: 2, reason }),
      () => client.aftersales.adjustVersion({ id: 1, revision: 1, versionId: 3, reason }),
      () => client.aftersales.move({ id: 1, revision: 1, agentId: 1, reason }),
    ])
      assert.equal(await refusalOf(call()), 'FORBIDDEN')
  assert.deepEqual((await canceller.aftersales.cancelActions({})).rows, [])
  assert.equal(
    await refusalOf(staff.aftersales.providerFind({ search: '1' })),
    'FORBIDDEN',
    'the operator alone',
  )
})

test('a shop is found by its id or its account, and only that one', async () => {
  const id = await shop({ account: '18800003333', shop_name: '售后面馆' })
  for (const search of [String(id), '18800003333', ` ${id} `])
    assert.equal((await staff.aftersales.extendFind({ search })).shop?.id, id, search)
  for (const search of ['99999999', '1880000', '售后面馆', '%', '9'.repeat(40)])
    assert.equal((await staff.aftersales.extendFind({ search })).shop, null, search)
  assert.equal(await refusalOf(staff.aftersales.extendFind({})), 'SHOP_ID_REQUIRED')
  assert.equal(await refusalOf(staff.aftersales.versionFind({ search: '  ' })), 'SHOP_ID_REQUIRED')
})

test('an account of eight digits does not hide the shop of that id', async () => {
  const wanted = await shop()
  await shop({ account: String(wanted) })
  assert.equal((await staff.aftersales.extendFind({ search: String(wanted) })).shop?.id, wanted)
})

test('an extension adds days at the end of the term and is told twice: log and list', async () => {
  const id = await shop({ expires_at: inDays(10) })
  const before = (await rowOf(id)).expires_at as Date
  const { expiresAt } = await staff.aftersales.extend({ ...(await seen(id)), days: 30, reason })
  assert.equal(new Date(expiresAt).getTime(), before.getTime() + 30 * DAY)
  assert.equal(((await rowOf(id)).expires_at as Date).toISOString(), expiresAt)
  const log = await lastLog()
  assert.deepEqual([log.title, log.subject, log.merchant_id], ['账户延期', `测试店铺 (${id})`, id])
  assert.deepEqual(
    log.changes.map((change: { name: string }) => change.name),
    ['到期时间', '延期', '操作原因'],
  )
  const [action] = (await staff.aftersales.extendActions({})).rows
  assert.deepEqual(
    [action?.kind, action?.merchantId, action?.shopName, action?.reason, action?.createdByName],
    ['extend', id, '测试店铺', reason, '姓名'],
  )
})

test('an expired shop gets its days from now', async () => {
  const id = await shop({ expires_at: inDays(-40) })
  const { expiresAt } = await staff.aftersales.extend({ ...(await seen(id)), days: 7, reason })
  const left = new Date(expiresAt).getTime() - Date.now()
  assert.ok(left > 7 * DAY - 60_000 && left <= 7 * DAY, String(left))
})

test('an extension pressed twice is one', async () => {
  const id = await shop({ expires_at: inDays(10) })
  const input = { ...(await seen(id)), days: 30, reason }
  const answers = await Promise.all([1, 2, 3].map(() => refusalOf(staff.aftersales.extend(input))))
  assert.deepEqual(answers.sort(), ['STALE', 'STALE', 'accepted'])
  assert.equal(Math.round(((await rowOf(id)).expires_at - Date.now()) / DAY), 40)
})

test('what cannot be extended is refused, and nothing is written', async () => {
  const permanent = await seen(await shop({ expires_at: null }))
  const disabled = await seen(await shop({ status: 'disabled' }))
  const normal = await seen(await shop())
  const cases = [
    [{ ...permanent, days: 1, reason }, 'PERMANENT'],
    [{ ...disabled, days: 1, reason }, 'MERCHANT_DISABLED'],
    [{ ...normal, days: 0, reason }, 'INPUT_INVALID'],
    [{ ...normal, days: 366, reason }, 'INPUT_INVALID'],
    [{ ...normal, days: 1.5, reason }, 'INPUT_INVALID'],
    [{ ...normal, days: 1, reason: ' ' }, 'INPUT_INVALID'],
    [{ ...normal, days: 1, reason: '长'.repeat(51) }, 'INPUT_INVALID'],
    [{ ...normal, revision: 9, days: 1, reason }, 'STALE'],
    [{ id: 99_999_999, revision: 1, days: 1, reason }, 'NOT_FOUND'],
  ] as const
  const { total } = await staff.aftersales.extendActions({})
  for (const [input, code] of cases)
    assert.equal(await refusalOf(staff.aftersales.extend(input)), code, JSON.stringify(input))
  assert.equal((await staff.aftersales.extendActions({})).total, total)
  assert.equal((await rowOf(normal.id)).revision, 1)
})

test('a shop joins a chain, is listed with its head, and leaves it again', async () => {
  const head = await shop({ shops_bought: 3, shop_name: '总店' })
  const branch = await shop({ shop_name: '分店甲' })
  const before = await staff.aftersales.chainFind({ search: String(head) })
  assert.deepEqual([before.head?.id, before.branches], [head, []])
  await staff.aftersales.associate({ ...(await seen(branch)), headId: head, reason })
  const { store_kind, head_id } = await rowOf(branch)
  assert.deepEqual([store_kind, head_id], ['branch', head])
  assert.equal((await lastLog()).subject, `分店甲 (${branch})`)
  for (const search of [head, branch]) {
    const group = await staff.aftersales.chainFind({ search: String(search) })
    assert.deepEqual([group.shop?.id, group.head?.id, group.head?.branches], [search, head, 1])
    assert.deepEqual(
      group.branches.map(({ id }) => id),
      [branch],
    )
  }
  await staff.aftersales.dissolve({ ...(await seen(branch)), reason })
  const left = await rowOf(branch)
  assert.deepEqual([left.store_kind, left.head_id], ['head', null])
  assert.deepEqual((await staff.aftersales.chainFind({ search: String(head) })).branches, [])
  const kinds = (await staff.aftersales.chainActions({})).rows.map(({ kind }) => kind)
  assert.deepEqual(kinds, ['dissolve', 'associate'])
  assert.equal(
    await refusalOf(staff.aftersales.dissolve({ ...(await seen(branch)), reason })),
    'NOT_A_BRANCH',
  )
})

test('a chain takes no shop that may not join it', async () => {
  const head = await shop({ shops_bought: 2 })
  const full = await shop({ shops_bought: 1 })
  const elsewhere = await shop({ store_kind: 'branch', head_id: head })
  const stranger = await makeAgent(office)
  const cases = [
    [await shop(), full, 'GROUP_FULL'],
    [await shop(), head, 'GROUP_FULL'],
    [elsewhere, full, 'BRANCH_ELSEWHERE'],
    [elsewhere, head, 'BRANCH_ALREADY'],
    [head, await shop({ shops_bought: 9 }), 'BRANCH_HAS_BRANCHES'],
    [await shop(), elsewhere, 'HEAD_IS_BRANCH'],
    [await makeMerchant(office, stranger.id), await shop({ shops_bought: 9 }), 'OTHER_AGENT'],
    [await shop({ status: 'disabled' }), await shop({ shops_bought: 9 }), 'MERCHANT_DISABLED'],
    [await shop(), await shop({ shops_bought: 9, status: 'disabled' }), 'MERCHANT_DISABLED'],
    [head, head, 'SAME_SHOP'],
    [await shop(), 99_999_999, 'NOT_FOUND'],
  ] as const
  for (const [branch, of, code] of cases)
    assert.equal(
      await refusalOf(staff.aftersales.associate({ ...(await seen(branch)), headId: of, reason })),
      code,
    )
})

test('two shops that want the last place at once: one gets it', async () => {
  const head = await shop({ shops_bought: 2 })
  const wanting = await Promise.all([await shop(), await shop()].map(seen))
  const answers = await Promise.all(
    wanting.map(input => refusalOf(staff.aftersales.associate({ ...input, headId: head, reason }))),
  )
  assert.deepEqual(answers.sort(), ['GROUP_FULL', 'accepted'])
})

test('a version becomes one that the reference data allows, and keeps term and shops', async () => {
  const id = await shop({ version_id: 4, shops_bought: 2 })
  const found = await staff.aftersales.versionFind({ search: String(id) })
  assert.deepEqual(found.targets, [{ id: 3, name: '连锁版' }])
  const before = await rowOf(id)
  const input = { ...(await seen(id)), versionId: 3, reason }
  await staff.aftersales.adjustVersion(input)
  assert.deepEqual(await rowOf(id), { ...before, version_id: 3, revision: before.revision + 1 })
  assert.equal(await refusalOf(staff.aftersales.adjustVersion(input)), 'STALE')
  assert.deepEqual((await lastLog()).changes[0], {
    name: '软件版本',
    before: '高级版（旧）',
    after: '连锁版',
  })
  const advanced = await seen(await shop({ version_id: 12 }))
  const disabled = await seen(await shop({ version_id: 4, status: 'disabled' }))
  const old = await seen(await shop({ version_id: 4 }))
  for (const [wrong, code] of [
    [{ ...advanced, versionId: 3, reason }, 'VERSION_FIXED'],
    [{ ...old, versionId: 12, reason }, 'VERSION_NOT_ADJUSTABLE'],
    [{ ...disabled, versionId: 3, reason }, 'MERCHANT_DISABLED'],
    [{ ...old, versionId: 3, reason: '' }, 'INPUT_INVALID'],
  ] as const)
    assert.equal(await refusalOf(staff.aftersales.adjustVersion(wrong)), code)
  await office.owner.query('insert into version_adjustments values (12, 3)')
  await staff.aftersales.adjustVersion({ ...advanced, versionId: 3, reason })
  assert.equal((await rowOf(advanced.id)).version_id, 3)
})
