// What a shop's owner hands in by phone, through the router with real files and locks (D3 §2 merchantImportH5).
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import test, { after, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import { makeOnboarding, SILENT as SILENT_SERVICE } from '#features/acquiring/onboardings/walk.ts'
import { makeDocumentFile } from '#features/care/documents/walk.ts'
import type { OnboardingDesk } from '#kit/ports/onboarding.ts'
import type { Ocr } from '#kit/ports/providers.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { codeSentTo, makePass } from '#test/make-codes.ts'
import { makeShopCode } from '#test/make-shop-pages.ts'
import { SILENT_SMS } from '#test/silent-sms.ts'
import { PIXEL } from '#test/walk-types.ts'
import { LIMITS, NETWORK_LIMITS, type OwnerPaperName } from './rules.ts'
import { forgetUnused } from './server-forget.ts'
import {
  makeHandedIn,
  makeInside,
  makeKnownCode,
  makeOwnerLink,
  makePhoto,
  NUMBERS,
  OWNER_PHONE,
  WHOLE,
  wholeForm,
} from './walk.ts'

const sure = (value: string) => ({ value, confidence: 0.99 })
let cardsRead = 0
const ocr: Ocr = {
  ...{ name: 'tencent', isWeak: false },
  readLicence: () =>
    Promise.resolve({
      fields: { name: sure(WHOLE.company), number: sure(WHOLE.creditCode), legalPerson: sure('张三') },
      warnings: [],
    }),
  readIdCard: () =>
    Promise.resolve({ fields: { name: sure('张三'), idNumber: sure(NUMBERS.idNumber) }, warnings: [] }),
  readBankCard: () => {
    cardsRead += 1
    return Promise.resolve({
      fields: { number: sure('6214830000000001'), bankName: sure('招商银行') },
      warnings: [],
    })
  },
}

let office: Office
let agent: MadeAgent
let me: Client
let shop: number
let by: MadeAgent & { merchantId: number }
let account = 13_500_000_000

before(async () => {
  office = await openOffice({ providers: { ...NO_PROVIDERS, ocr, sms: SILENT_SMS } })
})
after(() => office.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆', account: String(++account) })
  by = { ...agent, merchantId: shop }
})

const nobody = () => office.as(null)
const freshPhone = () => `139${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

/** Past the puzzle and the code. */
async function enter(code: string, phone: string): Promise<Client> {
  await nobody().ownerPapers.sendCode({
    ...{ code, purpose: 'ownerEntry', phone, captcha: await makePass(office, 'owner', code) },
  })
  const typed = await codeSentTo(office, shop)
  const answer = await office.app.http.inject({
    method: 'POST',
    url: `/api/owner-papers/${code}/session`,
    headers: { 'x-requested-with': 'partner-office' },
    payload: { phone, typed },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const [guest] = answer.cookies
  assert.ok(guest?.httpOnly)
  return office.as(`${guest?.name}=${guest?.value}`)
}

async function owner(given: Parameters<typeof makeOwnerLink>[2] = {}) {
  const { id, code } = await makeOwnerLink(office, by, given)
  return { id, code, phone: office.as(await makeInside(office, by, id)).ownerPapers }
}

const partsOf = (bytes: Buffer) =>
  Array.from({ length: Math.ceil(bytes.length / LIMITS.partBytes) }, (_, part) =>
    bytes.subarray(part * LIMITS.partBytes, (part + 1) * LIMITS.partBytes).toString('base64'),
  )

/** A payment service that refuses restaurants without a permit; of it nothing else is asked here. */
const WITH_PERMITS: OnboardingDesk = {
  ...SILENT_SERVICE,
  categories: {
    rows: [
      {
        ...{ id: '719', subjects: ['individual'], qualificationType: '餐饮', rateBasisPoints: 60 },
        ...{ settledAfterDays: 1, papers: '《食品经营许可证》', arePapersRequired: true },
      },
    ],
    ...{ source: '示例', asOf: '2026-01-01' },
  },
}

type Phone = Client['ownerPapers']
async function photograph(phone: Phone, code: string, paper: OwnerPaperName, bytes?: Buffer) {
  const upload = randomUUID()
  const parts = partsOf(bytes ?? (await makePhoto()))
  for (const [part, body] of parts.entries()) await phone.sendPart({ code, paper, upload, part, body })
  await phone.keepPicture({ code, paper, upload, parts: parts.length })
}

const rowOf = async (id: number) =>
  (await office.owner.query('select * from owner_papers where id = $1', [id])).rows[0]
const documentsOf = async () =>
  (
    await office.owner.query(
      'select kind, state, created_by::int, created_by_name from documents where merchant_id = $1 order by id',
      [shop],
    )
  ).rows

/** Signs what the page shows. */
async function sign(phone: Phone, code: string) {
  const typed = await makeKnownCode(office, by, 'ownerSignature')
  const { form } = await phone.page({ code })
  return { code, typed, hash: form?.statementHash ?? '', signature: PIXEL }
}

describe('the link', () => {
  test('is told once, kept as a hash, and the new one ends the old', async () => {
    const first = await me.ownerPapers.makeLink({ merchantId: shop })
    assert.match(first.url, /\/o\/[\w-]{32}$/)
    const { rows } = await office.owner.query(
      'select to_jsonb(o)::text as row from owner_papers o where id = $1',
      [first.id],
    )
    assert.ok(!rows[0].row.includes(first.code))
    const page = await nobody().ownerPapers.page({ code: first.code })
    assert.deepEqual([page.shopName, page.hasPhone, page.form], ['老张面馆', false, null])
    const second = await me.ownerPapers.makeLink({ merchantId: shop })
    assert.equal(await refusalOf(nobody().ownerPapers.page({ code: first.code })), 'NOT_FOUND')
    assert.ok(await nobody().ownerPapers.page({ code: second.code }))
    const { history } = await me.ownerPapers.ofShop({ merchantId: shop })
    assert.deepEqual(
      history.map(({ endedAt }) => endedAt === null),
      [true, false],
    )
  })

  test('called off, expired, of a disabled shop or of nobody it opens nothing', async () => {
    const off = await owner()
    await me.ownerPapers.callOff({ id: off.id })
    assert.equal(await refusalOf(off.phone.page({ code: off.code })), 'NOT_FOUND')
    assert.equal(await refusalOf(me.ownerPapers.callOff({ id: off.id })), 'LINK_ENDED')
    const past = await owner({ expiresAt: new Date(Date.now() - 1_000).toISOString() })
    assert.equal(await refusalOf(past.phone.page({ code: past.code })), 'LINK_EXPIRED')
    assert.equal(await refusalOf(past.phone.save({ code: past.code, company: '别家' })), 'LINK_EXPIRED')
    const fresh = await me.ownerPapers.makeLink({ merchantId: shop })
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
    assert.equal(await refusalOf(nobody().ownerPapers.page({ code: fresh.code })), 'PAGE_CLOSED')
    assert.equal(await refusalOf(nobody().ownerPapers.page({ code: 'A'.repeat(32) })), 'NOT_FOUND')
  })

  test('does not go by SMS where the office has no service for it, which is said in words', async () => {
    const { id, code } = await me.ownerPapers.makeLink({ merchantId: shop })
    const { services } = office.app
    const connected = services.providers
    services.providers = { ...connected, sms: null }
    try {
      assert.equal(await refusalOf(me.ownerPapers.sendLink({ id, code })), 'SMS_NONE')
    } finally {
      services.providers = connected
    }
    const { rows } = await office.owner.query('select 1 from outbox_messages where merchant_id = $1', [shop])
    assert.equal(rows.length, 0)
    await me.ownerPapers.sendLink({ id, code })
  })

  test('goes by SMS to the phone of the shop alone, a few times, with its secret masked in the list', async () => {
    const { id, code } = await me.ownerPapers.makeLink({ merchantId: shop })
    const other = 'B'.repeat(32)
    assert.equal(await refusalOf(me.ownerPapers.sendLink({ id, code: other })), 'LINK_OTHER')
    for (let time = 0; time < LIMITS.messages; time += 1) await me.ownerPapers.sendLink({ id, code })
    assert.equal(await refusalOf(me.ownerPapers.sendLink({ id, code })), 'MESSAGES_TOO_MANY')
    const { rows } = await office.owner.query(
      `select phone, text from outbox_messages where merchant_id = $1 and kind = 'owner-link'`,
      [shop],
    )
    assert.equal(rows.length, LIMITS.messages)
    assert.equal(rows[0].phone, String(account))
    assert.ok(rows[0].text.includes(`/o/${code}`))
    const logged = await office.owner.query(
      `select changes::text from operation_logs where merchant_id = $1 and title like '%店主资料链接'`,
      [shop],
    )
    assert.ok(logged.rows.length > 0 && logged.rows.every(({ changes }) => !changes.includes(code)))
  })

  test('a network that tries many addresses is stopped', async () => {
    const from = { remoteAddress: '203.0.113.77' }
    const ask = (code: string) => office.app.http.inject({ url: `/api/owner-papers/${code}`, ...from })
    for (let at = 0; at < NETWORK_LIMITS.unknown; at += 1)
      assert.equal((await ask(String(at).padStart(32, 'x'))).statusCode, 404)
    const { code } = await owner()
    assert.equal((await ask(code)).json().code, 'THROTTLED')
    assert.equal((await nobody().ownerPapers.page({ code })).shopName, '老张面馆')
  })
})

describe('the phone', () => {
  test('proves itself with a code before anything is entered, and another one sees nothing without a code to the first', async () => {
    const { code } = await me.ownerPapers.makeLink({ merchantId: shop })
    const number = freshPhone()
    assert.equal(await refusalOf(nobody().ownerPapers.save({ code, company: '别家' })), 'SIGNED_OUT')
    const first = (await enter(code, number)).ownerPapers
    await first.save({ code, ...WHOLE, ...NUMBERS })
    const second = await nobody().ownerPapers.page({ code })
    assert.deepEqual([second.hasPhone, second.form], [true, null])
    const told = JSON.stringify(second)
    for (const secret of [number, number.slice(-4), WHOLE.company, WHOLE.email])
      assert.ok(!told.includes(secret), secret)
    // Whatever is typed at the second phone, the code goes to the first.
    await office.owner.query(
      `update verification_codes set created_at = created_at - interval '2 minutes' where merchant_id = $1`,
      [shop],
    )
    await nobody().ownerPapers.sendCode({
      ...{ code, purpose: 'ownerEntry', phone: freshPhone() },
      captcha: await makePass(office, 'owner', code),
    })
    const { rows } = await office.owner.query(
      `select distinct phone from outbox_messages where merchant_id = $1 and kind = 'shop-code'`,
      [shop],
    )
    assert.deepEqual(rows, [{ phone: number }])
    const again = office.as(
      await (async () => {
        const answer = await office.app.http.inject({
          method: 'POST',
          url: `/api/owner-papers/${code}/session`,
          headers: { 'x-requested-with': 'partner-office' },
          payload: { typed: await codeSentTo(office, shop) },
        })
        return `${answer.cookies[0]?.name}=${answer.cookies[0]?.value}`
      })(),
    )
    const { form } = await again.ownerPapers.page({ code })
    assert.equal(form?.given.company, WHOLE.company)
    assert.equal(form?.given.idNumberMasked, '110105********002X')
    assert.ok(!JSON.stringify(form).includes(NUMBERS.idNumber))
    assert.ok(!JSON.stringify(form).includes(NUMBERS.accountNumber))
  })

  test('a wrong code is counted, another number’s does not open it, and no link has codes without end', async () => {
    const { code } = await me.ownerPapers.makeLink({ merchantId: shop })
    const [one, other] = [freshPhone(), freshPhone()]
    const typed = await makeKnownCode(office, by, 'ownerEntry', one)
    const entry = (phone: string, with_: string) =>
      refusalOf(nobody().ownerPapers.enter({ code, phone, typed: with_ }))
    assert.equal(await entry(other, typed), 'CODE_WRONG')
    for (let tries = 0; tries < 4; tries += 1) assert.equal(await entry(one, '000000'), 'CODE_WRONG')
    assert.equal(await entry(one, '000000'), 'CODE_SPENT')
    assert.equal(await entry(one, typed), 'CODE_SPENT')
    for (let sent = 1; sent < LIMITS.codesPerDay; sent += 1)
      await makeKnownCode(office, by, 'ownerEntry', freshPhone())
    const captcha = await makePass(office, 'owner', code)
    const ask = nobody().ownerPapers.sendCode({ code, purpose: 'ownerEntry', phone: freshPhone(), captcha })
    assert.equal(await refusalOf(ask), 'CODES_TOO_MANY')
  })

  test('one browser stays signed in at the link and at the page of a shop, whichever came first', async () => {
    const { code } = await me.ownerPapers.makeLink({ merchantId: shop })
    const own = await makeMerchant(office, agent.id, { account: String(++account) })
    const page = await makeShopCode(office, agent.id, own)
    const phone = freshPhone()
    const jar = new Map<string, string>()
    const browser = () => office.as([...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const signIn = async (path: string, payload: object) => {
      const answer = await office.app.http.inject({
        method: 'POST',
        url: `/api/${path}/session`,
        headers: { 'x-requested-with': 'partner-office' },
        payload,
      })
      assert.equal(answer.statusCode, 200, answer.body)
      for (const { name, value } of answer.cookies) jar.set(name, value)
    }
    const atLink = async () =>
      signIn(`owner-papers/${code}`, { phone, typed: await makeKnownCode(office, by, 'ownerEntry', phone) })
    const atPage = async () => {
      await nobody().shopPages.sendCode({ code: page, captcha: await makePass(office, 'shop', page) })
      await signIn(`shop-pages/${page}`, { typed: await codeSentTo(office, own) })
    }
    await atLink()
    await atPage()
    assert.ok((await browser().ownerPapers.page({ code })).form)
    await atLink()
    assert.ok(await browser().shopPages.account({ code: page }))
    await browser().shopPages.signOut({ code: page })
    jar.delete('guest')
    assert.ok((await browser().ownerPapers.page({ code })).form)
  })

  test('is let in at its own link alone, and to nothing of an account', async () => {
    const { code, id } = await owner()
    const cookie = await makeInside(office, by, id)
    const otherShop = await makeMerchant(office, agent.id)
    const other = await makeOwnerLink(
      office,
      { ...agent, merchantId: otherShop },
      { ...WHOLE, phone: OWNER_PHONE },
    )
    const guest = office.as(cookie)
    assert.ok((await guest.ownerPapers.page({ code })).form)
    assert.equal((await guest.ownerPapers.page({ code: other.code })).form, null)
    assert.equal(await refusalOf(guest.ownerPapers.save({ code: other.code, company: '别家' })), 'SIGNED_OUT')
    assert.equal(await refusalOf(guest.ownerPapers.ofShop({ merchantId: shop })), 'UNAUTHENTICATED')
    await office.owner.query(
      'update owner_sessions set expires_at = now() - make_interval(secs => 1) where owner_papers_id = $1',
      [id],
    )
    assert.equal((await guest.ownerPapers.page({ code })).form, null)
  })

  test('what it entered at an earlier link goes on at a new one, for the same number alone', async () => {
    const number = freshPhone()
    await makeOwnerLink(office, by, {
      ...{ ...(await wholeForm(office, by)), phone: number },
      endedAt: new Date().toISOString(),
    })
    const { code } = await me.ownerPapers.makeLink({ merchantId: shop })
    const stranger = await enter(code, freshPhone())
    assert.equal((await stranger.ownerPapers.page({ code })).form?.given.company, '')
    const next = await me.ownerPapers.makeLink({ merchantId: shop })
    const known = await enter(next.code, number)
    const { form } = await known.ownerPapers.page({ code: next.code })
    assert.deepEqual([form?.given.company, form?.papers.length], [WHOLE.company, 7])
  })
})

describe('what is entered', () => {
  test('numbers lie encrypted, and an empty link shows the agent nothing of a draft', async () => {
    const { id, code, phone } = await owner({ phone: OWNER_PHONE })
    const kept = await phone.save({ code, ...WHOLE, ...NUMBERS })
    assert.deepEqual(kept, { idNumberMasked: '110105********002X', accountNumberMasked: '***********8901' })
    const row = await rowOf(id)
    const { decrypt } = office.app.services.secrets
    assert.deepEqual(
      [decrypt(row.id_number), decrypt(row.account_number)],
      [NUMBERS.idNumber, NUMBERS.accountNumber],
    )
    const { rows } = await office.owner.query(
      `select to_jsonb(o) - 'id_number' - 'account_number' as row from owner_papers o where id = $1`,
      [id],
    )
    assert.ok(!JSON.stringify(rows).includes(NUMBERS.idNumber))
    const { standing } = await me.ownerPapers.ofShop({ merchantId: shop })
    assert.ok(!JSON.stringify(standing).includes(WHOLE.company))
    assert.equal(await refusalOf(phone.save({ code, company: '长'.repeat(101) })), 'TEXT_TOO_LONG')
  })

  test('a picture that broke off goes on with the parts that are missing, and is kept once however often it is asked', async () => {
    const { id, code, phone } = await owner({ phone: OWNER_PHONE })
    const photo = await makePhoto(1_600, 1_200)
    const parts = partsOf(photo)
    assert.ok(parts.length > 2)
    const upload = randomUUID()
    const of = { code, paper: 'licenceId' as const, upload }
    const whole = { ...of, parts: parts.length }
    await phone.sendPart({ ...of, part: 0, body: parts[0] as string })
    assert.equal(await refusalOf(phone.keepPicture(whole)), 'PART_WRONG')
    assert.deepEqual(await documentsOf(), [])
    // Taken up again, the last part that had arrived once more.
    for (const [part, body] of parts.entries()) await phone.sendPart({ ...of, part, body })
    await Promise.all([phone.keepPicture(whole), phone.keepPicture(whole)])
    await phone.keepPicture(whole)
    assert.deepEqual(await documentsOf(), [
      { kind: 'businessLicence', state: 'offered', created_by: 0, created_by_name: '店主' },
    ])
    assert.equal((await rowOf(id)).pictures, 1)
    const left = await office.owner.query('select from owner_paper_parts where owner_papers_id = $1', [id])
    assert.equal(left.rowCount, 0)
  })

  test('another picture takes the place of the owner’s own, and never of what the shop has in use', async () => {
    const { code, phone } = await owner({ phone: OWNER_PHONE })
    await office.owner.query(
      `insert into documents (agent_id, merchant_id, kind, sha256, state, created_by, created_by_name, created_at)
       values ($1, $2, 'businessLicence', 'x', 'current', 0, '王小明', now())`,
      [agent.id, shop],
    )
    await photograph(phone, code, 'licenceId')
    await photograph(phone, code, 'licenceId', await makePhoto(321, 200))
    assert.deepEqual(
      (await documentsOf()).map(({ state }) => state),
      ['current', 'replaced', 'offered'],
    )
  })

  test('what is no picture is refused, and a link takes no more pictures than it may', async () => {
    const { id, code, phone } = await owner({ phone: OWNER_PHONE })
    assert.equal(
      await refusalOf(photograph(phone, code, 'licenceId', Buffer.from('no picture'))),
      'PICTURE_FORMAT',
    )
    await office.owner.query('update owner_papers set pictures = $2 where id = $1', [id, LIMITS.pictures])
    assert.equal(await refusalOf(photograph(phone, code, 'licenceId')), 'PICTURES_TOO_MANY')
  })

  test('reading fills what is empty and leaves what was typed', async () => {
    const { code, phone } = await owner({ phone: OWNER_PHONE, legalPerson: '李四' })
    await photograph(phone, code, 'licenceId')
    const licence = await phone.read({ code, paper: 'licenceId' })
    assert.deepEqual(licence, { filled: ['company', 'creditCode'], problem: null })
    await photograph(phone, code, 'idFrontId')
    assert.deepEqual((await phone.read({ code, paper: 'idFrontId' })).filled, ['personInCharge', 'idNumber'])
    const { form } = await phone.page({ code })
    assert.deepEqual(
      [form?.given.company, form?.given.legalPerson, form?.given.idNumberMasked],
      [WHOLE.company, '李四', '110105********002X'],
    )
  })
})

test('a bank card is read once for each picture, and its number lies encrypted', async () => {
  const { code, phone } = await owner({ phone: OWNER_PHONE, payType: 'private' })
  await photograph(phone, code, 'bankCardId')
  const before = cardsRead
  const read = await phone.read({ code, paper: 'bankCardId' })
  assert.deepEqual(read, { filled: ['accountNumber', 'bankName'], problem: null })
  assert.deepEqual((await phone.read({ code, paper: 'bankCardId' })).filled, [])
  assert.equal(cardsRead, before + 1)
  const { form } = await phone.page({ code })
  assert.deepEqual([form?.given.bankName, form?.given.accountNumberMasked], ['招商银行', '621483******0001'])
})

describe('handing in', () => {
  const ready = async () => owner(await wholeForm(office, by))

  test('signed text, its hash, the signature and the time are kept; who made the link and the inbox are told', async () => {
    const { id, code, phone } = await ready()
    const { state } = await phone.submit(await sign(phone, code))
    assert.equal(state, 'submitted')
    const row = await rowOf(id)
    assert.ok(row.signed_text.includes('老张面馆') && row.signed_text.includes(WHOLE.company))
    assert.equal(row.signed_hash, createHash('sha256').update(row.signed_text).digest('hex'))
    assert.ok(row.signature_id && row.submitted_at)
    const notices = await office.owner.query('select title, body from notices where account_id = $1', [
      agent.accountId,
    ])
    assert.deepEqual(notices.rows, [{ title: '店主已提交资料', body: '老张面馆' }])
    const { rows } = await me.inbox.list({})
    assert.deepEqual(
      rows.map(({ source, title }) => [source, title]),
      [['owner-papers.decide', '老张面馆']],
    )
    const { form } = await phone.page({ code })
    assert.deepEqual([form?.state, form?.isSeen], ['submitted', false])
    await me.ownerPapers.see({ id })
    assert.equal((await phone.page({ code })).form?.isSeen, true)
    assert.equal(await refusalOf(phone.save({ code, company: '别家' })), 'HANDED_IN')
  })

  test('pressed twice it is handed in once', async () => {
    const { id, code, phone } = await ready()
    const signed = await sign(phone, code)
    const answers = await Promise.all([phone.submit(signed), phone.submit(signed)])
    assert.deepEqual(
      answers.map(({ state }) => state),
      ['submitted', 'submitted'],
    )
    assert.equal((await rowOf(id)).revision, 2)
    assert.equal((await phone.submit(signed)).state, 'submitted')
    const { rows } = await office.owner.query(
      `select count(*)::int as n from files where purpose = 'ownerSignature' and agent_id = $1`,
      [agent.id],
    )
    assert.equal(rows[0].n, 1)
  })

  test('not without what is asked for, the signature, the code, or with a text that has changed since', async () => {
    const { id, code, phone } = await ready()
    const signed = await sign(phone, code)
    await phone.save({ code, email: '' })
    assert.equal(await refusalOf(phone.submit(signed)), 'EMAIL_REQUIRED')
    await phone.save({ code, email: 'other@example.com' })
    assert.equal(await refusalOf(phone.submit(signed)), 'TEXT_CHANGED')
    await phone.save({ code, email: WHOLE.email })
    assert.equal(await refusalOf(phone.submit({ ...signed, signature: '' })), 'DRAWING_REQUIRED')
    assert.equal(await refusalOf(phone.submit({ ...signed, typed: '000000' })), 'CODE_WRONG')
    assert.equal((await rowOf(id)).state, 'draft')
    await phone.submit(signed)
  })

  test('sent back where the office has no SMS service it opens again, and says that nobody told the owner', async () => {
    const { id, code, phone } = await ready()
    await phone.submit(await sign(phone, code))
    const { services } = office.app
    const connected = services.providers
    services.providers = { ...connected, sms: null }
    try {
      const answer = await me.ownerPapers.sendBack({ id, revision: 2, reasons: { email: '邮箱打不开' } })
      assert.deepEqual([answer.state, answer.isTold], ['returned', false])
    } finally {
      services.providers = connected
    }
    const { form } = await phone.page({ code })
    assert.deepEqual([form?.state, form?.reasons], ['returned', { email: '邮箱打不开' }])
    // He mends it, but no code to sign it with can come, which is said before the puzzle is used up; with a service it is handed in anew.
    await phone.save({ code, email: 'mended@example.com' })
    const captcha = await makePass(office, 'owner', code)
    const asked = { code, purpose: 'ownerSignature', captcha } as const
    services.providers = { ...connected, sms: null }
    try {
      assert.equal(await refusalOf(phone.sendCode(asked)), 'CODES_NONE')
    } finally {
      services.providers = connected
    }
    const codes = `select 1 from verification_codes where merchant_id = $1 and purpose = 'ownerSignature' and used_at is null`
    assert.equal((await office.owner.query(codes, [shop])).rows.length, 0)
    await phone.sendCode(asked)
    const { form: mended } = await phone.page({ code })
    await phone.submit({
      ...{ code, typed: await codeSentTo(office, shop), signature: PIXEL },
      hash: mended?.statementHash ?? '',
    })
    assert.equal((await rowOf(id)).state, 'submitted')
    const queued = await office.owner.query(
      `select 1 from outbox_messages where merchant_id = $1 and template = 'owner-papers-returned'`,
      [shop],
    )
    assert.equal(queued.rows.length, 0)
    const logged = await office.owner.query(
      `select changes from operation_logs where merchant_id = $1 and title = '退回店主资料'`,
      [shop],
    )
    assert.deepEqual(
      logged.rows[0].changes.find(({ name }: { name: string }) => name === '短信通知'),
      { name: '短信通知', before: null, after: '未发送：未开通短信服务' },
    )
  })

  test('sent back field by field it opens again for seven days, and is handed in anew', async () => {
    const { id, code, phone } = await ready()
    await phone.submit(await sign(phone, code))
    assert.equal(await refusalOf(me.ownerPapers.makeLink({ merchantId: shop })), 'SUBMITTED_ALREADY')
    assert.equal(
      await refusalOf(me.ownerPapers.sendBack({ id, revision: 1, reasons: { email: '有误' } })),
      'STALE',
    )
    await office.owner.query(`update owner_papers set expires_at = now() - interval '1 hour' where id = $1`, [
      id,
    ])
    const { isTold } = await me.ownerPapers.sendBack({
      ...{ id, revision: 2 },
      reasons: { email: '邮箱打不开', bankName: ' ' },
    })
    assert.equal(isTold, true)
    const { form } = await phone.page({ code })
    assert.deepEqual([form?.state, form?.reasons], ['returned', { email: '邮箱打不开' }])
    const told = await office.owner.query(
      `select phone from outbox_messages where merchant_id = $1 and template = 'owner-papers-returned'`,
      [shop],
    )
    assert.deepEqual(told.rows, [{ phone: OWNER_PHONE }])
    await phone.save({ code, email: 'new@example.com' })
    await phone.submit(await sign(phone, code))
    const { standing } = await me.ownerPapers.ofShop({ merchantId: shop })
    assert.deepEqual([standing?.state, standing?.revision, standing?.reasons], ['submitted', 4, {}])
    assert.equal(
      await refusalOf(me.ownerPapers.sendBack({ id, revision: 2, reasons: { email: '有误' } })),
      'STALE',
    )
  })
})

test('what nobody went on with is forgotten 30 days after the end of its link, and its papers are let go', async () => {
  const old = new Date(Date.now() - 31 * 86_400_000).toISOString()
  const begun = await wholeForm(office, by)
  const { id } = await makeOwnerLink(office, by, { ...begun, expiresAt: old })
  const kept = await makeOwnerLink(office, { ...by, merchantId: await makeMerchant(office, agent.id) }, WHOLE)
  assert.ok((await forgetUnused(office.app.services, new Date())) >= 1)
  const row = await rowOf(id)
  assert.deepEqual(
    [row.company, row.phone, row.id_number, row.account_number_masked, row.licence_id, row.is_forgotten],
    ['', '', null, '', null, true],
  )
  assert.ok((await documentsOf()).every(({ state }) => state === 'replaced'))
  assert.equal((await rowOf(kept.id)).company, WHOLE.company)
})

test('what was signed, sent back and not handed in again loses its drawing with the rest', async () => {
  const { id: signatureId } = await makeDocumentFile(office, by, 'ownerSignature')
  const { id } = await makeHandedIn(office, by, { signatureId, signedText: '本人确认' })
  await me.ownerPapers.sendBack({ id, revision: 2, reasons: { email: '邮箱打不开' } })
  await office.owner.query(`update owner_papers set expires_at = now() - interval '31 days' where id = $1`, [
    id,
  ])
  await forgetUnused(office.app.services, new Date())
  const { signature_id, signed_text, is_forgotten } = await rowOf(id)
  assert.deepEqual([signature_id, signed_text, is_forgotten], [null, '', true])
})

describe('taking over', () => {
  test('goes into the papers, the verification and the application of the shop, each by its own verb and in the taker’s name', async () => {
    const { id, code } = await makeHandedIn(office, by)
    const { outcome } = await me.ownerPapers.adopt({ id, revision: 2 })
    assert.equal(outcome, '已带入实名资料；已带入支付申请')
    const verification = await me.verification.ofShop({ merchantId: shop })
    assert.deepEqual(
      [verification.company, verification.idNumberMasked, verification.phone, verification.papers.length],
      [WHOLE.company, '110105********002X', OWNER_PHONE, 3],
    )
    assert.ok(verification.phoneVerifiedAt)
    assert.equal((await me.verification.reveal({ merchantId: shop })).idNumber, NUMBERS.idNumber)
    const application = await me.paymentApplications.ofShop({ merchantId: shop })
    assert.deepEqual(
      [application.bankName, application.email, application.papers.length, application.state],
      [WHOLE.bankName, WHOLE.email, 7, 'draft'],
    )
    const onboarding = await me.onboardings.ofApplication({ id: application.id as number })
    assert.equal(onboarding.accountNumberMasked, '***********8901')
    assert.ok((await documentsOf()).every(({ state }) => state === 'current'))
    const users = await office.owner.query(
      'select distinct feature from document_uses where merchant_id = $1 order by 1',
      [shop],
    )
    assert.deepEqual(
      users.rows.map(({ feature }) => feature),
      ['paymentApplications', 'verification'],
    )
    assert.equal(await refusalOf(me.ownerPapers.adopt({ id, revision: 3 })), 'NOT_SUBMITTED')
    const phone = office.as(await makeInside(office, by, id)).ownerPapers
    assert.equal((await phone.page({ code })).form?.state, 'adopted')
    const saved = await office.owner.query(
      'select saved_by::int as by from payment_applications where merchant_id = $1',
      [shop],
    )
    assert.deepEqual(saved.rows, [{ by: agent.accountId }])
  })

  test('what may not be changed now is left alone, and said', async () => {
    const { id } = await makeHandedIn(office, by)
    await office.owner.query(`update merchants set verification_status = 'verified' where id = $1`, [shop])
    const { outcome } = await me.ownerPapers.adopt({ id, revision: 2 })
    assert.match(outcome, /^实名资料未带入：资料已认证.*；已带入支付申请$/)
  })

  test('two people at once: one takes it over', async () => {
    const { id } = await makeHandedIn(office, by)
    const both = await Promise.all(
      [1, 2].map(() => refusalOf(me.ownerPapers.adopt({ id, revision: 2 })).catch(() => null)),
    )
    assert.deepEqual(both.filter(one => one === 'NOT_SUBMITTED').length, 1)
  })

  test('goes along with a shop that moves to another agent, whose it is then alone', async () => {
    const { id } = await makeHandedIn(office, by)
    const other = await makeAgent(office)
    await office.owner.query('update merchants set agent_id = $2 where id = $1', [shop, other.id])
    assert.equal(await refusalOf(me.ownerPapers.details({ id })), 'NOT_FOUND')
    const them = office.as(await office.login(other.loginName))
    assert.equal((await them.ownerPapers.details({ id })).given.company, WHOLE.company)
  })
})

// Last: the codes of one phone are counted, and these sign, too.
describe('permits', () => {
  const ready = async () => owner(await wholeForm(office, by))

  test('are photographed like all else, named in what is signed, and become papers that the payment service is given', async () => {
    const { id, code, phone } = await ready()
    const before = (await phone.page({ code })).form?.statement ?? ''
    await photograph(phone, code, 'tradePermitId')
    const { statement = '', papers } = (await phone.page({ code })).form ?? {}
    assert.ok(papers?.includes('tradePermitId'))
    assert.ok(statement !== before && /行业许可证：图片 /.test(statement))
    await phone.submit(await sign(phone, code))
    const standing = (await me.ownerPapers.ofShop({ merchantId: shop })).standing
    assert.ok(standing?.papers.some(({ name }) => name === 'tradePermitId'))
    const { outcome } = await me.ownerPapers.adopt({ id, revision: 2 })
    assert.match(outcome, /行业资质已存入证件资料/)
    assert.ok((await documentsOf()).some(({ kind, state }) => kind === 'permit' && state === 'current'))
  })

  test('are a must where the line of business is refused without and the shop has none', async () => {
    const { services } = office.app
    const connected = services.providers
    const made = await makeOnboarding(office, { agentId: agent.id, merchantId: shop }, 'filling')
    await office.owner.query(
      `update onboardings set subject_kind = 'individual', category = '719 餐饮' where application_id = $1`,
      [made],
    )
    services.providers = { ...connected, onboarding: WITH_PERMITS }
    try {
      const { code, phone } = await ready()
      assert.deepEqual((await phone.page({ code })).form?.permits, {
        ...{ words: '《食品经营许可证》', areRequired: true },
      })
      const refused = phone.submit(await sign(phone, code))
      await assert.rejects(refused, { code: 'PERMITS_REQUIRED', data: { field: 'tradePermitId' } })
      await photograph(phone, code, 'certificateId')
      await phone.submit(await sign(phone, code))
    } finally {
      services.providers = connected
    }
  })
})
