// A shop's mini program from its approved application to an authorisation that was verified, through the router, with the platform's simulator:
// answers that are lost, two programs at once, and what is told twice, late, out of order or by nobody we know (D2 §4, §5; D3 §3).
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach, describe } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import type { PlatformEvent } from '#kit/ports/mini-programs.ts'
import { makeRandom } from '#kit/random.ts'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { faceCheck } from '#providers/wechat-open/simulator-platform.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { type Beside, type Client, type Office, openBeside, refusalOf } from '#test/app.ts'
import { times } from '#test/lane.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'
import { aLicenceNumber } from '#test/wechat-onboarding.ts'
import { PERSONAL, TAKEN_ALREADY } from './rules.ts'
import { registrationKeyOf } from './server-ask.ts'
import { lockFlow, takeVersionStep, type VersionStep } from './server-flows.ts'
import { followPlatform } from './server-rounds.ts'
import { makeFlow, REGISTRANT } from './walk.ts'

let on: ProgramOffice
let asked: ProgramOffice['asked']
let simulator: WechatOpenSimulator
let office: Office
let beside: Beside
let agent: MadeAgent
let me: Client
let shop: number
let id: number
let companyName: string
/** Each of its own: one subject has one task. */
let companyCode: string
let number = 0

before(async () => {
  on = await openProgramOffice({ checkMs: 0 })
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
  id = await makeFlow(office, { agentId: agent.id, merchantId: shop })
  companyName = `老张餐饮第${++number}店`
  companyCode = aLicenceNumber()
  for (const name of Object.keys(asked)) delete asked[name]
})
afterEach(async () => {
  simulator.control.faults.length = 0
  await office.owner.query('update program_flows set next_at = null')
})

const shown = () => me.programFlow.details({ id })
const create = async (more: object = {}) =>
  me.programFlow.create({
    ...{ id, revision: (await shown()).revision, ...REGISTRANT, companyName, companyCode },
    ...more,
  })
const dueNow = () =>
  office.owner.query(
    'update program_flows set next_at = now() - make_interval(secs => 1) where next_at is not null and application_id = $1',
    [id],
  )
/** What is told is brought, and what is due is asked. */
async function round() {
  await simulator.settle()
  await dueNow()
  await followPlatform(office.app.services)
}
async function until(state: string) {
  for (let rounds = 0; rounds < 6; rounds++) {
    const now = await shown()
    if (now.state === state && !now.isAsking) return now
    await round()
  }
  return shown()
}
const task = () =>
  simulator.book().registrations.findLast(({ name }) => name === companyName) ?? assert.fail('no task')
const passFace = () => faceCheck(task(), 'pass', simulator.control.now().getTime(), 0)
const numbers = async () => {
  const { rows } = await office.owner.query(
    'select flow_status, flow_step, submit_status from program_applications where id = $1',
    [id],
  )
  return Object.values(rows[0]).join('/')
}
const lose = (match: string, kind: 'reset-after' | 'status' = 'reset-after') =>
  simulator.control.faults.push(
    kind === 'status'
      ? { match, times: 1, effect: { kind, status: 502 } }
      : { match, times: 1, effect: { kind } },
  )
const titles = async () => (await shown()).answers.map(({ title, code }) => `${title} ${code}`).toReversed()
const fault = (match: string, kind: 'callback-duplicate') =>
  simulator.control.faults.push({ match, times: 1, effect: { kind } })

/** An existing one of the shop, whose owner has come back with a code for this flow. */
async function existing() {
  await office.owner.query('update program_applications set deleted_at = now() where id = $1', [id])
  id = await makeFlow(office, { agentId: agent.id, merchantId: shop }, { state: 'toTakeOver' })
}
async function comeBack(appid: string, scopes?: readonly number[]) {
  const { url } = await me.programFlow.authorizeLink({ id })
  const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '')
  const [until, key] = ['until', 'key'].map(name => back.searchParams.get(name) ?? '')
  const authCode = simulator.authorize(appid, scopes)
  const input = { id, until: Number(until), key: key ?? '', authCode }
  await me.programFlow.returned(input)
  return input
}
const account = (more: object = {}) =>
  simulator.addAccount({ principalName: '上海示例餐饮有限公司', nick: '示例餐厅', ...more })

/** What waits for its agent in the inbox, kind by kind. */
async function waiting(): Promise<string[]> {
  const { rows } = await me.inbox.list({})
  return rows.filter(one => one.kind.includes('小程序')).map(({ kind, detail }) => `${kind}：${detail}`)
}

test('what waits for the agent stands in the inbox, and is gone once it waits for somebody else', async () => {
  const standing = (state: string) =>
    office.owner.query('update program_flows set state = $2 where application_id = $1', [id, state])
  assert.deepEqual(await waiting(), ['提交创建小程序：「老张面馆点餐」资料已审核，可以向微信提交创建'])
  await create()
  await office.owner.query('update program_applications set flow_step = 3 where id = $1', [id])
  assert.deepEqual(await waiting(), [])
  for (const [state, told] of [
    ['creationRefused', '处理小程序创建与授权：请按原因核对资料后重新创建'],
    ['authorized', '处理小程序创建与授权：客户已授权，请核实权限与主体'],
    ['profile', '提交小程序资料：请提交名称、头像、简介与类目，等待微信审核通过'],
    ['code', '设置小程序代码并提交审核：请在版本管理中设置代码，自检通过后提交审核'],
  ] as const) {
    await standing(state)
    assert.deepEqual(await waiting(), [told], state)
  }
  for (const state of ['faceCheck', 'toAuthorize', 'inAudit', 'released']) {
    await standing(state)
    assert.deepEqual(await waiting(), [], state)
  }
  await standing('authorized')
  await office.owner.query('update program_applications set deleted_at = now() where id = $1', [id])
  assert.deepEqual(await waiting(), [])
})

describe('creating', () => {
  test('the platform takes it, the legal person passes, and it is authorised by what the platform tells', async () => {
    assert.deepEqual([(await shown()).next.action, await numbers()], ['create', '1/2/0'])
    await create()
    assert.equal((await shown()).state, 'creating')
    await round()
    const { state, next } = await shown()
    assert.deepEqual([state, next.turn, await numbers()], ['faceCheck', 'owner', '1/3/0'])
    passFace()
    const authorized = await until('authorized')
    assert.deepEqual(
      [authorized.state, authorized.next.action, await numbers()],
      ['authorized', 'verify', '2/6/0'],
    )
    assert.equal(authorized.appid, task().appid)
    await me.programFlow.verify({ id })
    const verified = await until('profile')
    assert.deepEqual([verified.state, await numbers()], ['profile', '2/6/1'])
    assert.equal(verified.basicInfo?.principalName, companyName)
    assert.equal(verified.scopes.filter(({ isGiven }) => isGiven).length, 8)
    assert.equal(asked.fastregisterweappcreate, 1)
    assert.match(
      (await titles()).join(),
      /快速注册小程序 0,.*微信通知：注册结果 0,换取授权 0,.*读取基本信息 0/,
    )
  })

  test('two presses and two programs hand it in once', async () => {
    const { revision } = await shown()
    const input = { id, revision, ...REGISTRANT, companyName, companyCode }
    await Promise.all([me.programFlow.create(input), me.programFlow.create(input)])
    await Promise.all([office, beside].map(({ app }) => followPlatform(app.services)))
    assert.deepEqual([asked.fastregisterweappcreate, (await shown()).state], [1, 'faceCheck'])
    assert.equal(await refusalOf(create()), 'NOT_NOW')
  })

  test('a lost answer is asked about, and nothing is handed in again', async () => {
    lose('fastregisterweapp')
    await create()
    await round()
    assert.equal((await shown()).state, 'creating')
    await round()
    assert.deepEqual([asked.fastregisterweappcreate, (await shown()).state], [1, 'faceCheck'])
    assert.equal(simulator.book().registrations.filter(({ name }) => name === companyName).length, 1)
  })

  test('what never came there is handed in again', async () => {
    lose('fastregisterweapp', 'status')
    await create()
    await round()
    await round()
    assert.deepEqual([asked.fastregisterweappcreate, (await shown()).state], [2, 'faceCheck'])
  })

  test('what the platform says no to is told in words, corrected and handed in anew', async () => {
    await create({ legalPersonWechat: 'zhang_other' })
    await round()
    const refused = await shown()
    assert.deepEqual(
      [refused.state, refused.next.label, await numbers()],
      ['creationRefused', '重新创建', '1/3/0'],
    )
    assert.equal(refused.message, '法人姓名与微信号不一致。请填写法人本人已实名的微信号')
    await create({ legalPersonWechat: 'zhangsan_99' })
    await round()
    assert.equal((await shown()).state, 'faceCheck')
  })

  test('what is wrong with the form is said at its field, a stale form is refused, and nothing is asked', async () => {
    assert.equal(await refusalOf(create({ companyCode: '1' })), 'CODE_WRONG')
    assert.equal(await refusalOf(create({ revision: 7 })), 'STALE')
    assert.equal((await shown()).state, 'toCreate')
    await round()
    assert.equal(asked.fastregisterweappcreate, undefined)
  })

  test('a registration that ended badly is told once, however often it comes', async () => {
    await create()
    await round()
    task().status = 103
    passFace()
    fault('notify_third_fasteregister', 'callback-duplicate')
    await round()
    await round()
    const { state, message, answers } = await shown()
    assert.deepEqual([state, message], ['creationRefused', '企业法人姓名不一致。请按营业执照填写法人姓名'])
    assert.equal(answers.filter(({ code }) => code === '103').length, 1)
    const { rows } = await office.owner.query('select title from notices where account_id = $1', [
      agent.accountId,
    ])
    assert.deepEqual(
      rows.map(({ title }) => title),
      ['小程序办理需要处理'],
    )
  })

  test('the end of an earlier try that comes late says nothing of the one that runs', async () => {
    await create()
    await round()
    task().status = 1003
    passFace()
    await simulator.settle()
    await office.owner.query(
      `update program_flows set handed_in_at = now() + interval '5 s' where application_id = $1`,
      [id],
    )
    await followPlatform(office.app.services)
    const { state, answers } = await shown()
    assert.deepEqual([state, answers[0]?.code], ['faceCheck', '1003'])
  })

  test('where the end is never told, asking finds it, and the owner authorises by the link', async () => {
    await create()
    await round()
    passFace()
    await simulator.settle()
    await office.owner.query(`update platform_events set taken_at = now() where kind = 'registered'`)
    await round()
    assert.deepEqual([(await shown()).state, await numbers()], ['toAuthorize', '2/5/0'])
    await comeBack(task().appid ?? assert.fail('no appid'))
    assert.equal((await until('authorized')).appid, task().appid)
  })

  test('a task that the platform knows no more is lost after some rounds', async () => {
    await create()
    await round()
    simulator.book().registrations.pop()
    for (let rounds = 0; rounds < 3; rounds++) {
      assert.equal((await shown()).state, 'faceCheck')
      await round()
    }
    const { state, message } = await shown()
    assert.deepEqual([state, message], ['creationRefused', '没有找到该注册任务，请重新创建'])
  })

  test('two shops of one owner are not registered at once', async () => {
    await create()
    const first = id
    const other = await makeMerchant(office, agent.id)
    id = await makeFlow(office, { agentId: agent.id, merchantId: other })
    assert.equal(await refusalOf(create()), 'ALREADY_RUNNING')
    id = first
  })
})

describe('taking one over', () => {
  beforeEach(existing)

  test('it is authorised, verified and read', async () => {
    assert.deepEqual([(await shown()).next.label, await numbers()], ['去授权', '9/99/0'])
    const { appid } = account()
    await comeBack(appid)
    const authorized = await until('authorized')
    assert.deepEqual([authorized.appid, await numbers()], [appid, '9/6/0'])
    await me.programFlow.verify({ id })
    await me.programFlow.verify({ id })
    const { state, basicInfo } = await until('profile')
    assert.deepEqual([state, await numbers(), basicInfo?.nickName.value], ['profile', '9/6/1', '示例餐厅'])
    const { rows } = await me.programFlow.list({})
    assert.equal(rows.find(one => one.id === id)?.programName, '示例餐厅')
  })

  test('whoever waits for what was authorised is told to wait until all of it was read', async () => {
    const { appid } = account()
    await comeBack(appid)
    await round()
    const traded = await shown()
    assert.deepEqual([traded.appid, traded.basicInfo, traded.isAsking], [appid, null, true])
    const { state, isAsking } = await until('authorized')
    assert.deepEqual([state, isAsking], ['authorized', false])
  })

  test('what it shows of itself is looked at: what is missing is said, and once all is there code may follow', async () => {
    const { appid } = account({ nick: '', viaApi: true })
    await comeBack(appid)
    await until('authorized')
    await me.programFlow.verify({ id })
    await until('profile')
    await me.programFlow.verify({ id })
    const nothing = await round().then(shown)
    assert.deepEqual(
      [nothing.state, nothing.message],
      ['profile', '腾讯资料核实失败：腾讯所有资料都没有审核'],
    )
    const one = simulator.book().accounts[appid] ?? assert.fail('no account')
    one.head.value = 'https://wx.qlogo.cn/mmhead/1'
    one.signature.value = '老张面馆，在线点餐'
    const platform = platformOf(office.app.services) ?? assert.fail('no platform')
    await platform.of(appid).addCategories([{ first: 220, second: 223, papers: [] }])
    one.nick.value = '老张面馆点餐'
    await me.programFlow.verify({ id })
    assert.match((await round().then(shown)).message, /类目没有提交审核或者没有审核通过/)
    for (const category of one.categories) category.status = 3
    await me.programFlow.verify({ id })
    assert.equal((await until('code')).state, 'code')
    assert.equal(await numbers(), '9/6/10')
    assert.match((await titles()).join(), /读取基本信息 0,查询类目 0/)
    assert.equal(await refusalOf(me.programFlow.verify({ id })), 'NOT_NOW')
  })

  test('a personal one is refused in the documents’ words, and its tokens go', async () => {
    const { appid } = account({ principalName: '个人', personal: true })
    await comeBack(appid)
    await round()
    await round()
    const { state, message, appid: kept, next } = await shown()
    assert.deepEqual([state, message, kept, next.action], ['toTakeOver', PERSONAL, null, 'authorize'])
    const { rows } = await office.owner.query('select sealed from platform_credentials where key = $1', [
      `authorizer:${appid}`,
    ])
    assert.equal(rows[0].sealed, null)
  })

  test('without a scope that is needed it is not verified, and says what does not work', async () => {
    const { appid } = account()
    await comeBack(appid, [17, 30])
    await until('authorized')
    await me.programFlow.verify({ id })
    const lacking = await until('authorized')
    assert.match(lacking.message, /缺少权限「开发管理与数据分析」（不能设置代码、提交审核与发布）/)
    await comeBack(appid)
    await until('authorized')
    await me.programFlow.verify({ id })
    assert.equal((await until('profile')).state, 'profile')
  })

  test('another shop’s is not taken, and stays what it was', async () => {
    const { appid } = account()
    await comeBack(appid)
    await until('authorized')
    const first = id
    shop = await makeMerchant(office, agent.id)
    id = await makeFlow(office, { agentId: agent.id, merchantId: shop }, { state: 'toTakeOver' })
    await comeBack(appid)
    await round()
    assert.deepEqual([(await shown()).message, (await shown()).state], [TAKEN_ALREADY, 'toTakeOver'])
    id = first
    assert.equal((await shown()).isAuthorized, true)
  })

  test('the same code again changes nothing; a forged, an old and another flow’s address are refused', async () => {
    const input = await comeBack(account().appid)
    await until('authorized')
    assert.equal((await me.programFlow.returned(input)).state, 'authorized')
    const other = { ...input, authCode: 'queryauthcode@@@other' }
    assert.equal(await refusalOf(me.programFlow.returned({ ...other, key: 'forged' })), 'LINK_EXPIRED')
    assert.equal(await refusalOf(me.programFlow.returned({ ...other, until: 1 })), 'LINK_EXPIRED')
    await round()
    assert.deepEqual([(await shown()).message, asked.api_query_auth], ['', 1])
  })

  test('a code whose trade nobody answered is told, and the owner authorises again', async () => {
    const { appid } = account()
    lose('api_query_auth')
    await comeBack(appid)
    await round()
    await round()
    const { state, message } = await shown()
    assert.deepEqual([state, message], ['toTakeOver', '授权码无效或已使用。请重新发起授权'])
    await comeBack(appid)
    assert.equal((await until('authorized')).appid, appid)
  })

  test('taken back by its owner, it asks for a new authorisation; told late, it is asked how it stands', async () => {
    const { appid } = account()
    await comeBack(appid)
    await until('authorized')
    await fetch(`${simulator.url}/__sim/unauthorize`, { method: 'POST', body: JSON.stringify({ appid }) })
    const lost = await round().then(shown)
    assert.deepEqual([lost.isAuthorized, lost.next.label], [false, '重新授权'])
    await comeBack(appid)
    assert.equal((await until('authorized')).isAuthorized, true)
    // The same again, long after: nothing of it holds any more.
    await office.owner.query(
      `update platform_events set taken_at = null where appid = $1 and kind = 'unauthorized'`,
      [appid],
    )
    await round()
    await round()
    assert.equal((await shown()).isAuthorized, true)
  })

  test('without a platform that is said, and nothing is lost', async () => {
    const without = await openBeside(office, { providers: NO_PROVIDERS })
    try {
      assert.equal(await followPlatform(without.app.services), false)
    } finally {
      await without.stop()
    }
  })
})

test('staff and its agent see it in the list with its one next step, and find it by progress', async () => {
  const { rows } = await me.programFlow.list({})
  assert.deepEqual(
    rows.map(row => [row.id, row.action, row.label, row.state]),
    [[id, 'create', '立即创建', 'toCreate']],
  )
  assert.equal((await me.programFlow.list({ progress: 'running' })).total, 1)
  assert.equal((await me.programFlow.list({ progress: 'completed' })).total, 0)
  await me.programFlow.setRemark({ id, remark: '法人下周回国' })
  assert.equal((await me.programFlow.list({})).rows[0]?.remark, '法人下周回国')
})

test('what its code does moves it with the documents’ numbers, and from nowhere else', async () => {
  await office.owner.query('update program_applications set deleted_at = now() where id = $1', [id])
  id = await makeFlow(office, { agentId: agent.id, merchantId: shop }, { state: 'code' })
  const step = (step: VersionStep, message = '') =>
    actAsSystem(office.app.services, 'test', async ctx =>
      takeVersionStep(ctx, await lockFlow(ctx, id), step, message),
    )
  assert.equal(await step('release'), null)
  assert.equal((await step('submitAudit'))?.state, 'inAudit')
  assert.deepEqual([await numbers(), await step('submitAudit')], ['2/6/11', null])
  assert.equal((await step('returnAudit', '首页打不开'))?.message, '首页打不开')
  assert.equal(await numbers(), '2/6/10')
  await step('submitAudit')
  assert.equal((await step('release'))?.message, '')
  assert.equal(await numbers(), '2/6/12')
  assert.equal((await step('upgrade'))?.state, 'code')
})

describe('what the platform tells, in any order', () => {
  const bring = ({ secrets }: Services, event: PlatformEvent) =>
    office.owner.query(
      `insert into platform_events (event_id, appid, kind, sealed, happened_at, received_at)
       values ($1, $2, $3, $4, $5, clock_timestamp())
       on conflict (event_id) do update set times = platform_events.times + 1`,
      [
        ...[event.eventId, 'appid' in event ? event.appid : null, event.kind],
        ...[secrets.encrypt(JSON.stringify(event)), event.at],
      ],
    )
  const TOO_MANY = '该主体的小程序数量已达上限。请注销不再使用的小程序，或更换主体'
  const forge = () =>
    fetch(`${office.url}/callbacks/wechat-open?timestamp=1&nonce=1&encrypt_type=aes&msg_signature=forged`, {
      method: 'POST',
      body: '<xml><AppId>wx</AppId><Encrypt>Zm9yZ2Vk</Encrypt></xml>',
    })

  test('twice, late, out of order or forged, it ends where the newest registration ended', async () => {
    const { services } = office.app
    for (let seed = 1; seed <= times(10, 1_000); seed++) {
      const random = makeRandom(seed)
      const registration = {
        companyName: `乱序餐饮第${seed}店`,
        legalPersonName: '张三',
        legalPersonWechat: 'zhangsan',
      }
      const handedIn = Date.now()
      const at = (seconds: number) => new Date(handedIn + seconds * 1_000).toISOString()
      await office.owner.query('update program_applications set deleted_at = now() where id = $1', [id])
      id = await makeFlow(
        office,
        { agentId: agent.id, merchantId: shop },
        {
          ...{ state: 'faceCheck', handedInAt: at(0) },
          registrationKey: registrationKeyOf(services, registration),
          registration: services.secrets.encrypt(
            JSON.stringify({ ...registration, companyCode, codeKind: 1, servicePhone: '' }),
          ),
        },
      )
      const { appid } = account({ viaApi: true })
      const isCreated = random.chance(0.6)
      const of = { ...registration, companyCode, codeKind: 1 }
      const registered = (name: string, seconds: number, status: string, more: object = {}) =>
        ({
          ...{ kind: 'registered', eventId: `${name} ${seed}`, at: at(seconds), status, message: '' },
          ...{ appid: null, authCode: null, registration: of, ...more },
        }) as PlatformEvent
      const told: PlatformEvent[] = [
        registered('earlier', -3_600, '103'),
        registered('other', 5, '0', {
          appid: 'wxother',
          authCode: 'x',
          registration: { ...of, companyName: '别家' },
        }),
        isCreated
          ? registered('newest', 10, '0', { appid, authCode: simulator.authorize(appid) })
          : registered('newest', 10, '1001'),
        { kind: 'unauthorized', eventId: `unauthorized ${seed}`, at: at(20), appid },
        {
          kind: 'authorized',
          eventId: `authorized ${seed}`,
          at: at(15),
          appid,
          authCode: 'used',
          preAuthCode: '',
        },
        {
          kind: 'nameReviewed',
          eventId: `name ${seed}`,
          at: at(30),
          appid,
          state: 'refused',
          name: '老张',
          reason: '重名',
        },
      ]
      const order = [...told, ...told.filter(() => random.chance(0.5))]
        .map(event => ({ event, place: random.next() }))
        .toSorted((one, other) => one.place - other.place)
      for (const { event } of order) {
        if (random.chance(0.1)) assert.equal((await forge()).status, 401)
        await bring(services, event)
        if (random.chance(0.5)) await followPlatform((random.chance(0.5) ? office : beside).app.services)
      }
      for (let rounds = 0; rounds < 3; rounds++) await followPlatform(services)
      const { state, appid: kept, isAuthorized, message } = await shown()
      assert.deepEqual(
        [state, kept, isAuthorized, message, await numbers()],
        isCreated
          ? ['authorized', appid, true, '', '2/6/0']
          : ['creationRefused', null, false, TOO_MANY, '1/3/0'],
        `order ${seed}: ${order.map(({ event }) => event.eventId).join(', ')}`,
      )
    }
  })
})
