// The lists over other agents' shops: of the agents below (decisions.md), and by source for the operator (D2 §2 screen 3).
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import readXlsx from 'read-excel-file/node'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { call } from '#test/walk.ts'

let office: Office
let parent: MadeAgent
let children: MadeAgent[]
let stranger: MadeAgent
let cookie: string
let mine: Client
/** Shops of the children, the latest first. */
const below: number[] = []

const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()

before(async () => {
  office = await openOffice()
  parent = await makeAgent(office)
  children = [
    await makeAgent(office, { parentId: parent.id }),
    await makeAgent(office, { parentId: parent.id }),
    await makeAgent(office, { parentId: parent.id }),
  ]
  const grandchild = await makeAgent(office, { parentId: children[0]?.id as number })
  stranger = await makeAgent(office)
  await makeMerchant(office, parent.id, { shop_name: '自己的店' })
  await makeMerchant(office, grandchild.id, { shop_name: '下下级的店', registered_at: at(99) })
  await makeMerchant(office, stranger.id, { shop_name: '别人的店', registered_at: at(98) })
  // Two of the three children have shops, whose days take turns.
  for (let day = 1; day <= 24; day++) {
    const child = children[day % 2] as MadeAgent
    const columns = {
      shop_name: `下级店${day}`,
      registered_at: at(day),
      expires_at: day % 5 === 0 ? null : at(100 + ((day * 7) % 24)),
      last_login_at: day % 3 === 0 ? null : at(30 + ((day * 5) % 24)),
      status: day % 4 === 0 ? 'disabled' : 'normal',
      manager_id: child.accountId,
      version_id: day % 6 === 0 ? 5 : 12,
    }
    below.unshift(await makeMerchant(office, child.id, columns))
  }
  cookie = await office.login(parent.loginName)
  mine = office.as(cookie)
})
after(() => office.stop())

const ids = (answer: { rows: { id: number }[] }) => answer.rows.map(row => row.id)

describe('the shops of sub-agents', () => {
  test("are those of one's own sub-agents, page by page, with agent and manager", async () => {
    const pages = [
      await mine.agentDesk.secondary({}),
      await mine.agentDesk.secondary({ page: 2 }),
      await mine.agentDesk.secondary({ page: 3 }),
    ]
    assert.deepEqual(pages.flatMap(ids), below)
    assert.deepEqual(new Set(pages.map(page => page.total)), new Set([24]))
    const first = pages[0]?.rows[0]
    assert.equal(first?.agentName, `代理商${children[0]?.id}`)
    assert.equal(first?.managerName, '姓名')
    assert.deepEqual(ids(await mine.agentDesk.secondary({ page: 9 })), [])
  })

  test('are sorted and filtered as one’s own are', async () => {
    const expected = async (where: string, order: string) =>
      (
        await office.owner.query(
          `select id from merchants where agent_id = any($1) and ${where} order by ${order}`,
          [children.map(child => child.id)],
        )
      ).rows.map(row => Number(row.id))
    const cases: [Parameters<Client['agentDesk']['secondary']>[0], string, string][] = [
      [{ order: 'asc' }, 'true', 'registered_at, id'],
      [{ sort: 'expiresAt', order: 'asc' }, 'true', 'expires_at, id'],
      [{ sort: 'expiresAt' }, 'true', 'expires_at desc, id desc'],
      [{ sort: 'lastLoginAt' }, 'true', 'last_login_at desc nulls last, id desc'],
      [{ sort: 'lastLoginAt', order: 'asc' }, 'true', 'last_login_at nulls first, id'],
      [{ status: 'disabled' }, `status = 'disabled'`, 'registered_at desc'],
      [{ versionId: 5 }, 'version_id = 5', 'registered_at desc'],
      [
        { registeredFrom: '2026-01-05', registeredTo: '2026-01-09' },
        `registered_at >= '2026-01-04T16:00Z' and registered_at < '2026-01-09T16:00Z'`,
        'registered_at desc',
      ],
      [{ search: '下级店2' }, `shop_name like '%下级店2%'`, 'registered_at desc'],
    ]
    for (const [query, where, order] of cases) {
      const wanted = await expected(where, order)
      const answer = await mine.agentDesk.secondary({ ...query, size: 50 })
      assert.deepEqual(ids(answer), wanted, JSON.stringify(query))
      assert.equal(answer.total, wanted.length)
      assert.deepEqual(ids(await mine.agentDesk.secondary({ ...query, page: 2 })), wanted.slice(10, 20))
    }
  })

  test('of one sub-agent are found by its id, and of anyone else’s agent none', async () => {
    const [first] = children as [MadeAgent]
    const one = await mine.agentDesk.secondary({ agentId: first.id, size: 50 })
    assert.equal(one.total, 12)
    assert.deepEqual(new Set(one.rows.map(row => row.agentId)), new Set([first.id]))
    for (const agentId of [parent.id, stranger.id, children[2]?.id as number])
      assert.equal((await mine.agentDesk.secondary({ agentId })).total, 0)
    const options = await mine.agentDesk.secondaryAgents({})
    assert.deepEqual(
      ids(options),
      children.map(child => child.id),
    )
    assert.deepEqual(ids(await mine.agentDesk.secondaryAgents({ search: String(first.id) })), [first.id])
  })

  test('ask for two characters, unless one sub-agent is named', async () => {
    assert.equal(await refusalOf(mine.agentDesk.secondary({ search: '店' })), 'SEARCH_TOO_SHORT')
    const agentId = children[0]?.id as number
    assert.equal((await mine.agentDesk.secondary({ search: '店', agentId })).total, 12)
  })

  test('can be read and nothing else', async () => {
    const id = below[1] as number
    assert.equal(await refusalOf(mine.merchants.details({ id })), 'NOT_FOUND')
    assert.equal(await refusalOf(mine.merchants.setRemark({ id, remark: '改' })), 'NOT_FOUND')
    assert.equal((await mine.merchants.list({})).total, 1)
  })

  test('are for vendor staff those of all agents that have a parent', async () => {
    const staff = await makeAgent(office, { staff: true })
    const asStaff = office.as(await office.login(staff.loginName))
    assert.equal((await asStaff.agentDesk.secondary({})).total, 25)
    const names = (await asStaff.agentDesk.secondary({ search: '的店' })).rows.map(row => row.shopName)
    assert.deepEqual(names, ['下下级的店'])
  })

  test('of an agent without sub-agents are none', async () => {
    const lone = office.as(await office.login(stranger.loginName))
    assert.deepEqual(await lone.agentDesk.secondary({ status: 'normal' }), {
      rows: [],
      total: 0,
      totalCapped: false,
    })
  })

  test('are written to a file as they are filtered', async () => {
    const FILE = { method: 'GET', path: '/merchants/secondary/export.xlsx' }
    const answer = await call(office.app, cookie, FILE, { status: 'disabled', columns: 'shopName,agentName' })
    assert.equal(answer.status, 200)
    const [sheet] = (await readXlsx(answer.bytes)) as unknown as { data: unknown[][] }[]
    assert.deepEqual(sheet?.data.slice(0, 2), [
      ['店铺名称', '代理商'],
      ['下级店24', `代理商${children[0]?.id}`],
    ])
    assert.equal(sheet?.data.length, 7)
  })
})

describe('the shops by source', () => {
  let operator: Client
  let operatorCookie: string
  const made: number[] = []
  before(async () => {
    operatorCookie = await office.login((await makeAgent(office, { operator: true })).loginName)
    operator = office.as(operatorCookie)
    const agent = await makeAgent(office)
    for (const [day, source] of ['import', 'mobileWebsite', 'import'].entries())
      made.unshift(
        await makeMerchant(office, agent.id, { source, registered_at: at(50 + day), referrer: '老李' }),
      )
  })

  test('are over all agents, the latest first, and are filtered by source, agent and day', async () => {
    const imported = await operator.merchants.bySource({ source: 'import' })
    assert.deepEqual(ids(imported), [made[0], made[2]])
    assert.deepEqual(
      [imported.total, imported.rows[0]?.source, imported.rows[0]?.referrer],
      [2, 'import', '老李'],
    )
    assert.deepEqual(ids(await operator.merchants.bySource({ source: 'import', order: 'asc' })), [
      made[2],
      made[0],
    ])
    const agentId = imported.rows[0]?.agentId as number
    assert.equal((await operator.merchants.bySource({ agentId })).total, 3)
    assert.equal((await operator.merchants.bySource({ agentId, source: 'mobileWebsite' })).total, 1)
    assert.equal((await operator.merchants.bySource({ agentId: stranger.id, source: 'import' })).total, 0)
    const day = { registeredFrom: '2026-02-20', registeredTo: '2026-02-20' }
    assert.deepEqual(ids(await operator.merchants.bySource({ ...day, source: 'mobileWebsite' })), [made[1]])
    assert.equal((await operator.merchants.bySource({})).total, 30)
    assert.equal((await operator.merchants.bySource({ search: '老李' })).total, 3)
  })

  test("are the operator's alone", async () => {
    assert.equal(await refusalOf(mine.merchants.bySource({})), 'FORBIDDEN')
    const staff = await makeAgent(office, { staff: true })
    const asStaff = office.as(await office.login(staff.loginName))
    assert.equal(await refusalOf(asStaff.merchants.bySource({})), 'FORBIDDEN')
  })

  test('are written to a file with the names of their sources', async () => {
    const FILE = { method: 'GET', path: '/merchants/source/export.xlsx' }
    const answer = await call(office.app, operatorCookie, FILE, { source: 'mobileWebsite' })
    const [sheet] = (await readXlsx(answer.bytes)) as unknown as { data: unknown[][] }[]
    assert.deepEqual(sheet?.data[0], [
      '店铺名称',
      '商户ID',
      '门店类型',
      '商户姓名',
      '账号',
      '来源',
      '推荐人',
      '代理商',
      '注册时间',
      '软件版本',
      '店铺数（家）',
      '行业类型',
      '状态',
      '认证状态',
    ])
    assert.equal(sheet?.data.length, 2)
    assert.deepEqual([sheet?.data[1]?.[1], sheet?.data[1]?.[5]], [made[1], '手机官网'])
    assert.equal((await call(office.app, cookie, FILE)).code, 'FORBIDDEN')
  })
})
