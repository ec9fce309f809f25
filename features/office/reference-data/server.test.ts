// One editor for every declared table: what it refuses, what stays, and what its log says.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { loadReferenceData } from '#app/reference.ts'
import { brokenRow } from '#kit/declare/reference.ts'
import { row, workbook } from '#server/sheets/corpus.ts'
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
    [
      'manager-labels',
      'reasons',
      'business-days',
      'notice-texts',
      'industries',
      'payment-methods',
      'sms-templates',
      'approval-reasons',
      'verification-reasons',
      'thread-answers',
      'help-categories',
    ],
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
    // As after an upgrade: otherwise a start adds nothing at all.
    await owner.query('delete from drizzle.again')
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
  assert.equal((await save('phone-code', { aliyunCode: 'SMS_1' })).values.aliyunCode, 'SMS_1')
  assert.equal((await save('holiday-greeting', { enabled: false })).values.enabled, false)
  assert.equal(
    await refusalOf(operator.referenceData.remove({ table: 'sms-templates', id: 'phone-code' })),
    'ROWS_FIXED',
  )
})

test('a text keeps exactly the places that are filled when it is sent', async () => {
  const rowAt = async (table: string, id: string) => {
    const row = (await rowsOf(table)).find(one => one.id === id)
    assert.ok(row, id)
    return row
  }
  const word = async (table: string, id: string, changes: Record<string, unknown>) => {
    const row = await rowAt(table, id)
    const values = { ...row.values, ...changes } as typeof row.values
    return operator.referenceData.save({ table, id, seen: row.values, values })
  }
  const wrong: [table: string, id: string, text: string, message: string][] = [
    ['sms-templates', 'phone-code', `验证码 \${code}`, `正文缺少占位符 \${shop}（店铺名称）`],
    ['sms-templates', 'phone-code', `\${code} \${shop} \${price}`, `正文的占位符 \${price} 无法识别`],
    ['notice-texts', 'sms-low', '余额不足', `正文缺少占位符 \${balance}（余额）`],
    ['notice-texts', 'sms-low', `余额 \${balance`, '正文有未写完整的占位符'],
  ]
  for (const [table, id, text, message] of wrong) {
    const field = table === 'notice-texts' ? 'body' : 'text'
    assert.equal(await messageIn(word(table, id, { [field]: text })), message)
    const forged = { [field]: text, variables: [] }
    assert.equal(
      await messageIn(word(table, id, forged)),
      message,
      'what can be filled is not the page’s to say',
    )
  }
  await word('notice-texts', 'suspended', { title: '合作已暂停', body: `\${reason}，请联系厂商` })
  const partnerOf = await makeAgent(office)
  await operator.partners.suspend({ id: partnerOf.id, reason: '逾期未付款' })
  const [told] = (await office.as(await office.login(partnerOf.loginName)).notices.list({})).rows
  assert.deepEqual([told?.title, told?.body], ['合作已暂停', '逾期未付款，请联系厂商'])
  await word('sms-templates', 'renewal-reminder', {
    text: `「\${shop}」的\${version}\${word} \${day} 到期。`,
  })
  const shop = await makeMerchant(office, agent.id, { shop_name: '甲店', expires_at: '2031-03-05T00:00:00Z' })
  await operator.messageDesk.remind({ merchantIds: [shop] })
  const { rows } = await office.owner.query('select text from outbox_messages where merchant_id = $1', [shop])
  assert.match(rows[0].text, /^「甲店」的.*将于 2031-03-05 到期。$/)
})

test('lines of text add rows and change those that are known; nothing is done where one is wrong', async () => {
  const bring = async (text: string) => {
    const { token, ...told } = await operator.referenceData.rehearseRows({ table: 'business-days', text })
    if (told.errorCount === 0)
      await operator.referenceData.importRows({ table: 'business-days', text, token })
    return told
  }
  const text = '日期,类型,说明\n2027-01-01,节假日,元旦\n2026-10-10,节假日,国庆节\n2026-10-01,节假日,国庆节\n'
  const { added, changed, same } = await bring(text)
  assert.deepEqual(
    [added.map(({ name }) => name), changed, same],
    [['2027-01-01'], [{ name: '2026-10-10', what: '类型 调休上班 → 节假日、说明 国庆节调休 → 国庆节' }], 1],
  )
  const days = await rowsOf('business-days')
  assert.equal(days.find(({ id }) => id === '2026-10-10')?.values.kind, 'holiday')
  const wrong = await bring(
    '类型,日期,说明\n节假日,2027-02-30,春节\n放假,2027-02-06,春节\n节假日,2027-02-07,\n节假日,2027-02-08,春节\n节假日,2027-02-08,春节',
  )
  assert.deepEqual(wrong.errors, [
    { line: 2, message: '请选择日期' },
    { line: 3, message: '请选择类型' },
    { line: 4, message: '请输入说明' },
    { line: 6, message: '与前面的行重复' },
  ])
  assert.ok(!(await rowsOf('business-days')).some(({ id }) => id === '2027-02-08'))
  assert.equal((await bring('日期,说明\n')).errors[0]?.message, '第一行须有「类型」列')
  const again = { table: 'business-days', text: '日期,类型,说明\n2027-05-01,节假日,劳动节\n' } as const
  const { token: rehearsed } = await operator.referenceData.rehearseRows(again)
  await bring(again.text)
  const late = operator.referenceData.importRows({ ...again, token: rehearsed })
  assert.equal(await refusalOf(late), 'FILE_CHANGED', 'others have changed what was rehearsed')
  assert.equal(
    await refusalOf(operator.referenceData.rehearseRows({ table: 'payment-methods', text: '名称\nX' })),
    'ROWS_FIXED',
  )
})

test('a table is read whatever program wrote it, each line at its own number', async () => {
  const read = (bytes: Buffer, table: string | null = 'business-days') =>
    operator.referenceData.readTable({ table, bytes: bytes.toString('base64') })
  const book = await workbook([
    { name: '说明', rows: row(1, ['每年更新']) },
    { name: '日历', rows: row(1, ['日期', '类型', '说明']) + row(3, ['2027-01-01', '节假日', '元旦,放假']) },
  ])
  assert.deepEqual(await read(book), {
    text: '日期,类型,说明\n\n2027-01-01,节假日,"元旦,放假"',
    notes: ['读取的是工作表「日历」'],
  })
  // 代码,名称 and 11,北京市 as a spreadsheet of China saves it.
  const gb18030 = Buffer.from('b4fac2eb2cc3fbb3c60d0a31312cb1b1bea9cad00d0a', 'hex')
  assert.equal((await read(gb18030, null)).text, '代码,名称\n11,北京市')
  assert.equal(await refusalOf(read(Buffer.from('%PDF-1.7'))), 'FILE_NO_TABLE')
  assert.equal(await refusalOf(read(book, 'payment-methods')), 'ROWS_FIXED')
})

test('a day of the calendar stands once', async () => {
  const add = (day: string) =>
    operator.referenceData.save({
      table: 'business-days',
      id: null,
      seen: null,
      values: { day, kind: 'holiday', name: '中秋节' },
    })
  await add('2027-09-15')
  assert.equal(await refusalOf(add('2027-09-15')), 'ROW_TAKEN')
  assert.equal(await messageIn(add('2027-09-31')), '请选择日期')
})

test('a manager is told to shops with a label; one that retired stays with who has it', async () => {
  const label = await rowOf('manager-labels', '客服')
  const of = { table: 'manager-labels', id: label.id }
  const labelId = Number(label.id)
  const { rows } = await partner.team.roleOptions()
  const roleId = rows[0]?.id ?? (await partner.team.addRole({ name: '客服组', remark: '' })).id
  const form = {
    ...{ name: '小芳', mobile: '13800002222', wechat: '', remark: '', dataScope: 'all' as const },
    ...{ portraitId: null, loginName: '5550001', roleId },
  }
  const { id } = await partner.team.addPerson({ ...form, labelId, password: 'walked2026' })
  const shop = await makeMerchant(office, agent.id, { manager_id: id })
  assert.equal((await partner.merchants.details({ id: shop })).managerName, '小芳（客服）')
  const { managers } = await partner.merchants.options({})
  assert.ok(managers.some(one => one.name === '小芳（客服）'))
  assert.equal(await messageIn(operator.referenceData.remove(of)), '员工 1 人正在使用，不能删除，可以停用')
  await operator.referenceData.retire({ ...of, from: null })
  assert.ok(!(await partner.team.labelOptions()).rows.some(row => row.id === labelId))
  await partner.team.editPerson({ ...form, id, remark: '早班' })
  assert.equal((await partner.merchants.details({ id: shop })).managerName, '小芳（客服）')
  const other = { ...form, loginName: '5550002', labelId, password: 'walked2026' }
  assert.equal(await refusalOf(partner.team.addPerson(other)), 'LABEL_UNKNOWN')
  await partner.team.editPerson({ ...form, id, labelId: null })
  assert.equal((await partner.merchants.details({ id: shop })).managerName, '小芳')
})
