// A shop's verification data through the router, with real files and locks (D1 §2, §4, §5; D2 §3, §5).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import { makeDocument } from '#features/care/documents/walk.ts'
import { type Ocr, OcrRefused, ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { codeSentTo, makePass } from '#test/make-codes.ts'
import type { PaperName } from './rules.ts'
import { ANSWERS, makePapers, makeVerification, WHOLE } from './walk.ts'

const NUMBER = WHOLE.idNumber
const sure = (value: string, confidence = 0.95) => ({ value, confidence })
const LICENCE = {
  fields: {
    name: sure(WHOLE.company),
    number: sure(WHOLE.creditCode),
    legalPerson: sure('张三', 0.6),
    validTo: sure('长期'),
  },
  warnings: [],
}
const CARD = {
  front: { fields: { name: sure('张三'), idNumber: sure(NUMBER) }, warnings: [] },
  back: { fields: { authority: sure('公安局'), validTo: sure('2040-05-01') }, warnings: ['copy' as const] },
}

let fault: Error | null = null
let calls = 0
const answer = <T>(reading: T) => {
  calls++
  return fault ? Promise.reject(fault) : Promise.resolve(reading)
}
const ocr: Ocr = {
  name: 'tencent',
  isWeak: false,
  readLicence: () => answer(LICENCE),
  readIdCard: (_picture, side) => answer(CARD[side]),
  readBankCard: () => Promise.resolve({ fields: {}, warnings: [] }),
}

let office: Office
let staff: Client
let colleague: Client
let agent: MadeAgent
let cookie: string
let me: Client
let shop: number
let papers: Record<PaperName, number>

before(async () => {
  office = await openOffice({ providers: { ...NO_PROVIDERS, ocr } })
  const vendor = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(vendor.loginName))
  const other = await makeAccount(office, vendor.id, { isOwner: true })
  await office.owner.query(`update accounts set name = '李四' where id = $1`, [vendor.accountId])
  colleague = office.as(await office.login(other.loginName))
})
after(() => office.stop())
beforeEach(async () => {
  fault = null
  calls = 0
  agent = await makeAgent(office)
  cookie = await office.login(agent.loginName)
  me = office.as(cookie)
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆', signature: '老张' })
  papers = await makePapers(office, agent, shop)
})

const shown = () => me.verification.ofShop({ merchantId: shop })
const form = async (more: object = {}) => ({
  merchantId: shop,
  revision: (await shown()).revision,
  ...WHOLE,
  ...papers,
  ...more,
})
const submit = async (more: object = {}) => me.verification.submit(await form(more))
const status = async () =>
  (
    await office.owner.query(
      'select verification_status as s, verification_refusal as r from merchants where id = $1',
      [shop],
    )
  ).rows[0]
const titles = async () =>
  (
    await office.owner.query('select title from operation_logs where merchant_id = $1 order by id', [shop])
  ).rows.map(({ title }) => title)
const toldTo = async (accountId: number) =>
  (
    await office.owner.query('select title, body, link from notices where account_id = $1 order by id desc', [
      accountId,
    ])
  ).rows

describe('filling in', () => {
  test('begins empty with the signature that the shop has, and keeps what is half done', async () => {
    const empty = await shown()
    assert.deepEqual(
      [empty.revision, empty.state, empty.signature, empty.editRefusal],
      [0, 'unverified', '老张', null],
    )
    const saved = await me.verification.save({ merchantId: shop, revision: 0, company: ' 老张餐饮 ' })
    assert.deepEqual(saved, { revision: 1, state: 'unverified', warnings: [] })
    const kept = await shown()
    assert.deepEqual(
      [kept.company, kept.revision, kept.origins],
      ['老张餐饮', 1, { company: { by: 'typed', sure: null } }],
    )
    assert.deepEqual(await status(), { s: 'unverified', r: '' })
  })

  test('two who fill in at once: the second is told', async () => {
    await me.verification.save({ merchantId: shop, revision: 0, company: '甲' })
    assert.equal(
      await refusalOf(me.verification.save({ merchantId: shop, revision: 0, company: '乙' })),
      'STALE',
    )
    const revision = 1
    const both = await Promise.allSettled([
      me.verification.save({ merchantId: shop, revision, company: '丙' }),
      me.verification.save({ merchantId: shop, revision, company: '丁' }),
    ])
    assert.deepEqual(both.map(one => one.status).sort(), ['fulfilled', 'rejected'])
  })

  test('papers are used, each in its place, and of this shop alone', async () => {
    await me.verification.save(await form())
    const { rows } = await me.documents.ofShop({ merchantId: shop })
    assert.ok(rows.every(row => row.usedBy.includes('verification')))
    const swapped = { licenceId: papers.idBackId }
    assert.equal(await refusalOf(form(swapped).then(me.verification.save)), 'NOT_FOUND')
    const elsewhere = await makeMerchant(office, agent.id)
    const licenceId = await makeDocument(office, {
      by: agent,
      merchantId: elsewhere,
      kind: 'businessLicence',
    })
    assert.equal(await refusalOf(form({ licenceId }).then(me.verification.save)), 'NOT_FOUND')
  })

  test('the ID number lies with its picture alone, is shown masked, and each reveal is logged', async () => {
    await me.verification.save(await form())
    const kept = await shown()
    assert.equal(kept.idNumberMasked, '110105********002X')
    const { rows } = await office.owner.query(
      `select (select jsonb_agg(to_jsonb(v)) from verifications v)::text || (select jsonb_agg(to_jsonb(d)) from documents d)::text ||
        coalesce((select jsonb_agg(to_jsonb(l)) from operation_logs l)::text, '') as all`,
    )
    assert.ok(!rows[0].all.includes(NUMBER))
    assert.deepEqual(await me.verification.reveal({ merchantId: shop }), { idNumber: NUMBER })
    assert.deepEqual((await titles()).slice(-2), ['保存实名资料', '读取证件号码'])
    // Untouched it stays; another picture of the card takes it along; without a picture there is none.
    await me.verification.save(await form({ idNumber: null }))
    const front = await makeDocument(office, { by: agent, merchantId: shop, kind: 'idCardFront' })
    await me.verification.save(await form({ idNumber: null, idFrontId: front }))
    assert.deepEqual(await me.verification.reveal({ merchantId: shop }), { idNumber: NUMBER })
    await me.verification.save(await form({ idNumber: null, idFrontId: null }))
    assert.equal(await refusalOf(me.verification.reveal({ merchantId: shop })), 'NO_DATA')
  })

  test('a code that was sent to the typed phone proves it; the wrong one is refused, another phone is unproven again', async () => {
    const phone = '13911112222'
    const captcha = await makePass(office, 'code', `${shop}:identity`)
    await me.messages.sendCode({ merchantId: shop, purpose: 'identity', captcha, phone })
    const code = await codeSentTo(office, shop)
    const wrong = code === '000000' ? '111111' : '000000'
    assert.equal(await refusalOf(form({ phone, code: wrong }).then(me.verification.save)), 'CODE_WRONG')
    assert.equal(await refusalOf(form({ phone: WHOLE.phone, code }).then(me.verification.save)), 'CODE_WRONG')
    await me.verification.save(await form({ phone, code }))
    assert.ok((await shown()).phoneVerifiedAt)
    await me.verification.save(await form({ phone }))
    assert.ok((await shown()).phoneVerifiedAt)
    await me.verification.save(await form())
    assert.equal((await shown()).phoneVerifiedAt, null)
    const bad = await makePass(office, 'code', `${shop}:identity`)
    const asked = me.messages.sendCode({ merchantId: shop, purpose: 'identity', captcha: bad, phone: '1234' })
    assert.equal(await refusalOf(asked), 'PHONE_NOT_MOBILE')
  })
})

describe('reading papers', () => {
  test('a licence is read once and never overwrites; where its end is not known it is learnt', async () => {
    const first = await me.verification.read({ documentId: papers.licenceId })
    assert.deepEqual(
      first.fields.map(({ name, value, sure }) => [name, value, sure]),
      [
        ['company', WHOLE.company, 95],
        ['creditCode', WHOLE.creditCode, 95],
        ['legalPerson', '张三', 60],
      ],
    )
    assert.deepEqual(await me.verification.read({ documentId: papers.licenceId }), first)
    assert.equal(calls, 1)
    assert.equal((await shown()).company, '')
    await me.verification.save(await form({ legalPerson: '王五' }))
    const { origins, papers: told } = await shown()
    assert.deepEqual(origins.company, { by: 'read', sure: 95 })
    assert.deepEqual(origins.legalPerson, { by: 'corrected', sure: 60 })
    assert.deepEqual(origins.personInCharge, { by: 'typed', sure: null })
    const licence = told.find(({ name }) => name === 'licenceId')
    assert.deepEqual([licence?.isLongTerm, licence?.reading?.fields.length], [true, 3])
  })

  test('an ID number is told to whoever has the card read, is known again, and stands in no other answer', async () => {
    const { fields } = await me.verification.read({ documentId: papers.idFrontId })
    assert.equal(fields.find(({ name }) => name === 'idNumber')?.value, NUMBER)
    await me.verification.save(await form())
    const answer = await shown()
    assert.deepEqual(answer.origins.idNumber, { by: 'read', sure: 95 })
    assert.ok(!JSON.stringify(answer).includes(NUMBER))
    const again = await me.verification.read({ documentId: papers.idFrontId })
    assert.equal(again.fields.find(({ name }) => name === 'idNumber')?.value, NUMBER)
    assert.equal(calls, 1)
    const { rows } = await office.owner.query('select to_jsonb(r)::text as r from paper_readings r')
    assert.ok(rows.every(({ r }) => !r.includes(NUMBER)))
  })

  test('the back says until when the card holds, and what is wrong with its picture', async () => {
    const { fields, warnings } = await me.verification.read({ documentId: papers.idBackId })
    assert.deepEqual([fields, warnings], [[], ['copy']])
    const { rows } = await me.documents.ofShop({ merchantId: shop })
    assert.equal(rows.find(({ id }) => id === papers.idBackId)?.expiresOn, '2040-05-01')
  })

  const FAULTS: [error: Error, problem: string][] = [
    [new OcrRefused('blurred', 'x', 'x'), 'blurred'],
    [new OcrRefused('wrong-side', 'x', 'x'), 'wrong-side'],
    [new OcrRefused('copy', 'x', 'x'), 'copy'],
    [new OcrRefused('expired', 'x', 'x'), 'expired'],
    [new OcrRefused('arrears', 'x', 'x'), 'arrears'],
    [new ProviderBusy('x', 'x'), 'busy'],
    [new ProviderUnknown('x'), 'unknown'],
    [new ProviderRefused('x', 'x'), 'settings'],
  ]
  for (const [error, problem] of FAULTS)
    test(`a reader's fault is an answer and no error: ${problem}; the form goes on`, async () => {
      fault = error
      const reading = await me.verification.read({ documentId: papers.licenceId })
      assert.deepEqual([reading.problem, reading.fields, reading.mayAsk], [problem, [], true])
      await submit({ explanations: { ...WHOLE.explanations, [`${problem}:licenceId`]: '原件已磨损' } })
      assert.equal((await shown()).state, 'reviewing')
      fault = null
      assert.equal((await me.verification.read({ documentId: papers.licenceId })).problem, null)
    })

  test('a picture that is not read is tried so many times and no more', async () => {
    fault = new OcrRefused('blurred', 'x', 'x')
    for (let i = 0; i < 5; i++) await me.verification.read({ documentId: papers.licenceId })
    assert.equal(await refusalOf(me.verification.read({ documentId: papers.licenceId })), 'READS_TOO_MANY')
    const door = await makeDocument(office, { by: agent, merchantId: shop, kind: 'shopFront' })
    assert.equal(await refusalOf(me.verification.read({ documentId: door })), 'NOT_READABLE')
  })
})

describe('handing in and deciding', () => {
  test('numbers count as they are meant: apart, in full width, with the country before a phone', async () => {
    const wide = (text: string) =>
      text.replace(/\d/g, digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    const { creditCode, idNumber, phone } = WHOLE
    await submit({
      creditCode: `${wide(creditCode.slice(0, 8))} ${creditCode.slice(8)}\u200b`,
      idNumber: `${idNumber.slice(0, 6)} ${idNumber.slice(6)}`,
      phone: `+86 ${phone}`,
    })
    const kept = await shown()
    assert.deepEqual([kept.creditCode, kept.phone], [creditCode, phone])
  })

  test('what is whole is reviewed, refused with a reason, handed in again and verified; shop, agent and POS hear of it', async () => {
    assert.equal(await refusalOf(submit({ creditCode: '9144030071526726XA' })), 'CREDIT_CODE_CHECK')
    const sent = await submit()
    assert.equal(sent.state, 'reviewing')
    assert.deepEqual(await status(), { s: 'reviewing', r: '' })
    const [row] = (await staff.verification.reviews({ state: 'reviewing', search: String(shop) })).rows
    assert.deepEqual([row?.company, row?.revision, row?.shopName], [WHOLE.company, sent.revision, '老张面馆'])
    const reason = { reason: '营业执照照片不清晰', advice: '请重新拍摄' }
    const refused = await staff.verification.reject({ merchantId: shop, revision: sent.revision, ...reason })
    assert.equal(refused.state, 'failed')
    assert.deepEqual(await status(), { s: 'failed', r: reason.reason })
    const failed = await shown()
    assert.deepEqual(
      [failed.state, failed.reason, failed.advice, failed.editRefusal],
      ['failed', reason.reason, reason.advice, null],
    )
    const [notice] = await toldTo(agent.accountId)
    assert.deepEqual(
      [notice.title, notice.body],
      ['实名资料未通过认证', `老张面馆：${WHOLE.company}未通过，营业执照照片不清晰。请重新拍摄`],
    )
    const again = await submit({ idNumber: null })
    await staff.verification.verify({ merchantId: shop, revision: again.revision, answers: ANSWERS })
    assert.deepEqual(await status(), { s: 'verified', r: '' })
    assert.equal((await toldTo(agent.accountId))[0].title, '实名资料已通过认证')
    const { rows } = await office.owner.query(
      `select data from change_inbox where merchant_id = $1 and topic = 'verification.decided' order by id`,
      [shop],
    )
    assert.deepEqual(rows.map(({ data }) => data.state).sort(), ['failed', 'verified'])
    assert.equal(await refusalOf(submit()), 'VERIFIED_ALREADY')
    assert.deepEqual(
      (await titles()).filter(title => title.includes('实名')),
      ['提交实名资料', '驳回实名资料', '提交实名资料', '通过实名资料'],
    )
  })

  test('two reviewers at once: the second is told of the first, whichever way they decide', async () => {
    const { revision } = await submit()
    await staff.verification.verify({ merchantId: shop, revision, answers: ANSWERS })
    for (const late of [
      () => colleague.verification.verify({ merchantId: shop, revision, answers: ANSWERS }),
      () => colleague.verification.reject({ merchantId: shop, revision, reason: '不清晰' }),
    ])
      await assert.rejects(late(), { code: 'HANDLED_ALREADY', message: '已由李四处理（已认证）' })
    const other = await makeMerchant(office, agent.id)
    await makeVerification(office, { agentId: agent.id, merchantId: other, state: 'reviewing' })
    const both = await Promise.allSettled(
      [staff, colleague].map(who =>
        who.verification.verify({ merchantId: other, revision: 1, answers: ANSWERS }),
      ),
    )
    assert.deepEqual(both.map(one => one.status).sort(), ['fulfilled', 'rejected'])
  })

  test('what was taken back or handed in anew meanwhile is not decided unseen', async () => {
    const { revision } = await submit()
    await me.verification.withdraw({ merchantId: shop })
    assert.equal((await shown()).state, 'unverified')
    await assert.rejects(staff.verification.verify({ merchantId: shop, revision, answers: ANSWERS }), {
      message: '商户已撤回，等待重新提交',
    })
    const { revision: latest } = await submit({ company: '另一家公司' })
    assert.equal(
      await refusalOf(staff.verification.verify({ merchantId: shop, revision, answers: ANSWERS })),
      'STALE',
    )
    await staff.verification.verify({ merchantId: shop, revision: latest, answers: ANSWERS })
    assert.equal(await refusalOf(me.verification.withdraw({ merchantId: shop })), 'NOT_IN_REVIEW')
  })

  test('what was verified can be revoked with a reason, and is then filled in again', async () => {
    const { revision } = await submit()
    const verified = await staff.verification.verify({ merchantId: shop, revision, answers: ANSWERS })
    await staff.verification.reject({ merchantId: shop, revision: verified.revision, reason: '证件系伪造' })
    assert.deepEqual(await status(), { s: 'failed', r: '证件系伪造' })
    assert.equal((await submit()).state, 'reviewing')
  })

  test('a status that the operator sets by hand is that of the data', async () => {
    await submit()
    await office.owner.query(
      `update merchants set verification_status = 'failed', verification_refusal = '执照注销' where id = $1`,
      [shop],
    )
    const { state, reason } = await shown()
    assert.deepEqual([state, reason], ['failed', '执照注销'])
  })
})

describe('what speaks against the data', () => {
  const texts = (warnings: { key: string; explanation: string; answer: string }[]) =>
    warnings.map(({ key, explanation, answer }) => [key, explanation, answer])

  test('is explained by whoever hands them in and answered by whoever verifies; all see what was said, and so does the log', async () => {
    await me.verification.read({ documentId: papers.licenceId })
    await me.verification.read({ documentId: papers.idBackId })
    await office.owner.query(`update documents set expires_on = '2020-06-30' where id = $1`, [
      papers.idBackId,
    ])
    const other = { company: '另一家公司' }
    await assert.rejects(submit({ ...other, explanations: {} }), error => {
      const { code, data } = error as { code: string; data: { field: string } }
      assert.equal(code, 'WARNING_UNEXPLAINED')
      assert.equal(data.field, 'explanations.differs:company')
      return true
    })
    const said = {
      'differs:company': '刚更名',
      'unsure:legalPerson': '与原件一致',
      'expired:idBackId': '新证办理中',
      'copy:idBackId': '原件在总部',
      'unproven:phone': '收不到短信',
      'altered:licenceId': '没有这条',
    }
    const { revision } = await submit({ ...other, explanations: said })
    const answers = Object.fromEntries(Object.keys(said).map(key => [key, '已电话核实']))
    const { 'expired:idBackId': _, ...wanting } = answers
    await assert.rejects(staff.verification.verify({ merchantId: shop, revision, answers: wanting }), {
      code: 'WARNING_UNANSWERED',
      data: { field: 'answers.expired:idBackId' },
    })
    await staff.verification.verify({ merchantId: shop, revision, answers })
    assert.deepEqual(texts((await shown()).warnings), [
      ['differs:company', '刚更名', '已电话核实'],
      ['unsure:legalPerson', '与原件一致', '已电话核实'],
      ['expired:idBackId', '新证办理中', '已电话核实'],
      ['copy:idBackId', '原件在总部', '已电话核实'],
      ['unproven:phone', '收不到短信', '已电话核实'],
    ])
    const { rows } = await office.owner.query(
      `select changes from operation_logs where merchant_id = $1 and title = '通过实名资料'`,
      [shop],
    )
    assert.match(JSON.stringify(rows[0]?.changes), /核实意见：企业名称与证件上识别的不同.*已电话核实/)
  })
})

describe('the signature of the data', () => {
  const asked = async () =>
    (await me.approvals.ofShop({ merchantId: shop })).rows
      .filter(({ kind }) => kind === 'signature')
      .map(({ content, state, note }) => [content, state, note])

  test('is asked for along with the data where the shop goes by another, once, and by the one rule of every door', async () => {
    assert.equal((await shown()).standingSignature, '老张')
    assert.equal(await refusalOf(submit({ signature: '老张面馆南山科技园旗舰分店' })), 'TEXT_TOO_LONG')
    assert.equal(await refusalOf(submit({ signature: '123456' })), 'SIGNATURE_DIGITS')
    await submit()
    assert.deepEqual(await asked(), [[WHOLE.signature, 'pending', '随实名资料提交']])
    await me.verification.withdraw({ merchantId: shop })
    await submit()
    assert.equal((await asked()).length, 1)
    await me.verification.withdraw({ merchantId: shop })
    await submit({ signature: '老张' })
    assert.equal((await asked()).length, 1)
  })
})

describe('who may', () => {
  test('nobody verifies what they handed in where another could', async () => {
    const { revision } = await staff.verification.submit(await form())
    assert.equal(
      await refusalOf(staff.verification.verify({ merchantId: shop, revision, answers: ANSWERS })),
      'OWN_SUBMISSION',
    )
    await colleague.verification.verify({ merchantId: shop, revision, answers: ANSWERS })
    assert.deepEqual(await status(), { s: 'verified', r: '' })
  })

  test('another agent sees, saves and reads nothing; data go along with a shop that moves', async () => {
    await submit()
    const next = await makeAgent(office)
    const them = office.as(await office.login(next.loginName))
    for (const attempt of [
      () => them.verification.ofShop({ merchantId: shop }),
      () => them.verification.save({ merchantId: shop, revision: 0 }),
      () => them.verification.withdraw({ merchantId: shop }),
      () => them.verification.reveal({ merchantId: shop }),
      () => them.verification.read({ documentId: papers.licenceId }),
    ])
      assert.equal(await refusalOf(attempt()), 'NOT_FOUND')
    await me.verification.read({ documentId: papers.licenceId })
    await office.owner.query('update merchants set agent_id = $1 where id = $2', [next.id, shop])
    assert.equal((await them.verification.ofShop({ merchantId: shop })).papers[0]?.reading?.fields.length, 3)
    assert.deepEqual(await them.verification.reveal({ merchantId: shop }), { idNumber: NUMBER })
    assert.equal(await refusalOf(shown()), 'NOT_FOUND')
  })

  test('an agent decides nothing, and a disabled shop hands in nothing', async () => {
    const { revision } = await submit()
    assert.equal(
      await refusalOf(me.verification.verify({ merchantId: shop, revision, answers: ANSWERS })),
      'FORBIDDEN',
    )
    assert.equal(await refusalOf(me.verification.reviews({})), 'FORBIDDEN')
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [shop])
    assert.equal(await refusalOf(me.verification.withdraw({ merchantId: shop })), 'MERCHANT_DISABLED')
  })
})

test('what was read of a paper ends with the paper', async () => {
  await me.verification.read({ documentId: papers.licenceId })
  await office.owner.query(
    `update documents set state = 'erased', file_id = null, facts = null, erased_at = now() where id = $1`,
    [papers.licenceId],
  )
  const { rows } = await office.owner.query('select 1 from paper_readings where document_id = $1', [
    papers.licenceId,
  ])
  assert.equal(rows.length, 0)
})
