// Lines become shops in the background, are stopped, killed and go on, and are taken back as a whole.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { REQUEST_CLOSED, UNDO_COUNT, UNDO_REQUEST_DAYS } from '#features/sales/settlement/rules.ts'
import { sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { waitsFor } from '#test/locks.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeSetting } from '#test/make-settings.ts'
import { USES } from './rules.ts'
import { sampleCells } from './sample.ts'
import { endUndecided } from './server-approval.ts'
import { workOnImports } from './server-work.ts'
import { beginImport, nextAccount, uploadLines, workThrough } from './walk.ts'

let office: Office
let operator: Client
let operatorName: string

before(async () => {
  office = await openOffice()
  operatorName = (await makeAgent(office, { operator: true })).loginName
  operator = office.as(await office.login(operatorName))
})
after(async () => {
  assert.match(await office.verifyLedger(), /./)
  await office.stop()
})

const owner = <R>(sql: string, ...values: unknown[]) =>
  office.owner.query<R & Record<string, unknown>>(sql, values).then(({ rows }) => rows)
const one = async (sql: string, ...values: unknown[]) =>
  Number(Object.values((await owner(sql, ...values))[0] ?? {})[0] ?? 0)
const work = (atOnce?: number) => workThrough(office, atOnce)

async function partner(options: Parameters<typeof makeAgent>[1] = {}) {
  const agent = await makeAgent(office, { tokens: 1_000_000, sms: 1_000, ...options })
  return { agent, client: office.as(await office.login(agent.loginName)) }
}
const many = (count: number) => Array.from({ length: count }, () => sampleCells(nextAccount(), { sms: '1' }))

describe('an import', () => {
  test('creates what the form creates: the same shop, order and entries', async () => {
    const { agent, client } = await partner({ levelId: 3 })
    const account = nextAccount()
    const quote = await client.selling.quote(
      newMerchantForm({
        account: nextAccount(),
        password: 'abc123',
        smsCount: 30,
        remark: '老客户',
        referrer: '李四',
      }),
    )
    const single = await client.selling.add({ orderNo: quote.orderNo })
    const id = await uploadLines(client, [
      sampleCells(account, { sms: '30', remark: '老客户', referrer: '李四', password: 'abc123' }),
    ])
    const { faulty, fine } = (await client.shopImport.details({ id })).counts
    assert.deepEqual([faulty, fine], [0, 1])
    const shown = await client.shopImport.rehearse({ id })
    assert.equal(shown.totalCents, quote.totalCents)
    await beginImport(client, id)
    await work()
    const [row] = (await client.shopImport.rows({ id })).rows
    assert.equal(row?.state, 'created')
    const shopOf = (shop: number) =>
      owner(
        `select agent_id, store_kind, head_id, short_name, shop_name, person_name, district_code, address, industry_id, version_id, shops_bought,
           status, referrer, manager_id, remark, verification_status, pay_enabled, revision, expires_at::date as ends, term_day from merchants where id = $1`,
        shop,
      )
    assert.deepEqual(await shopOf(row?.merchantId as number), await shopOf(single.id))
    const orderOf = (no: string) =>
      owner(
        `select agent_id, sales_type, status, version_id, term, periods, shops, branches, unit, unit_cents, original_cents, discount_basis_points,
           offer, total_cents, content, pay_method, purchase_code, batch_no, remark, draft, created_by, paid_at is not null as paid
         from version_orders where order_no = $1`,
        no,
      )
    assert.deepEqual(await orderOf(row?.orderNo as string), await orderOf(single.orderNo))
    const movedBy = (no: string) =>
      owner(
        `select kind, asset, amount, pay_method, agent_id, actor_id, description from ledger_transfers where document = $1 order by id`,
        no,
      )
    assert.deepEqual(await movedBy(row?.orderNo as string), await movedBy(single.orderNo))
    assert.equal(
      (await owner<{ source: string }>('select source from merchants where account = $1', account))[0]
        ?.source,
      'import',
    )
    assert.equal(await one('select total from merchant_counts where agent_id = $1', agent.id), 2)
  })
})

describe('an import under way', () => {
  test('is stopped and goes on, and ends where a balance is used up meanwhile', async () => {
    const { agent, client } = await partner()
    const id = await uploadLines(client, many(25))
    await beginImport(client, id)
    await workOnImports(office.app.services, 10)
    await client.shopImport.stop({ id })
    assert.equal(await work(10), 0)
    assert.equal((await client.shopImport.details({ id })).created, 10)
    await client.shopImport.resume({ id })
    await workOnImports(office.app.services, 10)
    await owner(`update agents set status = 'suspended' where id = $1`, agent.id)
    await workOnImports(office.app.services, 10)
    const [stood] = await owner<{ state: string; problem: string }>(
      'select state, problem from shop_imports where id = $1',
      id,
    )
    assert.equal(stood?.state, 'stopped')
    assert.notEqual(stood?.problem, '')
    await owner(`update agents set status = 'active' where id = $1`, agent.id)
    office.app.services.forgetActors()
    await client.shopImport.resume({ id })
    await work(10)
    const done = await client.shopImport.details({ id })
    assert.deepEqual([done.state, done.created], ['done', 25])
    const { rows: told } = await client.notices.list({ topic: 'Import_Notify' })
    assert.deepEqual(
      told.map(({ title }) => title),
      ['店铺导入已完成', '店铺导入已停止'],
    )
    assert.equal(await one('select count(*) from merchants where agent_id = $1', agent.id), 25)
  })

  test('that was killed within a batch goes on without a double, also by two instances at once', async () => {
    const { agent, client } = await partner()
    const id = await uploadLines(client, many(30))
    await beginImport(client, id)
    await workOnImports(office.app.services, 10)
    const [killed, holder] = [Promise.withResolvers<unknown>(), await office.owner.connect()]
    try {
      // The batch has made its shops and orders and waits for the agent's tokens when its program dies.
      await holder.query('begin')
      await holder.query(
        `select 1 from ledger_accounts where owner_kind = 'agent' and owner_id = $1 and asset = 'token' for update`,
        [agent.id],
      )
      const batch = workOnImports(office.app.services, 10)
      batch.then(killed.resolve, killed.resolve)
      assert.ok(await waitsFor(holder, batch))
      await holder.query(
        'select pg_terminate_backend(pid) from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
      )
      assert.ok((await killed.promise) instanceof Error)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    assert.equal((await client.shopImport.details({ id })).created, 10)
    assert.equal(await one('select count(*) from merchants where agent_id = $1', agent.id), 10)
    await Promise.all([work(7), work(7)])
    await work(7)
    assert.equal((await client.shopImport.details({ id })).created, 30)
    assert.equal(await one('select count(*) from merchants where agent_id = $1', agent.id), 30)
    assert.equal(
      await one(`select count(*) from version_orders where agent_id = $1 and status = 'paid'`, agent.id),
      30,
    )
    assert.equal(await one('select total from merchant_counts where agent_id = $1', agent.id), 30)
  })

  test('leaves a line whose account was taken meanwhile among the failed ones', async () => {
    const { client } = await partner()
    const account = nextAccount()
    const id = await uploadLines(client, [sampleCells(account), sampleCells(nextAccount())])
    await beginImport(client, id)
    await owner(`update shop_import_rows set duplicate = null where import_id = $1`, id)
    await makeMerchant(office, (await makeAgent(office)).id, { account })
    await work()
    const { rows } = await client.shopImport.rows({ id, only: 'failed' })
    assert.deepEqual(
      rows.map(({ problem }) => problem),
      ['账号已存在'],
    )
    assert.equal((await client.shopImport.details({ id })).created, 1)
  })
})

describe('a roll-back', () => {
  const standing = async ({ id }: MadeAgent) => ({
    accounts: await owner(
      'select asset, balance from ledger_accounts where owner_kind = $1 and owner_id = $2 order by 1',
      'agent',
      id,
    ),
    days: await owner(
      `select kind, sum(orders)::int as orders, sum(cents)::int as cents from order_days where agent_id = $1 group by 1 having sum(orders) <> 0`,
      id,
    ),
    shops: await one('select count(*) from merchants where agent_id = $1', id),
    counted: await one('select coalesce(sum(total), 0) from merchant_counts where agent_id = $1', id),
    ends: await owner(
      `select day from merchant_days where agent_id = $1 and (registered <> 0 or expiring <> 0)`,
      id,
    ),
    orders: await one(`select count(*) from version_orders where agent_id = $1 and status <> 'quoted'`, id),
    cohorts: await owner(
      `select version_id, month, kind, ends from insight_cohorts group by 1, 2, 3, 4 having sum(shops) <> (select count(*) from merchants m
         where m.version_id = insight_cohorts.version_id and insight_month(m.registered_at) = insight_cohorts.month
           and insight_month(m.expires_at) is not distinct from insight_cohorts.ends)`,
    ),
  })

  test('restores balances, counts and SMS to the piece', async () => {
    const { agent, client } = await partner()
    const before = await standing(agent)
    const id = await uploadLines(client, many(12))
    await beginImport(client, id)
    await work(5)
    assert.equal(await refusalOf(client.shopImport.rollBack({ id, reason: '' })), 'UNDO_REASON_REQUIRED')
    await client.shopImport.rollBack({ id, reason: '表格拿错了' })
    await work()
    const done = await client.shopImport.details({ id })
    assert.deepEqual([done.state, done.takenBack, done.problem], ['rolledBack', 12, ''])
    assert.deepEqual(await standing(agent), before)
    const { rows } = await client.shopImport.rows({ id, only: 'rolledBack' })
    assert.equal(rows.length, 12)
    const [kept] = await owner<{ remains: { shop: { account: string }; order: { status: string } } }>(
      'select remains from shop_import_rows where id = $1',
      rows[0]?.id,
    )
    assert.deepEqual(
      [kept?.remains.shop.account, kept?.remains.order.status],
      [rows[0]?.cells.account, 'recycled'],
      'what it was is kept with its line',
    )
    assert.equal(JSON.stringify(kept).includes('password'), false)
  })

  test('frees the accounts, so that the mended file is imported at once', async () => {
    const { agent, client } = await partner()
    const brought = many(4)
    const id = await uploadLines(client, brought)
    await beginImport(client, id)
    await work()
    await client.shopImport.rollBack({ id, reason: '表格拿错了' })
    await work()
    const mended = await uploadLines(client, brought)
    const { counts } = await client.shopImport.details({ id: mended })
    assert.deepEqual([counts.fine, counts.duplicates], [4, 0])
    await beginImport(client, mended)
    await work()
    assert.equal((await client.shopImport.details({ id: mended })).created, 4)
    assert.equal((await client.merchants.list({ agentId: agent.id })).total, 4)
  })

  test('keeps shops that somebody has used as they are, and names what was done with each', async () => {
    const { agent, client } = await partner()
    const id = await uploadLines(client, many(6))
    await beginImport(client, id)
    await work()
    const shops = (await client.shopImport.rows({ id })).rows.map(({ merchantId }) => merchantId as number)
    const [signedIn = 0, bought = 0, told = 0, given = 0, edited = 0] = shops
    await owner('update merchants set last_login_at = now() where id = $1', signedIn)
    const quote = await client.purchases.quote({
      ...{ merchantId: bought, versionId: 12, scope: 'head', branchIds: [], term: 'year' },
      ...{ periods: 1, shops: 1, remark: '' },
    })
    await client.purchases.confirm({ orderNo: quote.orderNo })
    await owner(
      `insert into outbox_messages (agent_id, merchant_id, kind, phone, text, status, created_at, created_by, created_by_name)
       values ($1, $2, 'notice', '13800000000', '到期', 'sent', now(), 1, '员工')`,
      agent.id,
      told,
    )
    await owner(
      `insert into tool_actions (agent_id, merchant_id, shop_name, kind, changes, reason, created_by, created_by_name, created_at)
       values ($1, $2, '店', 'extend', '[]', '试用', 1, '员工', now())`,
      agent.id,
      given,
    )
    await owner(`update merchants set remark = '改过', revision = revision + 1 where id = $1`, edited)
    await client.shopImport.rollBack({ id, reason: '表格拿错了' })
    await work()
    const { rows: kept } = await client.shopImport.rows({ id, only: 'kept' })
    assert.deepEqual(
      kept.map(({ merchantId, problem }) => [merchantId, problem]),
      [
        [signedIn, '店铺已登录使用'],
        [bought, '店铺之后又有订单'],
        [told, '店铺已有短信发送记录'],
        [given, '店铺已办理售后操作'],
      ],
    )
    const done = await client.shopImport.details({ id })
    assert.deepEqual([done.takenBack, done.problem], [2, '4 家店铺未能撤回'])
    const left = await owner<{ id: string; status: string }>(
      'select id, status from merchants where agent_id = $1 order by id',
      agent.id,
    )
    assert.deepEqual(
      left.map(each => [Number(each.id), each.status]),
      [signedIn, bought, told, given].map(shop => [shop, 'normal']),
    )
  })

  test('takes a shop along whose order was undone before, and leaves one that has moved', async () => {
    const { agent, client } = await partner()
    const other = await partner()
    const id = await uploadLines(client, many(3))
    await beginImport(client, id)
    await work()
    const { rows } = await client.shopImport.rows({ id })
    await client.settlement.undo({ kind: 'version', orderNo: rows[0]?.orderNo as string, reason: '不要了' })
    await owner('update merchants set agent_id = $2 where id = $1', rows[1]?.merchantId, other.agent.id)
    await client.shopImport.rollBack({ id, reason: '表格拿错了' })
    await work()
    assert.deepEqual(
      (await client.shopImport.rows({ id })).rows.map(({ state, problem }) => [state, problem]),
      [
        ['rolledBack', ''],
        ['kept', UNDO_REFUSALS.UNDO_MOVED],
        ['rolledBack', ''],
      ],
    )
    assert.equal(await one('select count(*) from merchants where agent_id = $1', agent.id), 0)
  })

  test('tells programs at the point of sale of every shop that went', async () => {
    const { agent, client } = await partner()
    const id = await uploadLines(client, many(2))
    await beginImport(client, id)
    await work()
    const { rows } = await client.shopImport.rows({ id })
    const shops = rows.map(({ merchantId }) => merchantId)
    await owner('update merchants set manager_id = $2 where id = $1', shops[0], agent.accountId)
    await client.shopImport.rollBack({ id, reason: '表格拿错了' })
    await work()
    await sequenceChanges(office.app.services)
    const told = await owner<{ merchant_id: string; manager_id: string | null }>(
      `select merchant_id, manager_id from shop_changes where topic = 'shop.removed' order by seq`,
    )
    assert.deepEqual(
      told.map(each => Number(each.merchant_id)).filter(shop => shops.includes(shop)),
      shops,
    )
    const first = told.find(each => Number(each.merchant_id) === shops[0])
    assert.equal(Number(first?.manager_id), agent.accountId, 'whoever looked after it is told')
  })

  test('keeps what cannot be undone, with its reason', async () => {
    const { agent, client } = await partner()
    const id = await uploadLines(client, many(3))
    await beginImport(client, id)
    await work()
    const { rows } = await client.shopImport.rows({ id })
    await owner('update merchants set version_id = 1 where id = $1', rows[0]?.merchantId)
    await client.shopImport.rollBack({ id, reason: '不做了' })
    await work()
    const done = await client.shopImport.details({ id })
    assert.deepEqual([done.state, done.takenBack, done.problem], ['rolledBack', 2, '1 家店铺未能撤回'])
    const { rows: kept } = await client.shopImport.rows({ id, only: 'kept' })
    assert.deepEqual(
      kept.map(({ problem }) => problem),
      ['商户的版本在购买后已调整，不能撤销'],
    )
    assert.equal(
      await one(`select count(*) from merchants where agent_id = $1 and status = 'normal'`, agent.id),
      1,
    )
  })

  test('is refused after the days of an undo', async () => {
    const { client } = await partner()
    const id = await uploadLines(client, many(1))
    await beginImport(client, id)
    await work()
    await owner(`update shop_imports set started_at = now() - interval '16 days' where id = $1`, id)
    assert.equal(await refusalOf(operator.shopImport.rollBack({ id, reason: '不做了' })), 'ROLL_BACK_LATE')
  })
})

describe('what an agency may take back alone', () => {
  const limited = async (approvalCents: number | null, work: () => Promise<void>) => {
    await operator.settlement.setUndoSettings({ approvalCents })
    try {
      await work()
    } finally {
      await operator.settlement.setUndoSettings({ approvalCents: null })
    }
  }

  test('is said before it begins; above it staff are asked, who begin it or say why not', async () => {
    const { client } = await partner()
    await limited(1, async () => {
      const id = await uploadLines(client, many(2), { fileName: '超额.csv' })
      const { back, totalCents } = await client.shopImport.rehearse({ id })
      assert.match(back.approval ?? '', /^金额 .* 代币超过审批限额 0.01 代币$/)
      await beginImport(client, id)
      await work()
      const asked = await client.shopImport.rollBack({ id, reason: '表格拿错了' })
      assert.equal(asked.state, 'pending')
      assert.equal((await client.shopImport.details({ id })).state, 'done', 'nothing is taken back yet')
      assert.equal(await refusalOf(client.shopImport.rollBack({ id, reason: '再来' })), 'ROLL_BACK_ASKED')
      const { rows } = await operator.inbox.list({ kind: '审批撤回导入' })
      assert.match(rows[0]?.title ?? '', /^撤回导入「超额.csv」，2 家店铺，/)
      const { request } = (await operator.shopImport.details({ id })).back
      assert.deepEqual([request?.totalCents, request?.shops, request?.refusal], [totalCents, 2, null])
      assert.equal(
        await refusalOf(operator.shopImport.decideRollBack({ id, approves: false, decision: '' })),
        'DECISION_REQUIRED',
      )
      await operator.shopImport.decideRollBack({ id, approves: false, decision: '先核对' })
      assert.equal((await client.shopImport.details({ id })).back.request?.decision, '先核对')
      await client.shopImport.rollBack({ id, reason: '核对过了' })
      await operator.shopImport.decideRollBack({ id, approves: true, decision: '' })
      await work()
      const done = await client.shopImport.details({ id })
      assert.deepEqual([done.state, done.takenBack, done.rollBackReason], ['rolledBack', 2, '核对过了'])
      const { rows: told } = await client.notices.list({ topic: 'Import_Notify' })
      assert.deepEqual(told.map(({ title }) => title).slice(0, 3), [
        '导入的店铺已撤回',
        '撤回导入的申请已通过',
        '撤回导入的申请被驳回',
      ])
    })
  })

  test('is widened beforehand by what staff approve, for no more than was asked', async () => {
    const { client } = await partner()
    await limited(1, async () => {
      const id = await uploadLines(client, many(2))
      await client.shopImport.askRollBack({ id, reason: '可能要换表' })
      const { request } = (await client.shopImport.rehearse({ id })).back
      assert.deepEqual([request?.state, request?.isAhead], ['pending', true])
      await operator.shopImport.decideRollBack({ id, approves: true, decision: '可以' })
      assert.equal((await client.shopImport.rehearse({ id })).back.approval, null)
      assert.equal(await refusalOf(client.shopImport.askRollBack({ id, reason: '再来' })), 'ROLL_BACK_ALONE')
      await beginImport(client, id)
      await work()
      await owner('update shop_imports set total_cents = total_cents + 1 where id = $1', id)
      assert.notEqual((await client.shopImport.details({ id })).back.approval, null)
      await owner('update shop_imports set total_cents = total_cents - 1 where id = $1', id)
      assert.equal((await client.shopImport.rollBack({ id, reason: '换表' })).state, 'rolling')
      await work()
      assert.equal((await client.shopImport.details({ id })).takenBack, 2)
    })
  })

  test('is as many shops as it may undo orders in a month, imports of before counted', async () => {
    const { client } = await partner()
    await makeSetting(office, UNDO_COUNT, 5)
    const brought = async (count: number) => {
      const id = await uploadLines(client, many(count))
      await beginImport(client, id)
      await work()
      return id
    }
    try {
      const first = await brought(3)
      assert.equal((await client.shopImport.rollBack({ id: first, reason: '换表' })).state, 'rolling')
      await work()
      const second = await brought(3)
      const { back } = await client.shopImport.details({ id: second })
      assert.equal(back.approval, '3 家店铺超过本月还可自行撤销的 2 单')
      assert.equal((await operator.shopImport.details({ id: second })).back.approval, null)
      await operator.shopImport.rollBack({ id: second, reason: '代为撤回' })
      await work()
    } finally {
      await makeSetting(office, UNDO_COUNT, null)
    }
  })

  test('is closed by itself when nobody decides in time, whoever asked is told, and it can be asked for anew', async () => {
    const { client } = await partner()
    await limited(1, async () => {
      const id = await uploadLines(client, many(1))
      await client.shopImport.askRollBack({ id, reason: '可能要换表' })
      await endUndecided(office.app.services)
      assert.equal((await client.shopImport.details({ id })).back.request?.state, 'pending')
      await owner(
        `update shop_import_requests set requested_at = requested_at - make_interval(days => $2) where import_id = $1`,
        id,
        UNDO_REQUEST_DAYS,
      )
      await endUndecided(office.app.services)
      const { request } = (await client.shopImport.details({ id })).back
      assert.deepEqual([request?.state, request?.decision], ['rejected', REQUEST_CLOSED.expired])
      const { rows } = await client.notices.list({})
      assert.ok(rows.some(({ title }) => title === '撤回导入的申请已过期'))
      await client.shopImport.askRollBack({ id, reason: '还是要换表' })
    })
  })

  test('is asked about no more once it was given up, and nobody decides about what they asked', async () => {
    const { client } = await partner()
    await limited(1, async () => {
      const id = await uploadLines(client, many(1))
      await client.shopImport.askRollBack({ id, reason: '可能要换表' })
      await owner(
        `update shop_import_requests set requested_by = (select id from accounts where login_name = $2) where import_id = $1`,
        id,
        operatorName,
      )
      assert.equal(
        await refusalOf(operator.shopImport.decideRollBack({ id, approves: true, decision: '' })),
        'REQUEST_OWN',
      )
      await client.shopImport.drop({ id })
      const { request } = (await client.shopImport.details({ id })).back
      assert.deepEqual([request?.state, request?.decision], ['rejected', '导入已作废'])
    })
  })
})

describe('terms that are taken over', () => {
  test('are the staff’s to take over, without charge, with a reason, and can be taken back', async () => {
    const { agent, client } = await partner()
    const before = await client.ledger.wallet()
    const lines = [
      sampleCells(nextAccount(), { registeredAt: '2023年1月5日', expiresAt: '2031-06-30' }),
      sampleCells(nextAccount(), { registeredAt: '45000', expiresAt: '永久', term: '' }),
      sampleCells(nextAccount(), { registeredAt: '2024-02-29', expiresAt: '2031-02-28' }),
    ]
    const asked = { mode: 'takeover', agentId: agent.id, reason: '从旧系统迁移' } as const
    assert.equal(await refusalOf(uploadLines(client, lines, { ...asked, agentId: null })), 'MODE_WRONG')
    assert.equal(await refusalOf(uploadLines(operator, lines, { ...asked, reason: ' ' })), 'REASON_REQUIRED')
    assert.equal(
      await refusalOf(uploadLines(operator, lines, { mode: 'charge', agentId: agent.id })),
      'MODE_WRONG',
    )
    const id = await uploadLines(operator, lines, asked)
    assert.equal((await operator.shopImport.rehearse({ id })).totalCents, 0)
    await beginImport(operator, id)
    await work()
    const shops = await owner<{ registered: string; ends: string | null; day: number | null }>(
      `select shanghai_day(registered_at)::text as registered, shanghai_day(expires_at)::text as ends, term_day as day from merchants where agent_id = $1 order by id`,
      agent.id,
    )
    assert.deepEqual(shops, [
      { registered: '2023-01-05', ends: '2031-06-30', day: 30 },
      { registered: '2023-03-15', ends: null, day: null },
      // A leap day, which its end does not show.
      { registered: '2024-02-29', ends: '2031-02-28', day: 29 },
    ])
    assert.deepEqual(await client.ledger.wallet(), before)
    assert.equal(await refusalOf(client.shopImport.rollBack({ id, reason: '不做了' })), 'TAKEOVER_STAFF')
    await operator.shopImport.rollBack({ id, reason: '不做了' })
    await work()
    assert.equal(
      await one(`select count(*) from merchants where agent_id = $1 and status = 'normal'`, agent.id),
      0,
    )
    assert.equal((await operator.shopImport.details({ id })).state, 'rolledBack')
  })

  test('a shop that has a branch meanwhile stays, and its line says why', async () => {
    const { agent } = await partner()
    const lines = [
      sampleCells(nextAccount(), { registeredAt: '2023年1月5日', expiresAt: '2031-06-30' }),
      sampleCells(nextAccount(), { registeredAt: '2024-02-29', expiresAt: '2031-02-28' }),
    ]
    const id = await uploadLines(operator, lines, {
      mode: 'takeover',
      agentId: agent.id,
      reason: '从旧系统迁移',
    })
    await operator.shopImport.rehearse({ id })
    await beginImport(operator, id)
    await work()
    const [first] = await owner<{ id: number }>(
      'select id from merchants where agent_id = $1 order by id',
      agent.id,
    )
    await makeMerchant(office, agent.id, { store_kind: 'branch', head_id: first?.id })
    await operator.shopImport.rollBack({ id, reason: '不做了' })
    await work()
    const { rows } = await operator.shopImport.rows({ id })
    assert.deepEqual(
      rows.map(({ state, problem }) => [state, problem]),
      [
        ['kept', USES.branches],
        ['rolledBack', ''],
      ],
    )
  })
})
