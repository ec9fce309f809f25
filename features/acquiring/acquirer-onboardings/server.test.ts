// A shop is brought in to an acquirer through the router, with real files and locks (D3 §3, §7).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import type { AcquirerName } from '#kit/ports/acquirers.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { makeAcquirerOnboarding, makeKnown, offerMethod } from './walk.ts'

let office: Office
let staff: Client
let staffCookie: string
let agent: MadeAgent
let me: Client
let shop: number
let account: string

before(async () => {
  office = await openOffice()
  const vendor = await makeAgent(office, { staff: true })
  staffCookie = await office.login(vendor.loginName)
  staff = office.as(staffCookie)
  await makeAccount(office, vendor.id, { isOwner: true })
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  account = (await office.owner.query('select account from merchants where id = $1', [shop])).rows[0].account
})

const at = (id: number) => me.acquirerOnboardings.details({ id })
const revision = async (id: number) => ({ id, revision: (await at(id)).revision })
const begin = (channel: AcquirerName = 'xl') => me.acquirerOnboardings.begin({ account, channel })
const noticesOf = async (accountId: number) =>
  (
    await office.owner.query('select title, body from notices where account_id = $1 order by id', [accountId])
  ).rows.map(({ title }) => title)
const waiting = async (client: Client) =>
  (await client.inbox.list({ size: 100 })).rows.filter(({ source }) =>
    source.startsWith('acquirer-onboardings'),
  )

/** Nothing is wanting, and staff have approved it. */
async function approved(channel: AcquirerName = 'xl'): Promise<number> {
  await makeKnown(office, agent, shop)
  const { id } = await begin(channel)
  const { shortName, category, contactName, contactPhone, email, accountName } = await at(id)
  await me.acquirerOnboardings.complete({
    ...(await revision(id)),
    ...{ shortName, category: category || '餐饮', contactName, contactPhone, email, accountName },
    rate: '0.38',
  })
  await me.acquirerOnboardings.submit(await revision(id))
  await staff.acquirerOnboardings.approve(await revision(id))
  return id
}

describe('filling in', () => {
  test('it begins with what is known of the shop, which nobody is asked again', async () => {
    await makeKnown(office, agent, shop)
    const { id } = await begin()
    const shown = await at(id)
    assert.deepEqual(
      [shown.approvalState, shown.state, shown.contactName, shown.accountName, shown.email],
      ['draft', 'waiting', '张三', '老张面馆', 'shop@example.com'],
    )
    const value = (name: string) => shown.lines.find(line => line.name === name)?.value
    assert.deepEqual(['法人身份证号', '银行账号', '账户类型', '联行号'].map(value), [
      '110105********002X',
      '755********0018',
      '对公',
      '308584000013',
    ])
    assert.ok(shown.pictures.every(({ paper }) => paper !== null))
    assert.ok(shown.pictures.every(({ kind }) => kind !== 'bankCard'))
    assert.deepEqual(
      shown.lacking.map(({ field }) => field).filter(field => field !== 'category'),
      ['rate'],
    )
  })

  test('a shop has one of each acquirer, also where two begin at once', async () => {
    const both = await Promise.allSettled([begin(), begin()])
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal(await refusalOf(begin()), 'ALREADY_BEGUN')
    await begin('lianfu')
    assert.equal(
      await refusalOf(me.acquirerOnboardings.begin({ account: '1', channel: 'xl' })),
      'ACCOUNT_UNKNOWN',
    )
  })

  test('an account number lies sealed and is shown masked, and an empty one keeps it', async () => {
    const { id } = await begin()
    const complete = async (more: object) =>
      me.acquirerOnboardings.complete({ ...(await revision(id)), ...more })
    await complete({ accountNumber: '6225880012345678' })
    await complete({ shortName: '老张' })
    const { accountNumberMasked, shortName } = await at(id)
    assert.deepEqual([accountNumberMasked, shortName], ['622588******5678', '老张'])
    const { rows } = await office.owner.query(
      `select position('62258800'::bytea in account_number) > 0 as plain from acquirer_onboardings where id = $1`,
      [id],
    )
    assert.equal(rows[0].plain, false)
    assert.equal(await refusalOf(complete({ rate: '38' })), 'RATE_WRONG')
    assert.equal(await refusalOf(complete({ contactPhone: '12' })), 'CONTACT_PHONE_WRONG')
    const stale = { ...(await revision(id)), revision: 1 }
    assert.equal(await refusalOf(me.acquirerOnboardings.complete(stale)), 'STALE')
  })

  test('what is wanting is said all at once where it is handed in', async () => {
    const { id } = await begin()
    const error = await me.acquirerOnboardings.submit(await revision(id)).then(
      () => assert.fail('it was taken'),
      (failure: Error) => failure,
    )
    assert.match(error.message, /营业执照名称（在实名资料中填写）.*营业执照（在店铺证件中上传）/)
  })

  test('what was handed in keeps its papers, cannot be changed, and waits for staff', async () => {
    await makeKnown(office, agent, shop)
    const { id } = await begin()
    const { shortName, contactName, contactPhone, accountName } = await at(id)
    await me.acquirerOnboardings.complete({
      ...(await revision(id)),
      ...{ shortName, contactName, contactPhone, accountName, category: '餐饮', rate: '0.38' },
    })
    await me.acquirerOnboardings.submit(await revision(id))
    const { rows } = await me.documents.ofShop({ merchantId: shop })
    assert.ok(
      rows.filter(({ kind }) => kind !== 'bankCard').every(row => row.usedBy.includes('acquirerOnboardings')),
    )
    assert.equal((await at(id)).editRefusal, '进件待审核，不能修改')
    assert.equal(await refusalOf(me.acquirerOnboardings.submit(await revision(id))), 'PENDING_ALREADY')
    assert.ok(
      (await waiting(staff)).some(one => one.source === 'acquirer-onboardings.decide' && one.id === id),
    )
  })
})

describe('deciding', () => {
  test('a rejection says of each field what is wrong, waits for the agent, and is mended', async () => {
    const id = await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: shop, approvalState: 'pending' },
    })
    await staff.acquirerOnboardings.reject({
      ...(await revision(id)),
      reasons: { company: '与执照不一致', checkstand: '', other: '请补充' },
    })
    const { reasons, approvalState, editRefusal } = await at(id)
    assert.deepEqual(
      [reasons, approvalState, editRefusal],
      [{ company: '与执照不一致', other: '请补充' }, 'rejected', null],
    )
    const [mine] = await waiting(me)
    assert.equal(mine?.detail, 'XL 收单 · 营业执照名称：与执照不一致；请补充')
    assert.ok((await noticesOf(agent.accountId)).includes('收单进件未通过审核'))
    assert.equal(await refusalOf(staff.acquirerOnboardings.approve(await revision(id))), 'HANDLED_ALREADY')
  })

  test('an agent neither decides nor says a number', async () => {
    const id = await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: shop, approvalState: 'pending' },
    })
    assert.equal(await refusalOf(me.acquirerOnboardings.approve({ id, revision: 1 })), 'FORBIDDEN')
    assert.equal(
      await refusalOf(me.acquirerOnboardings.setCode({ id, revision: 1, code: 'XL12345678' })),
      'FORBIDDEN',
    )
  })

  test('what was put aside waits for nobody and goes no further until it is taken up again', async () => {
    const id = await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: shop, approvalState: 'pending' },
    })
    await staff.acquirerOnboardings.setActive({ ...(await revision(id)), isActive: false })
    assert.ok(!(await waiting(staff)).some(one => one.id === id))
    assert.equal(await refusalOf(staff.acquirerOnboardings.approve(await revision(id))), 'INACTIVE')
    await staff.acquirerOnboardings.setActive({ ...(await revision(id)), isActive: true })
    await staff.acquirerOnboardings.approve(await revision(id))
  })
})

describe('at the acquirer', () => {
  test('what it refused is mended and approved anew before it goes there again', async () => {
    const id = await approved()
    await staff.acquirerOnboardings.send(await revision(id))
    await staff.acquirerOnboardings.refuse({ ...(await revision(id)), reasons: { category: '行业不符' } })
    const refused = await at(id)
    assert.deepEqual([refused.approvalState, refused.state], ['rejected', 'refused'])
    assert.equal(await refusalOf(staff.acquirerOnboardings.send(await revision(id))), 'NOT_APPROVED')
    await me.acquirerOnboardings.submit(await revision(id))
    await staff.acquirerOnboardings.approve(await revision(id))
    await staff.acquirerOnboardings.send(await revision(id))
    const again = await at(id)
    assert.deepEqual([again.approvalState, again.state, again.reasons], ['approved', 'sent', {}])
  })

  test('a number is as it gives them and nobody else’s, is found by, and may be another later', async () => {
    const id = await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: shop, approvalState: 'approved', state: 'sent' },
    })
    const code = `XL${String(shop).padStart(10, '0')}`
    const say = async (said: string) =>
      staff.acquirerOnboardings.setCode({ ...(await revision(id)), code: said })
    assert.ok((await waiting(staff)).some(one => one.source === 'acquirer-onboardings.code' && one.id === id))
    assert.equal(await refusalOf(say('XL-1')), 'CODE_WRONG')
    await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: await makeMerchant(office, agent.id), code: `${code}9` },
    })
    assert.equal(await refusalOf(say(`${code}9`)), 'CODE_TAKEN')
    await say(code)
    const { state, code: said } = await at(id)
    assert.deepEqual([state, said], ['opened', code])
    const { rows } = await me.acquirerOnboardings.list({ search: code })
    assert.deepEqual(
      rows.map(row => row.id),
      [id],
    )
    await say(`${code}1`)
    assert.deepEqual((await me.acquirerOnboardings.list({ search: code })).rows, [])
  })

  test('the list counts each state over all, and filters by them', async () => {
    const of = async (more: object) =>
      makeAcquirerOnboarding(office, {
        ...{ agentId: agent.id, merchantId: await makeMerchant(office, agent.id), ...more },
      })
    await of({})
    await of({ approvalState: 'pending' })
    const opened = await of({ approvalState: 'approved', state: 'opened', code: `XL${shop}00001111` })
    const { counts, total } = await me.acquirerOnboardings.list({ state: 'opened' })
    assert.equal(total, 1)
    assert.deepEqual(counts, {
      ...{ draft: 1, pending: 1, approved: 1, rejected: 0 },
      ...{ waiting: 2, sent: 0, opened: 1, refused: 0 },
    })
    await staff.acquirerOnboardings.setMerchantStatus({
      ...{ id: opened, revision: 1, merchantStatus: 'frozen' },
    })
    const frozen = await me.acquirerOnboardings.list({ merchantStatus: 'frozen' })
    assert.deepEqual(
      frozen.rows.map(row => row.id),
      [opened],
    )
  })
})

describe('the package', () => {
  const take = (id: number) =>
    office.app.http.inject({
      url: `/api/acquirer-onboardings/${id}/package`,
      headers: { cookie: staffCookie },
    })

  test('has the form in the acquirer’s order and names with whole numbers, and the pictures by its names', async () => {
    const id = await approved('tianque')
    await office.owner.query(`update acquirer_onboardings set category = '餐馆' where id = $1`, [id])
    const answer = await take(id)
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'application/zip'])
    const text = answer.rawPayload.toString('utf8')
    const form = JSON.parse(text.slice(text.indexOf('{\n'), text.indexOf('\n}\n') + 2))
    assert.deepEqual(Object.keys(form).slice(0, 4), ['mecDisNm', 'mblNo', 'cprRegNmCn', 'registCode'])
    assert.deepEqual(
      [form.identityNo, form.actNo, form.actTyp, form.regProvCd, form.regCityCd, form.regDistCd],
      ['11010519491231002X', '755900000010018', '00', '440000000000', '440300000000', '440305000000'],
    )
    // By the published names, alike to what goes by the protocol.
    assert.deepEqual(
      [form.qrcodeList, Object.keys(form).filter(name => /Nm$/.test(name) && /reg|mcc/.test(name))],
      [['01', '02', '06', '07'].map(rateType => ({ rateType, rate: '0.38' })), []],
    )
    assert.equal(form.mccCd, '5812')
    for (const name of ['income.json', 'licensePic.jpg', 'openingAccountLicensePic.jpg', 'storePic.jpg'])
      assert.ok(text.includes(name), name)
    assert.ok(!text.includes('bankCardPositivePic'))
    const { rows } = await office.owner.query(
      `select title from operation_logs where merchant_id = $1 and title in ('下载进件资料包', '读取证件号码') order by id`,
      [shop],
    )
    assert.deepEqual(rows.map(({ title }) => title).sort(), ['下载进件资料包', '读取证件号码'])
  })

  test('is a workbook where the acquirer takes one, and only of what was approved', async () => {
    const id = await makeAcquirerOnboarding(office, { agentId: agent.id, merchantId: shop })
    assert.equal((await take(id)).json().code, 'NOT_APPROVED')
    const ready = await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: await makeMerchant(office, agent.id), approvalState: 'approved' },
    })
    assert.ok((await take(ready)).rawPayload.includes('商户进件表.xlsx'))
  })
})

describe('handing over', () => {
  const KEY = 'k'.repeat(32)
  let id: number
  let code: string
  beforeEach(async () => {
    code = `XL${String(shop).padStart(10, '0')}`
    id = await makeAcquirerOnboarding(office, {
      ...{ agentId: agent.id, merchantId: shop, approvalState: 'approved', state: 'opened', code },
    })
  })
  const handOver = async (more: { secret?: string; insteadOf?: number } = {}) =>
    staff.acquirerOnboardings.handOver({ ...(await revision(id)), secret: KEY, ...more })

  test('what the point of sale would get is told first, and then it, the agent and the inbox are', async () => {
    await offerMethod(office, agent.id, 'xl')
    assert.ok(
      (await waiting(staff)).some(one => one.source === 'acquirer-onboardings.handOver' && one.id === id),
    )
    const preview = await staff.acquirerOnboardings.preview({ id })
    assert.deepEqual(
      [preview.refusal, preview.replaces, preview.secretLabel, preview.isSecretSet],
      [null, null, '签名密钥', false],
    )
    assert.deepEqual(preview.changes[1], { label: '商户编号', before: '', after: code })
    assert.equal(await refusalOf(handOver({ secret: '' })), 'SECRET_REQUIRED')
    await handOver()
    const paid = await me.merchants.details({ id: shop })
    assert.deepEqual(
      [paid.paymentMethodId, paid.paymentConfig, paid.paymentSecretsSet, paid.payEnabled],
      [16, { mercId: code }, ['signKey'], true],
    )
    const { rows } = await office.owner.query(
      `select data from change_inbox where merchant_id = $1 and topic = 'shop.payment.changed'`,
      [shop],
    )
    assert.deepEqual(rows.at(-1)?.data, { methodId: 16, enabled: true })
    assert.ok((await noticesOf(agent.accountId)).includes('商户收款方式已变更'))
    assert.ok(!(await waiting(staff)).some(one => one.id === id))
    assert.equal((await at(id)).handedOverCode, code)
  })

  test('a key that the shop has stays where none is typed, and another number wants to be handed over anew', async () => {
    await offerMethod(office, agent.id, 'xl')
    await handOver()
    await staff.acquirerOnboardings.setCode({ ...(await revision(id)), code: `${code}7` })
    assert.ok(
      (await waiting(staff)).some(one => one.source === 'acquirer-onboardings.handOver' && one.id === id),
    )
    await handOver({ secret: '' })
    const paid = await me.merchants.details({ id: shop })
    assert.deepEqual([paid.paymentConfig, paid.paymentSecretsSet], [{ mercId: `${code}7` }, ['signKey']])
  })

  test('is refused where the agent has not the method, and in place of another unless that is said', async () => {
    assert.equal(await refusalOf(handOver()), 'METHOD_NOT_OFFERED')
    assert.match((await staff.acquirerOnboardings.preview({ id })).refusal ?? '', /没有开通/)
    await offerMethod(office, agent.id, 'xl')
    await office.owner.query('update merchants set payment_method_id = 2, pay_enabled = true where id = $1', [
      shop,
    ])
    assert.deepEqual((await staff.acquirerOnboardings.preview({ id })).replaces, {
      ...{ methodId: 2, name: '服务商支付' },
    })
    assert.equal(await refusalOf(handOver()), 'PAID_OTHERWISE')
    assert.equal((await me.merchants.details({ id: shop })).paymentMethodId, 2)
    await handOver({ insteadOf: 2 })
    assert.equal((await me.merchants.details({ id: shop })).paymentMethodId, 16)
  })

  test('is refused while the merchant is not in order at the acquirer', async () => {
    await offerMethod(office, agent.id, 'xl')
    await staff.acquirerOnboardings.setMerchantStatus({ ...(await revision(id)), merchantStatus: 'frozen' })
    assert.equal(await refusalOf(handOver()), 'MERCHANT_NOT_NORMAL')
  })
})

test('it goes along with its shop', async () => {
  const id = await makeAcquirerOnboarding(office, { agentId: agent.id, merchantId: shop })
  const next = await makeAgent(office)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, next.id])
  const theirs = office.as(await office.login(next.loginName))
  assert.equal((await theirs.acquirerOnboardings.details({ id })).merchantId, shop)
  assert.equal(await refusalOf(at(id)), 'NOT_FOUND')
})
