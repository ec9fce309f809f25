// What staff tell all partners: rules of the form, what is shown when, order and stale edits (D1 §2).
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { CONTENT_ITEMS } from './demo.ts'
import { type ContentForm, isOwnLink, refuseContent, summaryOf } from './rules.ts'

let office: Office
let staff: Client
let partner: Client

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  partner = office.as(await office.login((await makeAgent(office)).loginName))
})
after(() => office.stop())

const form = (changes: Record<string, unknown> = {}) => ({
  id: null,
  updatedAt: null,
  kind: 'notice' as const,
  title: '系统维护通知',
  body: '今晚 23 点维护',
  enabled: true,
  publishedAt: '2026-06-01T00:00:00.000Z',
  ...changes,
})

describe('a form', () => {
  const notice: ContentForm = {
    kind: 'notice',
    title: '题',
    body: '文',
    link: '',
    publishedAt: '2026-01-01T00:00:00Z',
  }
  const carousel: ContentForm = { ...notice, kind: 'carousel' }
  const cases: [string, ContentForm, string | null][] = [
    ['is accepted', notice, null],
    ['needs a title', { ...notice, title: ' ' }, 'TITLE_REQUIRED'],
    ['takes 60 characters of a title', { ...notice, title: '题'.repeat(61) }, 'TITLE_TOO_LONG'],
    ['of the carousel takes 24', { ...carousel, title: '题'.repeat(25) }, 'CAROUSEL_TITLE_TOO_LONG'],
    ['needs a text', { ...notice, body: '' }, 'BODY_REQUIRED'],
    ['of the carousel needs none', { ...carousel, body: '' }, null],
    ['of the carousel takes 80 characters', { ...carousel, body: '文'.repeat(81) }, 'CAROUSEL_BODY_TOO_LONG'],
    ['leads to a page of ours', { ...notice, link: 'https://example.com' }, 'LINK_OWN'],
    ['has a time', { ...notice, publishedAt: '' }, 'PUBLISHED_INVALID'],
    ['has a time of this century', { ...notice, publishedAt: '1890-01-01T00:00:00Z' }, 'PUBLISHED_INVALID'],
  ]
  for (const [name, values, expected] of cases)
    test(name, () => assert.equal(refuseContent(values)?.code ?? null, expected))

  test('knows links of ours from others', () => {
    for (const own of ['', '/admin/index', '/admin/order/versionsOrder?page=2&search=%E5%BC%A0'])
      assert.ok(isOwnLink(own), own)
    for (const other of [
      '//example.com',
      '/admin/../x',
      'javascript:alert(1)',
      '/login',
      '/admin/a b',
      '/adminx',
    ])
      assert.ok(!isOwnLink(other), other)
  })

  test('is cut to one line of 80 characters in lists', () => {
    assert.equal(summaryOf('一\n\n二'), '一 二')
    assert.equal(summaryOf('长'.repeat(90)), `${'长'.repeat(80)}…`)
  })
})

test('a fresh office tells nothing of anybody else; what the demo tells passes the rules themselves', async () => {
  for (const row of CONTENT_ITEMS)
    assert.equal(refuseContent({ ...row, body: row.body ?? '', link: row.link ?? '' }), null, row.title)
  const shown = await partner.content.shown()
  assert.deepEqual([shown.carousel.length, shown.notices.total], [0, 0])
})

test('what staff add is shown once its time has come, and is hidden when disabled', async () => {
  const soon = await staff.content.save(form({ publishedAt: '2099-01-01T00:00:00.000Z' }))
  const now = await staff.content.save(form({ title: '现在' }))
  assert.ok(soon.id > 1_000 && now.id > 1_000)
  const shown = async () => (await partner.content.notices({ size: 50 })).rows.map(row => row.id)
  assert.ok((await shown()).includes(now.id))
  assert.ok(!(await shown()).includes(soon.id))
  assert.equal(await refusalOf(partner.content.item({ id: soon.id })), 'NOT_FOUND')
  await staff.content.setEnabled({ id: now.id, enabled: false })
  assert.ok(!(await shown()).includes(now.id))
  assert.equal(await refusalOf(partner.content.item({ id: now.id })), 'NOT_FOUND')
  const all = await staff.content.list({ kind: 'notice', search: '现在' })
  assert.deepEqual(
    all.rows.map(row => [row.id, row.enabled]),
    [[now.id, false]],
  )
})

test('an edit from a stale tab is refused, and a repeated one answered as before', async () => {
  const key = randomUUID()
  const { id } = await staff.content.save(form({ title: '一次' }), { context: { key } })
  assert.deepEqual(await staff.content.save(form({ title: '一次' }), { context: { key } }), { id })
  const [row] = (await staff.content.list({ kind: 'notice', search: '一次' })).rows
  const updatedAt = row?.updatedAt as string
  await staff.content.save(form({ id, updatedAt, title: '改过' }))
  assert.equal(await refusalOf(staff.content.save(form({ id, updatedAt, title: '又改' }))), 'STALE')
  assert.equal((await staff.content.list({ kind: 'notice', search: '改过' })).total, 1)
})

test('the carousel is put in order as a whole, and a picture must be an upload for it', async () => {
  for (const title of ['旧卡片', '次旧卡片'])
    await staff.content.save(form({ kind: 'carousel', title, body: '' }))
  const { id } = await staff.content.save(form({ kind: 'carousel', title: '新卡片', body: '' }))
  const ids = (await staff.content.list({ kind: 'carousel', size: 50 })).rows.map(row => row.id)
  assert.equal(ids.at(-1), id)
  await staff.content.reorder({ ids: ids.toReversed() })
  assert.deepEqual(
    (await partner.content.shown()).carousel.map(card => card.id),
    ids.toReversed(),
  )
  for (const wrong of [ids.slice(1), [...ids, ids[0] as number], ids.with(0, 11)])
    assert.equal(await refusalOf(staff.content.reorder({ ids: wrong })), 'ORDER_CHANGED')
  const withPicture = form({ kind: 'carousel', title: '图', pictureId: randomUUID() })
  await assert.rejects(staff.content.save(withPicture), {
    code: 'PICTURE_UNKNOWN',
    data: { field: 'pictureId' },
  })
})

test('partners read and do not write', async () => {
  for (const call of [
    () => partner.content.list({}),
    () => partner.content.save(form()),
    () => partner.content.setEnabled({ id: 11, enabled: false }),
    () => partner.content.reorder({ ids: [1, 2, 3] }),
  ])
    assert.equal(await refusalOf(call()), 'FORBIDDEN')
})
