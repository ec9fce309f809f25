// A shop's phone and password, and whether a recall asks for a code (D1 §2, §6; D2 §5).
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import { verifyPassword } from '#server/secrets.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { ageCodes, freshCode } from '#test/make-codes.ts'
import { connectSms } from '#test/silent-sms.ts'

let office: Office
let agent: MadeAgent
let mine: Client
let staff: Client

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office)
  mine = office.as(await office.login(agent.loginName))
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(() => office.stop())

let phones = 0
const freshPhone = () => `137${String(++phones).padStart(8, '0')}`
const lastLog = async () =>
  (await office.owner.query('select * from operation_logs order by id desc limit 1')).rows[0]

describe('the phone', () => {
  test('of a shop is its account, changes with a code, and is logged before and after', async () => {
    const id = await makeMerchant(office, agent.id)
    const before = await mine.merchants.details({ id })
    const phone = freshPhone()
    const code = await freshCode(office, mine, id)
    assert.deepEqual(await mine.shopAccess.changePhone({ id, phone: ` ${phone} `, code }), {
      id,
      account: phone,
    })
    const after = await mine.merchants.details({ id })
    assert.deepEqual([after.account, after.revision], [phone, before.revision + 1])
    const log = await lastLog()
    assert.deepEqual(log.changes, [{ name: '账号', before: before.account, after: phone }])
    assert.deepEqual([log.subject, Number(log.merchant_id)], [`测试店铺 (${id})`, id])
  })

  test('needs no code from vendor staff, whatever the account was before', async () => {
    const id = await makeMerchant(office, agent.id, { account: '4321' })
    const phone = freshPhone()
    assert.equal((await staff.shopAccess.changePhone({ id, phone })).account, phone)
    const other = freshPhone()
    assert.equal((await staff.shopAccess.changePhone({ id, phone: other, code: '000000' })).account, other)
  })

  test('of an account that gets no code is changed by staff alone, and the refusal says so', async () => {
    const id = await makeMerchant(office, agent.id, { account: '1391234567' })
    await assert.rejects(mine.shopAccess.changePhone({ id, phone: freshPhone(), code: '' }), {
      code: 'PHONE_BY_STAFF',
      message: '该账号不是手机号，收不到验证码，请联系平台工作人员修改',
    })
    const phone = freshPhone()
    assert.equal((await staff.shopAccess.changePhone({ id, phone })).account, phone)
  })

  test('is refused in the order of the form, with the field', async () => {
    const id = await makeMerchant(office, agent.id)
    const { account } = await mine.merchants.details({ id })
    const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
    const cases: [number, string, string, string, string | undefined][] = [
      [id, '', '', 'PHONE_CODE_REQUIRED', 'code'],
      [id, '', '123456', 'PHONE_REQUIRED', 'phone'],
      [id, '1391234567', '123456', 'ACCOUNT_MOBILE', 'phone'],
      [id, '139123456789', '123456', 'ACCOUNT_MOBILE', 'phone'],
      [id, account, '123456', 'PHONE_UNCHANGED', 'phone'],
      [id, freshPhone(), '', 'PHONE_CODE_REQUIRED', 'code'],
      [id, freshPhone(), '123456', 'CODE_WRONG', 'code'],
      [disabled, freshPhone(), '123456', 'MERCHANT_DISABLED', undefined],
    ]
    for (const [shop, phone, code, refusal, field] of cases)
      await assert.rejects(mine.shopAccess.changePhone({ id: shop, phone, code }), (error: never) => {
        const { code: told, data } = error as { code: string; data?: { field?: string } }
        assert.deepEqual([told, data?.field], [refusal, field], phone)
        return true
      })
  })

  test('that another shop has is refused, also another agent’s', async () => {
    const stranger = await makeMerchant(office, (await makeAgent(office)).id, { account: '13700009999' })
    assert.ok(stranger)
    const id = await makeMerchant(office, agent.id)
    const code = await freshCode(office, mine, id)
    assert.equal(
      await refusalOf(mine.shopAccess.changePhone({ id, phone: '13700009999', code })),
      'ACCOUNT_TAKEN',
    )
  })
})

describe('the password', () => {
  const hashOf = async (id: number) =>
    (await office.owner.query('select password_hash from merchants where id = $1', [id])).rows[0]
      .password_hash

  test('is replaced, kept as a hash, and in no log and no message', async () => {
    const id = await makeMerchant(office, agent.id)
    // A test of a code before this one connected it.
    const { services } = office.app
    services.providers = { ...services.providers, sms: null }
    assert.equal(
      await refusalOf(mine.shopAccess.resetPassword({ id, password: 'Neu-geheim-7', notify: true })),
      'NOTICE_UNCONNECTED',
    )
    connectSms(office)
    await mine.shopAccess.resetPassword({ id, password: 'Neu-geheim-7', notify: true })
    assert.ok(await verifyPassword('Neu-geheim-7', await hashOf(id)))
    const { rows } = await office.owner.query('select * from outbox_messages where merchant_id = $1', [id])
    assert.deepEqual([rows.length, rows[0].kind], [1, 'password-reset'])
    const log = await lastLog()
    assert.deepEqual(log.changes, [{ name: '密码', before: null, after: '已修改' }])
    assert.ok(!JSON.stringify([rows, log]).includes('Neu-geheim-7'))
  })

  test('without a notice queues nothing', async () => {
    const id = await makeMerchant(office, agent.id, { account: '07551112222' })
    await mine.shopAccess.resetPassword({ id, password: 'abc123', notify: false })
    const { rows } = await office.owner.query('select * from outbox_messages where merchant_id = $1', [id])
    assert.deepEqual(rows, [])
    assert.equal(
      await refusalOf(mine.shopAccess.resetPassword({ id, password: 'abc124', notify: true })),
      'NOTICE_NOT_MOBILE',
    )
    assert.ok(await verifyPassword('abc123', await hashOf(id)))
  })

  test('of fewer than six characters, or for a disabled shop, is refused', async () => {
    const id = await makeMerchant(office, agent.id)
    assert.equal(
      await refusalOf(mine.shopAccess.resetPassword({ id, password: '', notify: false })),
      'PASSWORD_REQUIRED',
    )
    for (const password of ['abc12', '密码密码密码', 'abc 123'])
      assert.equal(
        await refusalOf(mine.shopAccess.resetPassword({ id, password, notify: false })),
        'PASSWORD_FORMAT',
        password,
      )
    const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
    assert.equal(
      await refusalOf(mine.shopAccess.resetPassword({ id: disabled, password: 'abc123', notify: false })),
      'MERCHANT_DISABLED',
    )
    assert.equal(await hashOf(id), 'none')
  })
})

describe('whether a recall asks for a code', () => {
  const needs = async (id: number) => (await mine.merchants.details({ id })).needsRecoveryCode

  test('is switched on freely, shown in the details and logged', async () => {
    const id = await makeMerchant(office, agent.id)
    assert.equal(await needs(id), false)
    await mine.shopAccess.setRecoveryCode({ id, needsRecoveryCode: true })
    assert.equal(await needs(id), true)
    assert.deepEqual((await lastLog()).changes, [{ name: '回收需验证码', before: '否', after: '是' }])
  })

  test('is switched off with a code of its own purpose only', async () => {
    const id = await makeMerchant(office, agent.id, { needs_recovery_code: true })
    const off = (code?: string) =>
      refusalOf(mine.shopAccess.setRecoveryCode({ id, needsRecoveryCode: false, code }))
    assert.deepEqual([await off(), await off('12')], ['RECOVERY_CODE_REQUIRED', 'CODE_WRONG'])
    assert.equal(await off(await freshCode(office, mine, id, 'phone')), 'CODE_WRONG')
    assert.equal(await needs(id), true)
    await ageCodes(office, id, 60)
    const code = await freshCode(office, mine, id, 'recovery')
    assert.equal(await off(code), 'accepted')
    assert.equal(await needs(id), false)
    await mine.shopAccess.setRecoveryCode({ id, needsRecoveryCode: true })
    assert.equal(await off(code), 'CODE_WRONG')
  })

  test('is switched off by vendor staff without a code', async () => {
    const id = await makeMerchant(office, agent.id, { needs_recovery_code: true })
    await staff.shopAccess.setRecoveryCode({ id, needsRecoveryCode: false })
    assert.equal(await needs(id), false)
  })

  test('that is off already is told without a code', async () => {
    const id = await makeMerchant(office, agent.id)
    assert.equal(
      await refusalOf(mine.shopAccess.setRecoveryCode({ id, needsRecoveryCode: false })),
      'accepted',
    )
  })
})
