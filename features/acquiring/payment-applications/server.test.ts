// A shop's application for payments through the router, with real files and locks (D2 §2 18 to 20, §4, §5).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import { makeDocument } from '#features/care/documents/walk.ts'
import type { OnboardingDesk } from '#kit/ports/onboarding.ts'
import { ProviderUnknown } from '#kit/ports/providers.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import type { PaperName } from './rules.ts'
import { makePapers, WHOLE } from './walk.ts'

const BANKS = [
  { name: '招商银行', code: '1001', accountBank: '招商银行', needsBranch: false },
  { name: '重庆三峡银行', code: '4001', accountBank: '其他银行', needsBranch: true },
]
let asked: string[] = []
let isDown = false
const page = <Row>(rows: readonly Row[]) => Promise.resolve({ rows, total: rows.length })
const directory: OnboardingDesk['directory'] = {
  banks(kind) {
    asked.push(`banks ${kind}`)
    return page(BANKS)
  },
  banksOfNumber: () => Promise.resolve([]),
  provinces: () => Promise.resolve([{ name: '重庆市', code: '30' }]),
  cities: () => Promise.resolve([{ name: '重庆市', code: '653' }]),
  branches(bank, city) {
    if (isDown) return Promise.reject(new ProviderUnknown('time-out'))
    asked.push(`branches ${bank} ${city}`)
    return page([
      { name: '重庆三峡银行江北支行', number: '313653000013' },
      { name: '重庆三峡银行渝中支行', number: '313653000021' },
    ])
  },
}

let office: Office
let staff: Client
let colleague: Client
let agent: MadeAgent
let cookie: string
let me: Client
let shop: number
let account: string
let papers: Partial<Record<PaperName, number>>

before(async () => {
  const onboarding = { directory } as unknown as OnboardingDesk
  office = await openOffice({ providers: { ...NO_PROVIDERS, onboarding } })
  const vendor = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(vendor.loginName))
  const other = await makeAccount(office, vendor.id, { isOwner: true })
  await office.owner.query(`update accounts set name = '李四' where id = $1`, [vendor.accountId])
  colleague = office.as(await office.login(other.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  asked = []
  isDown = false
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  const { rows } = await office.owner.query('select account from merchants where id = $1', [shop])
  account = rows[0].account
  papers = await makePapers(office, agent, shop)
})

const shown = () => me.paymentApplications.ofShop({ merchantId: shop })
const form = async (more: object = {}) => ({
  merchantId: shop,
  revision: (await shown()).revision,
  ...WHOLE,
  ...papers,
  ...more,
})
const submit = async (more: object = {}) => me.paymentApplications.submit(await form(more))
const toldTo = async (accountId: number) =>
  (
    await office.owner.query('select title, body, link from notices where account_id = $1 order by id desc', [
      accountId,
    ])
  ).rows

describe('filling in', () => {
  test('an account finds its shop and says which, and what the shop has is there already', async () => {
    const found = await me.paymentApplications.find({ account })
    assert.deepEqual([found.merchantId, found.shopName], [shop, '老张面馆'])
    assert.equal(await refusalOf(me.paymentApplications.find({ account: '1' })), 'ACCOUNT_UNKNOWN')
    const empty = await shown()
    assert.deepEqual([empty.id, empty.revision, empty.state, empty.editRefusal], [null, 0, null, null])
    assert.deepEqual(Object.fromEntries(empty.papers.map(({ name, id }) => [name, id])), papers)
  })

  test('a draft keeps what is half done, and no paper of another shop or kind', async () => {
    const saved = await me.paymentApplications.save({
      ...{ merchantId: shop, revision: 0, payType: 'private', phone: ' 13800138000 ' },
    })
    assert.deepEqual([saved.revision, saved.state], [1, 'draft'])
    const kept = await shown()
    assert.deepEqual([kept.payType, kept.phone, kept.papers.length], ['private', '13800138000', 7])
    assert.equal((await me.paymentApplications.list({})).rows.length, 0)
    const elsewhere = await makeMerchant(office, agent.id)
    const licenceId = await makeDocument(office, {
      by: agent,
      merchantId: elsewhere,
      kind: 'businessLicence',
    })
    assert.equal(await refusalOf(form({ licenceId }).then(me.paymentApplications.save)), 'NOT_FOUND')
    const swapped = { licenceId: papers.idBackId }
    assert.equal(await refusalOf(form(swapped).then(me.paymentApplications.save)), 'NOT_FOUND')
  })

  test('what is wanting is said at its field', async () => {
    assert.equal(await refusalOf(submit({ email: '' })), 'EMAIL_REQUIRED')
    assert.equal(await refusalOf(submit({ checkstandId: null })), 'CHECKSTAND_REQUIRED')
    assert.equal(await refusalOf(submit({ bankRegion: '999999' })), 'REGION_REQUIRED')
  })

  test('two who hand in at once make one application', async () => {
    const sent = await form()
    const both = await Promise.allSettled([
      me.paymentApplications.submit(sent),
      me.paymentApplications.submit(sent),
    ])
    assert.deepEqual(both.map(one => one.status).sort(), ['fulfilled', 'rejected'])
    const { rows } = await office.owner.query(
      'select state, revision from payment_applications where merchant_id = $1',
      [shop],
    )
    assert.deepEqual(rows, [{ state: 'pending', revision: 2 }])
  })

  test('what is handed in is used by it, cannot be changed, and lets go of what its account does not ask for', async () => {
    const bankCardId = await makeDocument(office, { by: agent, merchantId: shop, kind: 'bankCard' })
    await submit({ bankCardId })
    const { rows } = await me.documents.ofShop({ merchantId: shop })
    assert.ok(rows.every(row => row.usedBy.includes('paymentApplications') === (row.id !== bankCardId)))
    assert.equal((await shown()).editRefusal, '申请待处理，不能修改')
    assert.equal(await refusalOf(submit()), 'PENDING_ALREADY')
  })
})

describe('deciding', () => {
  test('a rejection names its fields, tells the agent, opens the form again, and the second try is approved', async () => {
    const { id, revision } = await submit()
    await staff.paymentApplications.reject({
      ...{ id, revision },
      reasons: { permitId: '看不清楚', email: '收不到邮件', phone: '' },
    })
    const [told] = await toldTo(agent.accountId)
    assert.equal(told.title, '支付申请未通过审核')
    assert.equal(told.body, '老张面馆：联系邮箱：收不到邮件；开户许可证：看不清楚')
    assert.equal(told.link, `/admin/schedule/payApplication?id=${id}`)
    const mended = await shown()
    assert.deepEqual(mended.reasons, { permitId: '看不清楚', email: '收不到邮件' })
    assert.equal(mended.editRefusal, null)
    const again = await submit({ email: 'other@example.com' })
    assert.equal(again.id, id)
    assert.deepEqual((await shown()).reasons, {})
    await staff.paymentApplications.approve({ id, revision: again.revision })
    const [row] = (await me.paymentApplications.list({ search: account })).rows
    assert.deepEqual([row?.state, row?.reviewState, row?.handledByName], ['approved', 'waiting', '李四'])
  })

  test('of two who decide the second is told by name, and nobody decides on what changed meanwhile', async () => {
    const { id, revision } = await submit()
    assert.equal(await refusalOf(staff.paymentApplications.approve({ id, revision: 1 })), 'STALE')
    await staff.paymentApplications.approve({ id, revision })
    await assert.rejects(
      colleague.paymentApplications.reject({ id, revision, reasons: { other: '不行' } }),
      /已由李四处理（已处理）/,
    )
  })

  test('nobody decides on their own where another may', async () => {
    const { id, revision } = await staff.paymentApplications.submit(await form())
    assert.equal(await refusalOf(staff.paymentApplications.approve({ id, revision })), 'OWN_SUBMISSION')
    assert.equal((await toldTo(agent.accountId))[0]?.title, '已代为提交支付申请')
    await colleague.paymentApplications.approve({ id, revision })
  })

  test('counts and filters tell what is in which state', async () => {
    await submit()
    const { counts } = await me.paymentApplications.list({})
    assert.deepEqual(counts, { pending: 1, approved: 0, rejected: 0 })
    const of = async (state: 'pending' | 'approved') =>
      (await me.paymentApplications.list({ state })).rows.length
    assert.deepEqual([await of('pending'), await of('approved')], [1, 0])
  })
})

describe('the review at the payment service', () => {
  const approved = async () => {
    const { id, revision } = await submit()
    return staff.paymentApplications.approve({ id, revision })
  }

  test('any state is set with a note, the agent is told, and what was rejected is mended and comes again', async () => {
    const { id, revision } = await approved()
    const accepting = await staff.paymentApplications.review({
      ...{ id, revision, reviewState: 'accepting', reviewNote: '已递交' },
    })
    assert.equal((await toldTo(agent.accountId))[0]?.title, '支付申请受理中')
    const rejected = { id, revision: accepting.revision, reviewState: 'rejected' as const }
    assert.equal(await refusalOf(staff.paymentApplications.review(rejected)), 'NOTE_REQUIRED')
    await staff.paymentApplications.review({ ...rejected, reviewNote: '法人姓名与执照不符' })
    assert.deepEqual((await shown()).reasons, { other: '法人姓名与执照不符' })
    await submit()
    const { rows } = await staff.paymentApplications.reviews({ search: account })
    assert.deepEqual(rows, [], 'it is decided anew first')
  })

  test('who comes second is told, and saying the same again changes nothing', async () => {
    const { id, revision } = await approved()
    const set = { id, revision, reviewState: 'accepting' as const }
    const { revision: now } = await staff.paymentApplications.review(set)
    await assert.rejects(colleague.paymentApplications.review(set), /已由李四更新/)
    assert.equal((await colleague.paymentApplications.review({ ...set, revision: now })).revision, now)
  })

  test('once it is accepted another application begins with what is known, and the old one stays accepted', async () => {
    const { id, revision } = await approved()
    const accepted = await staff.paymentApplications.review({ id, revision, reviewState: 'accepted' })
    const next = await shown()
    assert.deepEqual([next.id, next.branchName], [null, WHOLE.branchName])
    const { id: other } = await submit()
    assert.notEqual(other, id)
    const back = { id, revision: accepted.revision, reviewState: 'waiting' as const }
    assert.equal(await refusalOf(staff.paymentApplications.review(back)), 'NEWER_APPLICATION')
  })
})

describe('banks', () => {
  test('are found in Chinese and by first letters, and the service is asked once a day', async () => {
    const found = async (search: string) =>
      (await me.paymentApplications.banks({ payType: 'corporate', search })).banks?.map(({ code }) => code)
    assert.deepEqual(await found(''), ['1001', '4001'])
    assert.deepEqual(await found('三峡'), ['4001'])
    assert.deepEqual(await found('zsyh'), ['1001'])
    assert.deepEqual(await found('cqsx'), ['4001'])
    assert.deepEqual(await found('招行'), ['1001'])
    assert.deepEqual(await found('没有'), [])
    assert.ok(asked.length <= 1)
  })

  test('have the branches of the city of a district, of a municipality too', async () => {
    const input = { bankCode: '4001', region: '500103', search: 'yz' }
    const { branches } = await me.paymentApplications.branches(input)
    assert.deepEqual(branches?.[0], { name: '重庆三峡银行渝中支行', number: '313653000021' })
    assert.deepEqual(asked, ['branches 4001 653'])
    const elsewhere = await me.paymentApplications.branches({ ...input, region: '440305' })
    assert.equal(elsewhere.branches, null)
  })

  test('are typed while the service does not answer, which is not kept', async () => {
    const input = { bankCode: '4002', region: '500103' }
    isDown = true
    assert.equal((await me.paymentApplications.branches(input)).branches, null)
    isDown = false
    assert.equal((await me.paymentApplications.branches(input)).branches?.length, 2)
  })
})

test('an application goes along with its shop', async () => {
  await submit()
  const next = await makeAgent(office)
  await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, next.id])
  const { rows } = await office.as(await office.login(next.loginName)).paymentApplications.list({})
  assert.deepEqual(
    rows.map(({ merchantId }) => merchantId),
    [shop],
  )
  assert.deepEqual((await me.paymentApplications.list({})).rows, [])
})
