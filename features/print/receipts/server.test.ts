import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import { bytesOf } from '#kit/picture.ts'
import { UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { readLegacyLabel, writeLegacyLabel, writeLoadedLabel } from '#kit/print/legacy.ts'
import { LOGO_ITEM, type ReceiptContent, SHOP_NAME_ITEM } from '#kit/print/receipt.ts'
import {
  groupFromLegacy,
  groupToLegacy,
  templateFromLegacy,
  templateToLegacy,
} from '#kit/print/receipt-legacy.ts'
import { type Bitmap, bytesAcross } from '#kit/print/scene.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { makeAgent } from '#test/make.ts'
import { LOADED_LABEL, LOADED_RECEIPT, SENT_GROUP } from '#test/print/payloads.ts'
import { readPdf } from '#test/print/readers.ts'
import { RECEIPT_GROUPS, RECEIPT_SAMPLES } from './reference.ts'
import { checkedIds, completed, placedOf, RECEIPT_LOGO, RECEIPT_LOGO_KB } from './rules.ts'

let office: Office
let staff: Client
let partner: Client
let cookies: { staff: string; partner: string }
before(async () => {
  office = await openOffice()
  const [operator, agent] = [await makeAgent(office, { operator: true }), await makeAgent(office)]
  cookies = { staff: await office.login(operator.loginName), partner: await office.login(agent.loginName) }
  staff = office.as(cookies.staff)
  partner = office.as(cookies.partner)
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

test('the group of the bottom on 210 mm is named before it is published, and an unknown shape is refused', async () => {
  const both = RECEIPT_GROUPS.map(group => placedOf(group))
  const content = { enableMakeUp: false, ordinary: both, wide: both }
  const { id } = await staff.receipts.save({ name: '底部', content })
  const kept = await staff.receipts.details({ id })
  assert.equal(kept.content.ordinary.length, both.length)
  assert.equal(kept.content.wide.length, both.length)
  assert.match((await staff.receipts.check({ id })).faults.join(), /210mm模板不打印「.+」/)
  const wrong = { ...content, ordinary: [{ groupId: 1, name: '', section: 'none', items: [] }] }
  assert.equal(await refusalOf(staff.receipts.save({ name: '错', content: wrong as never })), 'INPUT_INVALID')
})

test('the same group is not kept twice on one sheet, by whatever way it came', async () => {
  const [basic, goods] = RECEIPT_GROUPS.map(group => placedOf(group))
  assert.ok(basic && goods)
  const save = (ordinary: ReceiptContent['ordinary'], wide: ReceiptContent['wide']) =>
    staff.receipts.save({ name: '两次', content: { enableMakeUp: false, ordinary, wide } })
  assert.equal(await refusalOf(save([basic, goods, basic], [])), 'CHOSEN_ALREADY')
  assert.equal(await refusalOf(save([], [goods, goods])), 'CHOSEN_ALREADY')
  await save([basic, goods], [basic, goods])
})

test('a template of which nothing is printed is not published, for whatever reason', async () => {
  const { id, revision } = await staff.receipts.save({
    ...{ name: '空的' },
    content: { enableMakeUp: false, ordinary: [], wide: [] },
  })
  assert.equal((await staff.receipts.check({ id })).isEmpty, true)
  const audience = { all: true, industryIds: [], shopIds: [] }
  const publishing = staff.receipts.publish({ id, revision, audience, reason: '先占个位置' })
  assert.equal(await refusalOf(publishing), 'EMPTY')
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

function upload(payload: Buffer, cookie = cookies.staff, purpose = RECEIPT_LOGO) {
  return office.app.http.inject({
    method: 'POST',
    url: `/api/files?purpose=${purpose}`,
    headers: { 'x-requested-with': 'partner-office', 'content-type': 'image/png', cookie },
    payload,
  })
}
const drawn = (width: number, height: number, background = '#000') =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
const uploaded = async (bytes: Buffer, purpose = RECEIPT_LOGO) =>
  (await upload(bytes, cookies.staff, purpose)).json<{ id: string }>().id

/** A receipt of one group with its logo shown. */
function withLogo(picture: string): ReceiptContent {
  const group = placedOf(RECEIPT_GROUPS[0] as never)
  const items = group.items.map(item => (item.id === LOGO_ITEM ? { ...item, checked: true, picture } : item))
  return { enableMakeUp: false, ordinary: [{ ...group, items }], wide: [] }
}

test('a logo is uploaded by who draws receipts, within its size, and kept with the template', async () => {
  const id = await uploaded(await drawn(260, 70))
  const saved = await staff.receipts.save({ name: '有LOGO', content: withLogo(id) })
  const { content } = await staff.receipts.details({ id: saved.id })
  assert.equal(content.ordinary[0]?.items.find(item => item.id === LOGO_ITEM)?.picture, id)
  const copy = await staff.receipts.copy({ id: saved.id })
  assert.deepEqual((await staff.receipts.details({ id: copy.id })).content, content)
  const tooLarge = await upload(Buffer.alloc(bytesOf(RECEIPT_LOGO_KB.initial) + 1))
  assert.deepEqual([tooLarge.statusCode, tooLarge.json().message], [409, '图片大小不能超过2MB'])
  assert.equal((await upload(Buffer.from('GIF89a'))).json().message, '图片格式须为jpg、jpeg或png')
  assert.equal((await upload(await drawn(9, 9), cookies.partner)).statusCode, 403)
  const shown = await office.app.http.inject({ url: `/api/files/${id}` })
  assert.equal(shown.statusCode, 200, 'the software of shops reads it')
})

test('no other upload stands on a receipt as its logo', async () => {
  const other = await uploaded(await drawn(40, 40), 'label-background')
  const stranger = '6f0c2a4e-8d51-4c0b-9a57-0f2f5b7c9d11'
  for (const id of [other, stranger]) {
    const saving = staff.receipts.save({ name: '别的图', content: withLogo(id) })
    assert.equal(await refusalOf(saving), 'PICTURE_UNKNOWN')
  }
  assert.deepEqual(await staff.receipts.logos({ ids: `${other},${stranger}` }), { rows: [] })
  const wrong = withLogo('x')
  assert.equal(await refusalOf(staff.receipts.save({ name: '错', content: wrong })), 'INPUT_INVALID')
})

test('a logo is printed as dots of the narrowest roll at most, never larger than it is', async () => {
  const cases: [width: number, height: number, printed: [number, number]][] = [
    [260, 70, [260, 70]],
    [1_536, 384, [384, 96]],
    [300, 600, [120, 240]],
  ]
  for (const [width, height, printed] of cases) {
    const id = await uploaded(await drawn(width, height))
    const [logo] = (await staff.receipts.logos({ ids: id })).rows
    assert.deepEqual([logo?.width, logo?.height], printed)
    const bytes = Buffer.from(logo?.base64 ?? '', 'base64')
    assert.equal(bytes.length, Math.ceil(printed[0] / 8) * printed[1])
    assert.equal(bytes[0], 0xff)
  }
  const grey = await uploaded(await drawn(160, 160, '#808080'))
  const [half] = (await staff.receipts.logos({ ids: grey })).rows
  const dots = [...Buffer.from(half?.base64 ?? '', 'base64')].reduce(
    (sum, byte) => sum + byte.toString(2).replaceAll('0', '').length,
    0,
  )
  assert.ok(Math.abs(dots / 160 ** 2 - 0.5) < 0.02, String(dots))
  const sizeOf = async (content: ReceiptContent) =>
    (await staff.receipts.paper({ content, type: 'sale', paper: 58 })).base64.length
  assert.ok(
    (await sizeOf(withLogo(grey))) > (await sizeOf(withLogo(await uploaded(await drawn(9, 9))))) + 1_000,
  )
  assert.equal(await refusalOf(partner.receipts.logos({ ids: grey })), 'FORBIDDEN')
  for (const ids of ['', 'x', `${grey},`, Array.from({ length: 21 }, () => grey).join()])
    assert.equal(await refusalOf(staff.receipts.logos({ ids })), 'INPUT_INVALID')
})

test('the order of items in a group is kept with the template, and its group keeps its own', async () => {
  const group = placedOf(RECEIPT_GROUPS[0] as never)
  const content = { enableMakeUp: false, ordinary: [{ ...group, items: group.items.toReversed() }], wide: [] }
  const { id } = await staff.receipts.save({ name: '倒序', content })
  const idsOf = (items: readonly { id: number }[] = []) => items.map(item => item.id)
  const kept = (await staff.receipts.details({ id })).content.ordinary[0]?.items
  assert.deepEqual(idsOf(kept), idsOf(group.items).toReversed())
  assert.deepEqual(idsOf((await groupOf(group.groupId))?.items), idsOf(group.items))
})

test('payloads of the documents are stored, read again and come back unchanged to the field', async () => {
  const { label, ...beside } = readLegacyLabel({ ...LOADED_LABEL, backgroundUrl: '' })
  // An item that the catalogue does not have is for nobody to edit here: it is refused.
  const known = { ...label, items: label.items.filter(({ key, name }) => key !== name) }
  assert.equal(known.items.length, label.items.length - 1)
  const { id } = await staff.labels.save({ name: '吊牌', content: known as never })
  const stored = { ...beside, label: (await staff.labels.details({ id })).content as never }
  const expected = {
    ...LOADED_LABEL,
    backgroundUrl: '',
    pricesTagItems: LOADED_LABEL.pricesTagItems.slice(0, -1),
  }
  assert.deepEqual(writeLoadedLabel(stored), expected)
  assert.deepEqual(writeLegacyLabel(stored), writeLegacyLabel(readLegacyLabel(expected)))

  const { content, ...facts } = templateFromLegacy(LOADED_RECEIPT)
  const receipt = await staff.receipts.save({ name: facts.name, content })
  const read = (await staff.receipts.details({ id: receipt.id })).content
  assert.deepEqual(templateToLegacy({ ...facts, content: read }), LOADED_RECEIPT)

  const group = groupFromLegacy(SENT_GROUP)
  const { name, section, tags, remarks, items } = group
  const saved = await staff.receipts.saveGroup({ name, section, tags, remarks, items })
  assert.deepEqual(groupToLegacy({ ...group, items: (await groupOf(saved.id))?.items ?? [] }), SENT_GROUP)
})
/** The row of dots in which the first black one lies. */
const firstInk = ({ rows, width }: Bitmap) =>
  Math.floor(rows.findIndex(byte => byte !== 0) / bytesAcross(width))
