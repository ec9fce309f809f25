// What demands have to do with threads of shops and with each other, through the router.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { makeThread } from '#features/care/threads/walk.ts'
import { encodePicture } from '#server/pictures.ts'
import { writeBytes } from '#server/storage/file-bytes.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { feedOf } from '#test/changes/feed.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchants } from '#test/make.ts'
import { PIXEL } from '#test/walk-types.ts'

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

describe('a thread of a shop', () => {
  const thread = async (merchantId: number, more: object = {}) =>
    makeThread(office, { agentId: partner.id, merchantId, desk: 'vendor', ...more })
  const said = async (threadId: number, side: string) =>
    (
      await office.owner.query<{ text: string; rates: boolean }>(
        'select text, rates from thread_messages where thread_id = $1 and side = $2 order by id',
        [threadId, side],
      )
    ).rows

  test('says what a demand begins with', async () => {
    const id = await thread(shops[1] as number, {
      title: '扫码枪连扫三次会漏一次，换了两把枪都是一样，请尽快看一下怎么处理',
    })
    const begun = await staff.demands.thread({ id })
    assert.deepEqual(
      [begun.newTitle, begun.merchantId, begun.industryId !== null, begun.demands],
      ['扫码枪连扫三次会漏一次，换了两把枪都是一样，请尽快看一下怎…', shops[1], true, []],
    )
    assert.equal([...begun.newTitle].length, 30)
  })

  test('becomes a demand: either shows the other, a note is left, and no shop counts twice', async () => {
    const threadId = await thread(shops[1] as number, { createdAt: '2026-01-05T08:00:00.000Z' })
    const id = await make({ title: '反馈来的', merchantId: String(shops[1]), threadId })
    const demand = await staff.demands.details({ id })
    assert.deepEqual(
      demand.sources.map(one => [one.kind, one.merchantId, one.threadId, one.isOwn, one.opens]),
      [
        ['thread', shops[1], threadId, false, true],
        ['shop', shops[1], null, true, false],
      ],
    )
    assert.deepEqual([demand.shops, demand.oldestAskedAt], [1, '2026-01-05T08:00:00.000Z'])
    assert.equal(
      demand.renewalCents,
      demand.sources.reduce((sum, one) => sum + (one.renewalCents ?? 0), 0),
    )
    assert.deepEqual(
      (await staff.demands.thread({ id: threadId })).demands.map(one => [one.id, one.title, one.status]),
      [[id, '反馈来的', 'feedbacked']],
    )
    assert.deepEqual(await said(threadId, 'note'), [{ text: `已转为需求「反馈来的 (${id})」`, rates: false }])
  })

  test('is linked to a demand that there is, and taken off it, also once it is back with its agent', async () => {
    const id = await make({ title: '早就有的' })
    const threadId = await thread(shops[2] as number)
    const { id: sourceId } = await staff.demands.addSource({ id, threadId })
    assert.equal((await staff.demands.details({ id })).shops, 2)
    assert.equal(await refusalOf(staff.demands.addSource({ id, threadId })), 'SOURCE_KNOWN')
    assert.equal((await said(threadId, 'note')).length, 1)
    await office.owner.query(`update threads set desk = 'agent' where id = $1`, [threadId])
    assert.equal(await refusalOf(staff.demands.thread({ id: threadId })), 'NOT_FOUND')
    assert.equal((await staff.demands.details({ id })).sources.find(one => one.threadId)?.opens, false)
    await staff.demands.removeSource({ id, sourceId })
    assert.equal((await staff.demands.details({ id })).shops, 1)
    assert.deepEqual(
      (await said(threadId, 'note')).map(({ text }) => text),
      [`已关联需求「早就有的 (${id})」`, `已取消关联需求「早就有的 (${id})」`],
    )
  })

  test('that its agent has not passed on is no source', async () => {
    const threadId = await thread(shops[2] as number, { desk: 'agent' })
    assert.equal(await refusalOf(make({ threadId })), 'THREAD_UNKNOWN')
    const id = await make()
    assert.equal(await refusalOf(staff.demands.addSource({ id, threadId })), 'THREAD_UNKNOWN')
    assert.equal((await said(threadId, 'note')).length, 0)
  })

  test('of the older kind is a source as the feedback that it is', async () => {
    const theirs = office.as(await office.login(partner.loginName))
    const feedback = await theirs.feedback.submit({ content: '希望有夜间模式' })
    const { rows } = await office.owner.query('select id from threads where older_id = $1', [feedback.id])
    const threadId = Number(rows[0]?.id)
    const id = await make()
    await staff.demands.addSource({ id, threadId })
    assert.deepEqual((await staff.demands.details({ id })).sources.map(one => one.kind).sort(), [
      'feedback',
      'shop',
    ])
    assert.deepEqual(
      (await staff.demands.thread({ id: threadId })).demands.map(one => one.id),
      [id],
    )
  })

  test('is told each time the demand goes online, also closed, and its POS hears of it; its agent once', async () => {
    const [open, closed] = [
      await thread(shops[1] as number, { title: '拆单' }),
      await thread(shops[1] as number, { title: '拆单二', state: 'closed' }),
    ]
    const id = await make({ title: '拆单结账', merchantId: String(shops[1]), threadId: open })
    await staff.demands.addSource({ id, threadId: closed })
    await staff.demands.change({ ids: [id], status: 'testing' })
    assert.equal((await said(open, 'system')).length, 0)
    const changes = await feedOf(() => office).told(
      async () => {
        await staff.demands.change({ ids: [id], status: 'online' })
        await staff.demands.change({ ids: [id], status: 'online' })
      },
      await office.login(partner.loginName),
    )
    assert.deepEqual(
      changes.map(({ topic, shopId, data }) => [topic, shopId, data.feedbackId, data.state]),
      [
        ['feedback.replied', shops[1], open, 'awaiting'],
        ['feedback.replied', shops[1], closed, 'closed'],
      ],
    )
    const text = '您反馈的「拆单结账」已上线，感谢您的建议。'
    for (const threadId of [open, closed])
      assert.deepEqual(await said(threadId, 'system'), [{ text: `${text}欢迎试用后作出评价。`, rates: true }])
    const heard = (await told(partner.accountId)).filter(({ body }) => body.includes('拆单结账'))
    assert.equal(heard.length, 1)
    await staff.demands.save(
      form({ id, revision: 3, merchantId: String(shops[1]), title: '拆单结账', status: 'testing' }),
    )
    await staff.demands.save(
      form({ id, revision: 4, merchantId: String(shops[1]), title: '拆单结账', status: 'online' }),
    )
    // The shop has been asked to rate already.
    assert.deepEqual((await said(open, 'system')).at(-1), { text, rates: false })
  })

  test('linked to a demand that is online already is told so, and nobody else again', async () => {
    const first = await thread(shops[1] as number)
    const id = await make({ title: '已经有了', threadId: first })
    await staff.demands.change({ ids: [id], status: 'online' })
    const late = await thread(shops[2] as number)
    await staff.demands.addSource({ id, threadId: late })
    for (const threadId of [first, late]) assert.equal((await said(threadId, 'system')).length, 1)
  })

  test('is told nothing of a demand that is deleted or merged', async () => {
    const threadId = await thread(shops[1] as number)
    const [id, other] = [await make({ threadId }), await make()]
    await staff.demands.remove({ id })
    await staff.demands.change({ ids: [id], status: 'online' }).catch(() => undefined)
    await staff.demands.restore({ id })
    await staff.demands.merge({ id, intoId: other })
    await staff.demands.change({ ids: [id], status: 'online' }).catch(() => undefined)
    assert.equal((await said(threadId, 'system')).length, 0)
    await staff.demands.change({ ids: [other], status: 'online' })
    assert.equal((await said(threadId, 'system')).length, 1)
  })

  test('tells its agent’s log nothing of what staff do with the demand', async () => {
    const threadId = await thread(shops[1] as number)
    const id = await make({ threadId, title: '不外传' })
    await staff.demands.change({ ids: [id], status: 'online' })
    const { rows } = await office.owner.query(
      `select 1 from operation_logs where about_agent_id = $1 and subject like '%不外传%'`,
      [partner.id],
    )
    assert.equal(rows.length, 0)
  })

  test('gives the demand copies of its pictures', async () => {
    const threadId = await thread(shops[1] as number)
    await addPicture(threadId)
    const { pictures } = await staff.demands.copyPictures({ id: threadId })
    assert.equal(pictures.length, 1)
    const id = await make({ threadId, description: `<p>见图</p><img src="/api/files/${pictures[0]}">` })
    assert.match((await staff.demands.details({ id })).description, new RegExp(String(pictures[0])))
    const { rows } = await office.owner.query<{ purpose: string; agent_id: string }>(
      'select purpose, agent_id from files where id = $1',
      [pictures[0]],
    )
    assert.deepEqual([rows[0]?.purpose, Number(rows[0]?.agent_id)], ['demand-picture', operator.id])
  })

  async function addPicture(threadId: number): Promise<void> {
    // As pictures of threads lie there.
    const { bytes, mime } = await encodePicture(Buffer.from(PIXEL, 'base64'), { maxBytes: 1_000 })
    const { id } = await writeBytes(office.app.services, bytes)
    await office.owner.query(
      `with kept as (insert into files (id, agent_id, purpose, mime, width, height, byte_size, created_by, created_at)
         values ($1, $2, 'thread', $5, 1, 1, $3, 0, now()))
       insert into thread_pictures (message_id, position, agent_id, thread_id, file_id)
       select id, 0, $2, thread_id, $1 from thread_messages where thread_id = $4`,
      [id, partner.id, bytes.length, threadId, mime],
    )
  }
})

describe('other demands', () => {
  test('a duplicate is merged with its shops, subscribers and relations', async () => {
    const [kept, twin, third] = [await make({ title: '保留' }), await make({ title: '重复' }), await make()]
    await staff.demands.addSource({ id: twin, merchantId: String(shops[1]) })
    await staff.demands.relate({ id: twin, otherId: third, kind: 'blocks' })
    await second.demands.subscribe({ id: twin, on: true })
    await staff.demands.merge({ id: twin, intoId: kept })
    const demand = await staff.demands.details({ id: kept })
    assert.equal(demand.shops, 2)
    assert.deepEqual(
      demand.merged.map(other => other.id),
      [twin],
    )
    assert.deepEqual(
      demand.relations.map(other => [other.id, other.kind, other.inverse]),
      [[third, 'blocks', false]],
    )
    assert.ok(demand.subscribers.some(person => person.id === helper.accountId))
    assert.equal(await refusalOf(staff.demands.save(form({ id: twin, revision: 2 }))), 'MERGED')
    assert.equal(await refusalOf(staff.demands.merge({ id: third, intoId: twin })), 'OTHER_UNKNOWN')
    assert.equal(await refusalOf(staff.demands.merge({ id: kept, intoId: kept })), 'OTHER_SELF')
    assert.equal((await staff.demands.list({ search: '重复' })).rows.length, 0)
  })

  test('a merge is undone within 30 days: what came by it goes back, what was added since stays', async () => {
    const [kept, twin, third] = [await make({ title: '留下' }), await make({ title: '误合' }), await make()]
    await staff.demands.addSource({ id: twin, merchantId: String(shops[1]) })
    await staff.demands.relate({ id: twin, otherId: third, kind: 'blocks' })
    await second.demands.subscribe({ id: twin, on: true })
    const was = (await staff.demands.details({ id: kept })).sources[0]?.askedAt
    await office.owner.query(`update demand_sources set asked_at = '2020-01-01Z' where demand_id = $1`, [
      twin,
    ])
    await staff.demands.merge({ id: twin, intoId: kept })
    assert.equal((await staff.demands.details({ id: kept })).oldestAskedAt, '2020-01-01T00:00:00.000Z')
    await staff.demands.addSource({ id: kept, merchantId: String(shops[2]) })
    await staff.demands.unmerge({ id: twin })
    const [back, apart] = [
      await staff.demands.details({ id: kept }),
      await staff.demands.details({ id: twin }),
    ]
    assert.deepEqual(
      [back.sources.map(one => one.merchantId).sort(), back.sources[0]?.askedAt, back.relations, back.merged],
      [[shops[0], shops[2]].sort(), was, [], []],
    )
    assert.ok(!back.subscribers.some(person => person.id === helper.accountId))
    assert.deepEqual(
      [apart.mergedIntoId, apart.shops, apart.relations.map(one => one.id)],
      [null, 2, [third]],
    )
    assert.equal((await staff.demands.list({ search: '误合' })).rows.length, 1)
    assert.equal(await refusalOf(staff.demands.unmerge({ id: twin })), 'NOT_MERGED')
  })

  test('a merge is not undone after 30 days, nor while the other is merged itself', async () => {
    const [kept, twin, third] = [await make(), await make(), await make()]
    await staff.demands.merge({ id: twin, intoId: kept })
    await staff.demands.merge({ id: kept, intoId: third })
    assert.equal(await refusalOf(staff.demands.unmerge({ id: twin })), 'INTO_MERGED')
    await staff.demands.unmerge({ id: kept })
    await office.owner.query(`update demands set merged_at = now() - interval '31 days' where id = $1`, [
      twin,
    ])
    assert.equal(await refusalOf(staff.demands.unmerge({ id: twin })), 'MERGE_OLD')
  })

  test('a relation that would lead in a circle stays away, by a merge and by its undoing', async () => {
    const [kept, twin, first, last] = [await make(), await make(), await make(), await make()]
    const blocks = (id: number, otherId: number, on = true) =>
      staff.demands.relate({ id, otherId, kind: 'blocks', on })
    const related = async (id: number) =>
      (await staff.demands.details({ id })).relations.map(one => [one.id, one.inverse])
    await blocks(first, twin)
    await blocks(twin, last)
    await staff.demands.merge({ id: twin, intoId: kept })
    await blocks(kept, last, false)
    await blocks(last, first)
    await staff.demands.unmerge({ id: twin })
    assert.deepEqual([await related(twin), await related(kept)], [[[first, true]], []])
    await blocks(kept, last)
    await staff.demands.merge({ id: twin, intoId: kept })
    assert.deepEqual(await related(kept), [[last, false]])
  })

  test('block each other or belong together, but not in a circle', async () => {
    const [a, b, c] = [await make(), await make(), await make()]
    await staff.demands.relate({ id: a, otherId: b, kind: 'blocks' })
    await staff.demands.relate({ id: b, otherId: c, kind: 'blocks' })
    assert.equal(
      await refusalOf(staff.demands.relate({ id: c, otherId: a, kind: 'blocks' })),
      'RELATION_CIRCLE',
    )
    await staff.demands.relate({ id: c, otherId: a, kind: 'partOf' })
    assert.deepEqual(
      (await staff.demands.details({ id: a })).relations.map(one => [one.id, one.kind, one.inverse]),
      [
        [b, 'blocks', false],
        [c, 'partOf', true],
      ],
    )
    await staff.demands.relate({ id: a, otherId: b, kind: 'blocks', on: false })
    assert.equal((await staff.demands.details({ id: b })).relations.length, 1)
  })

  test('are found by number and title', async () => {
    const id = await make({ title: '找得到的需求' })
    const found = async (search: string) => (await staff.demands.find({ search })).rows.map(row => row.id)
    assert.deepEqual(await found('找得到'), [id])
    assert.ok((await found(String(id))).includes(id))
  })
})
