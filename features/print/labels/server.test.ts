// What labels have beside the operations of all print templates: through the real router.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { LABEL_LIMITS } from '#kit/print/label.ts'
import { SAMPLES } from '#kit/print/samples.ts'
import { umOfMm } from '#kit/print/units.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { SYSTEM_LABELS } from './reference.ts'

let office: Office
let staff: Client
let partner: Client
let operator: MadeAgent
let agent: MadeAgent
before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  agent = await makeAgent(office)
  staff = office.as(await office.login(operator.loginName))
  partner = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const [SYSTEM] = SYSTEM_LABELS
const label = SYSTEM?.label as never
const data = SAMPLES.longest as Record<string, string>
const all = { all: true, industryIds: [], shopIds: [] }
type Content = Parameters<Client['labels']['paper']>[0]['content']
const changed = (more: object): Content => ({ ...(label as Content), ...more })

test('a label is drawn as a page of its very size, moved as its printer is calibrated', async () => {
  const POINTS_PER_MM = 72 / 25.4
  const boxOf = async (content: Content, calibration?: object) => {
    const { base64 } = await staff.labels.paper({
      content,
      data,
      ...(calibration && { calibration }),
    } as never)
    const text = Buffer.from(base64, 'base64').toString('latin1')
    assert.ok(text.startsWith('%PDF-'))
    const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? []
    return [width, height].map(points => Number(points) / POINTS_PER_MM)
  }
  for (const [width, height] of [
    [80, 40],
    [30, 20],
  ] as const) {
    const size = await boxOf(changed({ width: umOfMm(width), height: umOfMm(height) }))
    assert.ok(
      Math.abs((size[0] ?? 0) - width) < 0.01 && Math.abs((size[1] ?? 0) - height) < 0.01,
      String(size),
    )
  }
  const moved = { dots: 8, offsetX: 500, offsetY: -500, scaleX: 10_100, scaleY: 10_000 }
  await boxOf(changed({}), moved)
  for (const wrong of [{ dots: 9 }, { scaleX: 20_000 }, { offsetX: 0.5 }])
    assert.equal(
      await refusalOf(
        staff.labels.paper({ content: label, data, calibration: { ...moved, ...wrong } as never }),
      ),
      'INPUT_INVALID',
    )
})

test('a label beyond its limits is neither drawn nor kept', async () => {
  const { side, items } = LABEL_LIMITS
  const [item] = (label as Content).items
  assert.ok(item)
  const one = (more: object) => changed({ items: [{ ...item, ...more }] })
  const cases: [what: string, content: Content][] = [
    ['narrower than any', changed({ width: side.least - 1 })],
    ['wider than any', changed({ width: side.most + 1 })],
    ['of half micrometres', changed({ height: side.least + 0.5 })],
    ['of too many items', changed({ items: Array.from({ length: items + 1 }, () => item) })],
    ['of an item that is none', one({ key: 'none' })],
    ['of a kind that is none', one({ kind: 8 })],
    ['of small letters', one({ fontSize: 4.9 })],
    ['of large letters', one({ fontSize: 31 })],
    ['of a style that is none', one({ fontStyle: 2 })],
    ['of a width of bars that is none', one({ barWidth: 3 })],
    ['of bars without height', one({ barHeight: 0 })],
    ['of a long text', one({ title: '字'.repeat(101) })],
    ['of an icon that is none', one({ washing: ['none'] })],
    ['with something strange', one({ script: 'x' })],
  ]
  for (const [what, content] of cases) {
    assert.equal(await refusalOf(staff.labels.paper({ content, data })), 'INPUT_INVALID', what)
    assert.equal(await refusalOf(staff.labels.save({ name: what, content })), 'INPUT_INVALID', what)
  }
  for (const fontSize of [5, 30]) await staff.labels.paper({ content: one({ fontSize }), data })
  const long = { productName: '字'.repeat(501) }
  assert.equal(await refusalOf(staff.labels.paper({ content: label, data: long })), 'INPUT_INVALID')
})

test("a shop's own name, phone and address stand on a label that is tried with it, by its number", async () => {
  const id = await makeMerchant(office, agent.id, {
    ...{
      shop_name: '晨光便利店',
      shop_phone: '13800000000',
      address: '人民路 18 号',
      district_code: '440304',
    },
  })
  const { shop } = await staff.labels.shopSample({ merchantId: id })
  assert.equal(shop?.id, id)
  assert.deepEqual([shop?.data.shopName, shop?.data.phone], ['晨光便利店', '13800000000'])
  assert.match(shop?.data.address ?? '', /福田区.*人民路 18 号$/)
  assert.equal(shop?.data.shopAddress, shop?.data.address)
  assert.deepEqual(await staff.labels.shopSample({ merchantId: 99_999_999 }), { shop: null })
  for (const merchantId of [0, -1, 1.5])
    assert.equal(await refusalOf(staff.labels.shopSample({ merchantId })), 'INPUT_INVALID')
})

test('neither is for partners, nor for staff without the permission', async () => {
  const id = await makeMerchant(office, agent.id)
  const account = await makeAccount(office, operator.id, { nodeIds: [27] })
  const without = office.as(await office.login(account.loginName))
  for (const [client, code] of [
    [partner, 'FORBIDDEN'],
    [without, 'FORBIDDEN'],
    [office.as(null), 'UNAUTHENTICATED'],
  ] as const) {
    assert.equal(await refusalOf(client.labels.shopSample({ merchantId: id })), code)
    assert.equal(await refusalOf(client.labels.paper({ content: label, data })), code)
    assert.equal(await refusalOf(client.labels.industries()), code)
  }
})

test('a template of the other kind is none: labels and receipts are asked for by their own', async () => {
  const { id } = await staff.labels.save({ name: '\u200b价签\u3164', content: label })
  assert.equal((await staff.labels.details({ id })).name, '价签')
  assert.equal(await refusalOf(staff.labels.save({ name: '\u3164', content: label })), 'NAME_REQUIRED')
  const wrong = staff.receipts
  for (const call of [
    () => wrong.details({ id }),
    () => wrong.copy({ id }),
    () => wrong.remove({ id }),
    () => wrong.history({ id }),
    () => wrong.usage({ id }),
    () => wrong.check({ id }),
    () => wrong.publish({ id, revision: 1, audience: all }),
  ])
    assert.equal(await refusalOf(call()), 'NOT_FOUND')
})

test('industries are told with those that are offered no more, which stay on templates that have them', async () => {
  await office.owner.query('update industries set retired_at = now() where id = 4')
  const { rows } = await staff.labels.industries()
  assert.deepEqual(
    rows.filter(({ id }) => id === 4 || id === 1).map(({ id, offered }) => [id, offered]),
    [
      [1, true],
      [4, false],
    ],
  )
  const saving = staff.labels.save({ name: '旧行业', industryIds: [4], content: label })
  assert.equal(await refusalOf(saving), 'INDUSTRY_INVALID')
})

test('what is wrong with a label is told in words, and stops its publishing without a reason', async () => {
  const { id, revision } = await staff.labels.save({ name: '太窄', content: changed({ width: umOfMm(20) }) })
  const { faults } = await staff.labels.check({ id })
  assert.ok(faults.length > 0)
  assert.equal(await refusalOf(staff.labels.publish({ id, revision, audience: all })), 'FAULTS')
  const { id: sound } = await staff.labels.save({ name: '能扫', content: label })
  assert.deepEqual((await staff.labels.check({ id: sound })).faults, [])
})

test('a label of which nothing is printed is not published, for whatever reason', async () => {
  const [item] = (label as Content).items
  const blank = { ...item, key: 'customText', kind: 9, title: '', name: '文字' }
  for (const items of [[], [blank], [{ ...item, top: umOfMm(40) }]]) {
    const { id, revision } = await staff.labels.save({ name: '空的', content: changed({ items }) })
    const { isEmpty, faults } = await staff.labels.check({ id })
    assert.equal(isEmpty, true)
    assert.deepEqual(faults, ['标签是空的，什么也打印不出来。添加至少一个能打印出内容的元素'])
    const publishing = staff.labels.publish({ id, revision, audience: all, reason: '先占个位置' })
    assert.equal(await refusalOf(publishing), 'EMPTY')
  }
})

test('a deleted label is still looked at, and neither copied nor published', async () => {
  const { id, revision } = await staff.labels.save({ name: '删掉的', content: label })
  await staff.labels.remove({ id })
  assert.equal((await staff.labels.details({ id })).name, '删掉的')
  assert.equal((await staff.labels.usage({ id })).total, 0)
  for (const call of [
    () => staff.labels.copy({ id }),
    () => staff.labels.publish({ id, revision, audience: all }),
    () => staff.labels.save({ id, revision, name: '改', content: label }),
  ])
    assert.equal(await refusalOf(call()), 'DELETED_ALREADY')
})
