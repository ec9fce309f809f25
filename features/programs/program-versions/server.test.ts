// The code of a shop's mini program from its template to a release and back, through the router, with the platform's simulator: what is red is not
// handed in, answers that are lost are asked about, two programs ask once, and what is told twice, late or by nobody we know changes nothing wrongly.
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach, describe } from 'node:test'
import { drizzle } from 'drizzle-orm/node-postgres'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import { makeFlow } from '#features/programs/program-flow/walk.ts'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { type Beside, type Client, type Office, openBeside, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'
import { followVersions } from './server-rounds.ts'
import { programAudits } from './tables.ts'

const TEMPLATE = 2
let on: ProgramOffice
let asked: ProgramOffice['asked']
let simulator: WechatOpenSimulator
let office: Office
let beside: Beside
let agent: MadeAgent
let me: Client
let shop: number
let id: number
let account: ReturnType<WechatOpenSimulator['addAccount']>

before(async () => {
  on = await openProgramOffice({ checkMs: 0, auditMs: 3_600_000 })
  ;({ simulator, office, asked } = on)
  beside = await openBeside(office, { providers: office.app.services.providers })
  // Two programs of one office stand behind one address.
  Object.assign(beside.app.services, { baseUrl: office.app.services.baseUrl })
})
after(async () => {
  await beside.stop()
  await on.stop()
})
beforeEach(async () => {
  agent = await makeAgent(office)
  me = office.as(await office.login(agent.loginName))
  shop = await makeMerchant(office, agent.id, { shop_name: '老张面馆' })
  account = simulator.addAccount({ principalName: '上海示例餐饮有限公司', nick: '示例餐厅' })
  Object.assign(account.head, { value: 'https://example.com/head.png' })
  Object.assign(account.signature, { value: '在线点餐' })
  account.categories.push({ first: 220, second: 223, status: 3, reason: '', dueAt: 0 })
  await platformOf(office.app.services)?.authorize(simulator.authorize(account.appid))
  const of = { agentId: agent.id, merchantId: shop, programType: 'scanOrder', servicePhone: '0755-88886666' }
  id = await makeFlow(office, of, { state: 'code', appid: account.appid, isAuthorized: true })
  for (const name of Object.keys(asked)) delete asked[name]
})
afterEach(async () => {
  simulator.control.faults.length = 0
  simulator.book().verdicts.length = 0
  Object.assign(simulator.book().quota, { audits: 0, auditLimit: 500, speedUps: 0, speedUpLimit: 20 })
  await office.owner.query('update program_codes set next_at = null')
})

const shown = () => me.programVersions.details({ id })
const dueNow = () =>
  office.owner.query(
    'update program_codes set next_at = now() - make_interval(secs => 1) where next_at is not null and application_id = $1',
    [id],
  )
async function round() {
  await simulator.settle()
  await dueNow()
  await followVersions(office.app.services)
}
/** Until nothing is asked for any more. */
async function settled() {
  for (let rounds = 0; rounds < 8; rounds++) {
    const now = await shown()
    if (now.deed === null) return now
    await round()
  }
  return shown()
}
const lose = (match: string, kind: 'reset-after' | 'status' = 'reset-after') =>
  simulator.control.faults.push(
    kind === 'status'
      ? { match, times: 1, effect: { kind, status: 502 } }
      : { match, times: 1, effect: { kind } },
  )
const numbers = async () => {
  const { rows } = await office.owner.query(
    'select flow_status, flow_step, submit_status from program_applications where id = $1',
    [id],
  )
  return Object.values(rows[0]).join('/')
}
async function coded() {
  await me.programVersions.setCode({ id, templateId: TEMPLATE })
  return settled()
}
async function handedIn() {
  await coded()
  await me.programVersions.submit({ id, feedback: '' })
  return settled()
}
const audit = async () => (await shown()).audits[0] ?? assert.fail('no audit')
const auditId = async () => (await audit()).auditId
async function decide(verdict: 'pass' | 'refuse' | 'delay', reason = '') {
  await fetch(`${simulator.url}/__sim/decide`, {
    method: 'POST',
    body: JSON.stringify({ auditId: await auditId(), verdict, reason }),
  })
  await round()
}
async function released() {
  await handedIn()
  await decide('pass')
  await me.programVersions.release({ id, auditId: await auditId() })
  return settled()
}
const red = ({ checks }: Awaited<ReturnType<typeof shown>>) =>
  checks.filter(({ isGreen }) => !isGreen).map(({ key, mend }) => `${key} ${mend}`)

describe('code', () => {
  test('of its tag’s template is committed, its domains set and its privacy declared, and all is green', async () => {
    const { templates } = await me.programVersions.templates({ id })
    assert.deepEqual(
      templates.map(({ templateId, description }) => [templateId, description]),
      [[TEMPLATE, 'order']],
    )
    const board = await coded()
    assert.deepEqual([board.version, board.trial?.version, red(board)], ['2.1.0', '2.1.0', []])
    assert.deepEqual(
      account.privacy['2']?.uses.map(({ privacy_key }) => privacy_key),
      ['UserInfo', 'PhoneNumber'],
    )
    assert.equal(account.privacy['2']?.owner.contact_phone, '0755-88886666')
    assert.deepEqual(Object.keys(account.domains).length, 4)
    assert.equal(board.may.submit, true)
    const { base64 } = await me.programVersions.trialCode({ id })
    assert.match(Buffer.from(base64, 'base64').toString('latin1'), /^\x89PNG/)
  })

  test('two presses and two programs commit it once; meanwhile something else is refused', async () => {
    await Promise.all([1, 2].map(() => me.programVersions.setCode({ id, templateId: TEMPLATE })))
    assert.equal(await refusalOf(me.programVersions.setDomains({ id })), 'BUSY')
    await Promise.all([office, beside].map(({ app }) => followVersions(app.services)))
    assert.equal(asked.commit, 1)
  })

  test('another tag’s template is refused in words', async () => {
    await me.programVersions.setCode({ id, templateId: 1 })
    const { message, version } = await settled()
    assert.deepEqual([message, version, asked.commit], ['找不到模板。请选择其他模板', '', undefined])
  })

  test('the privacy check is waited for', async () => {
    await me.programVersions.setCode({ id, templateId: TEMPLATE })
    await round()
    if (account.trial) account.trial.checkedAt = simulator.control.now().getTime() + 60_000
    await round()
    assert.deepEqual([(await shown()).deed, (await shown()).message], ['privacy', ''])
    assert.equal(account.privacy['2'], undefined)
    if (account.trial) account.trial.checkedAt = 0
    assert.deepEqual(red(await settled()), [])
  })
})

describe('the pre-flight', () => {
  test('keeps what is red from being handed in, and each names what mends it', async () => {
    await coded()
    Object.assign(account.nick, { value: '' })
    Object.assign(account.head, { value: '' })
    Object.assign(account.signature, { value: '' })
    account.categories.length = 0
    account.domains = {}
    account.privacy = {}
    await me.programVersions.look({ id })
    assert.deepEqual(red(await settled()), [
      'name profile',
      'headImage profile',
      'intro profile',
      'category profile',
      'privacy privacy',
      'domains domains',
    ])
    assert.equal(await refusalOf(me.programVersions.submit({ id, feedback: '' })), 'NOT_READY')
    await me.programVersions.declarePrivacy({ id })
    await settled()
    account.domains = {}
    await me.programVersions.setDomains({ id })
    assert.deepEqual(red(await settled()).length, 4)
  })

  test('that was green and is so no longer costs no audit', async () => {
    await coded()
    Object.assign(account.head, { value: '' })
    await me.programVersions.submit({ id, feedback: '' })
    const { message, state } = await settled()
    assert.match(message, /自检未通过：头像（头像没有提交审核或没有审核通过）/)
    assert.deepEqual([state, asked.submit_audit], ['code', undefined])
  })

  test('without a quota nothing is handed in', async () => {
    simulator.book().quota.auditLimit = 0
    await coded()
    assert.equal(await refusalOf(me.programVersions.submit({ id, feedback: '' })), 'NO_AUDIT_LEFT')
  })
})

describe('an audit', () => {
  test('is handed in once by two presses and two programs', async () => {
    await coded()
    await Promise.all([1, 2].map(() => me.programVersions.submit({ id, feedback: '首次提交' })))
    await Promise.all([office, beside].map(({ app }) => followVersions(app.services)))
    const { state, may, message } = await shown()
    assert.deepEqual([asked.submit_audit, message, state, await numbers()], [1, '', 'inAudit', '2/6/11'])
    assert.deepEqual([may.withdraw, may.speedUp, may.release, may.submit], [true, true, false, false])
  })

  test('whose answer was lost is found, and not handed in again', async () => {
    await coded()
    await me.programVersions.submit({ id, feedback: '' })
    lose('submit_audit')
    await round()
    assert.equal((await shown()).audits.length, 0)
    await settled()
    assert.deepEqual(
      [asked.submit_audit, account.audits.length, await auditId()],
      [1, 1, account.audits[0]?.id],
    )
  })

  test('that never came there is handed in again', async () => {
    await coded()
    await me.programVersions.submit({ id, feedback: '' })
    lose('submit_audit', 'status')
    await round()
    await settled()
    assert.deepEqual([asked.submit_audit, account.audits.length, (await shown()).state], [2, 1, 'inAudit'])
  })

  test('refused is told with its screenshot, which is kept, corrected, handed in again and released', async () => {
    await handedIn()
    simulator.control.faults.push({
      ...{ match: 'weapp_audit_fail', times: 1, effect: { kind: 'callback-duplicate' } },
    })
    const first = await auditId()
    await decide('refuse', '首页缺少经营许可信息')
    const board = await shown()
    assert.deepEqual([board.state, await numbers()], ['code', '2/6/10'])
    assert.deepEqual(
      [board.audits[0]?.state, board.audits[0]?.reason, board.audits[0]?.hasScreenshots],
      ['refused', '首页缺少经营许可信息', true],
    )
    assert.equal(
      (await me.programFlow.details({ id })).message,
      '版本 2.1.0 审核未通过：首页缺少经营许可信息',
    )
    const { pictures } = await me.programVersions.screenshots({ id, auditId: first })
    assert.match(Buffer.from(pictures[0] ?? '', 'base64').toString('latin1'), /^\x89PNG/)
    const { rows } = await office.owner.query('select title from notices where account_id = $1', [
      agent.accountId,
    ])
    assert.deepEqual(
      rows.map(({ title }) => title),
      ['小程序版本需要处理'],
    )
    await me.programVersions.submit({ id, feedback: '已补充' })
    await settled()
    await decide('pass')
    await me.programVersions.release({ id, auditId: await auditId() })
    const end = await settled()
    assert.deepEqual([end.state, end.live?.version, await numbers()], ['released', '2.1.0', '2/6/12'])
    assert.deepEqual(
      end.audits.map(({ state, isCurrent }) => [state, isCurrent]),
      [
        ['released', true],
        ['refused', false],
      ],
    )
  })

  test('whose end is never told is found by asking; told late, again and by nobody we know, nothing changes', async () => {
    await handedIn()
    await fetch(`${simulator.url}/__sim/decide`, {
      method: 'POST',
      body: JSON.stringify({ auditId: await auditId(), verdict: 'pass', reason: '' }),
    })
    await simulator.settle()
    await office.owner.query(`update platform_events set taken_at = now() where kind = 'auditPassed'`)
    await round()
    assert.equal((await audit()).state, 'passed')
    await me.programVersions.release({ id, auditId: await auditId() })
    await settled()
    await office.owner.query(`update platform_events set taken_at = null where kind = 'auditPassed'`)
    await office.owner.query(
      `update platform_events set appid = 'wxnobody' where appid <> $1 and kind = 'auditPassed'`,
      [account.appid],
    )
    await round()
    await round()
    assert.deepEqual([(await audit()).state, (await shown()).state], ['released', 'released'])
    const { rows } = await office.owner.query(
      `select count(*)::int as n from platform_events where kind = 'auditPassed' and taken_at is null`,
    )
    assert.equal(rows[0].n, 0)
  })

  test('that is delayed may still pass', async () => {
    await handedIn()
    await decide('delay', '需要人工复核')
    assert.deepEqual([(await audit()).state, (await shown()).may.withdraw], ['delayed', true])
    await decide('pass')
    assert.equal((await audit()).state, 'passed')
  })

  test('is sped up once; a lost answer of it is no refusal', async () => {
    await handedIn()
    lose('speedupaudit')
    await me.programVersions.speedUp({ id, auditId: await auditId() })
    const { message, quota } = await settled()
    assert.deepEqual([message, (await audit()).isSpedUp, quota?.speedUpsLeft], ['', true, 19])
    assert.equal(
      await refusalOf(me.programVersions.speedUp({ id, auditId: await auditId() })),
      'SPED_UP_ALREADY',
    )
  })
})

describe('a withdrawal', () => {
  test('brings it back to its code, is counted, and after five a day is refused without asking', async () => {
    await handedIn()
    lose('undocodeaudit')
    await me.programVersions.withdraw({ id, auditId: await auditId() })
    const { state, withdrawals } = await settled()
    assert.deepEqual([state, withdrawals, asked.undocodeaudit], ['code', { today: 1, thisMonth: 1 }, 1])
    const { submittedByName, submittedAt } = await audit()
    for (let at = 0; at < 4; at++)
      await drizzle(office.owner)
        .insert(programAudits)
        .values({
          ...{ agentId: agent.id, merchantId: shop, applicationId: id, appid: account.appid },
          ...{ auditId: at + 1, version: '2.1.0', state: 'withdrawn', isCurrent: false },
          ...{ submittedByName, submittedAt, withdrawnAt: new Date().toISOString() },
        })
    await me.programVersions.submit({ id, feedback: '' })
    await settled()
    assert.equal(
      await refusalOf(me.programVersions.withdraw({ id, auditId: await auditId() })),
      'WITHDRAWN_TODAY',
    )
    assert.equal(asked.undocodeaudit, 1)
  })

  test('of one that has passed meanwhile leaves it passed', async () => {
    await handedIn()
    await fetch(`${simulator.url}/__sim/decide`, {
      method: 'POST',
      body: JSON.stringify({ auditId: await auditId(), verdict: 'pass', reason: '' }),
    })
    await me.programVersions.withdraw({ id, auditId: await auditId() })
    const { message } = await settled()
    assert.deepEqual([message, (await audit()).state], ['审核已结束（审核通过），不能撤回', 'passed'])
    assert.equal(asked.undocodeaudit, undefined)
  })
})

describe('a release', () => {
  test('is made once where its answer is lost, and not of what is in audit or of an audit seen before', async () => {
    await handedIn()
    const seen = await auditId()
    assert.equal(await refusalOf(me.programVersions.release({ id, auditId: seen })), 'NOT_PASSED')
    await decide('pass')
    assert.equal(await refusalOf(me.programVersions.release({ id, auditId: seen + 1 })), 'OTHER_AUDIT')
    lose('release')
    await me.programVersions.release({ id, auditId: seen })
    const { state, live, message } = await settled()
    assert.deepEqual([state, live?.version, message, account.releases.length], ['released', '2.1.0', '', 1])
    assert.match((await me.programVersions.liveCode({ id })).base64, /^iVBOR/)
  })

  test('of an audit that the owner had made elsewhere is refused', async () => {
    await handedIn()
    await decide('pass')
    const [one] = account.audits
    if (one) account.audits.push({ ...one, id: one.id + 5_000 })
    await me.programVersions.release({ id, auditId: await auditId() })
    const { message } = await settled()
    assert.match(message, /微信上最近的审核单不是这一版/)
    assert.equal(asked.release, undefined)
  })

  test('that was wrong is rolled back, once, and the next upgrade goes the same way', async () => {
    await released()
    const [first] = account.releases
    if (first) Object.assign(first, { version: '2.0.0' })
    await me.programVersions.setCode({ id, templateId: TEMPLATE })
    assert.equal((await settled()).state, 'code')
    await me.programVersions.submit({ id, feedback: '' })
    await settled()
    await decide('pass')
    await me.programVersions.release({ id, auditId: await auditId() })
    const { releases, live } = await settled()
    assert.deepEqual([live?.version, releases.map(({ version }) => version)], ['2.1.0', ['2.0.0']])
    const listed = async () => {
      const { rows } = await me.programFlow.list({})
      return rows.filter(one => one.id === id).map(one => [one.liveVersion, one.newVersion])
    }
    assert.deepEqual(await listed(), [['2.1.0 order', '']])
    lose('revertcoderelease')
    await me.programVersions.rollBack({ id, appVersion: releases[0]?.appVersion ?? 0 })
    const back = await settled()
    assert.deepEqual([back.live?.version, back.message, back.may.rollBack], ['2.0.0', '', false])
    assert.equal(back.state, 'released')
    assert.deepEqual(await listed(), [['2.0.0 order', '2.1.0 order']])
  })
})

test('what the platform refuses is said with its advice, and all answers are kept', async () => {
  await coded()
  simulator.control.faults.push({
    ...{ match: 'submit_audit', times: 1, effect: { kind: 'error', code: '86007', message: 'forbidden' } },
  })
  await me.programVersions.submit({ id, feedback: '' })
  const { message } = await settled()
  assert.equal(message, '小程序被禁止提交审核。请客户登录微信公众平台查看站内信')
  const { answers } = await me.programFlow.details({ id })
  assert.ok(answers.some(({ title, code }) => title === '提交代码审核' && code === '86007'))
  assert.ok(answers.some(({ title }) => title === '设置隐私保护指引'))
})

test('one that is not authorised any more, or not there yet, is refused in words', async () => {
  await office.owner.query('update program_flows set is_authorized = false where application_id = $1', [id])
  assert.equal(await refusalOf(me.programVersions.setCode({ id, templateId: 2 })), 'NOT_AUTHORIZED')
  assert.equal((await shown()).isAuthorized, false)
})
