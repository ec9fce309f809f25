// An agent's level from a moment on: prices are by the level of their moment, what was is kept, and lists follow.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import fc from 'fast-check'
import { levelAt } from '#features/office/agents/rules.ts'
import { followLevels } from '#features/office/agents/server-levels.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'

let office: Office
let staff: Client
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  staff = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
  agent = await makeAgent(office, { tokens: 10_000, levelId: 3 })
  me = office.as(await office.login(agent.loginName))
})
after(() => office.stop())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const share = async () => (await me.access.current()).discountBasisPoints
const standing = async () =>
  (await office.owner.query('select level_id from agents where id = $1', [agent.id])).rows[0].level_id
const changes = async () => (await staff.priceDesk.levelChanges({ agentId: agent.id, size: 100 })).rows
/** The clock of the test: what was set for later begins. */
async function comeTrue(): Promise<void> {
  await office.owner.query('alter table agent_level_changes disable trigger user')
  await office.owner.query(
    `update agent_level_changes set starts_at = date_trunc('milliseconds', clock_timestamp())
     where starts_at > now() and withdrawn_at is null`,
  )
  await office.owner.query('alter table agent_level_changes enable trigger user')
}

test('the level at a moment is what the pure rule says', async () => {
  const moment = fc.integer({ min: 0, max: 11 }).map(n => new Date(Date.UTC(2026, n, 1)).toISOString())
  const level = fc.integer({ min: 2, max: 5 })
  const written = fc.record({
    ...{ fromLevelId: level, levelId: level, startsAt: moment },
    withdrawnAt: fc.constantFrom(null, '2026-01-01T00:00:00.000Z'),
  })
  const histories = fc.uniqueArray(written, { selector: row => row.startsAt, maxLength: 5 })
  const client = await office.owner.connect()
  try {
    await fc.assert(
      fc.asyncProperty(histories, moment, async (rows, at) => {
        await client.query('begin')
        for (const { fromLevelId, levelId, startsAt, withdrawnAt } of rows)
          await client.query(
            `insert into agent_level_changes (agent_id, from_level_id, level_id, starts_at, withdrawn_at, created_by,
               created_by_name, created_at) values ($1, $2, $3, $4, $5, 0, '', now())`,
            [agent.id, fromLevelId, levelId, startsAt, withdrawnAt],
          )
        const { rows: found } = await client.query('select level_at($1, 3, $2) as level', [agent.id, at])
        await client.query('rollback')
        assert.equal(found[0].level, levelAt(rows, 3, at))
      }),
      { numRuns: 40 },
    )
  } finally {
    client.release()
  }
})

test('a level for later is told beforehand, holds from its moment on without any job, and lists follow', async () => {
  await makeMerchant(office, agent.id, { version_id: 12, expires_at: inDays(40) })
  const asked = { agentId: agent.id, levelId: 4 }
  const preview = await staff.priceDesk.previewLevel({ ...asked, startsAt: inDays(10) })
  assert.deepEqual(
    [preview.fromLevelName, preview.levelName, preview.renewals],
    ['银牌代理', '金牌代理', { count: 1, differenceCents: -2_980 }],
  )
  assert.deepEqual(
    preview.books.map(({ book, before, after }) => [book, before, after]),
    [
      ['version', 6_000, 5_000],
      ['service', 6_000, 5_000],
      ['sms', 6_000, 5_000],
      ['hardware', 10_000, 10_000],
    ],
  )
  await staff.priceDesk.setLevel({ ...asked, startsAt: inDays(10) })
  assert.deepEqual([await share(), await standing()], [6_000, 3])
  await comeTrue()
  const quote = await me.purchases.quote({
    ...{ merchantId: await makeMerchant(office, agent.id), versionId: 12, scope: 'head', branchIds: [] },
    ...{ term: 'year', periods: 1, shops: 1, remark: '' },
  })
  assert.deepEqual([quote.totalCents, await share(), await standing()], [14_900, 5_000, 3])
  await followLevels(office.app.services)
  assert.equal(await standing(), 4)
  assert.equal((await me.agentProfile.find({})).levelName, '金牌代理')
})

test('what has not begun is withdrawn, once; the rest stays as it was written', async () => {
  await staff.priceDesk.setLevel({ agentId: agent.id, levelId: 5, startsAt: inDays(20) })
  const [coming, current] = await changes()
  assert.deepEqual([coming?.levelState, current?.levelState], ['coming', 'current'])
  await staff.priceDesk.withdrawLevel({ id: coming?.id ?? 0 })
  assert.equal(await refusalOf(staff.priceDesk.withdrawLevel({ id: coming?.id ?? 0 })), 'IS_WITHDRAWN')
  assert.equal(await refusalOf(staff.priceDesk.withdrawLevel({ id: current?.id ?? 0 })), 'HAS_BEGUN')
  await comeTrue()
  assert.equal(await share(), 5_000)
  for (const statement of [
    'update agent_level_changes set level_id = 5',
    'delete from agent_level_changes',
    'update agent_level_changes set withdrawn_at = now() where withdrawn_at is null',
  ])
    await assert.rejects(office.owner.query(statement), /never|not withdrawn/, statement)
})

test('a level that holds at once is seen at once, and stands in the history whoever changes it', async () => {
  await staff.priceDesk.setLevel({ agentId: agent.id, levelId: 2, startsAt: null })
  assert.deepEqual([await share(), await standing()], [7_000, 2])
  const terms = await staff.partners.terms({ id: agent.id })
  await staff.partners.edit({ ...terms, id: agent.id, levelId: 3 })
  assert.deepEqual([await share(), await standing()], [6_000, 3])
  assert.deepEqual(
    (await changes()).map(row => `${row.fromLevelName} ${row.levelName} ${row.levelState}`),
    [
      '金牌代理 钻石代理 withdrawn',
      '普通代理 银牌代理 current',
      '金牌代理 普通代理 past',
      '银牌代理 金牌代理 past',
    ],
  )
})

const REFUSED: [asked: Record<string, unknown>, code: string][] = [
  [{ levelId: 3 }, 'LEVEL_SAME'],
  [{ levelId: 99 }, 'LEVEL_UNKNOWN'],
  [{ agentId: 99_999_999 }, 'NOT_FOUND'],
  [{ startsAt: '2020-01-01T00:00:00.000Z' }, 'START_PAST'],
  [{ startsAt: inDays(400) }, 'START_TOO_FAR'],
]
for (const [asked, code] of REFUSED)
  test(`a change of level is refused: ${code}`, async () => {
    const change = { agentId: agent.id, levelId: 4, startsAt: null, ...asked }
    assert.equal(await refusalOf(staff.priceDesk.setLevel(change)), code)
  })

test('two do not begin at one moment', async () => {
  const startsAt = inDays(30)
  await staff.priceDesk.setLevel({ agentId: agent.id, levelId: 4, startsAt })
  const second = staff.priceDesk.setLevel({ agentId: agent.id, levelId: 5, startsAt })
  assert.equal(await refusalOf(second), 'MOMENT_TAKEN')
})
