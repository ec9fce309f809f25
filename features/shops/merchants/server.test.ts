import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { ORPCError } from '@orpc/client'
import { actAsSystem } from '#server/system.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant, makeMerchants } from '#test/make.ts'
import { rowsOfAllTables } from '#test/rows.ts'
import { INDUSTRIES } from './reference.ts'
import { payBy } from './server-provided.ts'

const LIST_NODES = [22, 24, 221, 222]

let office: Office
let agent: MadeAgent
let me: Client
let operator: Client
let id: number

before(async () => {
  office = await openOffice()
  const operating = await makeAgent(office, { operator: true })
  operator = office.as(await office.login(operating.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  id = await makeMerchant(office, agent.id)
})

type Edit = Parameters<Client['merchants']['edit']>[0]

/** The form of a shop as it is, with changes. */
async function form(client: Client, changes: Partial<Edit> = {}): Promise<Edit> {
  const shop = await client.merchants.details({ id })
  return { ...shop, password: '', paymentConfig: {}, ...changes }
}

async function edit(client: Client, changes: Partial<Edit>) {
  return client.merchants.edit(await form(client, changes))
}

async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => assert.fail('it was accepted'),
    (failure: ORPCError<string, { field?: string } | undefined>) => failure,
  )
  return [error.code, error.data?.field]
}

async function lastLog(): Promise<{ title: string; subject: string; changes: unknown[] }> {
  const { rows } = await office.owner.query(
    'select title, subject, changes from operation_logs order by id desc limit 1',
  )
  return rows[0]
}

test('details are complete, the address is written as people write it', async () => {
  await office.owner.query(`update merchants set address = '科技园1号' where id = $1`, [id])
  const shop = await me.merchants.details({ id })
  assert.equal(shop.fullAddress, '广东省深圳市南山区科技园1号')
  assert.equal(shop.versionName, '高级版')
  assert.equal(shop.industryName, '餐饮美食')
  assert.equal(shop.smsBalance, 0)
  assert.equal(shop.agentId, agent.id)
  assert.equal(shop.revision, 1)
  assert.ok(!('passwordHash' in shop))
})

test('another agent’s shop does not exist; staff see and edit it', async () => {
  const stranger = office.as(await office.login((await makeAgent(office)).loginName))
  const before = await rowsOfAllTables(office)
  const edited = await form(me, { shopName: '他人' })
  for (const attempt of [
    () => stranger.merchants.details({ id }),
    () => stranger.merchants.edit(edited),
    () => stranger.merchants.setRemark({ id, remark: '他人' }),
    () => stranger.merchants.setSignature({ id, signature: '他人' }),
    () => stranger.merchants.disable({ id }),
    () => stranger.merchants.enable({ id }),
  ])
    assert.equal(await refusalOf(attempt()), 'NOT_FOUND')
  assert.deepEqual(await rowsOfAllTables(office), before)
  const staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
  assert.equal((await staff.merchants.details({ id })).id, id)
  await staff.merchants.setRemark({ id, remark: '员工备注' })
  assert.equal((await me.merchants.details({ id })).remark, '员工备注')
})

test('an edit changes what was changed and logs it by name, with values before and after', async () => {
  const changes = {
    shortName: '新简称',
    shopName: '新店名',
    personName: '李四',
    shopPhone: '0755-26000000',
    industryId: 3,
    districtCode: '110101',
    address: '东华门大街2号',
    referrer: '王五',
    managerId: agent.accountId,
    remark: '备注',
  }
  const { revision } = await edit(me, changes)
  const shop = await me.merchants.details({ id })
  for (const [key, value] of Object.entries(changes)) assert.equal(shop[key as keyof typeof shop], value, key)
  assert.equal(revision, 2)
  assert.equal(shop.revision, 2)
  assert.equal(shop.provinceCode, '11')
  assert.equal(shop.cityCode, '1101')
  const log = await lastLog()
  assert.equal(log.title, '编辑商户')
  assert.equal(log.subject, `测试店铺 (${id})`)
  assert.deepEqual(log.changes[0], { name: '店铺简称', before: '店铺', after: '新简称' })
  assert.equal(log.changes.length, Object.keys(changes).length)
})

test('an edit that changes nothing logs no change, however the instants are written', async () => {
  await office.owner.query(
    `update merchants set registered_at = '2026-01-02 03:04:05.120+00', expires_at = '2027-01-02 03:04:05.1+00' where id = $1`,
    [id],
  )
  await edit(me, { registeredAt: '2026-01-02T11:04:05.12+08:00', expiresAt: '2027-01-02T03:04:05.100Z' })
  assert.deepEqual((await lastLog()).changes, [])
})

test('a new password is hashed, and the log says that it changed and not what it is', async () => {
  await edit(me, { password: 'new-password-1' })
  const { rows } = await office.owner.query('select password_hash from merchants where id = $1', [id])
  assert.match(rows[0].password_hash, /^\$argon2id\$/)
  assert.deepEqual((await lastLog()).changes, [{ name: '密码', before: null, after: '已修改' }])
})

test('what was pasted is kept as what it is: phones as they are dialled, names with the letters that belong to them', async () => {
  await edit(operator, {
    ...{
      shopName: ' 𠮷野家•Cafe\u0301\u200b ',
      account: '+86 138-0013-8001',
      shopPhone: '（０７５５）１２３４５６７－８',
    },
    address: '科技园\n1号',
  })
  const { shopName, account, shopPhone, address } = await me.merchants.details({ id })
  assert.deepEqual(
    [shopName, account, shopPhone, address],
    ['𠮷野家•Café', '13800138001', '(0755)1234567-8', '科技园1号'],
  )
})

test('a page that is out of date does not overwrite a newer edit', async () => {
  const stale = await form(me, { shopName: '旧页面' })
  await edit(me, { shopName: '新店名' })
  assert.equal(await refusalOf(me.merchants.edit(stale)), 'STALE')
  assert.equal((await me.merchants.details({ id })).shopName, '新店名')
  const opened = await form(me)
  const both = await Promise.all(
    ['甲', '乙'].map(shopName => refusalOf(me.merchants.edit({ ...opened, shopName }))),
  )
  assert.deepEqual(both.sort(), ['STALE', 'accepted'])
})

const BROKEN: [Partial<Edit>, string, string | undefined][] = [
  [{ shortName: '一二三四五六七八九', shopName: '' }, 'SHORT_NAME_TOO_LONG', 'shortName'],
  [{ shopName: '<店>' }, 'SHOP_NAME_SYMBOLS', 'shopName'],
  [{ personName: '' }, 'PERSON_NAME_REQUIRED', 'personName'],
  [{ account: '123' }, 'ACCOUNT_MOBILE', 'account'],
  [{ password: '12345' }, 'PASSWORD_FORMAT', 'password'],
  [{ shopPhone: '12345' }, 'SHOP_PHONE_FORMAT', 'shopPhone'],
  [{ industryId: null }, 'INDUSTRY_REQUIRED', 'industryId'],
  [{ industryId: INDUSTRIES.length + 1 }, 'INDUSTRY_REQUIRED', 'industryId'],
  [{ districtCode: '999999' }, 'DIVISION_REQUIRED', 'districtCode'],
  [{ managerId: 999_999 }, 'MANAGER_UNKNOWN', 'managerId'],
  [{ paymentMethodId: 7 }, 'PAYMENT_METHOD_UNKNOWN', 'paymentMethodId'],
  [{ paymentMethodId: 1 }, 'PAYMENT_FIELD_REQUIRED', 'paymentConfig.mch_id'],
  [{ remark: '注'.repeat(51) }, 'REMARK_TOO_LONG', 'remark'],
]

test('a broken rule of an edit is told with its field, and writes nothing', async () => {
  const before = await rowsOfAllTables(office)
  for (const [changes, code, field] of BROKEN)
    assert.deepEqual(await refusal(edit(me, changes)), [code, field], JSON.stringify(changes))
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('version, store kind, dates and account are the operator’s to correct', async () => {
  const changes = {
    account: '13912345678',
    versionId: 3,
    storeKind: 'branch',
    registeredAt: '2020-01-01T00:00:00.000Z',
    expiresAt: null,
  } as const
  for (const [field, value] of Object.entries(changes))
    assert.deepEqual(await refusal(edit(me, { [field]: value })), ['FIELD_OPERATOR_ONLY', field])
  await edit(operator, changes)
  const shop = await me.merchants.details({ id })
  for (const [field, value] of Object.entries(changes))
    assert.equal(shop[field as keyof typeof shop], value, field)
  const other = await makeMerchant(office, agent.id, { account: '13911110000' })
  assert.ok(other)
  assert.deepEqual(await refusal(edit(operator, { account: '13911110000' })), ['ACCOUNT_TAKEN', 'account'])
})

test('the operator alone says whose verification failed and why; the reason goes with the failure, and is logged', async () => {
  const failed = { verificationStatus: 'failed', verificationRefusal: '营业执照照片不清晰' } as const
  assert.deepEqual(await refusal(edit(me, failed)), ['FIELD_OPERATOR_ONLY', 'verificationStatus'])
  assert.deepEqual(await refusal(edit(operator, { verificationStatus: 'failed' })), [
    'VERIFICATION_REASON_REQUIRED',
    'verificationRefusal',
  ])
  const stands = async () => {
    const { verificationStatus, verificationRefusal } = await me.merchants.details({ id })
    return [verificationStatus, verificationRefusal]
  }
  await edit(operator, failed)
  assert.deepEqual(await stands(), ['failed', '营业执照照片不清晰'])
  const { rows } = await office.owner.query('select changes from operation_logs order by id desc limit 1')
  assert.deepEqual(rows[0].changes, [
    { name: '认证状态', before: '未认证', after: '认证失败' },
    { name: '认证失败原因', before: '', after: '营业执照照片不清晰' },
  ])
  assert.deepEqual(await refusal(edit(me, { verificationRefusal: '别的原因' })), [
    'FIELD_OPERATOR_ONLY',
    'verificationStatus',
  ])
  await edit(me, { remark: '其他可以修改' })
  assert.deepEqual(await refusal(edit(operator, { verificationStatus: 'verified' })), [
    'VERIFICATION_CHANGE_REASON',
    'verificationReason',
  ])
  await edit(operator, { verificationStatus: 'verified', verificationReason: '原件已当面核对' })
  const [byHand] = (await office.owner.query('select changes from operation_logs order by id desc limit 1'))
    .rows
  assert.deepEqual(byHand.changes.at(-1), {
    name: '认证状态修改原因',
    before: null,
    after: '原件已当面核对',
  })
  assert.deepEqual(await stands(), ['verified', ''])
})

test('a sub-user may fill in referrer, manager and payment method, and change none that is filled in', async () => {
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: LIST_NODES })
  const subUser = office.as(await office.login(loginName))
  const filled = { referrer: '王五', managerId: agent.accountId, paymentMethodId: 0 }
  await edit(subUser, filled)
  const other = { referrer: '赵六', managerId: null, paymentMethodId: null }
  for (const [field, value] of Object.entries(other))
    assert.deepEqual(await refusal(edit(subUser, { [field]: value })), ['FIELD_LOCKED', field])
  await edit(subUser, { shopName: '仍可修改' })
  await edit(me, other)
  const shop = await me.merchants.details({ id })
  assert.deepEqual([shop.referrer, shop.managerId, shop.paymentMethodId], ['赵六', null, null])
  await office.owner.query(`update merchants set source = 'mobileWebsite' where id = $1`, [id])
  await edit(subUser, { referrer: '钱七' })
})

test('an empty secret keeps the one before, another method forgets it, and payment is on while there is a method', async () => {
  await office.owner.query('insert into agent_payment_methods values ($1, 3), ($1, 4)', [agent.id])
  await edit(me, { paymentMethodId: 3, paymentConfig: { mercId: 'M1', signKey: 'first' } })
  assert.deepEqual((await lastLog()).changes, [
    { name: '支付方式', before: null, after: '聚合支付一' },
    { name: '支付参数', before: null, after: '已修改' },
  ])
  await edit(me, { paymentMethodId: 3, paymentConfig: { mercId: 'M2', signKey: '' } })
  const kept = await me.merchants.details({ id })
  assert.deepEqual(kept.paymentConfig, { mercId: 'M2' })
  assert.deepEqual(kept.paymentSecretsSet, ['signKey'])
  assert.equal(kept.payEnabled, true)
  const withoutSecret = { paymentMethodId: 4, paymentConfig: { mercId: 'M2', signKey: '' } }
  assert.deepEqual(await refusal(edit(me, withoutSecret)), [
    'PAYMENT_FIELD_REQUIRED',
    'paymentConfig.signKey',
  ])
  await edit(me, { paymentMethodId: null })
  const none = await me.merchants.details({ id })
  assert.deepEqual([none.paymentConfig, none.paymentSecretsSet, none.payEnabled], [{}, [], false])
})

test('another feature says what a shop is paid by: values of the same method stay, those of another go, and all who are concerned hear of it once', async () => {
  const pay = (methodId: number, values: Record<string, string>) =>
    actAsSystem(office.app.services, 'test', ctx =>
      payBy(ctx, id, { methodId, values, title: '商户收款方式已变更' }),
    )
  await pay(3, { mercId: 'M1', signKey: 'first' })
  await pay(3, { mercId: 'M2' })
  const { revision, ...kept } = await me.merchants.details({ id })
  assert.deepEqual(
    [kept.paymentMethodId, kept.paymentConfig, kept.paymentSecretsSet, kept.payEnabled],
    [3, { mercId: 'M2' }, ['signKey'], true],
  )
  await pay(3, { mercId: 'M2' })
  assert.equal((await me.merchants.details({ id })).revision, revision, 'it is paid so already')
  await pay(2, { mch_id: '1600000001' })
  const now = await me.merchants.details({ id })
  assert.deepEqual(
    [now.paymentConfig, now.paymentSecretsSet, now.revision],
    [{ mch_id: '1600000001' }, [], revision + 1],
  )
  const { rows: notices } = await office.owner.query(
    `select body from notices where account_id = $1 and title = '商户收款方式已变更' order by id`,
    [agent.accountId],
  )
  assert.equal(notices.length, 3)
  assert.ok(notices.every(({ body }) => body.includes('支付参数') && !body.includes('M2')))
  const { rows: told } = await office.owner.query(
    `select data from change_inbox where merchant_id = $1 and topic = 'shop.payment.changed'`,
    [id],
  )
  assert.deepEqual(told.at(-1)?.data, { methodId: 2, enabled: true })
})

test('a disabled shop can only be enabled and remarked upon', async () => {
  assert.deepEqual(await me.merchants.disable({ id }), { id, status: 'disabled' })
  assert.equal((await lastLog()).title, '禁用商户')
  const call = await me.merchants.setSignature({ id, signature: '签名' }).catch((error: Error) => error)
  assert.equal((call as Error).message, '请启用后再进行操作')
  assert.equal(await refusalOf(edit(me, { shopName: '新店名' })), 'MERCHANT_DISABLED')
  await me.merchants.setRemark({ id, remark: '已停业' })
  assert.deepEqual(await me.merchants.enable({ id }), { id, status: 'normal' })
  assert.equal((await lastLog()).title, '启用商户')
  assert.equal(await refusalOf(me.merchants.setSignature({ id, signature: '签名' })), 'SIGNATURE_BY_APPROVAL')
})

test('enabling what is enabled, or disabling what is disabled, fails in the documents’ words', async () => {
  const told = (call: Promise<unknown>) =>
    call.then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  assert.equal(await told(me.merchants.enable({ id })), '操作失败')
  await me.merchants.disable({ id })
  assert.equal(await told(me.merchants.disable({ id })), '操作失败')
  await me.merchants.enable({ id })
  const both = await Promise.all([me, me].map(client => refusalOf(client.merchants.disable({ id }))))
  assert.deepEqual(both.sort(), ['STATUS_UNCHANGED', 'accepted'])
})

test('a signature has 2 to 12 characters, a remark at most 50, both trimmed', async () => {
  assert.deepEqual(await operator.merchants.setSignature({ id, signature: ` ${'签'.repeat(12)} ` }), {
    id,
    signature: '签'.repeat(12),
  })
  for (const signature of ['', '  ', '签'.repeat(13)]) {
    const error = await operator.merchants.setSignature({ id, signature }).catch((failure: Error) => failure)
    assert.equal((error as Error).message, '请输入短信签名，限12个字')
  }
  assert.deepEqual(await me.merchants.setRemark({ id, remark: ` ${'注'.repeat(50)} ` }), {
    id,
    remark: '注'.repeat(50),
  })
  assert.deepEqual(await refusal(me.merchants.setRemark({ id, remark: '注'.repeat(51) })), [
    'REMARK_TOO_LONG',
    'remark',
  ])
  await me.merchants.setRemark({ id, remark: '' })
  const shop = await me.merchants.details({ id })
  assert.deepEqual([shop.remark, shop.signature, shop.revision], ['', '签'.repeat(12), 4])
  assert.deepEqual((await lastLog()).changes, [{ name: '备注', before: '注'.repeat(50), after: '' }])
})

test('a remark is written into the room that a full page has left, and no index with it', async () => {
  await makeMerchants(office, agent.id, 60, () => ({}))
  const client = await office.owner.connect()
  /** What this connection has not told the statistics yet, of transactions before this one too. */
  const counted = async () => {
    const { rows } = await client.query<{ updated: number; inPlace: number }>(
      `select n_tup_upd::int as updated, n_tup_hot_upd::int as "inPlace" from pg_stat_xact_user_tables where relname = 'merchants'`,
    )
    return rows[0] ?? assert.fail('no figures of merchants')
  }
  try {
    await client.query('begin')
    const before = await counted()
    await client.query(
      `update merchants set remark = '老客户' where id = (select id from merchants where agent_id = $1 order by ctid offset 30 limit 1)`,
      [agent.id],
    )
    const after = await counted()
    assert.deepEqual([after.updated - before.updated, after.inPlace - before.inPlace], [1, 1])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('options are the industries, the agent’s own people and the methods offered to it', async () => {
  await office.owner.query('insert into agent_payment_methods values ($1, 6)', [agent.id])
  const disabled = await makeAccount(office, agent.id)
  await office.owner.query('update accounts set enabled = false where id = $1', [disabled.accountId])
  const options = await me.merchants.options({})
  assert.deepEqual(
    options.industries.map(industry => industry.name),
    INDUSTRIES.map(industry => industry.name),
  )
  assert.deepEqual(options.managers, [{ id: agent.accountId, name: '姓名' }])
  assert.deepEqual(
    options.paymentMethods.map(method => method.id),
    [0, 1, 2, 6],
  )
})

test('options name the city in which most of the agent’s latest shops are', async () => {
  const other = await makeAgent(office)
  const client = office.as(await office.login(other.loginName))
  assert.equal((await client.merchants.options({})).cityCode, '')
  for (const district_code of ['440305', '330106', '330108'])
    await makeMerchant(office, other.id, { district_code })
  assert.equal((await client.merchants.options({})).cityCode, '3301')
})

test('without the permission nothing can be done, and nothing is written', async () => {
  const { loginName } = await makeAccount(office, agent.id, { nodeIds: [] })
  const blocked = office.as(await office.login(loginName))
  const edited = await form(me, { shopName: '不允许' })
  const before = await rowsOfAllTables(office)
  for (const attempt of [
    () => blocked.merchants.list({}),
    () => blocked.merchants.find({ search: '店' }),
    () => blocked.merchants.details({ id }),
    () => blocked.merchants.edit(edited),
    () => blocked.merchants.setRemark({ id, remark: '不允许' }),
    () => blocked.merchants.disable({ id }),
  ])
    assert.equal(await refusalOf(attempt()), 'FORBIDDEN')
  assert.deepEqual(await rowsOfAllTables(office), before)
})

test('the people of an agent are told to those who add, edit or list shops, and a shop’s options to those who see it', async () => {
  const holding = async (...nodeIds: number[]) => {
    const { loginName } = await makeAccount(office, agent.id, { nodeIds })
    return office.as(await office.login(loginName))
  }
  const reader = await holding(41)
  const options = await reader.merchants.options({})
  assert.deepEqual(options.managers, [])
  assert.equal(options.industries.length, INDUSTRIES.length)
  assert.equal(await refusalOf(reader.merchants.options({ merchantId: id })), 'FORBIDDEN')
  for (const node of [21, 22, 221]) {
    const client = await holding(node)
    const { managers } = await client.merchants.options({})
    assert.equal(managers[0]?.id, agent.accountId, String(node))
    assert.equal(await refusalOf(client.merchants.options({ merchantId: id })), 'FORBIDDEN')
  }
  const viewer = await holding(24)
  assert.deepEqual((await viewer.merchants.options({ merchantId: id })).managers, [])
})
