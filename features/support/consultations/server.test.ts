// The public form and what staff do with it, through the router (D1 §2, §3).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent } from '#test/make.ts'
import { makePass } from '#test/make-codes.ts'
import { brokenIn } from './rules.ts'

let office: Office
let operator: MadeAgent
let staff: Client
let partner: Client
const anyone = () => office.as(null)

before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(operator.loginName))
  partner = office.as(await office.login((await makeAgent(office)).loginName))
})
after(() => office.stop())
beforeEach(() => office.owner.query('delete from consultations'))

let phones = 0
const freshMobile = () => `136${String(++phones).padStart(8, '0')}`
async function submit(changes: Record<string, string> = {}) {
  const form = {
    name: ' 张三 ',
    mobile: freshMobile(),
    address: '深圳南山',
    content: '想了解连锁版',
    ...changes,
  }
  const captcha = await makePass(office, 'consultation', form.mobile.trim())
  return anyone().consultations.submit({ ...form, captcha })
}

describe('the form', () => {
  const form = { name: '张三', mobile: '13700000000', address: '', content: '' }
  const cases = [
    ['is accepted with a name and a mobile number', form, null],
    ['needs a name', { ...form, name: ' ' }, 'NAME_REQUIRED'],
    ['takes 20 characters of a name', { ...form, name: '张'.repeat(20) }, null],
    ['takes no more', { ...form, name: '张'.repeat(21) }, 'NAME_TOO_LONG'],
    ['needs a number', { ...form, mobile: '' }, 'MOBILE_REQUIRED'],
    ['needs a mobile number', { ...form, mobile: '0755123456' }, 'MOBILE_INVALID'],
    ['takes 100 characters of an address', { ...form, address: '深'.repeat(101) }, 'ADDRESS_TOO_LONG'],
    ['takes 300 characters of content', { ...form, content: '问'.repeat(301) }, 'CONTENT_TOO_LONG'],
  ] as const
  for (const [name, values, expected] of cases)
    test(name, () => assert.equal(brokenIn(values)[0]?.code ?? null, expected))

  test('names every field that is missing at once', () =>
    assert.deepEqual(
      brokenIn({ ...form, name: '', mobile: '' }).map(({ field }) => field),
      ['name', 'mobile'],
    ))
})

describe('submitting', () => {
  test('keeps what was typed, as the system, and tells the staff who may see it', async () => {
    const reader = await makeAccount(office, operator.id, { nodeIds: [] })
    assert.deepEqual(await submit({ mobile: ' 13612345678 ' }), { received: true })
    const { rows } = await staff.consultations.list({})
    assert.deepEqual(
      rows.map(row => [row.name, row.mobile, row.address, row.content, row.contacted]),
      [['张三', '13612345678', '深圳南山', '想了解连锁版', false]],
    )
    const log = await office.owner.query(`select * from operation_logs where title = '官网咨询'`)
    assert.deepEqual([log.rows.at(-1).account_name, Number(log.rows.at(-1).agent_id)], ['系统', 0])
    assert.ok(!JSON.stringify(log.rows).includes('13612345678'))
    const told = await office.owner.query(
      `select account_id, body, link from notices where topic = 'Consultation_Notify'`,
    )
    assert.deepEqual(
      told.rows.map(row => [Number(row.account_id), row.body, row.link]),
      [[operator.accountId, '张三 13612345678', '/admin/operations/consultations']],
    )
    assert.notEqual(reader.accountId, operator.accountId)
    const kept = await office.owner.query('select ip_hash from consultations')
    assert.equal(kept.rows[0].ip_hash.length, 32)
  })

  test('names the field that is wrong, and takes nothing without a pass for this number', async () => {
    await assert.rejects(submit({ mobile: '12345' }), { code: 'MOBILE_INVALID', data: { field: 'mobile' } })
    const form = { name: '张三', mobile: freshMobile() }
    assert.equal(await refusalOf(anyone().consultations.submit(form)), 'CAPTCHA_REQUIRED')
    const others = await makePass(office, 'consultation', freshMobile())
    assert.equal(
      await refusalOf(anyone().consultations.submit({ ...form, captcha: others })),
      'CAPTCHA_WRONG',
    )
    assert.equal((await staff.consultations.list({})).total, 0)
  })

  test('ends after three a day for a number and twenty for a network', async () => {
    const mobile = freshMobile()
    for (let i = 0; i < 3; i++) await submit({ mobile })
    assert.equal(await refusalOf(submit({ mobile })), 'MOBILE_TOO_MANY')
    for (let i = 0; i < 17; i++) await submit()
    assert.equal(await refusalOf(submit()), 'NETWORK_TOO_MANY')
    await office.owner.query(`update consultations set created_at = created_at - interval '1 day'`)
    assert.deepEqual(await submit({ mobile }), { received: true })
  })

  test('pressed twice with one pass is one', async () => {
    const mobile = freshMobile()
    const captcha = await makePass(office, 'consultation', mobile)
    const both = await Promise.all(
      [1, 2].map(() => refusalOf(anyone().consultations.submit({ name: '张三', mobile, captcha }))),
    )
    assert.equal(both.filter(answer => answer === 'accepted').length, 1)
    assert.equal((await staff.consultations.list({})).total, 1)
  })
})

describe('the staff', () => {
  test('find, filter and count them', async () => {
    await submit({ name: '李四', mobile: '13511110000', address: '成都武侯' })
    await submit({ name: '王五', mobile: '13522220000', address: '广州%天河 ABC 大厦' })
    const [latest, first] = (await staff.consultations.list({})).rows
    assert.deepEqual([latest?.name, first?.name], ['王五', '李四'])
    const found = async (input: object) => (await staff.consultations.list(input)).rows.map(row => row.name)
    assert.deepEqual(await found({ search: '1351' }), ['李四'])
    assert.deepEqual(await found({ search: '成都' }), ['李四'])
    assert.deepEqual(await found({ search: '%' }), ['王五'])
    assert.deepEqual(await found({ search: '州%天' }), ['王五'])
    assert.deepEqual(await found({ search: 'abc' }), ['王五'])
    assert.deepEqual(await found({ search: '五广' }), [], 'from a name into an address')
    assert.deepEqual(await found({ from: '2030-01-01' }), [])
    assert.deepEqual(await staff.consultations.count(), { waiting: 2, capped: false })
    await staff.consultations.contact({ id: latest?.id as number })
    assert.deepEqual(await found({ contacted: true }), ['王五'])
    assert.deepEqual(await found({ contacted: 'false' }), ['李四'])
    assert.deepEqual(await staff.consultations.count(), { waiting: 1, capped: false })
  })

  test('mark once, by whoever was first, and take it back', async () => {
    await submit()
    const { id } = (await staff.consultations.list({})).rows[0] as { id: number }
    await staff.consultations.contact({ id })
    const [marked] = (await staff.consultations.list({})).rows
    assert.deepEqual([marked?.contacted, marked?.contactedByName], [true, '姓名'])
    assert.ok(marked?.contactedAt)
    await staff.consultations.contact({ id })
    assert.equal((await staff.consultations.list({})).rows[0]?.contactedAt, marked?.contactedAt)
    await staff.consultations.contact({ id, contacted: false })
    const [back] = (await staff.consultations.list({})).rows
    assert.deepEqual([back?.contacted, back?.contactedAt, back?.contactedByName], [false, null, ''])
  })

  test('alone see them', async () => {
    await submit()
    assert.equal(await refusalOf(partner.consultations.list({})), 'FORBIDDEN')
    assert.equal(await refusalOf(partner.consultations.count()), 'FORBIDDEN')
    assert.equal(await refusalOf(anyone().consultations.list({})), 'UNAUTHENTICATED')
  })
})
