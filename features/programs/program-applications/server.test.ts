// A shop's application for a mini program through the router, with real papers and locks, and the platform's simulator for names and
// categories (D2 §2 16, 17, 22, §4, §5).
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { makeDocument } from '#features/care/documents/walk.ts'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { type Client, type Office, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'
import type { PaperName } from './rules.ts'
import { makePapers, WHOLE } from './walk.ts'

let on: ProgramOffice
let simulator: WechatOpenSimulator
let office: Office
let staff: Client
let colleague: Client
let agent: MadeAgent
let me: Client
let shop: number
let papers: Record<PaperName, number>

before(async () => {
  on = await openProgramOffice()
  ;({ simulator, office } = on)
  const vendor = await makeAgent(office, { staff: true })
  staff = office.as(await office.login(vendor.loginName))
  const other = await makeAccount(office, vendor.id, { isOwner: true })
  colleague = office.as(await office.login(other.loginName))
})
after(async () => {
  await on.stop()
})
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  papers = await makePapers(office, agent, shop)
})

const shown = () => me.programApplications.ofShop({ merchantId: shop })
const form = async (more: object = {}) => ({
  merchantId: shop,
  revision: (await shown()).revision,
  ...WHOLE,
  ...papers,
  ...more,
})
const submit = async (more: object = {}) => me.programApplications.submit(await form(more))
const numbers = async (id: number) => {
  const { rows } = await office.owner.query(
    'select flow_status, flow_step, submit_status from program_applications where id = $1',
    [id],
  )
  return Object.values(rows[0])
}
const toldTo = async (accountId: number) =>
  (
    await office.owner.query('select title, body from notices where account_id = $1 order by id desc', [
      accountId,
    ])
  ).rows

describe('filling in', () => {
  test('what the shop has is there already: its papers, and who it is', async () => {
    await office.owner.query(
      `insert into verifications (agent_id, merchant_id, state, company, credit_code, legal_person, saved_by, saved_by_name, saved_at)
         values ($1, $2, 'verified', '老张餐饮', '9144030071526726XG', '张三', 0, '王小明', now())`,
      [agent.id, shop],
    )
    const empty = await shown()
    assert.deepEqual([empty.id, empty.revision, empty.state, empty.editRefusal], [null, 0, null, null])
    assert.deepEqual(
      [empty.companyName, empty.companyCode, empty.legalPersonName],
      ['老张餐饮', '9144030071526726XG', '张三'],
    )
    assert.deepEqual(Object.fromEntries(empty.papers.map(({ name, id }) => [name, id])), papers)
  })

  test('a draft keeps what is half done, and no paper of another shop or kind', async () => {
    const saved = await me.programApplications.save(
      await form({ intro: '', programType: null, categoryId: null }),
    )
    assert.deepEqual([saved.revision, saved.state], [1, 'draft'])
    const elsewhere = await makeMerchant(office, agent.id)
    const licenceId = await makeDocument(office, {
      by: agent,
      merchantId: elsewhere,
      kind: 'businessLicence',
    })
    assert.equal(await refusalOf(form({ licenceId }).then(me.programApplications.save)), 'NOT_FOUND')
    const swapped = { headImageId: papers.idBackId }
    assert.equal(await refusalOf(form(swapped).then(me.programApplications.save)), 'NOT_FOUND')
    const certificates = [{ name: '食品经营许可证', documentId: papers.licenceId }]
    assert.equal(await refusalOf(form({ certificates }).then(me.programApplications.save)), 'NOT_FOUND')
  })

  test('the WeChat number lies encrypted, is shown by its ends, and stays where nothing is typed', async () => {
    const { id } = await me.programApplications.save(await form())
    const sealed = async () =>
      (
        await office.owner.query(
          'select legal_person_wechat as sealed from program_applications where id = $1',
          [id],
        )
      ).rows[0].sealed
    assert.equal(office.app.services.secrets.decrypt(await sealed()), 'zhangsan_88')
    assert.equal((await shown()).legalPersonWechatMasked, 'zh****88')
    await submit({ legalPersonWechat: '' })
    assert.equal(office.app.services.secrets.decrypt(await sealed()), 'zhangsan_88')
    const { rows } = await office.owner.query(
      `select changes::text as told from operation_logs where subject like $1`,
      [`%(${shop})%`],
    )
    assert.ok(rows.length > 0 && rows.every(({ told }) => !told.includes('zhangsan_88')))
  })

  test('what is wanting is said at its field', async () => {
    assert.equal(await refusalOf(submit({ intro: '' })), 'INTRO_REQUIRED')
    assert.equal(await refusalOf(submit({ licenceId: null })), 'LICENCE_REQUIRED')
    assert.equal(await refusalOf(submit({ categoryId: 99_999 })), 'CATEGORY_GONE')
    assert.equal(await refusalOf(submit({ categoryId: 220 })), 'CATEGORY_GONE')
    assert.equal(await refusalOf(submit({ categoryId: 221 })), 'CERTIFICATE_REQUIRED')
    await office.owner.query(
      'update files set height = 200 where id = (select file_id from documents where id = $1)',
      [papers.headImageId],
    )
    assert.equal(await refusalOf(submit()), 'HEAD_IMAGE_NOT_SQUARE')
  })

  test('certificates of the chosen set are kept in use, those of another are let go', async () => {
    const of = () => makeDocument(office, { by: agent, merchantId: shop, kind: 'qualification' })
    const certificates = [
      { name: '《食品经营许可证》', documentId: await of() },
      { name: '《增值电信业务经营许可证》', documentId: await of() },
    ]
    await submit({ categoryId: 221, alternative: 1, certificates })
    const kept = await shown()
    assert.deepEqual([kept.categoryName, kept.alternative], ['餐饮 / 点餐平台', 1])
    assert.deepEqual(
      kept.certificates.map(({ name, id }) => [name, id]),
      [['《增值电信业务经营许可证》', certificates[1]?.documentId]],
    )
    const { rows } = await office.owner.query(
      `select document_id::int as id from document_uses where feature = 'programApplications' and merchant_id = $1`,
      [shop],
    )
    const used = [...Object.values(papers), certificates[1]?.documentId]
    assert.deepEqual(rows.map(({ id }) => id).sort(), used.sort())
  })

  test('a stale form and a second press change nothing', async () => {
    const stale = await form()
    await submit()
    assert.equal(await refusalOf(me.programApplications.submit(stale)), 'PENDING_ALREADY')
    assert.equal((await me.programApplications.list({})).total, 1)
    const two = await makeMerchant(office, agent.id)
    const both = {
      ...stale,
      merchantId: two,
      headImageId: null,
      idFrontId: null,
      idBackId: null,
      licenceId: null,
    }
    const outcomes = await Promise.allSettled([
      me.programApplications.save(both),
      me.programApplications.save(both),
    ])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })
})

describe('deciding', () => {
  test('approved, it can be created next, and its agent hears of it', async () => {
    const { id, revision } = await submit()
    assert.deepEqual(await numbers(id), [1, 1, 0])
    assert.equal(await refusalOf(me.programApplications.approve({ id, revision })), 'FORBIDDEN')
    await staff.programApplications.approve({ id, revision })
    assert.deepEqual(await numbers(id), [1, 2, 0])
    assert.equal((await toldTo(agent.accountId))[0].title, '小程序申请已通过审核')
    assert.equal(await refusalOf(colleague.programApplications.approve({ id, revision })), 'HANDLED_ALREADY')
    assert.equal(await refusalOf(submit()), 'APPROVED_ALREADY')
  })

  test('rejected, it is mended and handed in anew', async () => {
    const { id, revision } = await submit()
    await staff.programApplications.reject({ id, revision, reason: '执照看不清楚' })
    assert.deepEqual((await toldTo(agent.accountId))[0], {
      title: '小程序申请未通过审核',
      body: '老张面馆：执照看不清楚',
    })
    assert.equal((await shown()).reason, '执照看不清楚')
    await submit({ intro: '老张面馆的扫码点餐' })
    const { state, reason } = await shown()
    assert.deepEqual([state, reason], ['pending', ''])
  })

  test('staff mend what waits, and it stays whole; its agent does not', async () => {
    await submit()
    assert.equal(await refusalOf(form().then(me.programApplications.save)), 'PENDING_ALREADY')
    const broken = await form({ intro: '' })
    assert.equal(await refusalOf(staff.programApplications.save(broken)), 'INTRO_REQUIRED')
    const saved = await staff.programApplications.save(await form({ intro: '平台改过的简介' }))
    assert.equal(saved.state, 'pending')
    assert.equal((await shown()).intro, '平台改过的简介')
  })

  test('nobody decides on what they handed in, where another could', async () => {
    const { id, revision } = await staff.programApplications.submit(await form())
    assert.equal(await refusalOf(staff.programApplications.approve({ id, revision })), 'OWN_SUBMISSION')
    await colleague.programApplications.approve({ id, revision })
  })
})

describe('beside it', () => {
  test('deleted, it is out of the list and of the way, and comes back while no other stands', async () => {
    const { id, revision } = await submit()
    const gone = await me.programApplications.remove({ id, revision })
    assert.equal((await me.programApplications.list({})).total, 0)
    assert.deepEqual(
      (await me.programApplications.list({ deleted: true })).rows.map(row => row.id),
      [id],
    )
    assert.equal(
      await refusalOf(staff.programApplications.approve({ id, revision: gone.revision })),
      'HANDLED_ALREADY',
    )
    const back = await me.programApplications.restore({ id, revision: gone.revision })
    assert.equal(back.state, 'pending')
    const again = await me.programApplications.remove({ id, revision: back.revision })
    await submit()
    assert.equal(
      await refusalOf(me.programApplications.restore({ id, revision: again.revision })),
      'ANOTHER_STANDS',
    )
  })

  test('one that exists already waits for its owner, and says what it is for', async () => {
    const { id, revision, state } = await me.programApplications.addExisting({
      merchantId: shop,
      programType: 'shop',
    })
    assert.deepEqual([state, ...(await numbers(id))], ['approved', 9, 99, 0])
    await me.programApplications.setType({ id, revision, programType: 'scanOrder' })
    assert.equal((await me.programApplications.details({ id })).programType, 'scanOrder')
    assert.equal(await refusalOf(submit()), 'EXISTING_ALREADY')
    assert.equal(
      await refusalOf(me.programApplications.addExisting({ merchantId: shop, programType: 'shop' })),
      'ANOTHER_STANDS',
    )
  })

  test('it goes along with a shop that moves to another agent, and both are told', async () => {
    const { id } = await submit()
    const next = await makeAgent(office)
    const operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
    const { shop: seen } = await operator.aftersales.providerFind({ search: String(shop) })
    const { revision = 0 } = seen ?? assert.fail('no shop')
    await operator.aftersales.move({ id: shop, agentId: next.id, revision, reason: '更换代理商' })
    const theirs = office.as(await office.login(next.loginName))
    assert.equal((await theirs.programApplications.details({ id })).papers.length, 4)
    assert.equal(await refusalOf(me.programApplications.details({ id })), 'NOT_FOUND')
    for (const { accountId } of [agent, next]) assert.match((await toldTo(accountId))[0].body, /老张面馆/)
  })
})

describe('with the platform', () => {
  const check = (name: string) => me.programApplications.checkName({ name })

  test('without a mini program that is authorised nobody can say of a name, and nothing is held back', async () => {
    const { standing, words } = await check('老张面馆')
    assert.equal(standing, 'unknown')
    assert.match(words, /不影响提交/)
    assert.equal(await refusalOf(staff.programCategories.refresh({ seen: 0 })), 'NO_PROGRAM')
  })

  test('a name is asked for, and the platform’s own categories take the place of those that were built in', async () => {
    const platform = platformOf(office.app.services) ?? assert.fail('no platform')
    const account = simulator.addAccount({ principalName: '上海示例餐饮有限公司' })
    await platform.authorize(simulator.authorize(account.appid))
    assert.equal((await check('老张面馆')).standing, 'available')
    assert.deepEqual(await check('占用面馆'), {
      standing: 'unavailable',
      words: '当前名称不可用：名称已被占用',
    })
    assert.equal((await check('老张医院')).standing, 'proof')
    assert.equal((await check('面')).standing, 'unavailable')
    assert.equal((await me.programCategories.list()).source, 'builtIn')
    assert.equal(await refusalOf(me.programCategories.refresh({ seen: 0 })), 'FORBIDDEN')
    for (const [code, refusal] of [
      ['-1', 'PLATFORM_SILENT'],
      ['48001', 'PLATFORM_REFUSED'],
    ] as const) {
      simulator.control.faults.push({ match: 'getallcategories', times: 1, effect: { kind: 'error', code } })
      assert.equal(await refusalOf(staff.programCategories.refresh({ seen: 0 })), refusal)
    }
    const { categories } = await staff.programCategories.refresh({ seen: 0 })
    assert.equal(await refusalOf(staff.programCategories.refresh({ seen: 0 })), 'STALE')
    const now = await me.programApplications.categories()
    assert.deepEqual([now.source, now.categories.length], ['platform', categories])
    const { rows } = await office.owner.query('select source from program_category_lists order by id')
    assert.deepEqual(
      rows.map(({ source }) => source),
      ['platform'],
    )
  })
})
