// A partner with campaigns that are not through ends: they are named before, cancelled first, and their credit is back before its
// balance is taken.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach } from 'node:test'
import { type Client, type Office, openOffice } from '#test/app.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { manyShops, sent, workThrough } from '#test/make-campaigns.ts'
import { workOnClosings } from './server-work.ts'

let office: Office
let operator: Client
let partner: MadeAgent
let taker: MadeAgent
let mine: Client

before(async () => {
  office = await openOffice()
  operator = office.as(await office.login((await makeAgent(office, { operator: true })).loginName))
})
after(() => office.stop())
beforeEach(async () => {
  partner = await makeAgent(office, { sms: 9 })
  taker = await makeAgent(office)
  mine = office.as(await office.login(partner.loginName))
  await manyShops(office, partner.id, 3)
})

const rehearse = () => operator.partnerClosing.rehearse({ agentId: partner.id, takerId: taker.id })
const start = async (balances: 'refund' | 'move' = 'move') =>
  (
    await operator.partnerClosing.start({
      ...{ agentId: partner.id, takerId: taker.id, balances, reason: '合同到期' },
    })
  ).id
const close = async () => {
  while (await workOnClosings(office.app.services, 100));
}
const details = (id: number) => operator.partnerClosing.details({ id })
const balance = async () => (await mine.ledger.wallet()).sms
const campaign = async (id: number) => (await operator.campaigns.details({ id })).status
const inFuture = () => new Date(Date.now() + 3_600_000).toISOString()
const owner = (sql: string, ...values: unknown[]) => office.owner.query(sql, values).then(({ rows }) => rows)

test('what waits in the outbox, what is being written and what is planned end with it, and its credit goes along', async () => {
  const written = await sent(mine, { name: '八折续费' })
  await workThrough(office)
  const planned = await sent(mine, { name: '年末问候', scheduledAt: inFuture() })
  await operator.partners.suspend({ id: partner.id, reason: '合同款逾期未付' })
  await workThrough(office)
  assert.equal(await balance(), 6)
  const { campaigns, blocks, figures } = await rehearse()
  assert.deepEqual(campaigns, [
    { id: written.id, name: '八折续费', status: 'sending', waiting: 3 },
    { id: planned.id, name: '年末问候', status: 'scheduled', waiting: 0 },
  ])
  assert.deepEqual([blocks, figures.sms], [[], 6])

  const id = await start()
  await close()
  assert.deepEqual([await campaign(written.id), await campaign(planned.id)], ['cancelled', 'cancelled'])
  const waiting = await details(id)
  assert.deepEqual([waiting.state, waiting.moved, waiting.campaigns], ['running', 0, 1])
  assert.deepEqual((await rehearse()).campaigns, [])

  await workThrough(office)
  await close()
  const done = await details(id)
  assert.deepEqual([done.state, done.moved, done.sms, done.campaigns], ['done', 3, 9, 0])
  const states = await owner('select distinct status from outbox_messages where campaign_id = $1', written.id)
  assert.deepEqual(states, [{ status: 'cancelled' }])
  const asTaker = office.as(await office.login(taker.loginName))
  assert.equal((await asTaker.ledger.wallet()).sms, 9)
  await office.verifyLedger()
})

test('it stands in the log of the partner and of each campaign, and whoever sent it is told', async () => {
  const { id } = await sent(mine, { name: '八折续费' })
  await start()
  await close()
  const [row] = await owner(
    `select title, objects, changes from operation_logs where title = '停止合作：取消短信群发' and objects @> array[$1]`,
    `campaign:${id}`,
  )
  assert.deepEqual(row.objects, [`agent:${partner.id}`, `campaign:${id}`])
  assert.deepEqual(
    row.changes.map((change: { before: string; after: string }) => [change.before, change.after]),
    [['排队中', '已取消']],
  )
  const told = await owner(
    `select title, body from notices where account_id = $1 and topic = 'Campaign_Notify'`,
    partner.accountId,
  )
  assert.deepEqual(told, [
    {
      title: '群发已取消',
      body: '「八折续费」因停止合作取消，未发送的短信不再发送，退回短信余额。',
    },
  ])
})

test('the closings of others go on meanwhile, and one that is through is left alone', async () => {
  const through = await sent(mine)
  await workThrough(office)
  await owner(`update outbox_messages set status = 'submitted' where campaign_id = $1`, through.id)
  await workThrough(office)
  const open = await sent(mine, { name: '再发一次' })
  await workThrough(office)
  const other = await makeAgent(office)
  await manyShops(office, other.id, 2)
  const first = await start()
  const { id: second } = await operator.partnerClosing.start({
    ...{ agentId: other.id, takerId: taker.id, balances: 'refund', reason: '合同到期' },
  })
  await close()
  assert.deepEqual([(await details(first)).state, (await details(second)).state], ['running', 'done'])
  assert.deepEqual([await campaign(through.id), await campaign(open.id)], ['done', 'cancelled'])
})
