import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { type ReceiptContent, SHOP_NAME_ITEM } from '#kit/print/receipt.ts'
import { type Bitmap, bytesAcross } from '#kit/print/scene.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { readPdf } from '#test/print/readers.ts'
import { RECEIPT_GROUPS, RECEIPT_SAMPLES } from './reference.ts'
import { checkedIds, completed, placedOf } from './rules.ts'

let office: Office
let staff: Client
let partner: Client
before(async () => {
  office = await openOffice()
  const [operator, agent] = [await makeAgent(office, { operator: true }), await makeAgent(office)]
  staff = office.as(await office.login(operator.loginName))
  partner = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const form = (more: object = {}) => ({
  ...{ name: '餐饮抬头', section: 'basic' as const, tags: '餐饮，堂食,', remarks: '堂食' },
  items: completed('basic', []),
  ...more,
})
const groupOf = async (id: number) => (await staff.receipts.groups()).rows.find(row => row.id === id)

test('an office begins with the groups that the documents name', async () => {
  const { rows } = await staff.receipts.groups()
  assert.deepEqual(
    rows.map(({ revision: _revision, ...row }) => row),
    RECEIPT_GROUPS,
  )
})

test('a group is made, changed by who has read it last, and deleted', async () => {
  const { id } = await staff.receipts.saveGroup(form())
  const made = await groupOf(id)
  assert.deepEqual([made?.name, made?.tags, made?.revision], ['餐饮抬头', '餐饮，堂食,', 1])
  await staff.receipts.saveGroup(form({ id, revision: 1, name: '餐饮' }))
  assert.equal(await refusalOf(staff.receipts.saveGroup(form({ id, revision: 1 }))), 'STALE')
  assert.equal((await groupOf(id))?.name, '餐饮')
  await staff.receipts.removeGroup({ id })
  assert.equal(await groupOf(id), undefined)
  assert.equal(await refusalOf(staff.receipts.removeGroup({ id })), 'NOT_FOUND')
})

test('a group is refused at its limits, and cannot be without what must be shown', async () => {
  const cases: [object, string][] = [
    [{ name: '' }, 'GROUP_NAME_REQUIRED'],
    [{ name: '字'.repeat(51) }, 'GROUP_NAME_TOO_LONG'],
    [{ tags: '字'.repeat(101) }, 'TAGS_TOO_LONG'],
    [{ remarks: '字'.repeat(201) }, 'REMARKS_TOO_LONG'],
  ]
  for (const [more, code] of cases) assert.equal(await refusalOf(staff.receipts.saveGroup(form(more))), code)
  const hidden = completed('basic', []).map(item => ({ ...item, required: false, checked: false }))
  const { id } = await staff.receipts.saveGroup(form({ items: hidden }))
  assert.deepEqual(checkedIds({ items: (await groupOf(id))?.items ?? [] }), [106, 107, 108])
})

test('a template is saved with the checks that were changed in it, which its group keeps', async () => {
  const { id: groupId } = await staff.receipts.saveGroup(form({ name: '勾选' }))
  const group = await groupOf(groupId)
  assert.ok(group)
  const placed = placedOf(group)
  const items = placed.items.map(item => ({
    ...item,
    checked: item.required || item.id === SHOP_NAME_ITEM,
    fontSize: 9 as const,
    alignment: 0 as const,
  }))
  const content: ReceiptContent = { enableMakeUp: true, ordinary: [{ ...placed, items }], wide: [] }
  const saved = await staff.receipts.save({
    ...{ name: '勾选的小票', content },
    groups: [{ id: groupId, revision: group.revision, checked: [SHOP_NAME_ITEM] }],
  })
  assert.deepEqual(saved.staleGroups, [])
  const kept = await staff.receipts.details({ id: saved.id })
  const shopName = kept.content.ordinary[0]?.items.find(({ id }) => id === SHOP_NAME_ITEM)
  assert.deepEqual([shopName?.fontSize, shopName?.alignment, shopName?.checked], [12, 1, true])
  const after = await groupOf(groupId)
  assert.deepEqual(checkedIds({ items: after?.items ?? [] }), [103, 106, 107, 108])
  // One that read the group before does not write over it.
  const again = await staff.receipts.save({
    ...{ id: saved.id, revision: saved.revision, name: '勾选的小票', content: kept.content },
    groups: [{ id: groupId, revision: group.revision, checked: [] }],
  })
  assert.deepEqual(again.staleGroups, ['勾选'])
  assert.deepEqual(checkedIds({ items: (await groupOf(groupId))?.items ?? [] }), [103, 106, 107, 108])
})

test('a template keeps what it took of a group that is changed or deleted since', async () => {
  const { id: groupId } = await staff.receipts.saveGroup(form({ name: '旧名' }))
  const group = await groupOf(groupId)
  assert.ok(group)
  const content = { enableMakeUp: false, ordinary: [placedOf(group)], wide: [] }
  const { id } = await staff.receipts.save({ name: '留住', content })
  await staff.receipts.saveGroup(form({ id: groupId, revision: 1, name: '新名' }))
  assert.equal((await staff.receipts.details({ id })).content.ordinary[0]?.name, '旧名')
  await staff.receipts.removeGroup({ id: groupId })
  assert.equal((await staff.receipts.details({ id })).content.ordinary[0]?.name, '旧名')
})

test('the group of the bottom is not kept on 210 mm, and an unknown shape is refused', async () => {
  const both = RECEIPT_GROUPS.map(group => placedOf(group))
  const content = { enableMakeUp: false, ordinary: both, wide: both }
  const { id } = await staff.receipts.save({ name: '底部', content })
  const kept = await staff.receipts.details({ id })
  assert.equal(kept.content.ordinary.length, both.length)
  assert.ok(kept.content.wide.every(({ section }) => section !== 'footer'))
  const wrong = { ...content, ordinary: [{ groupId: 1, name: '', section: 'none', items: [] }] }
  assert.equal(await refusalOf(staff.receipts.save({ name: '错', content: wrong as never })), 'INPUT_INVALID')
})

test('a template without goods is not published without a reason', async () => {
  const content = { enableMakeUp: false, ordinary: [placedOf(RECEIPT_GROUPS[0] as never)], wide: [] }
  const { id, revision } = await staff.receipts.save({ name: '缺商品', content })
  const audience = { all: true, industryIds: [], shopIds: [] }
  assert.equal(await refusalOf(staff.receipts.publish({ id, revision, audience })), 'FAULTS')
  assert.equal((await staff.receipts.publish({ id, revision, audience, reason: '试用' })).number, 1)
})

test('a receipt is drawn as a document of its paper, for staff alone', async () => {
  const content = RECEIPT_SAMPLES[2]?.content as ReceiptContent
  for (const paper of [80, 210] as const) {
    const { base64 } = await staff.receipts.paper({ content, type: 'sale', paper })
    const [page] = await readPdf(Buffer.from(base64, 'base64'), 8)
    assert.ok(page && Math.abs(page.widthMm - paper) < 0.01)
    // As the printer is calibrated, so is its document.
    const calibration = { ...UNCALIBRATED, offsetY: 5_000 }
    const moved = await staff.receipts.paper({ content, type: 'sale', paper, calibration })
    const [other] = await readPdf(Buffer.from(moved.base64, 'base64'), 8)
    assert.ok(other)
    assert.equal(firstInk(other.bitmap) - firstInk(page.bitmap), 40)
  }
  assert.equal(await refusalOf(partner.receipts.paper({ content, type: 'sale', paper: 80 })), 'FORBIDDEN')
  assert.equal(await refusalOf(partner.receipts.groups()), 'FORBIDDEN')
})

/** The row of dots in which the first black one lies. */
const firstInk = ({ rows, width }: Bitmap) =>
  Math.floor(rows.findIndex(byte => byte !== 0) / bytesAcross(width))
