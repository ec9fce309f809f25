// Demands through the router (D3 §2, §5, §7): what staff keep, change, follow, merge and hear of.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { addDays, formatDay, formatMinute } from '#kit/time.ts'
import { clearPast } from '#server/keeping.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchants } from '#test/make.ts'
import { weighAll } from './server-weight.ts'

let office: Office
let operator: MadeAgent
let helper: { loginName: string; accountId: number }
let partner: MadeAgent
let staff: Client
let second: Client
let shops: number[]

before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  helper = await makeAccount(office, operator.id, { nodeIds: [760] })
  await office.owner.query('update accounts set name = $2 where id = $1', [helper.accountId, '王芳'])
  partner = await makeAgent(office)
  staff = office.as(await office.login(operator.loginName))
  second = office.as(await office.login(helper.loginName))
  const soon = new Date(Date.now() + 60 * 86_400_000).toISOString()
  shops = await makeMerchants(office, partner.id, 4, n => (n < 2 ? { expiresAt: soon } : { expiresAt: null }))
})
after(() => office.stop())

const form = (more: object = {}) => ({
  title: '打印小票时卡住',
  path: '收银/结账',
  merchantId: String(shops[0]),
  ownerId: operator.accountId,
  priority: 'major' as const,
  type: 'bug' as const,
  client: 'pcWeb' as const,
  industryId: 2,
  deadline: null,
  description: '<p>偶尔出现</p>',
  ...more,
})
const make = async (more: object = {}) => (await staff.demands.save(form(more))).id
const told = async (accountId: number) =>
  (
    await office.owner.query<{ title: string; body: string }>(
      `select title, body from notices where account_id = $1 and topic = 'Demand_Notify' order by created_at`,
      [accountId],
    )
  ).rows

describe('the form', () => {
  test('keeps what was typed, clean, and shows it with its shop, progress, submitter and time', async () => {
    const id = await make({
      title: ' 需要导出 ',
      description: '<p onclick="x()">图<script>alert(1)</script></p>',
    })
    const demand = await staff.demands.details({ id })
    assert.deepEqual(
      [demand.title, demand.description, demand.status, demand.merchantId, demand.createdByName.length > 0],
      ['需要导出', '<p>图</p>', 'feedbacked', shops[0], true],
    )
    assert.deepEqual(
      demand.sources.map(source => [source.kind, source.merchantId, source.isOwn]),
      [['shop', shops[0], true]],
    )
    assert.ok(demand.subscribed)
  })

  test('begins a new one at 已反馈, whatever is sent', async () => {
    for (const status of ['online', 'rejected']) {
      const id = await make({ status })
      assert.equal((await staff.demands.details({ id })).status, 'feedbacked')
      const { rows } = await staff.demands.events({ id })
      assert.ok(rows[0]?.changes.some(({ name, after }) => name === '进度' && after === '已反馈'))
    }
  })

  const cases: [string, object, string, string][] = [
    ['a title', { title: '' }, 'TITLE_REQUIRED', 'title'],
    ['a title of 30 characters at most', { title: '需'.repeat(31) }, 'TITLE_TOO_LONG', 'title'],
    ['eight digits of a shop', { merchantId: '123' }, 'SHOP_INVALID', 'merchantId'],
    ['a shop that there is', { merchantId: '99999999' }, 'SHOP_INVALID', 'merchantId'],
    ['an owner', { ownerId: null }, 'OWNER_REQUIRED', 'ownerId'],
    ['an owner of the vendor', { ownerId: 99_999_999 }, 'OWNER_REQUIRED', 'ownerId'],
    ['an industry that is offered', { industryId: 99_999 }, 'INDUSTRY_REQUIRED', 'industryId'],
    ['a deadline to come', { deadline: '2020-01-01T00:00:00Z' }, 'DEADLINE_PAST', 'deadline'],
    [
      'pictures that were uploaded for it',
      { description: '<img src="/api/files/11111111-1111-4111-8111-111111111111">' },
      'PICTURE_UNKNOWN',
      'description',
    ],
    [
      '5,000 characters at most',
      { description: `<p>${'长'.repeat(5_001)}</p>` },
      'TEXT_TOO_LONG',
      'description',
    ],
  ]
  for (const [name, more, code, field] of cases)
    test(`asks for ${name}`, () => assert.rejects(make(more), { code, data: { field } }))

  test('refuses a stale page, and an owner of a partner', async () => {
    const id = await make()
    await staff.demands.save(form({ id, revision: 1, title: '改了' }))
    assert.equal(await refusalOf(staff.demands.save(form({ id, revision: 1, title: '再改' }))), 'STALE')
    assert.equal(await refusalOf(make({ ownerId: partner.accountId })), 'OWNER_REQUIRED')
  })

  test('notes every change in words, before and after', async () => {
    const id = await make({ title: '旧标题' })
    const deadline = new Date(Date.now() + 86_400_000).toISOString()
    await staff.demands.save(
      form({ id, revision: 1, title: '新标题', status: 'developing', priority: 'critical', deadline }),
    )
    const { rows } = await staff.demands.events({ id })
    assert.deepEqual(
      rows[0]?.changes.map(({ name, before, after }) => [name, before, after]),
      [
        ['任务标题', '旧标题', '新标题'],
        ['优先级', '主要', '严重'],
        ['截止时间', '—', formatMinute(deadline)],
        ['进度', '已反馈', '开发中'],
      ],
    )
    const log = await office.owner.query(
      `select changes from operation_logs where title = '保存需求' order by id desc limit 1`,
    )
    assert.ok(JSON.stringify(log.rows).includes('新标题'))
  })
})

describe('the list', () => {
  let ids: number[]
  before(async () => {
    await office.owner.query('delete from demands')
    const day = formatDay(new Date())
    ids = [
      await make({ title: '甲需求', priority: 'critical', type: 'requirement', client: 'ios' }),
      await make({ title: '乙需求', path: '会员/储值', ownerId: helper.accountId }),
      await make({
        title: '丙需求',
        description: '<p>打印机型号</p>',
        deadline: `${addDays(day, 5)}T02:00:00Z`,
      }),
      await make({ title: '丁需求', merchantId: String(shops[2]) }),
    ]
    await staff.demands.change({ ids: [ids[1] as number], status: 'online' })
    await staff.demands.change({ ids: [ids[3] as number], status: 'developing' })
    await office.owner.query(`update demands set deadline = now() - interval '1 minute' where id = $1`, [
      ids[3],
    ])
    await office.owner.query(`update demands set created_at = now() - interval '20 days' where id = $1`, [
      ids[0],
    ])
  })
  const titles = async (input: object) =>
    (await staff.demands.list(input)).rows.map(row => row.title.slice(0, 1)).join('')

  test('is searched by shop, title, path and remarks', async () => {
    assert.equal(await titles({ search: String(shops[2]) }), '丁')
    assert.equal(await titles({ search: '乙需' }), '乙')
    assert.equal(await titles({ search: '会员/储' }), '乙')
    assert.equal(await titles({ search: '打印机' }), '丙')
  })

  test('is filtered by each of its fields', async () => {
    const today = formatDay(new Date())
    assert.equal(await titles({ ownerId: helper.accountId }), '乙')
    assert.equal(await titles({ priority: 'critical' }), '甲')
    assert.equal(await titles({ type: 'requirement' }), '甲')
    assert.equal(await titles({ client: 'ios' }), '甲')
    assert.equal(await titles({ status: 'developing' }), '丁')
    assert.equal(await titles({ createdFrom: addDays(today, -6), createdTo: today }), '丁丙乙')
    assert.equal(await titles({ createdFrom: addDays(today, -29), createdTo: today }), '丁丙乙甲')
    assert.equal(await titles({ deadlineFrom: today, deadlineTo: addDays(today, 6) }), '丁丙')
  })

  test('knows what has expired by now, also earlier today', async () => {
    const today = formatDay(new Date())
    assert.equal(await titles({ deadlineFrom: '2017-01-01', deadlineTo: today }), '丁')
  })

  test('is sorted by weight and deadline, those without one last', async () => {
    assert.equal((await titles({ sort: 'deadline', order: 'desc' })).slice(0, 2), '丙丁')
    assert.equal((await titles({ sort: 'deadline', order: 'asc' })).slice(0, 2), '丁丙')
    assert.equal((await titles({ sort: 'weight' })).at(-1), '乙')
  })

  test('says how many stand where, of what is filtered by anything else', async () => {
    const counts = async (input: object) =>
      Object.fromEntries((await staff.demands.counts(input)).rows.map(row => [row.status, row.count]))
    assert.deepEqual(await counts({}), {
      ...{ feedbacked: 2, toSchedule: 0, developing: 1, testing: 0, online: 1, postponed: 0, rejected: 0 },
    })
    assert.equal((await counts({ ownerId: helper.accountId })).feedbacked, 0)
    const board = await staff.demands.board({})
    assert.deepEqual([board.rows.length, board.counts.reduce((sum, one) => sum + one.count, 0)], [4, 4])
    assert.equal((await staff.demands.board({ search: '丙需' })).rows.length, 1)
  })

  test('belongs to the vendor: its staff without the permission and partners see none of it', async () => {
    const other = office.as(
      await office.login((await makeAccount(office, operator.id, { nodeIds: [] })).loginName),
    )
    const theirs = office.as(await office.login(partner.loginName))
    for (const client of [other, theirs]) assert.equal(await refusalOf(client.demands.list({})), 'FORBIDDEN')
    assert.equal(await refusalOf(second.demands.save(form())), 'FORBIDDEN')
    assert.equal((await second.demands.list({})).rows.length, 4)
  })
})

describe('changes', () => {
  test('of many are the same for each, and each has its own answer', async () => {
    const [a, b, gone] = [await make(), await make(), await make()]
    await staff.demands.remove({ id: gone })
    const { rows } = await staff.demands.change({
      ids: [a, b, gone, 9_999_999],
      status: 'testing',
      priority: 'minor',
    })
    assert.deepEqual(
      rows.map(({ refusal }) => refusal),
      [null, null, '需求已删除，请先恢复', '需求不存在'],
    )
    for (const id of [a, b]) {
      const demand = await staff.demands.details({ id })
      assert.deepEqual([demand.status, demand.priority], ['testing', 'minor'])
    }
  })

  test('are told to those who follow, but not to whoever made them', async () => {
    const id = await make({ title: '关注一下' })
    await second.demands.subscribe({ id, on: true })
    await staff.demands.change({ ids: [id], status: 'developing' })
    assert.ok((await told(helper.accountId)).some(({ body }) => body === '「关注一下」由已反馈改为开发中'))
    assert.ok(!(await told(operator.accountId)).some(({ body }) => body.includes('关注一下')))
    await second.demands.subscribe({ id, on: false })
    await staff.demands.change({ ids: [id], status: 'testing' })
    assert.ok(!(await told(helper.accountId)).some(({ body }) => body.includes('改为测试中')))
  })

  test('a deleted one is out of the list, is brought back, and is gone for good after 30 days', async () => {
    const id = await make({ title: '要删除的' })
    await staff.demands.remove({ id })
    assert.equal((await staff.demands.list({ search: '要删除' })).rows.length, 0)
    assert.deepEqual(
      (await staff.demands.list({ deleted: true, search: '要删除' })).rows.map(row => row.id),
      [id],
    )
    assert.equal(await refusalOf(staff.demands.save(form({ id, revision: 1 }))), 'DELETED')
    await staff.demands.restore({ id })
    assert.equal((await staff.demands.list({ search: '要删除' })).rows.length, 1)
    const { feature } = await import('./feature.ts')
    await staff.demands.remove({ id })
    await office.owner.query(`update demands set deleted_at = now() - interval '31 days' where id = $1`, [id])
    await clearPast(office.owner, feature.clearing)
    assert.equal(await refusalOf(staff.demands.details({ id })), 'NOT_FOUND')
  })
})

test('a comment is in the log, and tells whoever it names', async () => {
  const id = await make({ title: '说一说' })
  assert.equal(await refusalOf(staff.demands.comment({ id, text: '  ' })), 'INPUT_INVALID')
  await staff.demands.comment({ id, text: '@王芳 请确认一下' })
  const { rows } = await second.demands.events({ id })
  assert.deepEqual([rows[0]?.text, rows[1]?.title], ['@王芳 请确认一下', '新建了需求'])
  const heard = (await told(helper.accountId)).filter(({ body }) => body === '@王芳 请确认一下')
  assert.equal(heard.length, 1)
  assert.match(heard[0]?.title ?? '', /提到了您/)
})

describe('who asked', () => {
  test('weighs, and hears of it each time it goes online', async () => {
    const id = await make({ title: '很多店要' })
    const before = await staff.demands.details({ id })
    await staff.demands.addSource({ id, merchantId: String(shops[1]) })
    await staff.demands.addSource({ id, merchantId: String(shops[2]) })
    assert.equal(
      await refusalOf(staff.demands.addSource({ id, merchantId: String(shops[2]) })),
      'SOURCE_KNOWN',
    )
    assert.equal(await refusalOf(staff.demands.addSource({ id, merchantId: '99999999' })), 'SHOP_INVALID')
    const after = await staff.demands.details({ id })
    assert.equal(after.shops, 3)
    assert.ok(after.weight >= before.weight + 20)
    assert.ok(after.renewalCents > before.renewalCents && before.renewalCents > 0)
    assert.equal(
      after.renewalCents,
      after.sources.reduce((sum, one) => sum + (one.renewalCents ?? 0), 0),
    )
    await staff.demands.change({ ids: [id], status: 'online' })
    await staff.demands.change({ ids: [id], status: 'developing' })
    await staff.demands.change({ ids: [id], status: 'online' })
    const heard = (await told(partner.accountId)).filter(({ body }) => body.includes('很多店要'))
    assert.equal(heard.length, 2)
    assert.match(heard[0]?.body ?? '', /已上线，提出的店铺/)
    assert.equal((await staff.demands.details({ id })).weight, 0)
  })

  test('may have written it as a feedback, which the demand begins with', async () => {
    const theirs = office.as(await office.login(partner.loginName))
    const feedback = await theirs.feedback.submit({ content: '希望支持拆单' })
    assert.equal((await staff.demands.feedback({ id: feedback.id })).content, '希望支持拆单')
    const id = await make({ title: '支持拆单', feedbackId: feedback.id })
    const { sources } = await staff.demands.details({ id })
    assert.deepEqual(sources.map(({ kind, text }) => [kind, text]).sort(), [
      ['feedback', '希望支持拆单'],
      ['shop', ''],
    ])
    await staff.demands.change({ ids: [id], status: 'online' })
    assert.ok(
      (await told(partner.accountId)).some(({ body }) => body === '您反馈的「支持拆单」已上线，感谢您的建议'),
    )
    const own = sources.find(source => source.isOwn)
    assert.equal(await refusalOf(staff.demands.removeSource({ id, sourceId: own?.id ?? 0 })), 'SOURCE_OWN')
  })

  test('follows the shop of the form', async () => {
    const id = await make()
    await staff.demands.save(form({ id, revision: 1, merchantId: String(shops[3]) }))
    assert.deepEqual(
      (await staff.demands.details({ id })).sources.map(source => source.merchantId),
      [shops[3]],
    )
  })

  test('is weighed anew by the nightly job', async () => {
    const id = await make()
    await office.owner.query('update demands set renewal_cents = 0, shops = 0 where id = $1', [id])
    assert.ok((await weighAll(office.app.services)) > 0)
    assert.equal((await staff.demands.details({ id })).shops, 1)
  })
})
