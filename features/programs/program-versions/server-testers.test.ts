// Who may open the trial version of a mini program, through the router, with the platform's simulator.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import { makeFlow } from '#features/programs/program-flow/walk.ts'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { type Client, type Office, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'

let on: ProgramOffice
let simulator: WechatOpenSimulator
let office: Office
let agent: MadeAgent
let me: Client
let id: number
let account: ReturnType<WechatOpenSimulator['addAccount']>

before(async () => {
  on = await openProgramOffice()
  ;({ simulator, office } = on)
})
after(() => on.stop())
beforeEach(async () => {
  simulator.control.faults.length = 0
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  account = simulator.addAccount({ principalName: '上海示例餐饮有限公司', nick: '示例餐厅' })
  await platformOf(office.app.services)?.authorize(simulator.authorize(account.appid))
  const merchantId = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  const of = { agentId: agent.id, merchantId }
  id = await makeFlow(office, of, { state: 'code', appid: account.appid, isAuthorized: true })
})

const listed = async () => (await me.programVersions.testers({ id })).testers
const add = (wechat: string) => me.programVersions.addTester({ id, wechat })

test('one is added, listed with who added it, and removed, and the log says so', async () => {
  account.testers.push({ wechat: 'elsewhere', userstr: 'str-elsewhere' })
  const { userString } = await add(' ZhangSan88 ')
  assert.deepEqual(
    (await listed()).map(one => [one.userString, one.wechatMasked, one.addedByName !== null]),
    [
      ['str-elsewhere', null, false],
      [userString, 'Zh****88', true],
    ],
  )
  await me.programVersions.removeTester({ id, userString })
  await me.programVersions.removeTester({ id, userString: 'str-elsewhere' })
  assert.deepEqual([await listed(), account.testers], [[], []])
  const { rows } = await office.owner.query(
    `select title, changes::text as changes from operation_logs where agent_id = $1 and title like '%体验者' order by id`,
    [agent.id],
  )
  assert.deepEqual(
    rows.map(({ title }) => title),
    ['添加小程序体验者', '移除小程序体验者', '移除小程序体验者'],
  )
  assert.match(rows[0].changes, /Zh\*\*\*\*88/)
  assert.doesNotMatch(rows[0].changes, /ZhangSan88/)
})

test('what is refused is said in words, with what to do', async () => {
  assert.match(await refusalOf(add('')), /WECHAT_REQUIRED/)
  assert.match(await refusalOf(add('张三')), /WECHAT_WRONG/)
  await add('zhangsan')
  await assert.rejects(add('zhangsan'), /体验者添加失败：该微信号已是体验者。无需重复添加/)
  assert.equal(await refusalOf(me.programVersions.removeTester({ id, userString: 'nobody' })), 'TESTER_GONE')
  const stranger = office.as(await office.login((await makeAgent(office)).loginName))
  assert.equal(await refusalOf(stranger.programVersions.testers({ id })), 'NOT_FOUND')
  assert.equal(await refusalOf(stranger.programVersions.addTester({ id, wechat: 'lisi88' })), 'NOT_FOUND')
  await office.owner.query('update program_flows set is_authorized = false where application_id = $1', [id])
  assert.equal(await refusalOf(add('lisi88')), 'NOT_AUTHORIZED')
})

test('a lost answer is told, and the list says what came of it', async () => {
  simulator.control.faults.push({ match: 'bind_tester', times: 1, effect: { kind: 'reset-after' } })
  await assert.rejects(add('zhangsan'), /请刷新体验者名单核对后再试/)
  assert.deepEqual(
    (await listed()).map(one => one.wechatMasked),
    [null],
  )
})
