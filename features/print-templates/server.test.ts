// Drafts, versions, whom they are for, and what a shop gets of them: through the real router, with a kind of a small content.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import type { ContractRouterClient } from '@orpc/contract'
import type { Office } from '#test/app.ts'
import type { MadeAgent } from '#test/make.ts'
import { SAMPLE_NODES, type samples, takePlaceOfLabels } from '#test/print/sample-kind.ts'

takePlaceOfLabels()
const { openOffice, refusalOf } = await import('#test/app.ts')
const { makeAccount, makeAgent, makeMerchant } = await import('#test/make.ts')
const { makeKey, posCaller } = await import('#test/make-api-keys.ts')
const { feedOf } = await import('#test/changes/feed.ts')

type Labels = ContractRouterClient<typeof samples, { key?: string }>

const ALL = { all: true, industryIds: [], shopIds: [] }
const to = (industryIds: number[], shopIds: number[] = []) => ({ all: false, industryIds, shopIds })
const CONTENT = { width: 80_000, text: '零售价' }

let office: Office
let staff: MadeAgent
let agent: MadeAgent
let cookie: string
let labels: Labels
const labelsAs = (as: string) => (office.as(as) as unknown as { labels: Labels }).labels

before(async () => {
  office = await openOffice()
  for (const { id, parentId, key, name, path, marker, inMenu, position } of SAMPLE_NODES)
    await office.owner.query(
      `insert into permission_nodes (id, parent_id, key, name, path, marker, in_menu, position)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [id, parentId, key, name, path, marker, inMenu, position],
    )
  staff = await makeAgent(office, { operator: true })
  agent = await makeAgent(office)
  cookie = await office.login(staff.loginName)
  labels = labelsAs(cookie)
})
after(() => office.stop())

let made = 0
const draft = (content = CONTENT) => ({ name: `价签${++made}`, industryIds: [], content })
const newTemplate = async (content = CONTENT) => (await labels.save(draft(content))).id
/** Saves another text and answers the revision. */
async function change(id: number, text: string): Promise<number> {
  const { revision, name } = await labels.details({ id })
  return (await labels.save({ id, revision, name, content: { ...CONTENT, text } })).revision
}
async function publish(id: number, audience = ALL, reason = ''): Promise<number> {
  const { revision } = await labels.details({ id })
  return (await labels.publish({ id, revision, audience, reason })).number
}
async function logged(id: number) {
  const { rows } = await office.owner.query<{ title: string; subject: string; changes: unknown }>(
    `select title, subject, changes from operation_logs where subject like $1 order by id desc`,
    [`%(${id})`],
  )
  return rows
}

describe('a draft', () => {
  test('is made, read back as it was, and listed for its industry and for any', async () => {
    const { id } = await labels.save({ ...draft(), name: ' 服装价签 ', industryIds: [2, 1, 2] })
    const read = await labels.details({ id })
    assert.deepEqual(
      [read.name, read.industryIds, read.content, read.isCustom, read.state, read.revision],
      ['服装价签', [1, 2], CONTENT, false, 'draft', 1],
    )
    const general = await newTemplate()
    const listed = async (industryId: number) =>
      (await labels.list({ industryId, size: 100 })).rows.map(row => row.id)
    assert.ok((await listed(2)).includes(id) && (await listed(2)).includes(general))
    assert.ok(!(await listed(3)).includes(id) && (await listed(3)).includes(general))
    assert.deepEqual(
      (await labels.list({ search: '服装价' })).rows.map(row => [
        row.id,
        row.industryNames.split('、').length,
      ]),
      [[id, 2]],
    )
  })

  test('is kept as its kind keeps it', async () => {
    const id = await newTemplate({ ...CONTENT, text: ' 会员价 ' })
    assert.deepEqual((await labels.details({ id })).content, { ...CONTENT, text: '会员价' })
  })

  test('is refused where its content is not of the kind, too large, or its industry unknown', async () => {
    const hostile = { ...CONTENT, script: 'x' } as unknown as typeof CONTENT
    assert.equal(await refusalOf(labels.save(draft(hostile))), 'INPUT_INVALID')
    const large = { ...CONTENT, text: '字'.repeat(90_000) }
    assert.equal(await refusalOf(labels.save(draft(large))), 'INPUT_INVALID')
    const nearly = { ...CONTENT, text: '字'.repeat(87_000) }
    assert.equal(await refusalOf(labels.save(draft(nearly))), 'accepted')
    assert.equal(await refusalOf(labels.save({ ...draft(), industryIds: [9_999] })), 'INDUSTRY_INVALID')
    assert.equal(await refusalOf(labels.save({ ...draft(), name: '价'.repeat(21) })), 'NAME_TOO_LONG')
  })

  test('of two browsers the second is told who has saved, and when, and overwrites nothing', async () => {
    const id = await newTemplate()
    const second = await makeAccount(office, staff.id, { nodeIds: SAMPLE_NODES.map(node => node.id) })
    const other = labelsAs(await office.login(second.loginName))
    const [mine, theirs] = [await labels.details({ id }), await other.details({ id })]
    await other.save({
      id,
      revision: theirs.revision,
      name: theirs.name,
      content: { ...CONTENT, text: '二' },
    })
    const late = labels.save({
      id,
      revision: mine.revision,
      name: mine.name,
      content: { ...CONTENT, text: '一' },
    })
    await assert.rejects(late, (error: { code: string; message: string; data: { revision: number } }) => {
      assert.equal(error.code, 'STALE')
      assert.match(error.message, /^.+ 已于 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d 保存了新的修改/)
      assert.equal(error.data.revision, 2)
      return true
    })
    assert.equal((await labels.details({ id })).content.text, '二')
  })

  test('saved as it is changes nothing: no revision, no row in the log', async () => {
    const id = await newTemplate()
    const before = await labels.details({ id })
    assert.equal((await labels.save({ ...before, id })).revision, before.revision)
    assert.deepEqual(
      (await logged(id)).map(({ title }) => title),
      ['保存标签模板'],
    )
  })

  test('is copied as a custom one, which can be copied again', async () => {
    const id = await newTemplate()
    await publish(id)
    const copy = await labels.details({ id: (await labels.copy({ id })).id })
    assert.equal(copy.name, `${(await labels.details({ id })).name} 副本`)
    assert.deepEqual([copy.isCustom, copy.state, copy.content], [true, 'draft', CONTENT])
    assert.equal(await refusalOf(labels.copy({ id: copy.id })), 'accepted')
  })
})

describe('whoever has not the verb', () => {
  test('neither reads, changes nor publishes', async () => {
    const id = await newTemplate()
    const sessionWith = async (...keys: string[]) => {
      const nodeIds = SAMPLE_NODES.filter(({ key }) => keys.includes(key)).map(node => node.id)
      return labelsAs(await office.login((await makeAccount(office, staff.id, { nodeIds })).loginName))
    }
    const reader = await sessionWith('labels.list')
    assert.equal(await refusalOf(reader.details({ id })), 'accepted')
    assert.equal(await refusalOf(reader.copy({ id })), 'FORBIDDEN')
    const editor = await sessionWith('labels.list', 'labels.edit')
    assert.equal(await refusalOf(editor.copy({ id })), 'accepted')
    assert.equal(await refusalOf(editor.publish({ id, revision: 1, audience: ALL })), 'FORBIDDEN')
    assert.equal(await refusalOf((await sessionWith()).list({})), 'FORBIDDEN')
  })

  test('is not of the vendor: has nothing of it, whatever the role names', async () => {
    const nodeIds = SAMPLE_NODES.map(node => node.id)
    const theirs = await makeAccount(office, agent.id, { nodeIds })
    const partner = labelsAs(await office.login(theirs.loginName))
    const id = await newTemplate()
    for (const call of ['details', 'copy', 'usage', 'history', 'check'] as const)
      assert.equal(await refusalOf(partner[call]({ id })), 'FORBIDDEN', call)
    for (const call of [
      () => partner.list({}),
      () => partner.shops({ search: '店' }),
      () => partner.industries(),
    ])
      assert.equal(await refusalOf(call()), 'FORBIDDEN')
  })
})

describe('publishing', () => {
  test('freezes name and content as the next version, and says who, when and for whom', async () => {
    const id = await newTemplate()
    assert.equal(await publish(id), 1)
    assert.equal((await labels.details({ id })).state, 'published')
    await change(id, '二')
    assert.equal((await labels.details({ id })).state, 'changed')
    assert.equal(await publish(id, to([2])), 2)
    const { versions, events } = await labels.history({ id })
    assert.deepEqual(
      versions.map(version => [version.number, version.content.text, version.publishedByName]),
      [
        [2, '二', versions[0]?.publishedByName],
        [1, '零售价', versions[0]?.publishedByName],
      ],
    )
    assert.deepEqual(
      events.map(event => [event.kind, event.number, event.audience === '全部店铺']),
      [
        ['published', 2, false],
        ['published', 1, true],
      ],
    )
    assert.deepEqual((await logged(id)).map(({ title }) => title).slice(0, 3), [
      '发布标签模板',
      '保存标签模板',
      '发布标签模板',
    ])
  })

  test('needs a draft that was looked at, changed since the last, and somebody to be for', async () => {
    const id = await newTemplate()
    const of = (input: object) => refusalOf(labels.publish({ id, revision: 1, audience: ALL, ...input }))
    assert.equal(await of({ revision: 2 }), 'STALE')
    assert.equal(await of({ audience: to([]) }), 'AUDIENCE_REQUIRED')
    assert.equal(await of({ audience: to([9_999]) }), 'INDUSTRY_INVALID')
    assert.equal(await of({ audience: to([], [77_777_777]) }), 'SHOP_UNKNOWN')
    assert.equal(await of({}), 'accepted')
    assert.equal(await of({}), 'NOT_CHANGED')
  })

  test('with faults needs a reason, which history and log keep', async () => {
    const id = await newTemplate({ ...CONTENT, text: '坏码' })
    assert.deepEqual(await labels.check({ id }), { revision: 1, faults: ['条码扫不出'] })
    const refused = labels.publish({ id, revision: 1, audience: ALL })
    await assert.rejects(refused, (error: { code: string; data: unknown }) => {
      assert.deepEqual([error.code, error.data], ['FAULTS', { faults: ['条码扫不出'] }])
      return true
    })
    await publish(id, ALL, '先试一家')
    const [version] = (await labels.history({ id })).versions
    assert.deepEqual([version?.faults, version?.reason], [['条码扫不出'], '先试一家'])
    assert.match(JSON.stringify((await logged(id))[0]?.changes), /条码扫不出.*先试一家/)
  })

  test('a version is restored as the draft, also over a newer one, and by nobody who has not seen that', async () => {
    const id = await newTemplate()
    await publish(id)
    const revision = await change(id, '二')
    assert.equal(await refusalOf(labels.restoreVersion({ id, number: 1, revision: 1 })), 'STALE')
    assert.equal(await refusalOf(labels.restoreVersion({ id, number: 9, revision })), 'NOT_FOUND')
    await labels.restoreVersion({ id, number: 1, revision })
    const restored = await labels.details({ id })
    assert.deepEqual([restored.content, restored.state, restored.revision], [CONTENT, 'published', 3])
  })
})

describe('what a shop gets', () => {
  let clothes: number
  let food: number
  let pos: Awaited<ReturnType<typeof caller>>
  const caller = async (as: string) => posCaller(office, (await makeKey(office, as, ['pos.read'])).bearer)
  before(async () => {
    pos = await caller(await office.login(agent.loginName))
  })
  beforeEach(async () => {
    clothes = await makeMerchant(office, agent.id, { industry_id: 1 })
    food = await makeMerchant(office, agent.id, { industry_id: 2 })
  })

  /** The version of this template that each of the two shops gets. */
  async function got(id: number): Promise<(number | undefined)[]> {
    const versions = []
    for (const shop of [clothes, food]) {
      const { body } = await pos('printTemplates.templates', { id: shop })
      const { templates } = body as { templates: { id: number; version: number }[] }
      versions.push(templates.find(one => one.id === id)?.version)
    }
    return versions
  }

  test('is nothing of a draft, and a version by its audience', async () => {
    const id = await newTemplate()
    assert.deepEqual(await got(id), [undefined, undefined])
    const cases: [audience: typeof ALL, versions: (number | undefined)[]][] = [
      [to([], [clothes]), [1, undefined]],
      [to([2]), [1, 2]],
      [to([1], [food]), [3, 3]],
      [ALL, [4, 4]],
    ]
    for (const [audience, versions] of cases) {
      await change(id, `第${versions.length}稿 ${++made}`)
      await publish(id, audience)
      assert.deepEqual(await got(id), versions)
    }
  })

  test('comes in stages: the new version to one shop, to an industry, to all; never back', async () => {
    const id = await newTemplate()
    await publish(id)
    await change(id, '二')
    await publish(id, to([], [food]))
    assert.deepEqual(await got(id), [1, 2])
    const narrower = labels.widen({ id, number: 2, audience: to([1]) })
    assert.equal(await refusalOf(narrower), 'AUDIENCE_NARROWER')
    await labels.widen({ id, number: 2, audience: to([1], [food]) })
    assert.deepEqual(await got(id), [2, 2])
    const { versions } = await labels.history({ id })
    assert.deepEqual(
      versions.map(({ number, supersededBy }) => [number, supersededBy]),
      [
        [2, null],
        [1, null],
      ],
    )
    await labels.widen({ id, number: 2, audience: ALL })
    const [second, first] = (await labels.history({ id })).versions
    assert.deepEqual([second?.audience.all, first?.supersededBy], [true, 2])
    assert.equal(await refusalOf(labels.widen({ id, number: 1, audience: ALL })), 'NOT_PUBLISHED')
  })

  test('is the version before, once one is withdrawn, and none once all are', async () => {
    const id = await newTemplate()
    await publish(id)
    await change(id, '二')
    await publish(id)
    assert.deepEqual(await got(id), [2, 2])
    assert.deepEqual(await labels.withdraw({ id, number: 2, reason: '印错了' }), { id, publishedVersion: 1 })
    assert.deepEqual(await got(id), [1, 1])
    assert.equal(await refusalOf(labels.withdraw({ id, number: 2 })), 'NOT_PUBLISHED')
    await publish(id)
    await labels.withdraw({ id, number: null })
    assert.deepEqual(await got(id), [undefined, undefined])
    assert.equal((await labels.details({ id })).state, 'draft')
    assert.equal(await publish(id), 4)
  })

  test('of one that is deleted is nothing, and the template comes back as a draft', async () => {
    const id = await newTemplate()
    await publish(id, to([], [clothes]))
    await assert.rejects(labels.remove({ id }), (error: { code: string; message: string }) => {
      assert.deepEqual([error.code, error.message.includes('有 1 家店铺正在使用')], ['IN_USE', true])
      return true
    })
    await labels.remove({ id, endsUse: true })
    assert.deepEqual(await got(id), [undefined, undefined])
    assert.ok(!(await labels.list({ size: 100 })).rows.some(row => row.id === id))
    assert.ok((await labels.list({ size: 100, deleted: true })).rows.some(row => row.id === id))
    for (const call of [() => labels.remove({ id }), () => labels.copy({ id }), () => publish(id)])
      assert.equal(await refusalOf(call()), 'DELETED_ALREADY')
    await labels.undelete({ id })
    await labels.undelete({ id })
    assert.deepEqual([(await labels.details({ id })).state, await got(id)], ['draft', [undefined, undefined]])
  })

  test('is counted and listed with the version of each', async () => {
    const id = await newTemplate()
    assert.deepEqual(await labels.usage({ id }), { total: 0, totalCapped: false, rows: [], more: false })
    await publish(id, to([], [clothes, food]))
    await change(id, '二')
    await publish(id, to([], [food]))
    const { total, rows } = await labels.usage({ id })
    assert.deepEqual(
      [total, rows.map(row => [row.id, row.number])],
      [
        2,
        [
          [clothes, 1],
          [food, 2],
        ],
      ],
    )
    await publish(await newTemplate(), ALL)
    assert.deepEqual(
      (await labels.shops({ search: String(food) })).rows.map(row => row.id),
      [food],
    )
  })

  test('is read by version with its content, while it is not withdrawn, and by its own keys alone', async () => {
    const id = await newTemplate()
    await publish(id, to([], [clothes]))
    const read = (shop: number, version = 1, by = pos) =>
      by('printTemplates.template', { id: shop, templateId: id, version })
    const { body } = await read(clothes)
    assert.deepEqual((body as { content: unknown }).content, CONTENT)
    assert.equal((await read(food)).code, 'NOT_FOUND')
    assert.equal((await read(clothes, 2)).code, 'NOT_FOUND')
    const stranger = await caller(await office.login((await makeAgent(office)).loginName))
    assert.equal((await read(clothes, 1, stranger)).code, 'NOT_FOUND')
    assert.equal((await stranger('printTemplates.templates', { id: clothes })).code, 'NOT_FOUND')
    assert.equal((await read(clothes, 1, await caller(cookie))).status, 200)
    await change(id, '二')
    await publish(id)
    assert.equal((await read(clothes)).status, 200, 'superseded, as whoever has read the list before asks')
    await labels.withdraw({ id, number: null })
    assert.equal((await read(clothes)).code, 'NOT_FOUND')
  })

  test('has a state by which nothing is read twice', async () => {
    const first = await pos('printTemplates.templates', { id: food })
    const etag = String(first.headers.etag)
    const again = () => pos('printTemplates.templates', { id: food }, { headers: { 'if-none-match': etag } })
    assert.equal((await again()).status, 304)
    await publish(await newTemplate())
    assert.equal((await again()).status, 200)
  })

  test('is told once to each agency with shops of it, and to chosen shops by themselves', async () => {
    const { told } = feedOf(() => office)
    const mine = await office.login(agent.loginName)
    const none = await office.login((await makeAgent(office)).loginName)
    const id = await newTemplate()
    const about = (version: number, more: object) => ({ templateId: id, kind: 'label', version, ...more })
    assert.deepEqual(await told(() => publish(id, to([], [food])), mine), [
      {
        topic: 'print.template.published',
        shopId: food,
        data: about(1, { all: false, industryIds: [] }),
      },
    ])
    assert.deepEqual(
      await told(() => labels.widen({ id, number: 1, audience: to([1], [food, clothes]) }), mine),
      [null, clothes].map(shopId => ({
        topic: 'print.template.published',
        shopId,
        data: about(1, { all: false, industryIds: [1] }),
      })),
    )
    assert.deepEqual(await told(() => labels.widen({ id, number: 1, audience: ALL }), none), [])
    const gone = await told(() => labels.remove({ id, endsUse: true }), mine)
    assert.deepEqual(gone, [
      { topic: 'print.template.withdrawn', shopId: null, data: about(1, { all: true }) },
    ])
  })
})
