// Campaigns that do not come to all: their sender is disabled, their credit ends, their messages fail; and going on with them.
import assert from 'node:assert/strict'
import test, { after, before, beforeEach, describe } from 'node:test'
import { type Client, type Office, openOffice, refusalOf } from '#test/app.ts'
import { type MadeAgent, makeAccount, makeAgent, makeMerchant } from '#test/make.ts'
import { drafted, sent, workThrough } from '#test/make-campaigns.ts'

/** 40 characters of a shop's name make two segments of the text. */
const LONG = '很长很长的店名'.repeat(6)

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

let agent: MadeAgent
let mine: Client
/** A new agent for every test, with three pieces of credit. */
beforeEach(async () => {
  agent = await makeAgent(office, { sms: 3 })
  mine = office.as(await office.login(agent.loginName))
})

const shop = (columns: Record<string, unknown> = {}) => makeMerchant(office, agent.id, columns)
const balance = async () => (await mine.ledger.wallet()).sms
const inFuture = () => new Date(Date.now() + 3_600_000).toISOString()
const dueNow = (id: number) =>
  office.owner.query(`update campaigns set scheduled_at = now() - interval '1 second' where id = $1`, [id])
const detailsOf = (id: number) => mine.campaigns.details({ id })

async function reachedBy(id: number): Promise<number[]> {
  const { rows } = await office.owner.query(
    'select merchant_id::int as id from outbox_messages where campaign_id = $1 order by id',
    [id],
  )
  return rows.map(row => row.id)
}

async function toldTo({ accountId }: { accountId: number }) {
  const { rows } = await office.owner.query(
    `select title, body from notices where account_id = $1 and topic = 'Campaign_Notify' order by id`,
    [accountId],
  )
  return rows
}

/** What the outbox holds of it has become of it. */
async function becomes(id: number, status: 'submitted' | 'failed'): Promise<void> {
  await office.owner.query('update outbox_messages set status = $2 where campaign_id = $1', [id, status])
  await workThrough(office)
}

describe('of a sender that was disabled', () => {
  const setEnabled = (table: 'agents' | 'accounts', id: number, enabled: boolean) =>
    office.owner.query(
      table === 'agents'
        ? `update agents set status = case when $2::boolean then 'active' else 'closed' end where id = $1`
        : 'update accounts set enabled = $2 where id = $1',
      [id, enabled],
    )

  test('nothing scheduled begins, and nothing is charged', async () => {
    await shop()
    const { id } = await sent(mine, { scheduledAt: inFuture() })
    await dueNow(id)
    await setEnabled('agents', agent.id, false)
    await workThrough(office)
    await setEnabled('agents', agent.id, true)
    mine = office.as(await office.login(agent.loginName))
    const row = await detailsOf(id)
    assert.deepEqual([row.status, row.problem, row.queued], ['refused', '代理商已停用，未发送', 0])
    assert.deepEqual([await reachedBy(id), await balance()], [[], 3])
  })

  test('the others of its agent are told, who may go on with it', async () => {
    const only = await shop()
    const clerk = await makeAccount(office, agent.id, { isOwner: true })
    const theirs = office.as(await office.login(clerk.loginName))
    const { id } = await sent(theirs, { scheduledAt: inFuture() })
    await dueNow(id)
    await setEnabled('accounts', clerk.accountId, false)
    await workThrough(office)
    const row = await detailsOf(id)
    assert.deepEqual([row.status, row.problem], ['refused', '发送人账号已停用，未发送'])
    assert.deepEqual(await toldTo(agent), [
      { title: '群发未发送', body: '「续费优惠」发送人账号已停用，未发送。' },
    ])
    const { shops, segments } = await mine.campaigns.remainder({ id })
    await mine.campaigns.continue({ id, shops, segments })
    await workThrough(office)
    assert.deepEqual([await reachedBy(id), await balance()], [[only], 2])
  })

  test('nothing more of what has begun is written', async () => {
    await shop()
    const { id } = await sent(mine)
    await setEnabled('agents', agent.id, false)
    await workThrough(office)
    const { rows } = await office.owner.query('select status, problem from campaigns where id = $1', [id])
    assert.deepEqual(rows, [{ status: 'refused', problem: '代理商已停用，其余 1 家商户未发送' }])
    assert.deepEqual(await reachedBy(id), [])
  })
})

describe('credit that another campaign was accepted for', () => {
  test('is missing for the next one, also while that one waits for its time', async () => {
    await shop({ shop_name: LONG })
    const [first, second] = [await drafted(mine, { scheduledAt: inFuture() }), await drafted(mine)]
    await mine.campaigns.send(first)
    const preview = await mine.campaigns.preview({
      templateKey: 'renewal-offer',
      params: { offer: '八折' },
      audience: {},
    })
    assert.deepEqual([preview.segments, preview.balance, preview.reserved, preview.missing], [2, 3, 2, 1])
    await assert.rejects(mine.campaigns.send(second), error => {
      const { code, data } = error as unknown as { code: string; data: { missing: number; reserved: number } }
      assert.deepEqual([code, data.missing, data.reserved], ['SMS_INSUFFICIENT', 1, 2])
      return true
    })
    await mine.campaigns.cancel({ id: first.id })
    assert.equal(await refusalOf(mine.campaigns.send(second)), 'accepted')
  })

  test('is promised once to two that are sent at once', async () => {
    await shop({ shop_name: LONG })
    const both = [await drafted(mine), await drafted(mine)]
    const answers = await Promise.all(both.map(one => refusalOf(mine.campaigns.send(one))))
    assert.deepEqual(answers.sort(), ['SMS_INSUFFICIENT', 'accepted'])
  })

  test('is free again once that one is written', async () => {
    await shop()
    await sent(mine)
    await workThrough(office)
    const preview = await mine.campaigns.preview({ templateKey: '', params: {}, audience: {} })
    assert.deepEqual([preview.balance, preview.reserved], [2, 0])
  })
})

describe('what stopped for want of credit', () => {
  let shops: number[]
  let id: number
  /** Three of five shops were written. */
  beforeEach(async () => {
    agent = await makeAgent(office, { sms: 8 })
    mine = office.as(await office.login(agent.loginName))
    shops = [await shop(), await shop(), await shop(), await shop(), await shop()]
    const confirmed = await drafted(mine)
    id = confirmed.id
    await mine.campaigns.send(confirmed)
    await mine.sms.gift({ merchantId: shops[0] as number, pieces: 5, remark: '' })
    await workThrough(office)
    assert.equal((await detailsOf(id)).problem, '短信余额不足，其余 2 家商户未发送')
  })
  const topUp = (pieces: number) =>
    office.owner.query('select ledger_post($1::jsonb)', [
      JSON.stringify([
        {
          kind: 'credit',
          asset: 'sms',
          amount: pieces,
          from: { kind: 'vendor', book: 'sms-supplier' },
          to: { kind: 'agent', id: agent.id },
          document: `TOPUP${agent.id}`,
          payMethod: 'gift',
          agentId: agent.id,
          actorId: 1,
          actorName: '测试',
          description: '充值',
        },
      ]),
    ])

  test('goes on for the shops that are left alone, paid once', async () => {
    const left = await mine.campaigns.remainder({ id })
    assert.deepEqual(left, { shops: 2, segments: 2, balance: 0, reserved: 0, missing: 2 })
    const wanted = { id, shops: left.shops, segments: left.segments }
    assert.equal(await refusalOf(mine.campaigns.continue(wanted)), 'SMS_INSUFFICIENT')
    await topUp(4)
    assert.equal(await refusalOf(mine.campaigns.continue({ ...wanted, shops: 3 })), 'COST_CHANGED')
    const key = 'the-same-key-again'
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => mine.campaigns.continue(wanted, { context: { key } })),
    )
    assert.ok(answers.every(({ status }) => status === 'queueing'))
    assert.equal(await refusalOf(mine.campaigns.continue(wanted)), 'NOT_STOPPED')
    const waiting = await mine.campaigns.preview({ templateKey: '', params: {}, audience: {} })
    assert.equal(waiting.reserved, 2, 'it needs what is left alone')
    await workThrough(office)
    const row = await detailsOf(id)
    assert.deepEqual(
      [row.status, row.problem, row.queued, row.charged, row.expectedShops, row.expectedSegments],
      ['sending', '', 5, 5, 5, 5],
    )
    assert.deepEqual([await reachedBy(id), await balance()], [shops, 2])
    await office.verifyLedger()
  })

  test('goes on after its end too, and ends again', async () => {
    await becomes(id, 'submitted')
    const partly = [
      { title: '群发未全部发送', body: '「续费优惠」已提交 3 条短信，短信余额不足，其余 2 家商户未发送。' },
    ]
    assert.deepEqual(await toldTo(agent), partly)
    await topUp(2)
    await mine.campaigns.continue({ id, shops: 2, segments: 2 })
    await workThrough(office)
    await becomes(id, 'submitted')
    assert.deepEqual(await toldTo(agent), [
      ...partly,
      { title: '群发已完成', body: '「续费优惠」已提交 5 条短信。' },
    ])
    assert.equal(await refusalOf(mine.campaigns.remainder({ id })), 'NOT_STOPPED')
  })
})

test('a campaign of which every message failed is not told as sent', async () => {
  await shop()
  await shop()
  const { id } = await sent(mine)
  await workThrough(office)
  await becomes(id, 'failed')
  assert.deepEqual(await toldTo(agent), [{ title: '群发失败', body: '「续费优惠」2 条发送失败。' }])
  assert.deepEqual((await detailsOf(id)).messages, { failed: 2 })
})
