// A version is released to many mini programs through the router, with the platform's simulator: whom it reaches, wave by wave, refusals that halt it,
// are put together, corrected and handed in again, a wave that goes back, and audits that run out. Two programs do each thing once.
import assert from 'node:assert/strict'
import test, { after, afterEach, before, beforeEach, describe } from 'node:test'
import { platformOf } from '#features/programs/platform/server-platform.ts'
import { makeFlow } from '#features/programs/program-flow/walk.ts'
import { followVersions } from '#features/programs/program-versions/server-rounds.ts'
import type { WechatOpenSimulator } from '#providers/wechat-open/simulator.ts'
import { type Beside, type Client, type Office, openBeside, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { openProgramOffice, type ProgramOffice } from '#test/program-platform.ts'
import { workOnTrains } from './server-work.ts'

type Account = ReturnType<WechatOpenSimulator['addAccount']>
type Made = { id: number; merchantId: number; account: Account }
const TEMPLATE = { templateId: 2, version: '2.1.0', tag: 'order' } as const

let on: ProgramOffice
let simulator: WechatOpenSimulator
let office: Office
let beside: Beside
let agent: MadeAgent
let staff: Client

before(async () => {
  on = await openProgramOffice({ checkMs: 0, auditMs: 3_600_000 })
  ;({ simulator, office } = on)
  beside = await openBeside(office, { providers: office.app.services.providers })
  Object.assign(beside.app.services, { baseUrl: office.app.services.baseUrl })
  staff = office.as(await office.login((await makeAgent(office, { staff: true })).loginName))
})
after(async () => {
  await beside.stop()
  await on.stop()
})
beforeEach(async () => {
  agent = await makeAgent(office)
  for (const name of Object.keys(on.asked)) delete on.asked[name]
})
afterEach(async () => {
  simulator.control.faults.length = 0
  Object.assign(simulator.book().quota, { audits: 0, auditLimit: 500 })
  await office.owner.query('update program_codes set next_at = null, deed = $1', [''])
  await office.owner.query('update release_trains set next_at = null')
  await office.owner.query(`update release_train_shops set state = 'left' where state not in
    ('released', 'refused', 'failed', 'skipped', 'left', 'rolledBack')`)
})

async function makePrograms(count: number, programType = 'scanOrder'): Promise<Made[]> {
  const made: Made[] = []
  for (let at = 0; at < count; at++) {
    const merchantId = await makeMerchant(office, agent.id, { shop_name: `面馆${agent.id}${at}` })
    const account = simulator.addAccount({ principalName: '上海示例餐饮有限公司', nick: `餐厅${at}` })
    Object.assign(account.head, { value: 'https://example.com/head.png' })
    Object.assign(account.signature, { value: '在线点餐' })
    account.categories.push({ first: 220, second: 223, status: 3, reason: '', dueAt: 0 })
    await platformOf(office.app.services)?.authorize(simulator.authorize(account.appid))
    const of = { agentId: agent.id, merchantId, programType, servicePhone: '0755-88886666' } as const
    const id = await makeFlow(office, of as never, {
      ...{ state: 'code', appid: account.appid, isAuthorized: true },
    })
    made.push({ id, merchantId, account })
  }
  return made
}

const FORM = { name: '新版点餐', waveSize: 2, haltPercent: 50, haltFrom: 2, feedback: '' }
const starting = (more: object = {}) => ({ ...TEMPLATE, ...FORM, agentId: agent.id, ...more })
async function started(able: number, more: object = {}): Promise<number> {
  return (await staff.releaseTrains.start({ ...starting(more), able })).id
}
const shown = (id: number) => staff.releaseTrains.details({ id })
const statesOf = async (id: number) =>
  (await staff.releaseTrains.shops({ id })).rows.map(({ wave, state }) => `${wave} ${state}`)

/** One look of both loops, in both programs. */
async function round() {
  await simulator.settle()
  await office.owner.query(
    'update program_codes set next_at = now() - make_interval(secs => 1) where next_at is not null and claim = $1',
    [''],
  )
  await office.owner.query(
    'update release_trains set next_at = now() - make_interval(secs => 1) where next_at is not null',
  )
  const both = [office, beside].map(({ app }) => app.services)
  await Promise.all(both.map(followVersions))
  await Promise.all(both.map(workOnTrains))
}
async function until(what: string, holds: () => Promise<boolean>) {
  for (let rounds = 0; rounds < 40; rounds++) {
    if (await holds()) return
    await round()
  }
  assert.fail(`never ${what}`)
}
const untilIn = (id: number, ...states: string[]) =>
  until(states.join(), async () => {
    const rows = await statesOf(id)
    return rows.every((row, at) => !states[at] || row === states[at])
  })
const openAudit = ({ account }: Made) => account.audits.find(({ status }) => status === 2)
async function decide(one: Made, verdict: 'pass' | 'refuse', reason = '') {
  await fetch(`${simulator.url}/__sim/decide`, {
    method: 'POST',
    body: JSON.stringify({ auditId: openAudit(one)?.id ?? assert.fail('no audit'), verdict, reason }),
  })
}
const live = ({ account }: Made) => account.releases[account.live]?.version ?? ''

/** What was read and handed in lies an hour back. */
async function later() {
  await office.owner.query(`update program_codes set read_at = read_at - interval '1 hour'`)
  await office.owner.query(`update program_audits set submitted_at = submitted_at - interval '1 hour'`)
}

describe('whom it reaches', () => {
  test('is told beforehand with why others cannot go along, and nothing is sent', async () => {
    const programs = await makePrograms(4)
    await makePrograms(1, 'shop')
    const ids = programs.map(({ id }) => id)
    await office.owner.query('update program_flows set is_authorized = false where application_id = $1', [
      ids[0],
    ])
    await office.owner.query(`update merchants set status = 'disabled' where id = $1`, [
      programs[1]?.merchantId,
    ])
    const asked = { ...TEMPLATE, agentId: agent.id }
    for (const name of Object.keys(on.asked)) delete on.asked[name]
    const { chosen, able, bars } = await staff.releaseTrains.rehearse(asked)
    assert.deepEqual([chosen, able], [5, 2])
    assert.deepEqual(
      bars.map(({ bar, shops, samples }) => [bar, shops, samples.length]),
      [
        ['DISABLED', 1, 1],
        ['OTHER_KIND', 1, 1],
        ['NOT_AUTHORIZED', 1, 1],
      ],
    )
    const others = await staff.releaseTrains.rehearse({ ...asked, liveVersion: '9.9.9' })
    assert.equal(others.chosen, 0)
    assert.deepEqual(on.asked, {})
    assert.equal(await refusalOf(started(3)), 'SHOPS_CHANGED')
    assert.equal(await refusalOf(started(0, { programType: 'points' })), 'NO_SHOPS')
    const first = await started(2)
    assert.deepEqual(await statesOf(first), ['1 waiting', '1 waiting'])
    const again = await staff.releaseTrains.rehearse(asked)
    assert.deepEqual([again.able, again.bars.find(({ bar }) => bar === 'ELSEWHERE')?.shops], [0, 2])
  })

  test('is for staff alone; an agent sees what becomes of its own', async () => {
    const [one] = await makePrograms(1)
    const me = office.as(await office.login(agent.loginName))
    assert.equal(await refusalOf(me.releaseTrains.rehearse({ ...TEMPLATE })), 'FORBIDDEN')
    const trainId = await started(1)
    const { train } = await me.releaseTrains.ofProgram({ id: one?.id ?? 0 })
    assert.deepEqual([train?.trainId, train?.state, train?.version], [trainId, 'waiting', '2.1.0'])
    const other = await makeAgent(office)
    const them = office.as(await office.login(other.loginName))
    assert.equal((await them.releaseTrains.ofProgram({ id: one?.id ?? 0 })).train, null)
  })
})

describe('a train', () => {
  test('goes wave by wave to its end, and each thing is asked once', async () => {
    const programs = await makePrograms(3)
    const [first, second, third] = programs as [Made, Made, Made]
    const id = await started(3)
    await untilIn(id, '1 inAudit', '1 inAudit')
    assert.equal((await statesOf(id))[2], '2 waiting')
    await decide(first, 'pass')
    await decide(second, 'pass')
    await untilIn(id, '1 released', '1 released', '2 inAudit')
    await decide(third, 'pass')
    await until('finished', async () => (await shown(id)).state === 'finished')
    assert.deepEqual(programs.map(live), ['2.1.0', '2.1.0', '2.1.0'])
    assert.deepEqual([on.asked.submit_audit, on.asked.release, on.asked.commit], [3, 3, 3])
    const { released, refused, waveFigures } = await shown(id)
    assert.deepEqual(
      [released, refused, waveFigures],
      [
        3,
        0,
        [
          { wave: 1, counts: { released: 2 } },
          { wave: 2, counts: { released: 1 } },
        ],
      ],
    )
    const { rows } = await office.owner.query(
      `select count(*)::int as n from operation_logs where title = '分批发布小程序' and merchant_id = any ($1)`,
      [programs.map(({ merchantId }) => merchantId)],
    )
    assert.equal(rows[0].n, 3)
  })

  test('leaves alone what somebody has in hand', async () => {
    const [one] = (await makePrograms(1)) as [Made]
    const me = office.as(await office.login(agent.loginName))
    const id = await started(1)
    await me.programVersions.setCode({ id: one.id, templateId: 2 })
    await workOnTrains(office.app.services)
    assert.deepEqual(await statesOf(id), ['1 waiting'])
    await untilIn(id, '1 inAudit')
    await me.programVersions.withdraw({ id: one.id, auditId: openAudit(one)?.id ?? 0 })
    await untilIn(id, '1 skipped')
    const [row] = (await staff.releaseTrains.shops({ id })).rows
    assert.equal(row?.reason, '审核已由他人撤回')
  })

  test('halts above its share of refusals, which are put together, corrected and handed in again', async () => {
    const programs = await makePrograms(3)
    const [first, second] = programs as [Made, Made, Made]
    const id = await started(3)
    await untilIn(id, '1 inAudit', '1 inAudit')
    await decide(first, 'refuse', `1、「面馆${agent.id}0」首页缺少经营许可`)
    await decide(second, 'refuse', `「面馆${agent.id}1」首页缺少经营许可。`)
    await until('halted', async () => (await shown(id)).state === 'halted')
    const { reason, groups } = await shown(id)
    assert.match(reason, /2 家已有结果，其中 2 家未通过（100%）/)
    assert.deepEqual(
      groups.map(({ shops }) => shops),
      [2],
    )
    const { rows } = await office.owner.query(
      `select count(distinct body)::int as n from notices where title = '小程序分批发布已自动停止'`,
    )
    assert.equal(rows[0].n, 1)
    for (const { reasonKey } of groups)
      await staff.releaseTrains.correct({
        ...{ id, reasonKey, templateId: 2, version: '2.1.0', feedback: '已补充许可' },
      })
    assert.equal(
      await refusalOf(
        staff.releaseTrains.correct({ id, reasonKey: 'x', templateId: 2, version: '2.1.0', feedback: '' }),
      ),
      'GROUP_EMPTY',
    )
    await staff.releaseTrains.resume({ id })
    await untilIn(id, '1 inAudit', '1 inAudit')
    assert.match(openAudit(first)?.words ?? '', /已补充许可/)
    assert.equal(on.asked.submit_audit, 4)
    await decide(first, 'pass')
    await decide(second, 'pass')
    await untilIn(id, '1 released', '1 released')
  })

  test('pauses, ends, and takes one wave back', async () => {
    const programs = await makePrograms(2)
    const [first, second] = programs as [Made, Made]
    const old = await started(2, { waveSize: 1 })
    await untilIn(old, '1 inAudit')
    await staff.releaseTrains.pause({ id: old })
    await decide(first, 'pass')
    await untilIn(old, '1 passed')
    await round()
    assert.deepEqual(await statesOf(old), ['1 passed', '2 waiting'])
    await staff.releaseTrains.resume({ id: old })
    await untilIn(old, '1 released', '2 inAudit')
    await decide(second, 'pass')
    await untilIn(old, '1 released', '2 released')
    for (const { account } of programs) {
      const [release] = account.releases
      if (release) Object.assign(release, { version: '2.0.0' })
    }
    await office.owner.query(
      `update program_codes set known = jsonb_set(known, '{live,version}', '"2.0.0"') where merchant_id = any ($1)`,
      [programs.map(({ merchantId }) => merchantId)],
    )
    const id = await started(2, { waveSize: 1 })
    await untilIn(id, '1 inAudit')
    await decide(first, 'pass')
    await untilIn(id, '1 released', '2 inAudit')
    assert.equal(await refusalOf(staff.releaseTrains.rollBackWave({ id, wave: 2 })), 'WAVE_NOT_THERE')
    await staff.releaseTrains.rollBackWave({ id, wave: 1 })
    assert.equal((await shown(id)).state, 'paused')
    await untilIn(id, '1 rolledBack')
    assert.deepEqual([live(first), on.asked.revertcoderelease], ['2.0.0', 1])
    await staff.releaseTrains.stop({ id })
    assert.deepEqual(await statesOf(id), ['1 rolledBack', '2 left'])
    assert.equal(await refusalOf(staff.releaseTrains.resume({ id })), 'STEP_NOT_NOW')
  })

  const notices = async () => {
    const { rows } = await office.owner.query<{ title: string; body: string }>(
      'select title, body from notices where account_id = $1 order by id',
      [agent.accountId],
    )
    return rows.map(({ title, body }) => `${title} ${body}`)
  }

  test('an agent is told once at its end, and of none of its mini programs while it runs', async () => {
    const [first, second, last] = (await makePrograms(3)) as [Made, Made, Made]
    const id = await started(3)
    await untilIn(id, '1 inAudit', '1 inAudit')
    await decide(first, 'pass')
    await decide(second, 'refuse', '页面与实际不符')
    await untilIn(id, '1 released', '1 refused', '2 inAudit')
    assert.deepEqual(await notices(), [])
    await decide(last, 'pass')
    await until('finished', async () => (await shown(id)).state === 'finished')
    await round()
    assert.deepEqual(await notices(), [
      '小程序分批发布已完成 版本 2.1.0：已发布 2 家，审核未通过 1 家，请在小程序进度中查看',
    ])
  })

  test('what a train that was stopped leaves at the platform is told to its agent again', async () => {
    const [one] = (await makePrograms(1)) as [Made]
    const id = await started(1)
    await untilIn(id, '1 inAudit')
    await staff.releaseTrains.stop({ id })
    const ended = '小程序分批发布已终止 版本 2.1.0：未处理 1 家，请在小程序进度中查看'
    assert.deepEqual(await notices(), [ended])
    await decide(one, 'refuse', '页面与实际不符')
    await round()
    await round()
    const [first, told, ...more] = await notices()
    assert.deepEqual([first, more], [ended, []])
    assert.match(told ?? '', /^小程序版本需要处理 .*版本 2\.1\.0 审核未通过：页面与实际不符$/)
  })

  test('asks for no more audits than are left, and goes on once there are more', async () => {
    await makePrograms(3)
    simulator.book().quota.auditLimit = 2
    await later()
    const id = await started(3, { waveSize: 3 })
    for (let rounds = 0; rounds < 14; rounds++) await round()
    const waiting = (await statesOf(id)).filter(state => state === '1 ready').length
    assert.deepEqual([on.asked.submit_audit, waiting, simulator.book().quota.audits], [2, 1, 2])
    simulator.book().quota.auditLimit = 10
    await later()
    await untilIn(id, '1 inAudit', '1 inAudit', '1 inAudit')
    assert.equal(on.asked.submit_audit, 3)
  })
})
