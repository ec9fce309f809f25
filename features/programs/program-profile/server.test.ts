// What a shop's mini program shows of itself, through the router, with the platform's simulator: handed in and reviewed part by part, refused and
// corrected, quotas, answers that are lost, and what is told twice or late (D2 §2 21, §8, §9).
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach, describe } from 'node:test'
import { makeDocument } from '#features/care/documents/walk.ts'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import { makePapers } from '#features/programs/program-applications/walk.ts'
import { followPlatform } from '#features/programs/program-flow/server-rounds.ts'
import { makeFlow } from '#features/programs/program-flow/walk.ts'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { type Beside, type Client, type Office, openBeside, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'
import type { ProfilePart } from './rules.ts'
import { followProfiles } from './server-rounds.ts'

const MINUTE = 60_000
let on: ProgramOffice
let asked: ProgramOffice['asked']
let simulator: WechatOpenSimulator
let office: Office
let beside: Beside
let agent: MadeAgent
let me: Client
let shop: number
let id: number
let headImageId: number
let fresh: string
let number = 0
let account: ReturnType<WechatOpenSimulator['addAccount']>

before(async () => {
  on = await openProgramOffice({ checkMs: 0, reviewMs: MINUTE })
  ;({ simulator, office, asked } = on)
  beside = await openBeside(office, { providers: office.app.services.providers })
})
after(async () => {
  await beside.stop()
  await on.stop()
})
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  // Each of its own: a name is had once.
  fresh = `老张面馆第${++number}店`
  account = simulator.addAccount({ principalName: '老张餐饮', nick: '', viaApi: true })
  await platformOf(office.app.services)?.authorize(simulator.authorize(account.appid))
  id = await makeFlow(
    office,
    { agentId: agent.id, merchantId: shop },
    { state: 'profile', appid: account.appid, isAuthorized: true },
  )
  const papers = await makePapers(office, agent, shop)
  ;({ headImageId } = papers)
  await office.owner.query(
    `update program_applications set head_image_id = $2, licence_id = $3, program_name = '老张面馆点餐', intro = '在线点餐到店自取' where id = $1`,
    [id, headImageId, papers.licenceId],
  )
  for (const name of Object.keys(asked)) delete asked[name]
})
afterEach(async () => {
  simulator.control.faults.length = 0
  // What is in review yet would take the verdict of another test.
  simulator.control.moveClock(MINUTE)
  await simulator.settle()
  simulator.book().verdicts.length = 0
  for (const table of ['program_profiles', 'program_flows'])
    await office.owner.query(`update ${table} set next_at = null`)
})

const shown = () => me.programProfile.details({ id })
const part = async (name: ProfilePart) =>
  (await shown()).parts.find(one => one.part === name) ?? assert.fail(name)
const flow = () => me.programFlow.details({ id })
async function round(services = office.app.services) {
  await simulator.settle()
  for (const table of ['program_profiles', 'program_flows'])
    await office.owner.query(
      `update ${table} set next_at = now() - make_interval(secs => 1) where next_at is not null and application_id = $1`,
      [id],
    )
  await followProfiles(services)
  await followPlatform(services)
}
/** What people there decide by then is told and asked. */
async function reviewed() {
  simulator.control.moveClock(MINUTE)
  await round()
  await round()
}
const lose = (match: string) =>
  simulator.control.faults.push({ match, times: 1, effect: { kind: 'reset-after' } })
const decideNext = (verdict: 'pass' | 'refuse', reason = '') =>
  simulator.book().verdicts.push({ verdict, reason })
const standing = (one: Awaited<ReturnType<typeof part>>) => [one.value, one.change?.state, one.change?.reason]

const INTRO = '在线点餐，到店自取'

describe('handing in', () => {
  test('each part is handed in and reviewed, and the flow goes on once all of it holds', async () => {
    await me.programProfile.setName({ id, programName: fresh })
    await me.programProfile.setHeadImage({ id, documentId: headImageId })
    await me.programProfile.setIntro({ id, intro: INTRO })
    await me.programProfile.setCategory({ id, categoryId: 223 })
    assert.equal((await shown()).isAsking, true)
    await round()
    for (const one of (await shown()).parts) assert.equal(one.change?.state, 'reviewing', one.part)
    assert.equal((await flow()).state, 'profile')
    await reviewed()
    const { parts, isAsking, message } = await shown()
    assert.deepEqual(
      parts.map(one => [one.value, one.change?.state]),
      [
        [fresh, 'passed'],
        ['已设置', 'passed'],
        [INTRO, 'passed'],
        ['餐饮 / 餐厅排队', 'passed'],
      ],
    )
    assert.deepEqual([isAsking, message], [false, ''])
    await round()
    assert.equal((await flow()).state, 'code')
    // The licence went along with the name.
    assert.deepEqual([asked.setnickname, asked.checkwxverifynickname], [1, 1])
    const { rows } = await office.owner.query(
      'select program_name, intro, category_id, category_name from program_applications where id = $1',
      [id],
    )
    assert.deepEqual(Object.values(rows[0]), [fresh, INTRO, 223, '餐饮 / 餐厅排队'])
  })

  test('a part that was refused says why, and is corrected and handed in once more', async () => {
    await me.programProfile.setName({ id, programName: fresh })
    decideNext('refuse', '名称与店铺招牌不符')
    await round()
    await reviewed()
    assert.deepEqual(standing(await part('name')), ['', 'refused', '名称与店铺招牌不符'])
    const waiting = await me.inbox.list({ kind: '修改未通过的小程序资料' })
    assert.deepEqual(
      waiting.rows.map(({ detail }) => detail),
      ['名称未通过：名称与店铺招牌不符'],
    )
    await me.programProfile.setName({ id, programName: '老张家面馆' })
    await round()
    await reviewed()
    const { history } = await shown()
    assert.deepEqual(
      history.map(one => [one.value, one.state, one.isCurrent]),
      [
        ['老张家面馆', 'passed', true],
        [fresh, 'refused', false],
      ],
    )
  })

  test('a name that nobody may have is not handed in, and one that wants proof only with it', async () => {
    await me.programProfile.setName({ id, programName: '老张保护期' })
    await round()
    const guarded = await part('name')
    assert.deepEqual([guarded.change?.state, asked.setnickname], ['refused', undefined])
    assert.match(guarded.change?.reason ?? '', /名称在保护期内。/)
    await me.programProfile.setName({ id, programName: '老张牙科医院' })
    await round()
    assert.match((await part('name')).change?.reason ?? '', /请上传证明材料后重新提交/)
    const paper = await makeDocument(office, { by: agent, merchantId: shop, kind: 'qualification' })
    await me.programProfile.setName({ id, programName: '老张牙科医院', papers: [paper] })
    await round()
    assert.deepEqual([(await part('name')).change?.state, asked.setnickname], ['reviewing', 1])
    assert.deepEqual(await me.programProfile.checkName({ id, name: '老张保护期' }), {
      standing: 'unavailable',
      words: '当前名称不可用：名称在保护期内',
    })
  })

  test('a category with papers brings them, and one that was refused is handed in anew', async () => {
    const paper = await makeDocument(office, { by: agent, merchantId: shop, kind: 'qualification' })
    const certificates = [{ name: '《食品经营许可证》', documentId: paper }]
    assert.equal(
      await refusalOf(me.programProfile.setCategory({ id, categoryId: 221 })),
      'CERTIFICATE_REQUIRED',
    )
    await me.programProfile.setCategory({ id, categoryId: 221, certificates })
    decideNext('refuse', '许可证已过期')
    await round()
    await reviewed()
    assert.deepEqual(standing(await part('category')), ['', 'refused', '许可证已过期'])
    assert.deepEqual((await shown()).proposed.certificates, certificates)
    await me.programProfile.setCategory({ id, categoryId: 221, certificates })
    await round()
    await reviewed()
    assert.deepEqual(standing(await part('category')), ['餐饮 / 点餐平台', 'passed', ''])
    assert.deepEqual([asked.addcategory, asked.modifycategory], [1, 1])
    assert.equal(
      await refusalOf(me.programProfile.setCategory({ id, categoryId: 221, certificates })),
      'CATEGORY_THERE',
    )
  })
})

describe('categories', () => {
  const add = async (categoryId: number, certificates: { name: string; documentId: number }[] = []) => {
    await me.programProfile.setCategory({ id, categoryId, certificates })
    await round()
    await reviewed()
  }
  const shownCategories = async () => (await shown()).categories.map(({ name, state }) => `${name} ${state}`)
  const ofApplication = async () => {
    const { rows } = await office.owner.query(
      'select category_id, category_name from program_applications where id = $1',
      [id],
    )
    return Object.values(rows[0])
  }

  test('one that is not used is taken away, the application tells another, and it can be added anew', async () => {
    await add(224)
    await add(223)
    assert.deepEqual(await ofApplication(), [223, '餐饮 / 餐厅排队'])
    await me.programProfile.removeCategory({ id, second: 223 })
    // Pressed again it is one.
    await me.programProfile.removeCategory({ id, second: 223 })
    assert.equal((await part('category')).change?.isRemoval, true)
    assert.equal(await refusalOf(me.programProfile.setCategory({ id, categoryId: 223 })), 'IN_REVIEW')
    await round()
    assert.deepEqual(await shownCategories(), ['餐饮 / 点评与推荐 passed'])
    assert.deepEqual(await ofApplication(), [224, '餐饮 / 点评与推荐'])
    assert.equal(asked.deletecategory, 1)
    const { history, categories } = await shown()
    assert.deepEqual(
      [history[0]?.value, history[0]?.isRemoval, history[0]?.state],
      ['餐饮 / 餐厅排队', true, 'passed'],
    )
    assert.match(categories[0]?.removalRefusal ?? '', /至少保留一个已通过的类目/)
    assert.equal(await refusalOf(me.programProfile.removeCategory({ id, second: 224 })), 'LAST_CATEGORY')
    assert.equal(await refusalOf(me.programProfile.removeCategory({ id, second: 223 })), 'NO_SUCH_CATEGORY')
    await add(223)
    assert.equal((await shownCategories()).length, 2)
  })

  test('a removal whose answer was lost is made once, and one that is in review stays', async () => {
    await add(224)
    await me.programProfile.setCategory({ id, categoryId: 223 })
    await round()
    assert.equal(await refusalOf(me.programProfile.removeCategory({ id, second: 223 })), 'IN_REVIEW')
    await reviewed()
    lose('deletecategory')
    await me.programProfile.removeCategory({ id, second: 223 })
    await round()
    assert.equal((await part('category')).change?.state, 'sending')
    await round(beside.app.services)
    assert.deepEqual(await shownCategories(), ['餐饮 / 点评与推荐 passed'])
    assert.deepEqual([asked.deletecategory, account.categoryChanges.length], [1, 3])
  })

  test('a removal that the platform says no to is told, and the category stays', async () => {
    await add(224)
    await add(223)
    simulator.control.faults.push({
      ...{ match: 'deletecategory', times: 1, effect: { kind: 'error', code: '53308' } },
    })
    await me.programProfile.removeCategory({ id, second: 223 })
    await round()
    const { change } = await part('category')
    assert.deepEqual([change?.state, change?.isRemoval], ['refused', true])
    assert.equal((await shownCategories()).length, 2)
    const waiting = await me.inbox.list({ kind: '修改未通过的小程序资料' })
    assert.match(waiting.rows[0]?.detail ?? '', /^类目删除未成功：/)
    // What is proposed is no removal.
    assert.equal((await shown()).proposed.categoryId, 223)
  })

  test('one of three levels is handed in by its second, with the papers of its third, and named whole', async () => {
    const platform = platformOf(office.app.services) ?? assert.fail('no platform')
    const list = await platform.of(account.appid).offeredCategories()
    await office.owner.query(
      `insert into program_category_lists (source, taken_at, taken_by_name, categories) values ('platform', now(), '', $1)`,
      [JSON.stringify(list)],
    )
    try {
      assert.equal(
        await refusalOf(me.programProfile.setCategory({ id, categoryId: 111 })),
        'CATEGORY_NOT_LAST',
      )
      assert.equal(
        await refusalOf(me.programProfile.setCategory({ id, categoryId: 112 })),
        'CERTIFICATE_REQUIRED',
      )
      const paper = await makeDocument(office, { by: agent, merchantId: shop, kind: 'qualification' })
      await add(112, [{ name: '《网络预约出租汽车经营许可证》', documentId: paper }])
      assert.deepEqual(await shownCategories(), ['出行与交通 / 网约车 passed'])
      assert.deepEqual(await ofApplication(), [112, '出行与交通 / 网约车 / 快车/出租车/专车'])
      const audited = await platform.of(account.appid).auditCategories()
      assert.deepEqual(
        audited.map(({ thirdId, thirdName }) => [thirdId, thirdName]),
        [
          [112, '快车/出租车/专车'],
          [113, '顺风车'],
        ],
      )
    } finally {
      await office.owner.query('delete from program_category_lists')
    }
  })

  for (const [verdict, state] of [
    ['pass', 'passed'],
    ['refuse', 'refused'],
  ] as const)
    test(`its review is told by the platform’s own message: ${state}`, async () => {
      await me.programProfile.setCategory({ id, categoryId: 223 })
      await round()
      decideNext(verdict, verdict === 'refuse' ? '与经营不符' : '')
      simulator.control.moveClock(MINUTE)
      await simulator.settle()
      // Nothing is due: the message alone has it asked.
      await followProfiles(office.app.services)
      assert.deepEqual((await part('category')).change?.state, state)
      const told = (await flow()).answers.find(({ title }) => title === '微信通知：资料审核')
      assert.equal(told?.words, verdict === 'pass' ? '类目已审核通过' : '类目未通过审核：与经营不符')
    })
})

describe('what is refused', () => {
  test('by whose it is, by what stands, and by what is left', async () => {
    const { programProfile } = me
    assert.equal(await refusalOf(programProfile.setName({ id, programName: '张' })), 'NAME_LENGTH_WRONG')
    assert.equal(await refusalOf(programProfile.setIntro({ id, intro: '面馆' })), 'INTRO_TOO_SHORT')
    await programProfile.setIntro({ id, intro: INTRO })
    // Pressed again it is one; another waits for its result.
    await programProfile.setIntro({ id, intro: INTRO })
    assert.equal((await shown()).history.length, 1)
    assert.equal(await refusalOf(programProfile.setIntro({ id, intro: '另一个简介' })), 'IN_REVIEW')
    await round()
    await reviewed()
    assert.equal(await refusalOf(programProfile.setIntro({ id, intro: INTRO })), 'SAME_AS_NOW')
    account.signature.used = 5
    account.head.used = 5
    await me.programProfile.look({ id })
    await round()
    const { parts } = await shown()
    assert.deepEqual(
      parts.map(({ left, quota }) => [left, quota]),
      [
        [2, 2],
        [0, 5],
        [0, 5],
        [20, 20],
      ],
    )
    assert.equal(await refusalOf(programProfile.setIntro({ id, intro: '另一个简介' })), 'NO_INTRO_CHANGE')
    assert.equal(
      await refusalOf(programProfile.setHeadImage({ id, documentId: headImageId })),
      'NO_HEAD_IMAGE_CHANGE',
    )
    const other = await makeMerchant(office, agent.id)
    const theirs = await makeDocument(office, { by: agent, merchantId: other, kind: 'headImage' })
    account.head.used = 0
    await me.programProfile.look({ id })
    await round()
    assert.equal(await refusalOf(programProfile.setHeadImage({ id, documentId: theirs })), 'NOT_FOUND')
    const stranger = office.as(await office.login((await makeAgent(office)).loginName))
    assert.equal(await refusalOf(stranger.programProfile.setIntro({ id, intro: INTRO })), 'NOT_FOUND')
  })

  test('a name where it was not created through the platform or is released', async () => {
    await office.owner.query(`update program_flows set state = 'released' where application_id = $1`, [id])
    assert.equal(await refusalOf(me.programProfile.setName({ id, programName: fresh })), 'RELEASED_ALREADY')
    await office.owner.query(`update program_applications set kind = 'existing' where id = $1`, [id])
    assert.equal(await refusalOf(me.programProfile.setName({ id, programName: fresh })), 'NOT_VIA_API')
    assert.match((await part('name')).refusal ?? '', /请客户登录微信公众平台设置/)
    await office.owner.query(`update program_flows set is_authorized = false where application_id = $1`, [id])
    assert.equal(await refusalOf(me.programProfile.setIntro({ id, intro: INTRO })), 'NOT_AUTHORIZED')
    await office.owner.query(`update program_flows set state = 'authorized' where application_id = $1`, [id])
    assert.equal(await refusalOf(me.programProfile.setIntro({ id, intro: INTRO })), 'NOT_NOW')
  })
})

describe('answers that are lost', () => {
  for (const [path, name, hand] of [
    ['setnickname', 'name', () => me.programProfile.setName({ id, programName: fresh })],
    ['modifyheadimage', 'headImage', () => me.programProfile.setHeadImage({ id, documentId: headImageId })],
    ['modifysignature', 'intro', () => me.programProfile.setIntro({ id, intro: INTRO })],
    ['addcategory', 'category', () => me.programProfile.setCategory({ id, categoryId: 223 })],
  ] as const)
    test(`${name}: it counts once, and ends where it ended there`, async () => {
      lose(path)
      await hand()
      await round()
      assert.equal((await part(name)).change?.state, 'sending')
      assert.equal((await shown()).message, '微信没有答复，将再次查询')
      await round(beside.app.services)
      assert.equal((await part(name)).change?.state, 'reviewing')
      await reviewed()
      assert.equal((await part(name)).change?.state, 'passed')
      const { nick, head, signature, categoryChanges } = account
      assert.deepEqual(
        [nick.used, head.used, signature.used, categoryChanges.length],
        ['name', 'headImage', 'intro', 'category'].map(one => (one === name ? 1 : 0)),
      )
    })

  test('a name whose number was lost is refused by what the platform tells', async () => {
    lose('setnickname')
    await me.programProfile.setName({ id, programName: fresh })
    await round()
    await round()
    decideNext('refuse', '与招牌不符')
    await reviewed()
    assert.deepEqual(standing(await part('name')), ['', 'refused', '与招牌不符'])
  })

  test('what the platform tells comes twice and changes nothing more', async () => {
    simulator.control.faults.push({
      match: 'wxa_nickname_audit',
      times: 1,
      effect: { kind: 'callback-duplicate' },
    })
    await me.programProfile.setName({ id, programName: fresh })
    await round()
    await reviewed()
    assert.equal((await part('name')).change?.state, 'passed')
    const told = (await flow()).answers.filter(({ title }) => title === '微信通知：资料审核')
    assert.deepEqual(
      told.map(({ words }) => words),
      [`名称「${fresh}」已审核通过`],
    )
  })

  test('a picture that never shows ends in words', async () => {
    await me.programProfile.setHeadImage({ id, documentId: headImageId })
    decideNext('refuse')
    await round()
    await reviewed()
    assert.equal((await part('headImage')).change?.state, 'reviewing')
    await office.owner.query(
      `update program_profile_changes set submitted_at = submitted_at - interval '49 hours' where application_id = $1`,
      [id],
    )
    await round()
    assert.match((await part('headImage')).change?.reason ?? '', /微信没有说明原因，请更换后重新提交/)
  })
})
