import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test, { after, before, beforeEach } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import readXlsxFile from 'read-excel-file/node'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { credit, type MadeAgent, makeAccount, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { comesTrue } from '#test/patience.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import type { CallContext } from '../ctx.ts'
import { takeSlot } from './export.ts'

const MERCHANTS = '/api/merchants/export.xlsx'
const CHANGES = '/api/wallet/changes.xlsx'
const POOL_SIZE = 3

let office: Office
let agent: MadeAgent
let cookie: string
let me: Client

before(async () => {
  office = await openOffice({ settings: { POOL_SIZE: String(POOL_SIZE) } })
  await office.app.http.listen({ port: 0, host: '127.0.0.1' })
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
})

const make = (columns: Record<string, unknown> = {}) => makeMerchant(office, agent.id, columns)

async function get(path: string, query: Record<string, string> = {}, as: string | null = cookie) {
  return office.app.http.inject({ method: 'GET', url: path, query, headers: as ? { cookie: as } : {} })
}

async function sheetOf(path: string, query: Record<string, string> = {}, as = cookie): Promise<unknown[][]> {
  const answer = await get(path, query, as)
  assert.equal(answer.statusCode, 200, answer.body.slice(0, 200))
  const [sheet] = await readXlsxFile(answer.rawPayload, { trim: false })
  return sheet?.data ?? []
}

/** The instant as the wall time of Shanghai, which is how a cell without a zone reads. */
function wall(instant: string | null): Date | null {
  if (instant === null) return null
  const seconds = Math.floor(Date.parse(instant) / 1_000)
  return new Date((seconds + 8 * 3_600) * 1_000)
}

test('the file has every column of the list with its name, times of Shanghai, and is a download', async () => {
  const id = await make({
    store_kind: 'branch',
    shops_bought: 3,
    referrer: '王五',
    manager_id: agent.accountId,
    remark: '备注',
    signature: '签名',
    verification_status: 'reviewing',
    account: '18077770001',
    registered_at: '2026-03-09T16:00:00Z',
    expires_at: '2027-03-09T15:59:59.999Z',
    last_login_at: null,
  })
  assert.deepEqual(await sheetOf(MERCHANTS), [
    [
      '店铺名称',
      '商户ID',
      '门店类型',
      '店铺简称',
      '商户姓名',
      '账号',
      '软件版本',
      '店铺数（家）',
      '行业类型',
      '到期时间',
      '注册时间',
      '最近登录',
      '短信余额（条）',
      '状态',
      '认证状态',
      '客户经理/客服',
      '客户经理称谓',
      '推荐人',
      '备注',
      '短信签名',
      '认证失败原因',
      '代理商',
    ],
    [
      '测试店铺',
      id,
      '分店',
      '店铺',
      '王小明',
      '18077770001',
      '高级版',
      3,
      '餐饮美食',
      new Date('2027-03-09T23:59:59Z'),
      new Date('2026-03-10T00:00:00Z'),
      null,
      0,
      '正常',
      '审核中',
      '姓名',
      null,
      '王五',
      '备注',
      '签名',
      null,
      `代理商${agent.id}`,
    ],
  ])
  const { headers } = await get(MERCHANTS)
  assert.match(
    String(headers['content-disposition']),
    /^attachment; .*filename\*=UTF-8''%E5%95%86%E6%88%B7-\d{4}/,
  )
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('exactly what the list filters is in the file, in the list’s order', async () => {
  await makeMerchant(office, (await makeAgent(office)).id, { shop_name: '别家店铺' })
  for (let i = 0; i < 12; i++)
    await make({
      status: i % 2 ? 'disabled' : 'normal',
      version_id: i % 3 ? 12 : 1,
      shop_name: `店铺${i}${i % 4 ? '' : '旗舰'}`,
      registered_at: `2026-03-${String(10 + (i % 5))}T01:00:00Z`,
      expires_at: i % 3 ? '2027-01-01T00:00:00Z' : null,
    })
  for (const filters of [
    {},
    { status: 'disabled' },
    { status: 'normal', versionId: '12' },
    { search: '旗舰' },
    { search: '旗' },
    { registeredFrom: '2026-03-11', registeredTo: '2026-03-12' },
    { sort: 'expiresAt', order: 'asc' },
    { sort: 'lastLoginAt', order: 'desc', lastLoginDays: '7' },
    { search: '无此店' },
  ] as Record<string, string>[]) {
    const { rows } = await me.merchants.list({ size: 100, ...filters })
    const [, ...data] = await sheetOf(MERCHANTS, filters)
    assert.deepEqual(
      data.map(row => row[1]),
      rows.map(row => row.id),
      JSON.stringify(filters),
    )
  }
})

test('the chosen columns come in the order chosen; unknown names are passed over', async () => {
  const id = await make({ account: '18077770002' })
  for (const [columns, expected] of [
    ['account,id', ['18077770002', id]],
    ['id,nothing,account,toString,constructor', [id, '18077770002']],
  ] as const)
    assert.deepEqual((await sheetOf(MERCHANTS, { columns }))[1], expected, columns)
  assert.equal((await sheetOf(MERCHANTS, { columns: 'toString' }))[0]?.length, 22)
})

test('what people typed is no formula in the file', async () => {
  await make({
    shop_name: '=1+1',
    person_name: '@SUM(A1)',
    referrer: '+8613800000000',
    remark: '-2',
    signature: '\t=cmd',
  })
  assert.deepEqual(
    (await sheetOf(MERCHANTS, { columns: 'shopName,personName,referrer,remark,signature' }))[1],
    ["'=1+1", "'@SUM(A1)", "'+8613800000000", "'-2", "'\t=cmd"],
  )
})

test('the export of changes is the list of changes', async () => {
  await credit(office, agent.id, 'token', 1_000_000)
  for (const shopName of ['=甲', '乙']) {
    const quote = await me.selling.quote(newMerchantForm({ shopName: shopName.replace('=', '') }))
    await me.selling.add({ orderNo: quote.orderNo })
  }
  await office.owner.query(
    `update ledger_transfers set remark = '=1+1' where agent_id = $1 and kind = 'credit'`,
    [agent.id],
  )
  const names: Record<string, string> = { balance: '余额', gift: '免费赠送' }
  for (const filters of [{}, { payMethod: 'balance' }, { search: '乙' }, { to: '2020-01-01' }] as Record<
    string,
    string
  >[]) {
    const { rows } = await me.ledger.changes({ size: 100, ...filters })
    const [header, ...data] = await sheetOf(CHANGES, filters)
    assert.deepEqual(header, [
      '订单号',
      '时间',
      '说明',
      '商户ID',
      '支付方式',
      '变动金额（代币）',
      '变动前（代币）',
      '变动后（代币）',
      '操作人',
      '申请人',
      '原价（代币）',
      '费用备注',
      '订单备注',
      '代理商',
    ])
    const typed = (text: string | null) => (text ? text.replace(/^=/, "'=") : null)
    const expected = rows.map(row => [
      row.orderNo,
      wall(row.createdAt),
      row.description,
      row.merchantId,
      names[row.payMethod],
      row.amountCents / 100,
      row.balanceBeforeCents / 100,
      row.balanceAfterCents / 100,
      row.actorName,
      row.requestedByName,
      row.priceCents === null ? null : row.priceCents / 100,
      typed(row.remark),
      typed(row.orderRemark),
      row.agentName,
    ])
    assert.deepEqual(data, expected, JSON.stringify(filters))
  }
})

test('a download is in the operation log with its filter and its rows, in words', async () => {
  await sheetOf(MERCHANTS, { status: 'disabled', search: '老张', columns: 'id' })
  await sheetOf(CHANGES, { payMethod: 'gift' })
  const { rows } = await office.owner.query(
    `select title, subject, account_id::int as by, changes
     from operation_logs where agent_id = $1 and title like '导出%' order by id`,
    [agent.id],
  )
  assert.deepEqual(rows, [
    {
      title: '导出商户',
      subject: '商户',
      by: agent.accountId,
      changes: [
        { name: '筛选条件', before: null, after: '搜索：老张；状态：已禁用' },
        { name: '列', before: null, after: '商户ID' },
        { name: '行数', before: null, after: '0 行' },
      ],
    },
    {
      title: '导出余额变动',
      subject: '余额变动',
      by: agent.accountId,
      changes: [
        { name: '筛选条件', before: null, after: '支付方式：免费赠送' },
        { name: '行数', before: null, after: '0 行' },
      ],
    },
  ])
})

test('without session, permission or a right filter there is no file and no log row', async () => {
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [22, 41] })
  const lister = await office.login(loginName)
  const staff = await office.login((await makeAgent(office, { staff: true })).loginName)
  const before = (await rowsOfAllTables(office)).operation_logs
  for (const path of [MERCHANTS, CHANGES]) {
    const told = async (query: Record<string, string>, as: string | null) => {
      const answer = await get(path, query, as)
      return [answer.statusCode, answer.json().code]
    }
    assert.deepEqual(await told({}, null), [401, 'UNAUTHENTICATED'])
    assert.deepEqual(await told({}, 'session=wrong'), [401, 'UNAUTHENTICATED'])
    assert.deepEqual(await told({}, lister), [403, 'FORBIDDEN'])
    assert.deepEqual(await told({ agentId: 'x' }, cookie), [422, 'INPUT_INVALID'])
    assert.deepEqual(await told({ search: '长'.repeat(51) }, cookie), [422, 'INPUT_INVALID'])
  }
  assert.equal((await get(MERCHANTS, { registeredFrom: '2026-02-30' })).statusCode, 422)
  assert.equal((await get(MERCHANTS, { sort: 'account' })).statusCode, 422)
  assert.equal((await rowsOfAllTables(office)).operation_logs, before)
  const short = await get(MERCHANTS, { search: '店' }, staff)
  assert.deepEqual([short.statusCode, short.json().code], [409, 'SEARCH_TOO_SHORT'])
})

/** Waits until no connection of the program is lent out. */
async function untilAllReturned(): Promise<void> {
  const { pool } = office.app.services.database
  await comesTrue(() => pool.totalCount === pool.idleCount && pool.waitingCount === 0)
  assert.equal(pool.totalCount - pool.idleCount, 0, 'connections are still lent out')
  const { rows } = await office.owner.query(
    `select count(*)::int as open from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  )
  assert.equal(rows[0].open, 0)
}

test('a download that is broken off, before or while it is read, gives its connection back', async () => {
  // More than the sockets between us hold. The counter of shops, kept row by row, is left alone.
  await office.owner.query(
    `begin; set local session_replication_role = replica;
     insert into merchants (id, agent_id, store_kind, short_name, shop_name, person_name, account, password_hash, province_code,
       city_code, district_code, industry_id, version_id, shops_bought, status, registered_at, verification_status, source, remark)
     select nextval('merchant_ids'), ${agent.id}, 'head', '店', '店', '人', 'bulk' || i, 'none', '44', '4403', '440305',
       2, 12, 1, 'normal', now(), 'unverified', 'import',
       (select string_agg(md5(i::text || j), '') from generate_series(1, 150) j) from generate_series(1, 3000) i;
     commit`,
  )
  const { port } = office.app.http.server.address() as { port: number }
  for (let round = 0; round < 4 * POOL_SIZE; round++) {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    socket.write(`GET ${MERCHANTS} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\n\r\n`)
    // Every other time not one byte is waited for; the pause moves the break through the request's steps.
    if (round % 2) await once(socket, 'data')
    else await pause(round)
    socket.destroy()
  }
  await untilAllReturned()
  assert.equal((await sheetOf(MERCHANTS, { search: 'bulk299' })).length, 1 + 11)
})

test('downloads leave connections to everything else: those of one agent beyond its share are told when to come again', async () => {
  for (let i = 0; i < 5; i++) await make()
  const asked = Array.from({ length: 3 * POOL_SIZE }, () => get(MERCHANTS, {}, cookie))
  const answers = await Promise.all(asked)
  assert.deepEqual([...new Set(answers.map(answer => answer.statusCode))].sort(), [200, 429])
  const refused = answers.find(answer => answer.statusCode === 429)
  assert.deepEqual([refused?.json().code, refused?.headers['retry-after']], ['TOO_MANY_AT_ONCE', '5'])
  await untilAllReturned()
  assert.equal((await sheetOf(MERCHANTS)).length, 6)
})

test('files that one account asks for at once are written one after the other, and those of others beside them', async () => {
  const { services } = office.app
  const roomy = { ...services, env: { ...services.env, poolSize: 20 } }
  const context = { services: roomy } as unknown as CallContext
  const begun: string[] = []
  const begin = async (name: string, accountId: number) => {
    const slot = await takeSlot(context, { accountId, agentId: accountId })
    begun.push(name)
    return slot
  }
  const first = await begin('first', 7_001)
  const second = begin('second', 7_001)
  const other = await begin('of another', 7_002)
  assert.deepEqual(begun, ['first', 'of another'])
  first.free()
  const after = await second
  assert.deepEqual(begun, ['first', 'of another', 'second'])
  for (const slot of [after, other]) slot.free()
})
