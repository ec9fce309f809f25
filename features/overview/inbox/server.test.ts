// The one list of what waits, through the router and over the rows of many features.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, beforeEach, describe } from 'node:test'
import { INBOX as SOURCES } from '#app/joined.ts'
import { makeThread } from '#features/care/threads/walk.ts'
import { makeVerification } from '#features/care/verification/walk.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'

let office: Office
let staffAgent: MadeAgent
let staff: Client
let operator: MadeAgent
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  staffAgent = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(staffAgent.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  await office.owner.query(
    'truncate inbox_items, approval_requests, consultations, document_uses, documents, feedback_messages, threads, verifications, demands cascade',
  )
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
})

const idOf = async (statement: string, values: unknown[]) =>
  Number((await office.owner.query<{ id: string }>(`${statement} returning id`, values)).rows[0]?.id)

async function askedFor(content: string, hoursAgo: number, agentId = agent.id): Promise<number> {
  const shop = await makeMerchant(office, agentId, { shop_name: `店铺${content}` })
  return idOf(
    `insert into approval_requests (agent_id, merchant_id, kind, content, content_before, shop_name, state, created_by, created_by_name, created_at)
     values ($1, $2, 'signature', $3, '', '', 'pending', 0, '王小明', now() - $4 * interval '1 hour')`,
    [agentId, shop, content, hoursAgo],
  )
}

const callWanted = (name: string, hoursAgo: number) =>
  idOf(
    `insert into consultations (name, mobile, ip_hash, created_at) values ($1, '13700000000', 'x', now() - $2 * interval '1 hour')`,
    [name, hoursAgo],
  )

async function paperOf(merchantId: number, endsInDays: number, agentId = agent.id): Promise<number> {
  return idOf(
    `insert into documents (agent_id, merchant_id, kind, sha256, state, expires_on, created_by, created_by_name, created_at)
     values ($1, $2, 'permit', $3, 'current', shanghai_day(now()) + $4::int, 0, '王小明', now())`,
    [agentId, merchantId, randomUUID(), endsInDays],
  )
}

const titles = async (client: Client, asked: Parameters<Client['inbox']['list']>[0] = {}) =>
  (await client.inbox.list(asked)).rows.map(({ title }) => title)
const NAMED = { source: 'approvals.signature' }
const signature = (id: number) => [{ ...NAMED, id }]

describe('the list', () => {
  test('is of all kinds, what is at stake first, with counts that are its totals', async () => {
    await askedFor('甲', 1)
    await callWanted('乙', 3)
    await askedFor('丙', 5)
    const { rows, total, kinds } = await staff.inbox.list({})
    assert.deepEqual(
      rows.map(({ title, kind }) => [title, kind]),
      [
        ['丙', '审批短信签名'],
        ['甲', '审批短信签名'],
        ['乙 13700000000', '联系官网咨询'],
      ],
    )
    assert.equal(total, 3)
    for (const { label, count } of kinds)
      assert.equal((await staff.inbox.list({ kind: label })).total, count, label)
    assert.equal(kinds.find(({ label }) => label === '审批短信签名')?.count, 2)
    assert.deepEqual(await titles(staff, { order: 'desc', kind: '审批短信签名' }), ['甲', '丙'])
    assert.deepEqual(await titles(staff, { sort: 'since' }), ['丙', '乙 13700000000', '甲'])
    assert.deepEqual(await staff.inbox.count(), { waiting: 3, capped: false })
  })

  test('begins with money, then what was promised by when it is due, then by age', async () => {
    await askedFor('承诺', 1)
    await callWanted('咨询', 300)
    await office.owner.query(
      `insert into provider_events (channel, event_id, content, body, out_trade_no, status, problem, received_at)
       values ('alipay', $1, '{}', '', 'P1', 'unmatched', '', now())`,
      [randomUUID()],
    )
    const { rows } = await office.as(await office.login(operator.loginName)).inbox.list({})
    assert.deepEqual(
      rows.map(({ kind, stake }) => [kind, stake]),
      [
        ['支付通知异常', 'money'],
        ['审批短信签名', 'promise'],
        ['联系官网咨询', 'rest'],
      ],
    )
    await office.owner.query('delete from provider_events')
  })

  test('of what is alike many are one line, which opens by its kind', async () => {
    const shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
    const first = await paperOf(shop, 3)
    await paperOf(shop, 30)
    assert.deepEqual(
      (await me.inbox.list({})).rows.map(({ folded }) => folded),
      [null, null],
    )
    await paperOf(shop, 31)
    const { rows, total } = await me.inbox.list({})
    assert.deepEqual(
      rows.map(({ key, id, title, detail, folded }) => ({ key, id, title, detail, folded })),
      [
        {
          ...{ key: 'documents.ending', id: first, title: '3 份证件快到期或已到期' },
          ...{ detail: '最早：行业许可证快到期', folded: 3 },
        },
      ],
    )
    assert.equal(total, 1)
    const unfolded = await me.inbox.list({ kind: '证件到期' })
    assert.deepEqual([unfolded.total, unfolded.rows[0]?.folded], [3, null])
    assert.equal((await me.inbox.count()).waiting, 3)
  })

  test('goes on from page to page without a gap or a double', async () => {
    for (let at = 0; at < 13; at++) {
      await askedFor(`签${at}`, at)
      await callWanted(`人${at}`, at)
    }
    const seen = new Set<string>()
    for (const page of [1, 2, 3])
      for (const { key } of (await staff.inbox.list({ page, size: 10 })).rows) seen.add(key)
    assert.equal(seen.size, 26)
  })

  test('says until when an answer was promised, and leads to where it is done', async () => {
    const id = await askedFor('甲', 30)
    const [row] = (await staff.inbox.list({})).rows
    assert.ok(row?.dueAt && Date.parse(row.dueAt) < Date.now())
    assert.equal(row.link, `/admin/merchant/smsManage?request=${id}&user_id=${row.merchantId}`)
    assert.equal(row.mayDecide, true)
  })

  test('an item is gone once its source is done, and back when it is taken back', async () => {
    const id = await callWanted('乙', 3)
    await staff.consultations.contact({ id })
    assert.deepEqual(await titles(staff), [])
    assert.deepEqual(await staff.inbox.count(), { waiting: 0, capped: false })
    await staff.consultations.contact({ id, contacted: false })
    assert.deepEqual(await titles(staff), ['乙 13700000000'])
  })

  test('the shell counts no further than it shows', async () => {
    await office.owner.query(
      `insert into consultations (name, mobile, ip_hash, created_at) select '人' || n, '13700000000', 'x', now() from generate_series(1, 150) n`,
    )
    assert.deepEqual(await staff.inbox.count(), { waiting: 100, capped: true })
    assert.equal((await staff.inbox.list({})).total, 150)
  })

  test('holds the kinds that the account may see and no others', async () => {
    await askedFor('甲', 1)
    await callWanted('乙', 1)
    const [{ id: node }] = (
      await office.owner.query(`select id from permission_nodes where key = 'consultations.list'`)
    ).rows
    const caller = await makeAccount(office, staffAgent.id, { nodeIds: [node] })
    const calls = office.as(await office.login(caller.loginName))
    assert.deepEqual(await titles(calls), ['乙 13700000000'])
    assert.deepEqual(
      (await calls.inbox.list({})).kinds.map(({ label }) => label),
      ['联系官网咨询'],
    )
    const nothing = await makeAccount(office, agent.id, { nodeIds: [] })
    const none = office.as(await office.login(nothing.loginName))
    assert.deepEqual((await none.inbox.list({})).rows, [])
    assert.deepEqual(await none.inbox.count(), { waiting: 0, capped: false })
  })
})

describe('papers that end', () => {
  test('wait for the agent of the shop from 60 days before, the first to end first', async () => {
    const shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
    await paperOf(shop, 61)
    await paperOf(shop, 59)
    await paperOf(shop, -3)
    assert.deepEqual(await titles(me), ['行业许可证已到期', '行业许可证快到期'])
    assert.deepEqual(await titles(staff), [])
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
    assert.deepEqual(await titles(me), [], 'of a disabled shop none can be replaced')
  })

  test('of another agency are not seen, and neither are a colleague’s shops', async () => {
    const other = await makeAgent(office)
    const theirs = await makeMerchant(office, other.id)
    await paperOf(theirs, 5, other.id)
    assert.deepEqual(await titles(me), [])
    const { rows: nodes } = await office.owner.query(`select id from permission_nodes where marker = '1'`)
    const own = await makeAccount(office, agent.id, { nodeIds: nodes.map(({ id }) => id), dataScope: 'own' })
    const seller = office.as(await office.login(own.loginName))
    const shops = [
      await makeMerchant(office, agent.id, { manager_id: own.accountId }),
      await makeMerchant(office, agent.id),
    ]
    const papers = [await paperOf(shops[0] ?? 0, 5), await paperOf(shops[1] ?? 0, 6)]
    assert.equal((await me.inbox.list({})).total, 2)
    assert.deepEqual(
      (await seller.inbox.list({})).rows.map(({ id }) => id),
      papers.slice(0, 1),
    )
    const theColleagues = [{ source: 'documents.ending', id: papers[1] ?? 0 }]
    assert.equal(
      await refusalOf(seller.inbox.assign({ items: theColleagues, accountId: own.accountId })),
      'ITEM_GONE',
    )
    assert.equal(
      await refusalOf(me.inbox.assign({ items: theColleagues, accountId: own.accountId })),
      'ASSIGNEE_MAY_NOT',
      'who sees his own shops alone is not charged with another’s',
    )
  })
})

describe('what shops say, hand in and wish for', () => {
  const kinds = async (client: Client) =>
    (await client.inbox.list({})).rows.map(({ title, kind, detail }) => [kind, title, detail])

  test('a thread waits at the desk where it lies, until it is answered', async () => {
    const shop = await makeMerchant(office, agent.id)
    const id = await makeThread(office, {
      agentId: agent.id,
      merchantId: shop,
      title: '打不开',
      assigneeName: '李梅',
    })
    await makeThread(office, { agentId: agent.id, merchantId: shop, title: '已结束', state: 'closed' })
    assert.deepEqual(await kinds(me), [['回复商户反馈', '打不开', '打不开 · 负责人 李梅']])
    assert.deepEqual(await kinds(staff), [])
    const [row] = (await me.inbox.list({})).rows
    assert.deepEqual([row?.link, row?.dueAt !== null], [`/admin/help/feedback?thread=${id}`, true])
    await me.threads.passOn({ id, to: 'vendor' })
    assert.deepEqual(await kinds(me), [])
    assert.deepEqual(await kinds(staff), [['回复客户反馈', '打不开', '打不开']])
    await staff.threads.reply({ id, text: '请重启', revision: 0 })
    assert.deepEqual(await kinds(staff), [])
  })

  test('what proves a shop waits for staff while it is in review', async () => {
    const shop = await makeMerchant(office, agent.id)
    const at = new Date().toISOString()
    const given = {
      agentId: agent.id,
      merchantId: shop,
      savedAt: at,
      submittedAt: at,
      submittedByName: '王小明',
    }
    await makeVerification(office, { ...given, state: 'reviewing' })
    const drafted = await makeMerchant(office, agent.id)
    await makeVerification(office, { ...given, merchantId: drafted, state: 'unverified' })
    assert.deepEqual(await kinds(staff), [['审核实名资料', '深圳市老张餐饮有限公司', '王小明 提交']])
    assert.deepEqual(await kinds(me), [])
    await office.owner.query(`update verifications set state = 'verified'`)
    assert.deepEqual(await kinds(staff), [])
  })

  test('a demand waits until it is judged, and once it is late', async () => {
    const shop = await makeMerchant(office, agent.id)
    const made = (title: string, more: object = {}) =>
      staff.demands.save({
        ...{ title, path: '', merchantId: String(shop), ownerId: staffAgent.accountId, priority: 'major' },
        ...{ type: 'bug', client: 'pcWeb', industryId: 2, deadline: null, description: '', ...more },
      })
    const { id } = await made('新的')
    const late = await made('晚的')
    await staff.demands.change({ ids: [late.id], status: 'developing' })
    await office.owner.query(`update demands set deadline = now() - interval '1 hour' where id = $1`, [
      late.id,
    ])
    const waiting = async () => (await kinds(staff)).map(([kind, title]) => [kind, title])
    assert.deepEqual(await waiting(), [
      ['需求超过截止时间', '晚的'],
      ['评估新需求', '新的'],
    ])
    await staff.demands.change({ ids: [id], status: 'toSchedule' })
    await staff.demands.change({ ids: [late.id], status: 'postponed' })
    assert.deepEqual(await waiting(), [])
    await made('合并的')
    await staff.demands.remove({ id: (await made('删除的')).id })
    assert.deepEqual(await waiting(), [['评估新需求', '合并的']])
  })
})

describe('charging somebody', () => {
  test('takes it out of the sight of others, tells the colleague, and leaves a row in the log', async () => {
    const id = await askedFor('甲', 1)
    await askedFor('乙', 2)
    const other = await makeAccount(office, staffAgent.id, { isOwner: true })
    const colleague = office.as(await office.login(other.loginName))
    const { rows: done } = await staff.inbox.assign({ items: signature(id), accountId: other.accountId })
    assert.deepEqual(done, [{ ...NAMED, id, title: '甲', refusal: null }])
    assert.deepEqual(await titles(staff), ['乙'])
    assert.equal((await staff.inbox.count()).waiting, 1)
    assert.deepEqual(await titles(staff, { whose: 'all' }), ['乙', '甲'])
    assert.deepEqual(await titles(staff, { whose: 'free' }), ['乙'])
    assert.deepEqual(await titles(colleague, { whose: 'mine' }), ['甲'])
    assert.deepEqual(await titles(colleague), ['乙', '甲'])
    const { rows: told } = await office.owner.query(
      `select title, body from notices where account_id = $1 and topic = 'Inbox_Notify'`,
      [other.accountId],
    )
    assert.equal(told.length, 1)
    assert.equal(told[0].body, '审批短信签名：甲')
    const { rows: log } = await office.owner.query(
      'select title, subject, changes from operation_logs order by id desc limit 1',
    )
    assert.deepEqual([log[0].title, log[0].subject], ['指派待办', '审批短信签名「甲」'])
    const seen = signature(id).map(one => ({ ...one, assigneeId: other.accountId }))
    await staff.inbox.assign({ items: seen, accountId: null })
    assert.deepEqual(await titles(staff, { whose: 'free' }), ['乙', '甲'])
  })

  test('the vendor’s people share one inbox: what the operator takes, staff see as taken', async () => {
    const id = await askedFor('甲', 1)
    const boss = office.as(await office.login(operator.loginName))
    await boss.inbox.assign({ items: signature(id), accountId: operator.accountId })
    assert.deepEqual(await titles(staff), [])
    assert.equal((await staff.inbox.list({ whose: 'all' })).rows[0]?.assigneeId, operator.accountId)
  })

  test('is refused for whoever may not do it, of this agency or of another', async () => {
    const id = await askedFor('甲', 1)
    const [{ id: node }] = (
      await office.owner.query(`select id from permission_nodes where key = 'approvals.signatures'`)
    ).rows
    const reader = await makeAccount(office, staffAgent.id, { nodeIds: [node] })
    for (const accountId of [reader.accountId, agent.accountId, 99_999_999])
      assert.equal(
        await refusalOf(staff.inbox.assign({ items: signature(id), accountId })),
        'ASSIGNEE_MAY_NOT',
      )
    const { rows } = await staff.inbox.people({ sources: 'approvals.signature' })
    assert.ok(rows.some(one => one.id === staffAgent.accountId))
    assert.ok(!rows.some(one => one.id === reader.accountId || one.id === agent.accountId))
  })

  test('what is done meanwhile is left alone, and said', async () => {
    const [first, second] = [await askedFor('甲', 1), await askedFor('乙', 1)]
    await staff.approvals.reject({ ids: [first], reason: '不清楚' })
    const items = [...signature(first), ...signature(second)]
    const { rows } = await staff.inbox.assign({ items, accountId: staffAgent.accountId })
    assert.deepEqual(rows, [
      { ...NAMED, id: second, title: '乙', refusal: null },
      { ...NAMED, id: first, title: '', refusal: '该事项已处理，不再等待' },
    ])
    assert.equal(
      await refusalOf(staff.inbox.assign({ items: signature(first), accountId: staffAgent.accountId })),
      'ITEM_GONE',
    )
  })

  test('of two who take one at once the first has it, and the second is told who; another of the batch is not held up', async () => {
    const [one, two] = [await askedFor('甲', 1), await askedFor('乙', 1)]
    const other = await makeAccount(office, staffAgent.id, { isOwner: true })
    await office.owner.query(`update accounts set name = '李四' where id = $1`, [other.accountId])
    const colleague = office.as(await office.login(other.loginName))
    const answers = await Promise.all([
      staff.inbox.assign({ items: signature(one), accountId: staffAgent.accountId }),
      colleague.inbox.assign({ items: signature(one), accountId: other.accountId }),
    ])
    const refusals = answers.map(({ rows }) => rows[0]?.refusal)
    assert.equal(refusals.filter(refusal => refusal === null).length, 1)
    assert.match(String(refusals.find(refusal => refusal !== null)), /^已由.+负责$/)
    const [{ assignee }] = (
      await office.owner.query('select assignee_id::int as assignee from inbox_items where item_id = $1', [
        one,
      ])
    ).rows
    const late = assignee === staffAgent.accountId ? colleague : staff
    const lateId = assignee === staffAgent.accountId ? other.accountId : staffAgent.accountId
    const { rows } = await late.inbox.assign({
      items: [...signature(one), ...signature(two)],
      accountId: lateId,
    })
    assert.deepEqual(
      rows.map(({ id, refusal }) => [id, refusal === null]),
      [
        [two, true],
        [one, false],
      ],
    )
    // Whoever saw who has it may hand it on.
    const seen = signature(one).map(item => ({ ...item, assigneeId: assignee }))
    assert.equal((await late.inbox.assign({ items: seen, accountId: lateId })).rows[0]?.refusal, null)
  })

  test('a kind that the account does not see is none, and an agent’s is not reached by another', async () => {
    const id = await askedFor('甲', 1)
    assert.equal(await refusalOf(me.inbox.assign({ items: signature(id), accountId: null })), 'NOT_FOUND')
    const shop = await makeMerchant(office, agent.id)
    const paper = [{ source: 'documents.ending', id: await paperOf(shop, 5) }]
    const other = office.as(await office.login((await makeAgent(office)).loginName))
    assert.equal(await refusalOf(other.inbox.assign({ items: paper, accountId: null })), 'ITEM_GONE')
  })

  test('what somebody had who was locked out is nobody’s again', async () => {
    const id = await askedFor('甲', 1)
    const other = await makeAccount(office, staffAgent.id, { isOwner: true })
    await staff.inbox.assign({ items: signature(id), accountId: other.accountId })
    assert.deepEqual(await titles(staff), [])
    await office.owner.query('update accounts set enabled = false where id = $1', [other.accountId])
    assert.deepEqual(await titles(staff), ['甲'])
    assert.deepEqual(await titles(staff, { whose: 'free' }), ['甲'])
  })
})

describe('putting off', () => {
  test('hides it until then, with who did and why; it comes back by itself', async t => {
    const id = await askedFor('甲', 1)
    const until = new Date(Date.now() + 30 * 60_000).toISOString()
    await staff.inbox.snooze({ items: signature(id), until, reason: ' 等商户补图 ' })
    assert.deepEqual(await titles(staff), [])
    assert.deepEqual(await titles(staff, { whose: 'all' }), [])
    assert.equal((await staff.inbox.count()).waiting, 0)
    const [row] = (await staff.inbox.list({ whose: 'snoozed' })).rows
    assert.deepEqual([row?.title, row?.snoozedUntil, row?.snoozeReason], ['甲', until, '等商户补图'])
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * 60_000 })
    assert.deepEqual(await titles(staff), ['甲'])
    assert.deepEqual(await titles(staff, { whose: 'snoozed' }), [])
  })

  test('is taken back by hand, and ends with the thing itself', async () => {
    const id = await askedFor('甲', 1)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await staff.inbox.snooze({ items: signature(id), until })
    const unseen = await staff.inbox.snooze({ items: signature(id), until: null })
    assert.match(unseen.rows[0]?.refusal ?? '', /^.+已推迟到 \d{4}-/)
    const seen = signature(id).map(one => ({ ...one, snoozedUntil: until }))
    await staff.inbox.snooze({ items: seen, until: null })
    assert.deepEqual(await titles(staff), ['甲'])
    await staff.inbox.snooze({ items: signature(id), until })
    await staff.approvals.reject({ ids: [id], reason: '不清楚' })
    assert.deepEqual(await titles(staff, { whose: 'snoozed' }), [])
  })

  test('is refused into the past, too far, and with too long a reason', async () => {
    const items = signature(await askedFor('甲', 1))
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    assert.equal(await refusalOf(staff.inbox.snooze({ items, until: at(-1) })), 'UNTIL_PAST')
    assert.equal(await refusalOf(staff.inbox.snooze({ items, until: at(91) })), 'UNTIL_TOO_FAR')
    assert.equal(await refusalOf(staff.inbox.snooze({ items, until: '明天' })), 'UNTIL_REQUIRED')
    assert.equal(
      await refusalOf(staff.inbox.snooze({ items, until: at(1), reason: '长'.repeat(51) })),
      'REASON_TOO_LONG',
    )
  })
})

describe('what was done', () => {
  const told = async (client: Client, asked: Parameters<Client['inbox']['decided']>[0] = {}) =>
    (await client.inbox.decided(asked)).rows.map(({ title, kind, decidedByName }) => [
      title,
      kind,
      decidedByName,
    ])

  test('is out of the list, and told with who did it and when, the latest first', async () => {
    const [older, newer] = [await askedFor('甲', 1), await askedFor('丙', 5)]
    const call = await callWanted('乙', 3)
    assert.deepEqual(await told(staff), [])
    await staff.approvals.reject({ ids: [older], reason: '与执照不符' })
    await staff.consultations.contact({ id: call })
    await staff.approvals.reject({ ids: [newer], reason: '不清楚' })
    assert.deepEqual(await titles(staff), [])
    assert.deepEqual(await told(staff), [
      ['丙', '审批短信签名', '姓名'],
      ['乙 13700000000', '联系官网咨询', '姓名'],
      ['甲', '审批短信签名', '姓名'],
    ])
    const { rows, total, kinds } = await staff.inbox.decided({ kind: '审批短信签名' })
    assert.deepEqual([rows.length, total, rows[0]?.opens], [2, 2, true])
    assert.ok(Date.parse(rows[0]?.decidedAt ?? '') > Date.now() - 60_000)
    assert.equal(kinds.find(({ label }) => label === '联系官网咨询')?.count, 1)
  })

  test('is seen by who sees what waits, and what nobody did is not among it', async () => {
    const id = await askedFor('甲', 1)
    await office.owner.query(
      `update approval_requests set state = 'approved', handled_at = now(), handled_by_name = '' where id = $1`,
      [id],
    )
    assert.deepEqual(await told(staff), [])
    await staff.approvals.reject({ ids: [await askedFor('乙', 1)], reason: '不清楚' })
    assert.deepEqual(await told(me), [])
    assert.equal((await told(staff)).length, 1)
  })
})

test('every kind names permissions that there are, its feature, and is called unlike any other', async () => {
  const keys = new Set(
    (await office.owner.query<{ key: string }>('select key from permission_nodes')).rows.map(
      ({ key }) => key,
    ),
  )
  for (const { key, permission, decides = permission } of SOURCES) {
    assert.ok(keys.has(permission), `${key}: ${permission}`)
    assert.ok(keys.has(decides), `${key}: ${decides}`)
  }
  for (const part of ['key', 'label'] as const)
    assert.equal(new Set(SOURCES.map(source => source[part])).size, SOURCES.length, part)
})
