// A limit that is set is the one that holds: each changes what is refused, told or kept.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import { KEPT_DAYS as SIGN_IN_DAYS } from '#features/agencies/sign-in/rules.ts'
import { feature as notices } from '#features/office/notices/feature.ts'
import { isWarningHour, KEPT_DAYS as NOTICE_DAYS } from '#features/office/notices/rules.ts'
import { warnAccounts, warnInHours } from '#features/office/notices/server-alerts.ts'
import { JOBS as logJobs } from '#features/overview/operation-log/jobs.ts'
import { formatDay } from '#kit/time.ts'
import { clearPast } from '#server/keeping.ts'
import { settingInSql } from '#server/office/settings.ts'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { allLinked } from '#test/links.ts'
import { type MadeAgent, makeAgent, makeMerchant } from '#test/make.ts'
import { logEntry } from '#test/make-log.ts'
import { renewShop } from '#test/make-settlement.ts'
import { sentAs } from '#test/walk.ts'

const TUESDAY = new Date('2026-11-24T10:00:00+08:00')

let office: Office
let operator: Client
let cookie: string
let agent: MadeAgent
let me: Client

before(async () => {
  office = await openOffice()
  cookie = await office.login((await makeAgent(office, { operator: true })).loginName)
  operator = office.as(cookie)
  agent = await makeAgent(office, { tokens: 10_000, sms: 800 })
  me = office.as(await office.login(agent.loginName))
  await office.owner.query(
    `insert into business_days (day, kind, name) values ($1, 'workday', '测试') on conflict (day) do update set kind = 'workday'`,
    [formatDay(TUESDAY)],
  )
})
after(() => office.stop())

async function set(key: string, value: number): Promise<void> {
  const one = (await operator.referenceData.settings()).settings.find(known => known.key === key)
  assert.ok(one, key)
  await operator.referenceData.setSetting({ key, seen: one.value, value })
}
const messageIn = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: Error) => error.message,
  )
const titles = async () => (await me.notices.list({})).rows.map(({ title }) => title)

test('a picture may have as many bytes as the operator lets in, and the message says so', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const
  const bytes = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 60 })
    .toBuffer()
  const kb = Math.ceil(bytes.length / 1024)
  assert.ok(kb > 110 && kb < 1_000, String(kb))
  const send = async () => {
    const { statusCode, body } = await office.app.http.inject({
      method: 'POST',
      url: '/api/files?purpose=product',
      headers: { ...sentAs(cookie), 'content-type': 'image/jpeg' },
      payload: bytes,
    })
    return [statusCode, JSON.parse(body).message]
  }
  assert.equal((await send())[0], 200)
  await set('picture-kb', 100)
  assert.deepEqual(await send(), [409, '图片大小不能超过100KB'])
  await set('picture-kb', 1_024)
  assert.equal((await send())[0], 200)
})

test('owners who have chosen nothing are warned by the thresholds of the office', async () => {
  await warnAccounts(office.app.services, TUESDAY)
  assert.deepEqual(await titles(), [])
  await set('low-sms', 900)
  await set('low-tokens', 20_000)
  assert.deepEqual((await me.notices.preferences()).thresholds, {
    tokenCents: 2_000_000,
    sms: 900,
    expiringDays: 7,
  })
  await warnAccounts(office.app.services, TUESDAY)
  assert.deepEqual((await titles()).toSorted(), ['代币余额不足', '短信余额不足'])
})

test('ending shops are told so many days ahead, and not on a holiday', async () => {
  await makeMerchant(office, agent.id, {
    expires_at: new Date(TUESDAY.getTime() + 20 * 86_400_000).toISOString(),
  })
  await warnAccounts(office.app.services, TUESDAY)
  assert.ok(!(await titles()).includes('商户即将到期'))
  await set('expiring-days', 30)
  const mark = (kind: string) =>
    office.owner.query('update business_days set kind = $1 where day = $2', [kind, formatDay(TUESDAY)])
  await mark('holiday')
  await warnAccounts(office.app.services, TUESDAY)
  assert.ok(!(await titles()).includes('商户即将到期'))
  await mark('workday')
  await warnAccounts(office.app.services, TUESDAY)
  assert.ok((await titles()).includes('商户即将到期'))
})

const HOURS: [hour: number, from: number, until: number, warns: boolean][] = [
  [8, 9, 20, false],
  [9, 9, 20, true],
  [20, 9, 20, true],
  [21, 9, 20, false],
  [8, 7, 20, true],
]
for (const [hour, from, until, warns] of HOURS)
  test(`at ${hour} people are ${warns ? '' : 'not '}warned between ${from} and ${until}`, () =>
    assert.equal(isWarningHour(hour, from, until), warns))

test('nobody is warned outside of the hours that are set', async () => {
  const told = async () =>
    (await office.owner.query(`select count(*)::int as n from notices where topic = 'Balance_Notify'`))
      .rows[0].n
  await office.owner.query(`delete from notices where topic = 'Balance_Notify'`)
  await warnInHours(office.app.services, new Date('2026-11-23T22:30:00Z'))
  assert.equal(await told(), 0, 'at 6:30 of Shanghai')
  await set('warn-from-hour', 6)
  await warnInHours(office.app.services, new Date('2026-11-23T22:30:00Z'))
  assert.ok((await told()) > 0)
})

test('a shop is reminded again after the hours that are set', async () => {
  const shop = await makeMerchant(office, agent.id)
  const remind = async () => (await operator.messageDesk.remind({ merchantIds: [shop] })).rows[0]?.refusal
  assert.equal(await remind(), null)
  await office.owner.query(
    `update outbox_messages set created_at = created_at - interval '2 hours' where merchant_id = $1`,
    [shop],
  )
  assert.equal(await remind(), 'REMINDED_ALREADY')
  await set('reminder-hours', 2)
  assert.equal(await remind(), null)
})

test('an agency takes back so many orders in a month, the vendor’s staff any', async () => {
  const undo = async (by: Client) => {
    const { orderNo } = await renewShop(me, await makeMerchant(office, agent.id))
    return messageIn(by.settlement.undo({ kind: 'version', orderNo, reason: '客户退款' }))
  }
  assert.equal(await undo(me), 'accepted')
  await set('undo-count', 1)
  assert.equal(await undo(me), '本月撤销已达上限 1 单，请联系厂商处理')
  assert.equal(await undo(operator), 'accepted')
  await set('undo-count', 2)
  assert.equal(await undo(me), 'accepted')
})

const kept = async (sql: string) => Number((await office.owner.query(`select ${sql} as days`)).rows[0].days)

test('notices and sign-ins are kept for as long as the law asks and the operator says', async () => {
  assert.equal(await kept(settingInSql(NOTICE_DAYS)), 180)
  const count = async () => Number((await office.owner.query('select count(*) from notices')).rows[0].count)
  await office.owner.query(`update notices set created_at = now() - interval '100 days'`)
  const before = await count()
  assert.ok(before > 0)
  await clearPast(office.owner, notices.clearing)
  assert.equal(await count(), before)
  await set('notice-kept-days', 90)
  await clearPast(office.owner, notices.clearing)
  assert.equal(await count(), 0)
  assert.equal(await refusalOf(set('sign-in-kept-days', 179)), 'SETTING_WRONG')
  await set('sign-in-kept-days', 400)
  assert.equal(await kept(settingInSql(SIGN_IN_DAYS)), 400)
})

test('months of the operation log go once they are older than the operator keeps them', async () => {
  const [clear] = logJobs.filter(({ name }) => name === 'operation-log-months')
  assert.ok(clear)
  const old = await makeAgent(office)
  await office.owner.query(`select make_operation_log_months(now() - interval '48 months')`)
  const entry = logEntry({ agentId: old.id, accountId: old.accountId })
  for (const months of [40, 20, 8, 0])
    await office.owner.query(`select log_operation_at($1, now() - make_interval(months => $2))`, [
      entry,
      months,
    ])
  await allLinked(office.owner)
  const left = async () => {
    await clear.run(office.owner as never, office.app.services)
    const { rows } = await office.owner.query<{ sequence: number }>(
      'select k.sequence::int from operation_log_links k join operation_logs using (id, created_at) where k.agent_id = $1 order by 1',
      [old.id],
    )
    return rows.map(({ sequence }) => sequence)
  }
  assert.deepEqual(await left(), [2, 3, 4], 'three years unless told')
  await set('operation-log-kept-months', 12)
  assert.deepEqual(await left(), [3, 4])
  assert.equal(await refusalOf(set('operation-log-kept-months', 5)), 'SETTING_WRONG')
  await set('operation-log-kept-months', 6)
  assert.deepEqual(await left(), [4])
})

test('a number out of its bounds in the database holds as the nearest within, in statements too', async () => {
  for (const [value, holds] of [
    ['5000', 1_095],
    ['1', 30],
    ['"x"', 180],
    ['null', 180],
  ] as const) {
    await office.owner.query(`update office_settings set value = $1::jsonb where key = 'notice-kept-days'`, [
      value,
    ])
    assert.equal(await kept(settingInSql(NOTICE_DAYS)), holds, value)
  }
})
