// One editor for every declared table: what it refuses, what stays, and what its log says.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { loadReferenceData } from '#app/reference.ts'
import { brokenRow } from '#kit/reference.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'

let office: Office
let operator: Client
let partner: Client
let agent: MadeAgent

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  agent = await makeAgent(office, { tokens: 100_000 })
  partner = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

/** What a person reads of the refusal. */
const messageIn = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail('it was not refused'),
    (error: Error) => error.message,
  )

const rowsOf = async (table: string) => (await operator.referenceData.rows({ table })).rows
const rowOf = async (table: string, name: string) => {
  const row = (await rowsOf(table)).find(({ values }) => values.name === name)
  assert.ok(row, name)
  return row
}
const add = (name: string) =>
  operator.referenceData.save({ table: 'industries', id: null, seen: null, values: { name } })
const industriesOffered = async () =>
  (await partner.merchants.options({})).industries.filter(({ offered }) => offered).map(({ name }) => name)

test('the operator alone edits reference data', async () => {
  assert.equal(await refusalOf(partner.referenceData.tables()), 'FORBIDDEN')
  assert.deepEqual(
    (await operator.referenceData.tables()).tables.map(({ key }) => key),
    ['reasons', 'industries', 'payment-methods', 'sms-templates'],
  )
})

const METHOD = {
  fields: {
    name: { kind: 'text', label: '名称', max: 4, required: true },
    fields: {
      kind: 'text',
      label: '参数',
      lines: { by: 'key', most: 2, fields: { key: { kind: 'text', label: '字段名', pattern: '^[a-z]+$' } } },
    },
  },
} as const
const FORMS: [what: string, values: Record<string, unknown>, message: string | null][] = [
  ['what is right', { name: '海付', fields: [{ key: 'a' }] }, null],
  ['no name', { name: ' ', fields: [] }, '请输入名称'],
  ['a name too long', { name: '收款方式五', fields: [] }, '名称不得超过4字'],
  ['an entry without its key', { name: '海付', fields: [{ key: '' }] }, '参数第 1 项：请输入字段名'],
  ['a key of other letters', { name: '海付', fields: [{ key: 'A' }] }, '参数第 1 项：字段名格式不正确'],
  ['a key twice', { name: '海付', fields: [{ key: 'a' }, { key: 'a' }] }, '参数有两项的字段名同为「a」'],
  ['too many', { name: '海付', fields: [{ key: 'a' }, { key: 'b' }, { key: 'c' }] }, '参数最多 2 项'],
]
for (const [what, values, message] of FORMS)
  test(`a row: ${what}`, () => assert.equal(brokenRow(METHOD, values)[0]?.message ?? null, message))

test('a row is added at the end, changed by who saw it as it is, and called once by its name', async () => {
  const { id, values } = await add('宠物用品')
  assert.equal((await rowsOf('industries')).at(-1)?.id, id)
  assert.equal(await refusalOf(add('宠物用品')), 'ROW_TAKEN')
  const change = (name: string) =>
    operator.referenceData.save({ table: 'industries', id, seen: values, values: { name } })
  await change('宠物服务')
  assert.equal(await refusalOf(change('宠物医院')), 'STALE')
  assert.ok((await industriesOffered()).includes('宠物服务'))
  const { rows } = await operator.operationLog.history({ kind: 'reference', id: `industries:${id}` })
  assert.deepEqual(
    rows.map(({ changes }) => changes),
    [
      [{ name: '行业名称', before: '宠物用品', after: '宠物服务' }],
      [{ name: '行业名称', before: null, after: '宠物用品' }],
    ],
  )
})

test('a row in use is not deleted, and says what uses it; retired, it stays with who has it', async () => {
  const { id } = await add('花艺')
  const industryId = Number(id)
  const shop = await makeMerchant(office, agent.id, { industry_id: industryId })
  const of = { table: 'industries', id }
  assert.equal(await messageIn(operator.referenceData.remove(of)), '商户 1 家正在使用，不能删除，可以停用')
  assert.deepEqual((await operator.referenceData.uses(of)).uses, [
    { what: '商户', counted: '家', count: 1, capped: false },
  ])
  await operator.referenceData.retire({ ...of, from: null })
  assert.equal(await refusalOf(operator.referenceData.retire({ ...of, from: null })), 'ROW_RETIRED')
  assert.ok(!(await industriesOffered()).includes('花艺'))
  assert.equal(await refusalOf(partner.selling.quote(newMerchantForm({ industryId }))), 'INDUSTRY_REQUIRED')
  assert.equal((await partner.merchants.details({ id: shop })).industryName, '花艺')
  await operator.referenceData.restore(of)
  assert.ok((await industriesOffered()).includes('花艺'))
})

test('a row retires at its moment', async () => {
  const { id } = await add('渔具')
  const of = { table: 'industries', id }
  const past = new Date(Date.now() - 1_000).toISOString()
  assert.equal(await refusalOf(operator.referenceData.retire({ ...of, from: past })), 'RETIRE_PAST')
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const { retiredAt } = await operator.referenceData.retire({ ...of, from: later })
  assert.equal(Date.parse(retiredAt ?? ''), Date.parse(later))
  assert.ok((await industriesOffered()).includes('渔具'))
  await office.owner.query(`update industries set retired_at = now() where id = $1`, [id])
  assert.ok(!(await industriesOffered()).includes('渔具'))
})

test('what was deleted does not come back with the next start of the program', async () => {
  const { id } = await rowOf('industries', '母婴用品')
  await operator.referenceData.remove({ table: 'industries', id })
  const owner = await office.owner.connect()
  try {
    await loadReferenceData(owner as never)
  } finally {
    owner.release()
  }
  assert.ok((await rowsOf('industries')).every(({ values }) => values.name !== '母婴用品'))
})

test('rows are put in order whole', async () => {
  const ids = (await rowsOf('reasons')).map(({ id }) => id)
  assert.equal(
    await refusalOf(operator.referenceData.reorder({ table: 'reasons', ids: ids.slice(1) })),
    'ORDER_CHANGED',
  )
  await operator.referenceData.reorder({ table: 'reasons', ids: ids.toReversed() })
  const of = async (kind: string) =>
    (await partner.referenceData.reasons()).reasons.filter(reason => reason.kind === kind)
  assert.equal((await of('undo'))[0]?.name, '店铺转让')
  assert.equal(
    await refusalOf(operator.referenceData.reorder({ table: 'sms-templates', ids: ['phone-code'] })),
    'ROWS_FIXED',
  )
})

test('a field of a payment method that holds values of shops neither goes nor is shown', async () => {
  const method = await rowOf('payment-methods', '海付')
  const { secrets } = office.app.services
  await makeMerchant(office, agent.id, {
    payment_method_id: Number(method.id),
    payment_config: secrets.encrypt(JSON.stringify({ mercId: 'M1', signKey: 'secret' })),
  })
  const fields = method.values.fields as { key: string; label: string; required: boolean; secret: boolean }[]
  const save = (next: unknown) =>
    operator.referenceData.save({
      table: 'payment-methods',
      id: method.id,
      seen: method.values,
      values: { name: '海付', fields: next as never },
    })
  const cases: [next: unknown, message: string][] = [
    [fields.slice(1), '已有商户填写「商户编号」，不能删除'],
    [fields.map(field => ({ ...field, key: `${field.key}2` })), '已有商户填写「商户编号」，不能删除'],
    [fields.map(field => ({ ...field, secret: false })), '已有商户填写「签名密钥」，不能改为公开'],
  ]
  for (const [next, message] of cases) assert.equal(await messageIn(save(next)), message)
  const more = { key: 'storeNo', label: '门店号', required: false, secret: false }
  assert.deepEqual((await save([...fields, more])).values.fields, [...fields, more])
})

test('a template of the program itself cannot be turned off, its approved numbers can change', async () => {
  const save = async (key: string, changes: Record<string, unknown>) => {
    const row = (await rowsOf('sms-templates')).find(({ id }) => id === key)
    assert.ok(row)
    const values = { ...row.values, ...changes } as typeof row.values
    return operator.referenceData.save({ table: 'sms-templates', id: key, seen: row.values, values })
  }
  assert.equal(await messageIn(save('phone-code', { enabled: false })), '系统短信不能停用')
  assert.equal((await save('phone-code', { aliyunCode: 'SMS_1', text: '别的' })).values.aliyunCode, 'SMS_1')
  assert.match(
    String((await rowsOf('sms-templates')).find(({ id }) => id === 'phone-code')?.values.text),
    /验证码/,
  )
  assert.equal((await save('holiday-greeting', { enabled: false })).values.enabled, false)
  assert.equal(
    await refusalOf(operator.referenceData.remove({ table: 'sms-templates', id: 'phone-code' })),
    'ROWS_FIXED',
  )
})
