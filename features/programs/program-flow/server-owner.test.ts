// A shop's mini program authorised by its owner on their own phone, without an account, with the platform's simulator: what is told, what comes next,
// and addresses that were used, are too late, or are nobody's.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { type Client, type Office, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'
import { followPlatform } from './server-rounds.ts'
import { makeFlow } from './walk.ts'

let on: ProgramOffice
let simulator: WechatOpenSimulator
let office: Office
let agent: MadeAgent
let me: Client
let owner: Client
let id: number

before(async () => {
  on = await openProgramOffice()
  ;({ simulator, office } = on)
})
after(() => on.stop())
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  owner = office.as(null)
  const merchantId = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  id = await makeFlow(office, { agentId: agent.id, merchantId }, { state: 'toTakeOver' })
})

const account = (more: object = {}) =>
  simulator.addAccount({ principalName: '老张餐饮', nick: '老张面馆点餐', ...more })
const codeIn = (url: string) => new URL(url).pathname.split('/')[2] ?? assert.fail(url)
const given = async () => codeIn((await me.programFlow.ownerLink({ id })).url)
/** By the platform's own page, as the owner's browser goes. */
async function comeBack(code: string, appid: string, scopes?: readonly number[]) {
  const { url } = await owner.programFlow.ownerBegin({ code })
  const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '')
  const authCode = simulator.authorize(appid, scopes)
  return { authCode, ...(await owner.programFlow.ownerReturned({ code: codeIn(back.href), authCode })) }
}
async function round() {
  await office.owner.query(
    'update program_flows set next_at = now() - make_interval(secs => 1) where next_at is not null and application_id = $1',
    [id],
  )
  await followPlatform(office.app.services)
}
const standing = async (code: string) => (await owner.programFlow.ownerPage({ code })).standing

test('an owner authorises by the address and is told what comes next, and no more of the shop than that', async () => {
  const code = await given()
  const page = await owner.programFlow.ownerPage({ code })
  assert.deepEqual(Object.keys(page).toSorted(), [
    ...['agentName', 'programName', 'shopName', 'standing', 'title', 'until', 'words'],
  ])
  assert.deepEqual([page.shopName, page.standing], ['老张面馆', 'open'])
  const back = await comeBack(code, account().appid)
  assert.equal(await standing(back.code), 'asking')
  await round()
  await round()
  const done = await owner.programFlow.ownerPage({ code: back.code })
  assert.equal(done.standing, 'done')
  assert.match(done.words, /您无需再操作/)
  const flow = await me.programFlow.details({ id })
  assert.deepEqual([flow.state, flow.isAuthorized], ['authorized', true])
  const { rows } = await office.owner.query(
    `select account_name from operation_logs where agent_id = $1 and title = '客户提交小程序授权'`,
    [agent.id],
  )
  assert.deepEqual(rows, [{ account_name: '店主' }])
})

test('used twice it is refused, but what was brought before leads to where it led', async () => {
  const code = await given()
  const other = await given()
  const back = await comeBack(code, account().appid)
  const again = await owner.programFlow.ownerReturned({ code, authCode: back.authCode })
  assert.equal(again.code, back.code)
  for (const used of [code, other]) {
    await assert.rejects(owner.programFlow.ownerPage({ code: used }), /已经使用过，请向服务商索取新的链接/)
    assert.equal(await refusalOf(owner.programFlow.ownerBegin({ code: used })), 'LINK_USED')
    assert.equal(
      await refusalOf(owner.programFlow.ownerReturned({ code: used, authCode: 'queryauthcode@@@2' })),
      'LINK_USED',
    )
  }
})

test('a scope that was left out is told, and mended by the same browser', async () => {
  const { appid } = account()
  const back = await comeBack(await given(), appid, [17, 30])
  await round()
  await round()
  const failed = await owner.programFlow.ownerPage({ code: back.code })
  assert.deepEqual(
    [failed.standing, failed.words],
    ['failed', '授权时缺少「开发管理与数据分析」，请重新授权并勾选全部权限。'],
  )
  const mended = await comeBack(back.code, appid)
  await round()
  await round()
  assert.equal(await standing(mended.code), 'done')
})

test('a personal principal is told so in words for its owner', async () => {
  const back = await comeBack(await given(), account({ personal: true }).appid)
  await round()
  await round()
  const { standing, words } = await owner.programFlow.ownerPage({ code: back.code })
  assert.deepEqual([standing, words], ['failed', '您授权的是个人小程序，请使用企业小程序重新授权。'])
})

test('too late, changed, of a deleted one or of a shop that is closed, it is refused in words', async () => {
  const code = await given()
  const [head = '', until = '', mark = ''] = code.split('~')
  const refused = async (tried: string) => refusalOf(owner.programFlow.ownerPage({ code: tried }))
  assert.equal(await refused(`${head}~${until}~${mark.slice(0, -2)}xx`), 'LINK_USED')
  assert.equal(await refused(`${head}~${(Number.parseInt(until, 36) + 1).toString(36)}~${mark}`), 'LINK_USED')
  assert.equal(await refused(`r${head.slice(1)}~${until}~${mark}`), 'LINK_USED')
  const past = Date.now() - 1
  const late = office.app.services.secrets.digest(`program owner given ${id} ${past} `).toString('base64url')
  assert.equal(await refused(`${head}~${past.toString(36)}~${late}`), 'LINK_TOO_LATE')
  await office.owner.query('update program_applications set deleted_at = now() where id = $1', [id])
  assert.equal(await refused(code), 'LINK_CLOSED')
  assert.equal(await refusalOf(me.programFlow.ownerLink({ id })), 'DELETED_ALREADY')
  await office.owner.query(`update program_applications set deleted_at = null where id = $1`, [id])
  await office.owner.query(`update merchants set status = 'disabled' where agent_id = $1`, [agent.id])
  assert.equal(await refused(code), 'LINK_CLOSED')
})

test('nobody finds an address by trying', async () => {
  const tried: string[] = []
  for (let at = 0; at < 32; at++)
    tried.push(await refusalOf(owner.programFlow.ownerPage({ code: `g1~zzzzzzzz~${'x'.repeat(43)}` })))
  assert.equal(tried.at(-1), 'THROTTLED')
})
