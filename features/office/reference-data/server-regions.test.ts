// Another edition of the divisions: rehearsed, taken over whole or not at all, and nobody loses the place that he has.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Client, type Office, openBeside, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'

let office: Office
let operator: Client
let agent: MadeAgent
let me: Client
let shop: number

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  agent = await makeAgent(office, { tokens: 100_000 })
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, {
    province_code: '44',
    city_code: '4403',
    district_code: '440304',
    address: '深南大道1号',
  })
})
after(() => office.stop())

async function edition(change: (lines: string[]) => string[]): Promise<string> {
  const { text } = await operator.referenceData.regionsText()
  const [head = '', ...lines] = text.trimEnd().split('\n')
  return [head, ...change(lines)].join('\n')
}
const LATER = (lines: string[]) => [
  ...lines
    .filter(line => !line.startsWith('440304'))
    .map(line => line.replace('440305,南山区', '440305,南山新区')),
  '440313,大鹏区',
]
const sold = (districtCode: string) =>
  refusalOf(me.selling.quote(newMerchantForm({ ...placed(districtCode) })))
const placed = (districtCode: string) => ({
  provinceCode: districtCode.slice(0, 2),
  cityCode: districtCode.slice(0, 4),
  districtCode,
})

test('a rehearsal names what is new, called otherwise and gone, and who has it', async () => {
  const text = await edition(LATER)
  const { added, changed, removed, errorCount } = await operator.referenceData.rehearseRegions({ text })
  assert.equal(errorCount, 0)
  assert.deepEqual(added, [{ name: '广东省深圳市大鹏区（440313）', what: '新增' }])
  assert.deepEqual(changed, [{ name: '广东省深圳市南山新区（440305）', what: '原名南山区，没有使用' }])
  assert.deepEqual(removed, [{ name: '广东省深圳市福田区（440304）', what: '商户 1 家，保留原地区' }])
  assert.equal(await sold('440304'), 'accepted', 'nothing is done yet')
})

test('lines that are wrong are named, and nothing of the rest is done', async () => {
  const text = await edition(lines => [...LATER(lines), '449901,新区', '44031,大鹏区', '440399,X'])
  const { errors, token } = await operator.referenceData.rehearseRegions({ text })
  const last = text.split('\n').length
  assert.deepEqual(
    errors.map(({ line, message }) => [line - last, message]),
    [
      [-2, '449901 新区 的上级 4499 不在文件里'],
      [-1, '代码「44031」须为 2、4 或 6 位数字'],
      [0, '名称「X」须为 2 到 20 个汉字'],
    ],
  )
  const bring = operator.referenceData.importRegions({ source: '2026-12-31', text, token })
  assert.equal(await refusalOf(bring), 'FILE_REFUSED')
  assert.deepEqual((await office.as(null).regions.changes()).changes, [])
})

test('taken over, it is the one that everybody chooses from; who has a place that is gone keeps it', async () => {
  const text = await edition(LATER)
  const { token } = await operator.referenceData.rehearseRegions({ text })
  const bring = (source: string, given = token) =>
    operator.referenceData.importRegions({ source, text, token: given })
  assert.equal(await refusalOf(bring(' ')), 'SOURCE_WRONG')
  assert.equal(await refusalOf(bring('2026-12-31', 'other')), 'FILE_CHANGED')
  await bring('2026-12-31')
  const { source, districts } = await operator.referenceData.regions()
  assert.equal(source, '2026-12-31')
  assert.ok(districts > 2_800)
  assert.equal(await sold('440304'), 'DIVISION_REQUIRED')
  assert.equal(await sold('440313'), 'accepted')
  const details = await me.merchants.details({ id: shop })
  assert.equal(details.fullAddress, '广东省深圳市福田区深南大道1号')
  const { rows } = await operator.operationLog.history({ kind: 'setting', id: 'regions' })
  assert.deepEqual(rows[0]?.changes?.[0], { name: '版本', before: '2025-12-31', after: '2026-12-31' })
})

test('another instance knows it too', async () => {
  const beside = await openBeside(office)
  try {
    const { statusCode, body } = await beside.app.http.inject({ url: '/api/regions' })
    assert.equal(statusCode, 200)
    const { changes } = JSON.parse(body) as { changes: { code: string; retiredAt: string | null }[] }
    assert.deepEqual(
      changes.map(({ code, retiredAt }) => [code, retiredAt !== null]),
      [
        ['440304', true],
        ['440305', false],
        ['440313', false],
      ],
    )
  } finally {
    await beside.stop()
  }
})

test('what was gone can come back, and nothing but what differs stays written down', async () => {
  const text = await edition(lines => [
    ...lines
      .filter(line => !line.startsWith('440313'))
      .map(line => line.replace('440305,南山新区', '440305,南山区')),
    '440304,福田区',
  ])
  const { token, added, removed } = await operator.referenceData.rehearseRegions({ text })
  assert.deepEqual(added, [{ name: '广东省深圳市福田区（440304）', what: '恢复' }])
  assert.deepEqual(removed, [{ name: '广东省深圳市大鹏区（440313）', what: '没有使用' }])
  await operator.referenceData.importRegions({ source: '2027-06-30', text, token })
  assert.equal(await sold('440304'), 'accepted')
  const { changes } = await office.as(null).regions.changes()
  assert.deepEqual(
    changes.map(({ code, retiredAt }) => [code, retiredAt !== null]),
    [['440313', true]],
  )
})

test('partners neither see nor bring an edition', async () => {
  assert.equal(await refusalOf(me.referenceData.regions()), 'FORBIDDEN')
  const text = await edition(LATER)
  assert.equal(await refusalOf(me.referenceData.rehearseRegions({ text })), 'FORBIDDEN')
})
