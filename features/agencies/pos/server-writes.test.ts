// What point-of-sale software changes, over HTTP with a key: registrations, contact data, SMS to members.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before, describe } from 'node:test'
import { TRIAL_DAYS, TRIALS_PER_DAY } from '#features/sales/selling/rules.ts'
import { dayOfMonth } from '#kit/time.ts'
import { type Office, openOffice, PASSWORD } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant, newMerchantForm } from '#test/make.ts'
import { makeKey, posCaller, withoutLimit } from '#test/make-api-keys.ts'
import { giveSms, smsOf, transfersOf } from '#test/make-messages.ts'
import { makeSetting } from '#test/make-settings.ts'
import type { Answered } from '#test/walk.ts'

let office: Office
let agent: MadeAgent

const VERBS = ['pos.signIn', 'pos.register', 'pos.write', 'pos.sms']
let ask: ReturnType<typeof posCaller>
const told = ({ status, code, body }: Answered) => [status, code, body]

async function keyOf(loginName: string) {
  const key = await makeKey(office, await office.login(loginName), VERBS)
  await withoutLimit(office, key)
  return key
}

before(async () => {
  office = await openOffice()
  agent = await makeAgent(office, { sms: 1_000, tokens: 1_000 })
  const key = await keyOf(agent.loginName)
  ask = posCaller(office, key.bearer)
})
after(() => office.stop())

const one = async (statement: string, values: unknown[]) =>
  (await office.owner.query(statement, values)).rows[0]

let registered = 0
const registration = (more: object = {}) => ({
  ...{
    source: 'mobileWebsite',
    versionId: 12,
    shortName: '新店',
    shopName: '自己注册的店',
    personName: '李四',
  },
  ...{ account: `1869999${String(++registered).padStart(4, '0')}`, password: PASSWORD },
  ...{ districtCode: '440305', industryId: 2, ...more },
})

describe('a registration', () => {
  test("makes a shop of the key's agency, with its source and a version on trial, and moves no money", async () => {
    const form = registration({ source: 'app', referrer: '老王' })
    const { rows: before } = await office.owner.query('select count(*) from ledger_transfers')
    const answer = await ask('pos.register', form)
    assert.equal(answer.status, 200, answer.message)
    const { id, expiresAt, registeredAt } = answer.body as {
      id: number
      expiresAt: string
      registeredAt: string
    }
    assert.equal(Date.parse(expiresAt) - Date.parse(registeredAt), TRIAL_DAYS.initial * 86_400_000)
    const row = await one('select * from merchants where id = $1', [id])
    assert.deepEqual(
      [Number(row.agent_id), row.source, row.version_id, row.status, row.referrer, row.shops_bought],
      [agent.id, 'app', 12, 'normal', '老王', 1],
    )
    assert.equal(
      row.term_day,
      dayOfMonth(expiresAt),
      'months that it buys are counted from the end of its days',
    )
    assert.deepEqual([row.province_code, row.city_code, row.account], ['44', '4403', form.account])
    assert.match(row.password_hash, /^\$argon2id/)
    assert.deepEqual((await office.owner.query('select count(*) from ledger_transfers')).rows, before)
    const signedIn = await ask('pos.signIn', { account: form.account, password: PASSWORD, ip: '2001:db8::7' })
    assert.equal((signedIn.body as { shopId: number }).shopId, id)
    const log = await one('select title, subject, changes from operation_logs where merchant_id = $1', [id])
    assert.deepEqual([log.title, log.subject], ['注册店铺', `自己注册的店 (${id})`])
    assert.ok(!JSON.stringify(log).includes(PASSWORD))
    await office.verifyLedger()
  })

  test('sent again gets the same answer and makes no second shop', async () => {
    const form = registration()
    const key = randomUUID()
    const first = await ask('pos.register', form, { key })
    const again = await ask('pos.register', form, { key })
    assert.deepEqual(told(again), told(first))
    const { count } = await one('select count(*) from merchants where account = $1', [form.account])
    assert.equal(Number(count), 1)
    assert.equal((await ask('pos.register', registration(), { key })).code, 'KEY_REUSED')
    // What was sent cannot be found from what is kept of it, as a plain hash of a password could.
    const kept = await one('select input_hash from idempotency_keys where key = $1', [key])
    assert.equal(kept.input_hash.length, 32)
  })

  test('is refused as any new shop is', async () => {
    const taken = registration()
    await ask('pos.register', taken)
    await office.owner.query('update versions set enabled = false where id = 3')
    const cases: [object, string, string | undefined][] = [
      [{ account: taken.account }, 'ACCOUNT_TAKEN', 'account'],
      [{ account: '123' }, 'ACCOUNT_FORMAT', 'account'],
      [{ password: '1' }, 'PASSWORD_FORMAT', 'password'],
      [{ shopName: '' }, 'SHOP_NAME_REQUIRED', 'shopName'],
      [{ districtCode: '999999' }, 'DIVISION_REQUIRED', 'districtCode'],
      [{ industryId: 9_999 }, 'INDUSTRY_REQUIRED', 'industryId'],
      [{ versionId: 4 }, 'VERSION_REQUIRED', 'versionId'],
      [{ versionId: 3 }, 'VERSION_RETIRED', 'versionId'],
      [{ source: 'backOffice' }, 'INPUT_INVALID', 'source'],
    ]
    for (const [more, code, field] of cases) {
      const { code: answered, body } = await ask('pos.register', registration(more))
      assert.equal(answered, code)
      assert.equal((body as { data?: { field?: string } }).data?.field, field, code)
    }
    await office.owner.query('update versions set enabled = true where id = 3')
  })

  test('comes to an end on a day on which an agency has had many', async () => {
    const busy = await makeAgent(office)
    const { bearer: by } = await keyOf(busy.loginName)
    await makeMerchant(office, busy.id, { source: 'app', registered_at: '2020-01-01T00:00:00Z' })
    await makeMerchant(office, busy.id)
    await makeSetting(office, TRIALS_PER_DAY, 1)
    try {
      assert.equal((await ask('pos.register', registration(), { by })).status, 200)
      assert.equal((await ask('pos.register', registration(), { by })).code, 'TRIALS_FULL')
    } finally {
      await makeSetting(office, TRIALS_PER_DAY, null)
    }
  })

  test('and the sale of a shop make the same row', async () => {
    const me = office.as(await office.login(agent.loginName))
    const { orderNo } = await me.selling.quote(newMerchantForm())
    const sold = await me.selling.add({ orderNo })
    const tried = (await ask('pos.register', registration())).body as { id: number }
    const rowOf = (id: number) => one('select * from merchants where id = $1', [id])
    const [a, b] = [await rowOf(sold.id), await rowOf(tried.id)]
    assert.deepEqual(
      Object.keys(a).filter(key => (a[key] === null) !== (b[key] === null)),
      [],
    )
  })
})

describe('contact data', () => {
  const form = (id: number, more: object = {}) => ({
    ...{ id, revision: 1, shopPhone: '0755-12345678', districtCode: '440304', address: '新址1号' },
    ...more,
  })

  test('is changed in one step, and named in the log', async () => {
    const id = await makeMerchant(office, agent.id)
    assert.deepEqual((await ask('pos.setContact', form(id))).body, { id, revision: 2 })
    const row = await one(
      'select shop_phone, district_code, address, revision from merchants where id = $1',
      [id],
    )
    assert.deepEqual(row, {
      ...{ shop_phone: '0755-12345678', district_code: '440304', address: '新址1号', revision: 2 },
    })
    const log = await one('select title, changes from operation_logs where merchant_id = $1', [id])
    assert.equal(log.title, '修改店铺联系方式')
    assert.deepEqual(
      (log.changes as { name: string }[]).map(({ name }) => name),
      ['店铺电话', '详细地址', '省市区'],
    )
  })

  test('is refused over what others have changed, of a disabled shop, and where it is wrong', async () => {
    const id = await makeMerchant(office, agent.id)
    const disabled = await makeMerchant(office, agent.id, { status: 'disabled' })
    const cases: [object, string][] = [
      [form(id, { revision: 2 }), 'STALE'],
      [form(id, { shopPhone: '1' }), 'SHOP_PHONE_FORMAT'],
      [form(id, { districtCode: '999999' }), 'DIVISION_REQUIRED'],
      [form(id, { districtCode: '' }), 'DIVISION_REQUIRED'],
      [form(id, { address: '长'.repeat(101) }), 'ADDRESS_TOO_LONG'],
      [form(disabled), 'MERCHANT_DISABLED'],
    ]
    for (const [input, code] of cases) assert.equal((await ask('pos.setContact', input)).code, code)
    const { revision } = await one('select revision from merchants where id = $1', [id])
    assert.equal(revision, 1)
  })

  test('sent again gets the same answer', async () => {
    const id = await makeMerchant(office, agent.id)
    const key = randomUUID()
    const first = await ask('pos.setContact', form(id), { key })
    assert.deepEqual(told(await ask('pos.setContact', form(id), { key })), told(first))
    assert.equal((await one('select revision from merchants where id = $1', [id])).revision, 2)
  })
})

const notice = (id: number, phones: readonly string[] = ['13800000001'], content = '积分翻倍') => ({
  id,
  template: 'member-notice',
  messages: phones.map(phone => ({ phone, params: { content } })),
})

describe('SMS to members', () => {
  async function shopWith(pieces: number, columns: object = {}) {
    const id = await makeMerchant(office, agent.id, { shop_name: '老张面馆', ...columns })
    if (pieces > 0) await giveSms(office, { agentId: agent.id, merchantId: id, pieces })
    return id
  }
  const queued = async (id: number) =>
    (
      await office.owner.query(
        `select kind, phone, text, payer, payer_id::int, charged, document_no from outbox_messages
           where merchant_id = $1 order by id`,
        [id],
      )
    ).rows

  test('are charged to the shop and put into the outbox', async () => {
    const id = await shopWith(10)
    const answer = await ask('pos.sendMessages', notice(id, ['13800000001', '13800000002']))
    assert.equal(answer.status, 200, answer.message)
    const { documentNo, ...more } = answer.body as { documentNo: string }
    assert.deepEqual(more, { messages: 2, segments: 2, smsBalance: 8 })
    const text = '尊敬的会员，「老张面馆」提醒您：积分翻倍。拒收请回复R'
    const common = {
      kind: 'member',
      text,
      payer: 'merchant',
      payer_id: id,
      charged: 1,
      document_no: documentNo,
    }
    assert.deepEqual(await queued(id), [
      { phone: '13800000001', ...common },
      { phone: '13800000002', ...common },
    ])
    assert.deepEqual(await transfersOf(office, documentNo), [['sms-send', 2]])
    assert.equal(await smsOf(office, 'merchant', id), 8)
    const log = await one('select title, changes from operation_logs where merchant_id = $1', [id])
    assert.equal(log.title, '发送会员短信')
    // Numbers of a shop's customers are nobody's to read.
    assert.ok(!JSON.stringify(log).includes('13800000001'))
    await office.verifyLedger()
  })

  test('sent again gets the same answer, and nothing goes twice', async () => {
    const id = await shopWith(5)
    const key = randomUUID()
    const first = await ask('pos.sendMessages', notice(id), { key })
    assert.deepEqual(told(await ask('pos.sendMessages', notice(id), { key })), told(first))
    assert.equal((await queued(id)).length, 1)
    assert.equal(await smsOf(office, 'merchant', id), 4)
  })

  test('are refused together where the credit does not suffice for all', async () => {
    const id = await shopWith(1)
    const answer = await ask('pos.sendMessages', notice(id, ['13800000001', '13800000002']))
    assert.deepEqual([answer.status, answer.code], [409, 'SMS_INSUFFICIENT'])
    assert.deepEqual(answer.body, {
      ...{ code: 'SMS_INSUFFICIENT', message: '店铺短信余额不足，短信未发送', data: { missing: 1 } },
    })
    assert.deepEqual([await queued(id), await smsOf(office, 'merchant', id)], [[], 1])
    const none = await shopWith(0)
    assert.equal((await ask('pos.sendMessages', notice(none))).code, 'SMS_INSUFFICIENT')
  })

  test('are refused where they are wrong, and of a disabled shop', async () => {
    const id = await shopWith(5)
    const disabled = await shopWith(0, { status: 'disabled' })
    const cases: [object, string, string?][] = [
      [notice(disabled), 'MERCHANT_DISABLED'],
      [{ ...notice(id), template: 'custom-notice' }, 'TEMPLATE_UNKNOWN', 'template'],
      [{ ...notice(id), template: 'member-nothing' }, 'TEMPLATE_UNKNOWN', 'template'],
      [notice(id, ['123']), 'PHONE_NOT_MOBILE', 'messages.0.phone'],
      [notice(id, ['13800000001', '13800000001']), 'PHONE_TWICE', 'messages.1.phone'],
      [notice(id, ['13800000001'], ' '), 'PARAM_REQUIRED', 'messages.0.params.content'],
      [notice(id, ['13800000001'], '见 https://x.cn'), 'PARAM_FORBIDDEN', 'messages.0.params.content'],
      [notice(id, []), 'INPUT_INVALID'],
    ]
    for (const [input, code, field] of cases) {
      const answer = await ask('pos.sendMessages', input)
      assert.equal(answer.code, code)
      if (field) assert.equal((answer.body as { data: { field: string } }).data.field, field)
    }
    assert.deepEqual([await queued(id), await smsOf(office, 'merchant', id)], [[], 5])
  })

  test('are made of the texts that are told, without those of the office', async () => {
    const { body } = await ask('pos.messageTemplates', {})
    const { templates } = body as { templates: { template: string; variables: { name: string }[] }[] }
    assert.deepEqual(
      templates.map(({ template, variables }) => [template, variables.map(({ name }) => name)]),
      [
        ['member-notice', ['content']],
        ['member-balance', ['amount', 'balance']],
      ],
    )
  })
})
