// Shops from a file before they are shops: checked as the form checks, mended, rehearsed; and who may.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { sampleCells } from './sample.ts'
import { beginImport, nextAccount, uploadLines, workThrough } from './walk.ts'

let office: Office

before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const owner = <R>(sql: string, ...values: unknown[]) =>
  office.owner.query<R & Record<string, unknown>>(sql, values).then(({ rows }) => rows)
const one = async (sql: string, ...values: unknown[]) =>
  Number(Object.values((await owner(sql, ...values))[0] ?? {})[0] ?? 0)
const work = (atOnce?: number) => workThrough(office, atOnce)

async function partner(options: Parameters<typeof makeAgent>[1] = {}) {
  const agent = await makeAgent(office, { tokens: 1_000_000, sms: 1_000, ...options })
  return { agent, client: office.as(await office.login(agent.loginName)) }
}
const faultsOf = async (client: Client, id: number) =>
  (await client.shopImport.rows({ id })).rows.map(({ faults }) =>
    faults.map(({ column, message, fix }) => [column, message, fix]),
  )

describe('an import', () => {
  test('checks every cell as the form does, several faults of a line at once', async () => {
    const { client } = await partner()
    const id = await uploadLines(client, [
      sampleCells('123', {
        shortName: '太长太长太长太长太',
        personName: '',
        industry: '不存在',
        district: '火星区',
      }),
      sampleCells(nextAccount(), { version: '没有的版本', term: '很久', sms: '很多', shopPhone: '1' }),
    ])
    const [first = [], second = []] = await faultsOf(client, id)
    assert.deepEqual(
      first.map(([column, message]) => [column, message]),
      [
        ['district', '没有找到「广东省深圳市火星区」，请写全省、市、区'],
        ['industry', '没有名为「不存在」的行业类型'],
        ['shortName', '店铺简称长度不得超过8字符'],
        ['personName', '请输入商户姓名'],
        ['account', '账号格式不对'],
      ],
    )
    assert.deepEqual(second.map(([column]) => column).sort(), ['shopPhone', 'sms', 'term', 'version'])
    assert.equal(await refusalOf(client.shopImport.start({ id, token: 'x' })), 'ROWS_FAULTY')
  })

  test('mends one kind of fault in all lines, single cells in place, and leaves lines out', async () => {
    const { client } = await partner()
    const [full, spaced, dashed, short] = [nextAccount(), nextAccount(), nextAccount(), nextAccount()]
    const wide = [...full].map(digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('')
    const id = await uploadLines(client, [
      sampleCells(wide),
      sampleCells(`${spaced.slice(0, 3)} ${spaced.slice(3)}`),
      sampleCells(`+86 ${dashed.slice(0, 3)}-${dashed.slice(3, 7)}-${dashed.slice(7)}`),
      sampleCells(short, { province: '广东', city: '深圳', district: '南山' }),
      sampleCells(nextAccount(), {
        province: '',
        city: '',
        district: '',
        address: '广东省深圳市南山区科技园2号',
      }),
      sampleCells(nextAccount(), { shopName: '深圳★老张面馆', shortName: '很长很长很长很长的简称' }),
      sampleCells('没有号码'),
      sampleCells('还是没有'),
    ])
    const { fixes } = (await client.shopImport.details({ id })).counts
    assert.deepEqual(fixes, {
      region: 1,
      regionOfAddress: 1,
      symbols: 1,
      long: 1,
    })
    for (const fix of ['region', 'regionOfAddress', 'symbols', 'long'] as const)
      assert.deepEqual(await client.shopImport.fix({ id, fix }), { mended: 1 })
    const { rows } = await client.shopImport.rows({ id })
    assert.deepEqual(
      rows.map(({ cells }) => cells.account),
      [full, spaced, dashed, short, rows[4]?.cells.account, rows[5]?.cells.account, '没有号码', '还是没有'],
    )
    assert.deepEqual([rows[3]?.cells.province, rows[3]?.cells.district], ['广东省', '南山区'])
    assert.deepEqual([rows[4]?.cells.district, rows[4]?.cells.address], ['南山区', '科技园2号'])
    assert.deepEqual(
      [rows[5]?.cells.shopName, rows[5]?.cells.shortName],
      ['深圳老张面馆', '很长很长很长很长'],
    )
    const wrong = await client.shopImport.rows({ id, only: 'faulty' })
    assert.equal(wrong.total, 2)
    const mended = await client.shopImport.editRow({
      id,
      rowId: wrong.rows[0]?.id as number,
      cells: { account: nextAccount() },
    })
    assert.deepEqual(mended.faults, [])
    assert.deepEqual(await client.shopImport.skipFaulty({ id }), { skipped: 1 })
    assert.deepEqual((await client.shopImport.rehearse({ id })).refusal, null)
  })

  test('says which accounts stand twice, in the file and at shops, and does with them what is said', async () => {
    const { agent, client } = await partner()
    const other = await makeAgent(office)
    const [twice, taken] = [nextAccount(), nextAccount()]
    await makeMerchant(office, other.id, { account: taken })
    const id = await uploadLines(client, [
      sampleCells(twice),
      sampleCells(taken),
      sampleCells(twice),
      sampleCells(nextAccount()),
    ])
    const wrong = await uploadLines(client, [sampleCells(twice), sampleCells(twice), sampleCells('1')])
    for (const file of ['ask', 'first', 'none'] as const) {
      await client.shopImport.setUp({ id: wrong, defaults: {}, duplicates: { file, taken: 'skip' } })
      assert.equal((await client.shopImport.details({ id: wrong })).counts.faulty, 1, file)
    }
    const { rows } = await client.shopImport.rows({ id })
    assert.deepEqual(
      rows.map(({ duplicate }) => duplicate),
      ['first', 'taken', 'file', null],
    )
    assert.equal((await client.shopImport.details({ id })).counts.undecided, 2)
    assert.equal(await refusalOf(client.shopImport.start({ id, token: 'x' })), 'ROWS_DUPLICATE')
    await client.shopImport.setUp({ id, defaults: {}, duplicates: { file: 'none', taken: 'skip' } })
    assert.equal((await client.shopImport.details({ id })).counts.fine, 1)
    await client.shopImport.setUp({ id, defaults: {}, duplicates: { file: 'first', taken: 'skip' } })
    assert.equal((await client.shopImport.rehearse({ id })).shops, 2)
    await beginImport(client, id)
    await work()
    const done = await client.shopImport.details({ id })
    assert.deepEqual([done.state, done.created, done.skipped, done.failed], ['done', 2, 2, 0])
    assert.equal(await one('select count(*) from merchants where agent_id = $1', agent.id), 2)
  })

  test('writes nothing while it is rehearsed, and says what is left afterwards', async () => {
    const { agent, client } = await partner({ tokens: 5_000, sms: 50 })
    const id = await uploadLines(client, [
      sampleCells(nextAccount(), { sms: '20' }),
      sampleCells(nextAccount(), { term: '2年' }),
    ])
    const before = await one('select count(*) from version_orders where agent_id = $1', agent.id)
    const shown = await client.shopImport.rehearse({ id })
    assert.equal(shown.lines.length, 2)
    assert.equal(shown.balanceAfterCents, shown.balanceBeforeCents - shown.totalCents)
    assert.deepEqual([shown.shops, shown.smsAfter, shown.refusal], [2, 30, null])
    assert.equal(await one('select count(*) from version_orders where agent_id = $1', agent.id), before)
    assert.equal(await one('select count(*) from merchants where agent_id = $1', agent.id), 0)
    await client.shopImport.editRow({
      id,
      rowId: (await client.shopImport.rows({ id })).rows[0]?.id as number,
      cells: { term: '3年' },
    })
    assert.equal(await refusalOf(client.shopImport.start({ id, token: shown.token })), 'REHEARSAL_STALE')
  })

  test('takes twenty thousand lines', async () => {
    const { client } = await partner()
    const base = 900_000_000
    const lines = Array.from({ length: 20_000 }, (_, at) => sampleCells(`16${base + at}`))
    const id = await uploadLines(client, lines)
    const { counts } = await client.shopImport.details({ id })
    assert.deepEqual([counts.rows, counts.fine, counts.faulty], [20_000, 20_000, 0])
    assert.equal((await client.shopImport.rows({ id, offset: 19_950 })).rows.length, 50)
  })

  test('does not begin beyond the balance', async () => {
    const { client } = await partner({ tokens: 10 })
    const id = await uploadLines(client, [sampleCells(nextAccount())])
    const { token, refusal, balanceAfterCents } = await client.shopImport.rehearse({ id })
    assert.ok(refusal && balanceAfterCents < 0)
    assert.equal(await refusalOf(client.shopImport.start({ id, token })), 'INSUFFICIENT')
  })
})

describe('who may', () => {
  test('owners, and people of a role that has it', async () => {
    const { agent } = await partner()
    const without = office.as(
      await office.login((await makeAccount(office, agent.id, { nodeIds: [22] })).loginName),
    )
    assert.equal(await refusalOf(without.shopImport.list({})), 'FORBIDDEN')
    const looking = office.as(
      await office.login((await makeAccount(office, agent.id, { nodeIds: [780] })).loginName),
    )
    assert.equal((await looking.shopImport.list({})).total, 0)
    assert.equal(await refusalOf(uploadLines(looking, [sampleCells(nextAccount())])), 'FORBIDDEN')
    const granted = office.as(
      await office.login((await makeAccount(office, agent.id, { nodeIds: [780, 781] })).loginName),
    )
    assert.ok(await uploadLines(granted, [sampleCells(nextAccount())]))
  })

  test('who sees its own shops alone sees what it brought, and keeps the shops', async () => {
    const { agent, client } = await partner()
    const account = await makeAccount(office, agent.id, { nodeIds: [780, 781], dataScope: 'own' })
    const own = office.as(await office.login(account.loginName))
    await uploadLines(client, [sampleCells(nextAccount())])
    assert.equal((await own.shopImport.list({})).total, 0)
    const id = await uploadLines(own, [sampleCells(nextAccount())])
    assert.equal((await own.shopImport.list({})).total, 1)
    await beginImport(own, id)
    await work()
    assert.equal(await one('select count(*) from merchants where manager_id = $1', account.accountId), 1)
  })
})
