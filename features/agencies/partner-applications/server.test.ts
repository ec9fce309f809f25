// The public form, its code and limits, and what staff do with an application, through the router.
import assert from 'node:assert/strict'
import test, { after, before, describe } from 'node:test'
import sharp from 'sharp'
import { addDays, formatDay } from '#kit/time.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { codeOfPhone, makePass } from '#test/make-codes.ts'
import { newPartner } from '#test/make-partners.ts'
import { brokenIn } from './rules.ts'
import { applicationOf, FORM, makeApplication } from './walk.ts'

let office: Office
let operator: MadeAgent
let staff: Client
let staffCookie: string
let partnerCookie: string
const anyone = () => office.as(null)

before(async () => {
  office = await openOffice()
  operator = await makeAgent(office, { operator: true })
  staffCookie = await office.login(operator.loginName)
  staff = office.as(staffCookie)
  partnerCookie = await office.login((await makeAgent(office)).loginName)
})
after(() => office.stop())

const fill = { ...FORM, mobile: '13500000000', code: '123456' }
const rowsOf = async (mobile: string) =>
  (await office.owner.query('select * from partner_applications where mobile = $1', [mobile])).rows

describe('the form', () => {
  const cases = [
    ['is accepted', fill, null],
    ['needs a company', { ...fill, companyName: ' ' }, 'COMPANY_REQUIRED'],
    ['takes no longer company', { ...fill, companyName: '司'.repeat(51) }, 'COMPANY_TOO_LONG'],
    ['needs a contact', { ...fill, contactName: '' }, 'CONTACT_REQUIRED'],
    ['takes no contact with markup', { ...fill, contactName: '<b>周</b>' }, 'CONTACT_SYMBOLS'],
    ['takes no longer contact', { ...fill, contactName: '周'.repeat(21) }, 'CONTACT_TOO_LONG'],
    ['needs a number', { ...fill, mobile: '' }, 'MOBILE_REQUIRED'],
    ['needs a mobile number', { ...fill, mobile: '075512345678' }, 'MOBILE_INVALID'],
    ['needs a code', { ...fill, code: '' }, 'CODE_REQUIRED'],
    ['needs a region', { ...fill, districtCode: '' }, 'REGION_REQUIRED'],
    ['takes no longer address', { ...fill, address: '路'.repeat(101) }, 'ADDRESS_TOO_LONG'],
    ['needs what it sells', { ...fill, sells: ' ' }, 'SELLS_REQUIRED'],
    ['takes no longer words of it', { ...fill, sells: '售'.repeat(201) }, 'SELLS_TOO_LONG'],
    ['takes no longer remark', { ...fill, remark: '注'.repeat(301) }, 'REMARK_TOO_LONG'],
  ] as const
  for (const [name, form, expected] of cases)
    test(name, () => assert.equal(brokenIn(form)[0]?.code ?? null, expected))
})

describe('applying', () => {
  test('a code comes after the puzzle alone, and the form is taken with it once', async () => {
    const mobile = '13400000001'
    assert.equal(await refusalOf(anyone().partnerApplications.sendCode({ mobile })), 'CAPTCHA_REQUIRED')
    const captcha = await makePass(office, 'partner', mobile)
    assert.equal((await anyone().partnerApplications.sendCode({ mobile, captcha })).secondsLeft, 60)
    const code = await codeOfPhone(office, mobile)
    const wrong = code === '000000' ? '000001' : '000000'
    const send = (typed: string) => anyone().partnerApplications.submit({ ...FORM, mobile, code: typed })
    assert.equal(await refusalOf(send(wrong)), 'CODE_WRONG')
    assert.deepEqual(await rowsOf(mobile), [])
    assert.match((await send(code)).dueOn, /^\d{4}-\d\d-\d\d$/)
    const [kept] = await rowsOf(mobile)
    assert.deepEqual(
      [kept.company_name, kept.state, kept.region_name],
      [FORM.companyName, 'new', '广东省深圳市南山区'],
    )
    assert.equal(await refusalOf(send(code)), 'CODE_WRONG')
  })

  test('a call is promised within business days of the calendar, as many as the operator sets', async () => {
    const today = formatDay(new Date())
    const { settings } = await staff.referenceData.settings()
    const kept = settings.find(({ key }) => key === 'application-answer-days')
    assert.equal(kept?.value, 2)
    const mark = (days: number, kind: 'holiday' | 'workday') =>
      office.owner.query(
        `insert into business_days (day, kind, name) values ($1, $2, '测试') on conflict (day) do update set kind = $2`,
        [addDays(today, days), kind],
      )
    for (const [days, kind] of [
      [1, 'holiday'],
      [2, 'workday'],
      [3, 'workday'],
      [4, 'workday'],
    ] as const)
      await mark(days, kind)
    const due = async (mobile: string) =>
      (await anyone().partnerApplications.submit(await applicationOf(office, mobile))).dueOn
    assert.equal(await due('13400000011'), addDays(today, 3))
    await staff.referenceData.setSetting({ key: 'application-answer-days', seen: 2, value: 1 })
    assert.equal(await due('13400000012'), addDays(today, 2))
    const { rows } = await staff.partnerApplications.list({ search: '13400000012' })
    assert.equal(rows[0]?.dueOn, addDays(today, 2))
  })

  test('wrong tries spend a code', async () => {
    const form = await applicationOf(office, '13400000002')
    const wrong = { ...form, code: form.code === '000000' ? '000001' : '000000' }
    for (const expected of ['CODE_WRONG', 'CODE_WRONG', 'CODE_WRONG', 'CODE_WRONG', 'CODE_SPENT'])
      assert.equal(await refusalOf(anyone().partnerApplications.submit(wrong)), expected)
    assert.equal(await refusalOf(anyone().partnerApplications.submit(form)), 'CODE_SPENT')
  })

  test('a phone has one open application, and may apply again once it was refused', async () => {
    const mobile = '13400000003'
    await anyone().partnerApplications.submit(await applicationOf(office, mobile))
    const again = async () => anyone().partnerApplications.submit(await applicationOf(office, mobile))
    assert.equal(await refusalOf(again()), 'APPLIED_ALREADY')
    const [first] = await rowsOf(mobile)
    await staff.partnerApplications.refuse({ id: Number(first.id), reason: '区域已满' })
    await again()
    assert.equal((await rowsOf(mobile)).length, 2)
  })

  test('two at once of a phone leave one', async () => {
    const form = await applicationOf(office, '13400000004')
    const sent = await Promise.allSettled([1, 2].map(() => anyone().partnerApplications.submit(form)))
    assert.deepEqual(sent.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await rowsOf('13400000004')).length, 1)
  })

  test('a licence is written anew and shown to staff alone; what is no picture is refused', async () => {
    const form = await applicationOf(office, '13400000005')
    const broken = { ...form, licence: Buffer.from('<svg/>').toString('base64') }
    assert.equal(await refusalOf(anyone().partnerApplications.submit(broken)), 'PICTURE_FORMAT')
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    await anyone().partnerApplications.submit({ ...form, licence: png.toString('base64') })
    const [kept] = await rowsOf('13400000005')
    const details = await staff.partnerApplications.details({ id: Number(kept.id) })
    assert.equal(details.hasLicence, true)
    const look = (cookie: string | null) =>
      office.app.http.inject({
        url: `/api/partner-applications/${kept.id}/licence`,
        headers: cookie ? { cookie } : {},
      })
    const shown = await look(staffCookie)
    assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'image/png'])
    assert.equal((await look(partnerCookie)).statusCode, 403)
    assert.equal((await look(null)).statusCode, 401)
    const { rows: files } = await office.owner.query(
      'select f.id, sealed_key from files f join partner_applications a on a.licence_id = f.id where a.id = $1',
      [kept.id],
    )
    assert.ok(files[0].sealed_key)
    assert.equal(
      (await office.app.http.inject({ url: `/api/files/${files[0].id}`, headers: { cookie: staffCookie } }))
        .statusCode,
      404,
    )
    const { rows: log } = await office.owner.query(
      `select title from operation_logs where objects @> array[$1] order by id`,
      [`application:${kept.id}`],
    )
    assert.deepEqual(
      log.map(({ title }) => title),
      ['提交合作申请', '查看申请人营业执照'],
    )
  })

  test('whoever has no code writes nothing, and what is refused last leaves no picture', async () => {
    const { storage } = office.app.services
    const lying = async () => (await storage.list('sealed/')).kept.length
    const before = await lying()
    const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#eee' } })
      .png()
      .toBuffer()
    const form = { ...(await applicationOf(office, '13400000016')), licence: png.toString('base64') }
    const wrong = { ...form, code: form.code === '000000' ? '000001' : '000000' }
    assert.equal(await refusalOf(anyone().partnerApplications.submit(wrong)), 'CODE_WRONG')
    assert.equal(await lying(), before)
    const sent = await Promise.allSettled([1, 2].map(() => anyone().partnerApplications.submit(form)))
    assert.deepEqual(sent.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal(await lying(), before + 1)
  })

  test('a network sends ten in a day', async () => {
    await office.owner.query(`update partner_applications set created_at = now() - interval '2 days'`)
    for (let sent = 0; sent < 10; sent++)
      await anyone().partnerApplications.submit(await applicationOf(office))
    const more = applicationOf(office).then(form => anyone().partnerApplications.submit(form))
    assert.equal(await refusalOf(more), 'NETWORK_TOO_MANY')
    await office.owner.query(`update partner_applications set created_at = now() - interval '2 days'`)
  })

  test('tells the staff who may see it, and shows the number in no log', async () => {
    const mobile = '13400000006'
    await anyone().partnerApplications.submit(await applicationOf(office, mobile))
    const [kept] = await rowsOf(mobile)
    const told = await office.owner.query(
      `select account_id, link from notices where topic = 'Application_Notify' and body like $1`,
      [`%${mobile}`],
    )
    assert.deepEqual(
      told.rows.map(row => [Number(row.account_id), row.link]),
      [[operator.accountId, `/admin/operations/applications?application=${kept.id}`]],
    )
    const log = await office.owner.query(`select * from operation_logs where title = '提交合作申请'`)
    assert.ok(!JSON.stringify(log.rows).includes(mobile))
  })
})

describe('the desk', () => {
  const fresh = () => makeApplication(office, '雨花商贸')
  const stateOf = async (id: number) => {
    const { state, handledByName, reason } = await staff.partnerApplications.details({ id })
    return [state, handledByName, reason]
  }

  test('an application is spoken about, noted and refused with a reason; the applicant hears of it once', async () => {
    const id = await fresh()
    await staff.partnerApplications.contact({ id })
    assert.equal((await stateOf(id))[0], 'contacting')
    await assert.rejects(staff.partnerApplications.contact({ id }), {
      code: 'CONTACTED_ALREADY',
      message: /^已由.+处理：/,
    })
    await staff.partnerApplications.note({ id, text: ' 已通话 ' })
    const { notes, mobile } = await staff.partnerApplications.details({ id })
    assert.deepEqual(
      notes.map(note => note.text),
      ['已通话'],
    )
    await staff.partnerApplications.refuse({ id, reason: '区域已满' })
    assert.deepEqual(
      (await stateOf(id)).filter((_, at) => at !== 1),
      ['refused', '区域已满'],
    )
    await assert.rejects(staff.partnerApplications.refuse({ id, reason: '再次' }), {
      code: 'DECIDED_ALREADY',
      message: /^已由.+处理：/,
    })
    assert.equal(await refusalOf(staff.partnerApplications.contact({ id })), 'DECIDED_ALREADY')
    const { rows } = await office.owner.query('select text from outbox_messages where phone = $1', [mobile])
    assert.equal(rows.length, 1)
    assert.match(rows[0].text, /雨花商贸.*暂不能合作/)
    assert.ok(!rows[0].text.includes('区域已满'))
  })

  test('becomes a partner in one step and once; what cannot be taken on stays an application', async () => {
    const id = await fresh()
    const partner = newPartner()
    const unknown = { id, ...partner, levelId: 999_999 }
    assert.equal(await refusalOf(staff.partnerApplications.accept(unknown)), 'LEVEL_UNKNOWN')
    assert.equal((await stateOf(id))[0], 'new')
    const taken = await staff.partnerApplications.accept({ id, ...partner })
    const details = await staff.partnerApplications.details({ id })
    assert.deepEqual([details.state, details.agentId], ['accepted', taken.id])
    const again = { id, ...newPartner() }
    await assert.rejects(staff.partnerApplications.accept(again), {
      code: 'DECIDED_ALREADY',
      message: /^已由.+处理：/,
    })
    const { rows } = await office.owner.query('select 1 from agents where company_name = $1', [
      again.companyName,
    ])
    assert.equal(rows.length, 0)
    const told = await office.owner.query('select text from outbox_messages where phone = $1', [
      details.mobile,
    ])
    assert.deepEqual(told.rows.length, 1)
    assert.match(told.rows[0].text, /已通过/)
  })

  test('finds by state, day, name and the beginning of a number, and counts those that wait', async () => {
    await office.owner.query('delete from partner_application_notes')
    await office.owner.query('delete from partner_applications')
    const [first, second] = [await fresh(), await makeApplication(office, '岳麓数码')]
    await staff.partnerApplications.contact({ id: second })
    const found = async (asked: Parameters<typeof staff.partnerApplications.list>[0]) =>
      (await staff.partnerApplications.list(asked)).rows.map(({ id }) => id)
    const { mobile } = await staff.partnerApplications.details({ id: first })
    const cases = [
      [{}, [second, first]],
      [{ state: 'new' }, [first]],
      [{ state: 'contacting' }, [second]],
      [{ search: '雨花' }, [first]],
      [{ search: '岳麓数码' }, [second]],
      [{ search: mobile }, [first]],
      [{ from: '2020-01-01', to: '2020-01-02' }, []],
    ] as const
    for (const [asked, expected] of cases)
      assert.deepEqual(await found(asked), expected, JSON.stringify(asked))
    assert.deepEqual(await staff.partnerApplications.count(), { waiting: 1 })
  })
})
