// Whom versions are for, and what a shop gets of them at the door for point-of-sale software.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { SERVED_TO_SHOP, usingShops } from '#features/print/print-templates/server-live.ts'
import { merchantRow } from '#features/shops/merchants/rows.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { insertRows } from '#server/insert-rows.ts'
import { ALL, CONTENT, openTemplates, to } from '#test/print/template-scene.ts'

const { office, agent, cookie, labels, newTemplate, change, publish } = await openTemplates()
const { refusalOf } = await import('#test/app.ts')
const { makeAgent, makeMerchant } = await import('#test/make.ts')
const { makeKey, posCaller } = await import('#test/make-api-keys.ts')
const { feedOf } = await import('#test/changes/feed.ts')
after(() => office.stop())

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
      await change(id, `第 ${JSON.stringify(versions)} 稿`)
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

test('the statement of what a shop gets asks an index for each of all, industry and shop', async () => {
  await office.owner.query(`
    insert into print_templates (id, kind, name, is_custom, content, created_by, created_by_name, created_at, updated_by_name, updated_at)
      select 100000 + n, 'label', '多', false, '{}', 1, '测试', now(), '测试', now() from generate_series(1, 200) n;
    insert into print_template_versions (template_id, number, kind, name, industry_ids, content, to_all, to_industry_ids, published_by, published_by_name, published_at, superseded_by)
      select 100000 + n, v, 'label', '多', '{}', '{}', n = 1, array[n % 20], 1, '测试', now(), case when v < 20 then 20 end
      from generate_series(1, 200) n, generate_series(1, 20) v;
    insert into print_template_shops (template_id, number, merchant_id)
      select 100002, v, m.id from generate_series(1, 20) v, merchants m;
    analyze print_templates, print_template_versions, print_template_shops`)
  const { rows } = await office.owner.query<{ 'QUERY PLAN': string }>(
    `explain ${SERVED_TO_SHOP.replaceAll('$1', '1').replaceAll('$2', '2')}`,
  )
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  assert.ok(!/Seq Scan/.test(plan), plan)
  for (const index of ['versions_all', 'versions_industries', 'shops_'])
    assert.match(plan, new RegExp(`using print_template_${index}|on print_template_${index}`), plan)
})

describe('many shops', () => {
  const RARE = 10
  before(async () => {
    await office.owner.query('alter table merchants disable trigger user; drop index merchants_search')
    const rows = Array.from({ length: 20_000 }, (_, at) =>
      merchantRow({
        ...{
          id: 20_000_001 + at,
          agentId: agent.id,
          account: `many${at}`,
          registeredAt: '2026-01-01T00:00:00Z',
        },
        industryId: (at + 1) % 500 === 0 ? RARE : 1 + (at % 2),
      }),
    )
    await insertRows(office.owner, merchants, rows)
    await office.owner.query('alter table merchants enable trigger user; analyze merchants')
  })

  /** The most rows that one step reads or passes over, planned for the values. */
  async function mostRows({ text, values }: ReturnType<typeof usingShops>): Promise<number> {
    const { rows } = await office.owner.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) ${text}`,
      values,
    )
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    const read = plan.matchAll(/(?:actual rows=|Rows Removed by [\w ]+: )(\d+)/g)
    return Math.max(...[...read].map(([, count]) => Number(count)))
  }

  test('those that use a template of a rare industry are found without reading the others', async () => {
    const first = { after: 0, most: 21 }
    assert.ok((await mostRows(usingShops([[RARE], []], first))) <= 50)
    assert.ok((await mostRows(usingShops([[1, 2, RARE], [20_000_001]], first))) <= 100)
    assert.ok((await mostRows(usingShops([[RARE], []], { after: 0, most: 10_001 }))) <= 50)
    assert.ok((await mostRows(usingShops(null, first))) <= 50)
  })

  test('are counted as far as counts go, and shown part by part, each once', async () => {
    const id = await newTemplate()
    await publish(id, to([RARE], [20_000_500, 20_000_001]))
    const pages = [await labels.usage({ id })]
    for (let page = pages[0]; page?.more; page = pages.at(-1))
      pages.push(await labels.usage({ id, after: page.rows.at(-1)?.id ?? 0 }))
    const ids = pages.flatMap(({ rows }) => rows.map(row => row.id))
    const wanted = [20_000_001, ...Array.from({ length: 40 }, (_, at) => 20_000_000 + (at + 1) * 500)]
    assert.deepEqual([pages[0]?.total, pages[0]?.totalCapped, ids], [41, false, wanted])
    await labels.widen({ id, number: 1, audience: to([1, RARE], [20_000_500, 20_000_001]) })
    const { total, totalCapped } = await labels.usage({ id })
    assert.deepEqual([total, totalCapped], [10_000, true])
  })
})
