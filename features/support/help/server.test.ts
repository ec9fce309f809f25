// The help centre through the router (D3 §2, §7): what staff write, what everyone reads, finds and says of it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, describe } from 'node:test'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { RICH_TAGS } from '#kit/words/rich.ts'
import { cleanRich } from '#server/texts/clean.ts'
import { HOSTILE } from '#server/texts/hostile.ts'
import { acting } from '#test/acting.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { HELP_ARTICLES } from './reference.ts'
import { searchStatement } from './server-read.ts'

let office: Office
let partner: MadeAgent
let other: MadeAgent
let staffCookie: string
let partnerCookie: string
let staff: Client
let reader: Client
let second: Client

before(async () => {
  office = await openOffice()
  const vendor = await makeAgent(office, { staff: true })
  partner = await makeAgent(office)
  other = await makeAgent(office)
  staffCookie = await office.login(vendor.loginName)
  partnerCookie = await office.login(partner.loginName)
  staff = office.as(staffCookie)
  reader = office.as(partnerCookie)
  second = office.as(await office.login(other.loginName))
})
after(() => office.stop())

let made = 0
const form = (more: object = {}) => ({
  ...{ kind: 'flow' as const, title: `怎么办${++made}`, categoryId: 1, version: '', releasedOn: null },
  ...{ videoId: null, videoUrl: '', pages: [], body: '<p>先看这里</p>' },
  ...more,
})
const draft = async (more: object = {}) => (await staff.help.save(form(more))).id
const publish = async (more: object = {}) => {
  const id = await draft(more)
  await staff.help.setState({ id, step: 'publish' })
  return id
}

async function upload(purpose: string, bytes: Buffer, cookie = staffCookie) {
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api/large-files?purpose=${purpose}`,
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'application/octet-stream', cookie },
    payload: bytes,
  })
  return answer.json() as { id: string; code?: string }
}

describe('an article', () => {
  test('is a draft that staff alone see, until it is published, and again once it is withdrawn', async () => {
    const id = await draft({ title: '还没写完', pages: ['/admin/order/msgChanges'] })
    assert.equal(await refusalOf(reader.help.article({ id })), 'NOT_FOUND')
    assert.equal((await staff.help.article({ id })).state, 'draft')
    const seen = async () => ({
      home: (await reader.help.home()).articles.some(line => line.id === id),
      search: (await reader.help.search({ search: '还没写完' })).rows.length,
      page: (await reader.help.pages()).rows.some(row => row.path === '/admin/order/msgChanges'),
    })
    assert.deepEqual(await seen(), { home: false, search: 0, page: false })
    assert.equal(await refusalOf(reader.help.vote({ id, useful: true })), 'NOT_FOUND')
    assert.equal(await refusalOf(reader.help.opened({ id })), 'NOT_FOUND')
    await staff.help.setState({ id, step: 'publish' })
    assert.deepEqual(await seen(), { home: true, search: 1, page: true })
    assert.equal(await refusalOf(staff.help.setState({ id, step: 'publish' })), 'PUBLISHED_ALREADY')
    assert.equal(await refusalOf(staff.help.remove({ id })), 'PUBLISHED_STAYS')
    await staff.help.setState({ id, step: 'withdraw' })
    assert.deepEqual(await seen(), { home: false, search: 0, page: false })
    await staff.help.remove({ id })
    assert.equal(await refusalOf(staff.help.article({ id })), 'NOT_FOUND')
    assert.equal(await refusalOf(staff.help.remove({ id: 1 })), 'SHIPPED_STAYS')
  })

  test('of two who edit it the later one learns of the other', async () => {
    const id = await draft()
    const { revision } = await staff.help.details({ id })
    await staff.help.save(form({ id, revision, title: '先改的' }))
    assert.equal(await refusalOf(staff.help.save(form({ id, revision, title: '后改的' }))), 'STALE')
    assert.equal((await staff.help.article({ id })).title, '先改的')
  })

  test('keeps nothing of a hostile text but its harmless words', async () => {
    const id = await draft()
    for (const [name, html] of HOSTILE) {
      const { revision } = await staff.help.details({ id })
      const sent = staff.help.save(
        form({ id, revision, kind: 'video', videoUrl: 'https://example.com', body: html }),
      )
      const code = await sent.then(
        () => null,
        error => (error as { code: string }).code,
      )
      // A picture of ours that nobody uploaded for articles.
      if (code) assert.equal(code, 'PICTURE_UNKNOWN', name)
      const { body } = await staff.help.article({ id })
      assert.equal(body, (await cleanRich(body)).html, name)
      assert.doesNotMatch(body, /<script|\son\w+=|javascript:|data:|srcdoc|<svg|<iframe/i, name)
      for (const [, tag = ''] of body.matchAll(/<\/?([a-z0-9]+)/gi))
        assert.ok((RICH_TAGS as readonly string[]).includes(tag), `${name}: ${tag}`)
    }
    const { rows } = await office.owner.query<{ body: string }>(
      'select body from help_articles where id = $1',
      [id],
    )
    assert.doesNotMatch(rows[0]?.body ?? '', /hacked/)
  })

  test('takes a video that was uploaded for it, by its bytes, and shows it in parts', async () => {
    assert.equal(
      (await upload('helpVideo', Buffer.from('<html><script>alert(1)</script>'))).code,
      'FILE_FORMAT',
    )
    assert.equal((await upload('helpVideo', Buffer.alloc(40), partnerCookie)).code, 'FORBIDDEN')
    const bytes = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), Buffer.alloc(5_000, 7)])
    const { id: videoId } = await upload('helpVideo', bytes)
    assert.equal(
      await refusalOf(staff.help.save(form({ kind: 'video', videoId: randomUUID() }))),
      'VIDEO_UNKNOWN',
    )
    const id = await publish({ kind: 'video', videoId, body: '' })
    assert.equal((await reader.help.article({ id })).videoId, videoId)
    const part = (headers: Record<string, string>) =>
      office.app.http.inject({
        url: `/api/large-files/${videoId}`,
        headers: { cookie: partnerCookie, ...headers },
      })
    const first = await part({ range: 'bytes=0-11' })
    assert.deepEqual(
      [first.statusCode, first.headers['content-range'], first.headers['content-type'], first.rawPayload],
      [206, `bytes 0-11/${bytes.length}`, 'video/mp4', bytes.subarray(0, 12)],
    )
    assert.equal((await part({})).rawPayload.length, bytes.length)
    assert.equal((await part({ range: 'bytes=99999-' })).statusCode, 416)
    const nobody = await office.app.http.inject({ url: `/api/large-files/${videoId}` })
    assert.equal(nobody.statusCode, 401)
  })

  test('is written by who holds the permission among the vendor’s people', async () => {
    assert.equal(await refusalOf(reader.help.save(form())), 'FORBIDDEN')
    const given = await makeAccount(office, partner.id, { nodeIds: [820, 821] })
    const client = office.as(await office.login(given.loginName))
    for (const call of [
      () => client.help.save(form()),
      () => client.help.list({}),
      () => client.help.votes({ id: 1 }),
    ])
      assert.equal(await refusalOf(call()), 'FORBIDDEN')
  })
})

describe('what everyone reads', () => {
  test('each page opens the article that was published for it first', async () => {
    const path = '/admin/account/apiKeys'
    const first = await publish({ pages: [path] })
    await publish({ pages: [path] })
    const { rows } = await reader.help.pages()
    assert.deepEqual(
      rows.filter(row => row.path === path).map(({ id }) => id),
      [first],
    )
    for (const row of HELP_ARTICLES.flatMap(({ pages = [] }) => pages))
      assert.ok(
        ROUTE_PAGES.some(page => page.path === row),
        `${row} is no page`,
      )
  })

  test('an article knows what stands beside it, the same page before the same category', async () => {
    const path = '/admin/account/webhooks'
    const id = await publish({ pages: [path], categoryId: 5 })
    const beside = await publish({ pages: [path], categoryId: 2 })
    await draft({ pages: [path], title: '草稿' })
    const { related } = await reader.help.article({ id })
    assert.equal(related[0]?.id, beside)
    assert.ok(related.length > 1 && related.every(row => row.id !== id && row.title !== '草稿'))
  })

  test('a vote is one for each account, can be changed, and is counted', async () => {
    const id = await publish()
    const counts = async () => {
      const [row] = (await staff.help.list({ search: `怎么办${made}` })).rows
      return [row?.usefulVotes, row?.uselessVotes]
    }
    await reader.help.vote({ id, useful: true })
    await reader.help.vote({ id, useful: true, comment: '很清楚' })
    await second.help.vote({ id, useful: false })
    assert.deepEqual(await counts(), [1, 1])
    await reader.help.vote({ id, useful: false, comment: '少一步' })
    assert.deepEqual(await counts(), [0, 2])
    assert.deepEqual((await reader.help.article({ id })).vote, { useful: false, comment: '少一步' })
    const long = reader.help.vote({ id, useful: true, comment: '长'.repeat(201) })
    assert.equal(await refusalOf(long), 'COMMENT_TOO_LONG')
    const votes = await staff.help.votes({ id })
    assert.deepEqual(
      votes.rows.map(vote => [vote.accountId, vote.useful, vote.comment]).toSorted(),
      [
        [partner.accountId, false, '少一步'],
        [other.accountId, false, ''],
      ].toSorted(),
    )
  })

  test('a reading is counted once a day for each account', async () => {
    const id = await publish()
    const views = async () => (await reader.help.article({ id })).views
    await Promise.all([reader.help.opened({ id }), reader.help.opened({ id }), second.help.opened({ id })])
    assert.equal(await views(), 2)
    await office.owner.query(
      'update help_reads set last_on = last_on - 1 where article_id = $1 and account_id = $2',
      [id, partner.accountId],
    )
    await reader.help.opened({ id })
    assert.equal(await views(), 3)
  })

  test('a release note of late is new until it is read, by each for himself', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const release = { kind: 'release' as const, categoryId: null, version: '9.9' }
    const id = await publish({ ...release, releasedOn: today })
    const old = await publish({ ...release, releasedOn: '2020-01-01' })
    const fresh = async (client: Client) =>
      (await client.help.home()).articles.filter(line => line.isNew).map(line => line.id)
    assert.ok((await fresh(reader)).includes(id) && !(await fresh(reader)).includes(old))
    assert.equal((await reader.help.releases()).rows[0]?.id, id)
    await reader.help.opened({ id })
    assert.ok(!(await fresh(reader)).includes(id) && (await fresh(second)).includes(id))
    assert.equal((await reader.help.releases()).rows[0]?.isNew, false)
  })
})

describe('a search', () => {
  test('finds every word anywhere, titles first, and shows where', async () => {
    const inText = await publish({ title: '别的', body: `<p>${'铺垫'.repeat(40)}量子收银的说明</p>` })
    const often = await publish({ title: '另外', body: '<p>量子收银，还是量子收银</p>' })
    const inTitle = await publish({ title: '量子收银入门' })
    const { rows } = await reader.help.search({ search: '量子收银' })
    assert.deepEqual(
      rows.map(({ id }) => id),
      [inTitle, often, inText],
    )
    assert.match(rows[2]?.summary ?? '', /^….*量子收银/)
    const ids = async (search: string) => (await reader.help.search({ search })).rows.map(({ id }) => id)
    assert.deepEqual(await ids('入门 量子'), [inTitle])
    assert.deepEqual(await ids('量子 没有这个'), [])
    assert.deepEqual(await ids('100%_'), [])
    assert.deepEqual(await ids('   '), [])
    assert.ok((await ids('量')).length >= 3)
  })

  test('asks its index, however many articles there are', async () => {
    await office.owner.query(
      `insert into help_articles (kind, state, title, category_id, body_text, published_at, created_by_name, updated_by_name, updated_at)
       select 'common', 'published', '填充' || n, 1, '说明文字' || n, now(), '', '', now() from generate_series(1, 10000) n`,
    )
    await office.owner.query('analyze help_articles')
    const plan = await acting(office, partnerCookie, async ctx => {
      const { sql: text, params } = searchStatement(ctx, ['量子收银', '入门']).toSQL()
      const { rows } = await ctx.client.query(`explain (analyze, costs off) ${text}`, params)
      return rows.map(row => Object.values(row)[0]).join('\n')
    })
    assert.match(plan, /Bitmap Index Scan on help_articles_search/)
    assert.doesNotMatch(plan, /Seq Scan on help_articles/)
    const { rows } = await reader.help.search({ search: '填充' })
    assert.equal(rows.length, 30)
    await office.owner.query(`delete from help_articles where title like '填充%'`)
  })
})
