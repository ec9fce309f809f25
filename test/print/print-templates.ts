// Drafts, who may do what, and versions: through the real router, with a kind of a small content.
import assert from 'node:assert/strict'
import test, { after, describe } from 'node:test'
import { ALL, CONTENT, openTemplates, to } from '#test/print/template-scene.ts'

const { office, staff, agent, labels, sessionWith, draft, newTemplate, change, publish, logged } =
  await openTemplates()
const { refusalOf } = await import('#test/app.ts')
after(() => office.stop())

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
    const other = await sessionWith(staff.id)
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
    const reader = await sessionWith(staff.id, ['labels.list'])
    assert.equal(await refusalOf(reader.details({ id })), 'accepted')
    assert.equal(await refusalOf(reader.copy({ id })), 'FORBIDDEN')
    const editor = await sessionWith(staff.id, ['labels.list', 'labels.edit'])
    assert.equal(await refusalOf(editor.copy({ id })), 'accepted')
    assert.equal(await refusalOf(editor.publish({ id, revision: 1, audience: ALL })), 'FORBIDDEN')
    assert.equal(await refusalOf((await sessionWith(staff.id, [])).list({})), 'FORBIDDEN')
  })

  test('is not of the vendor: has nothing of it, whatever the role names', async () => {
    const partner = await sessionWith(agent.id)
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
    assert.deepEqual(await labels.check({ id }), { revision: 1, faults: ['条码扫不出'], isEmpty: false })
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
