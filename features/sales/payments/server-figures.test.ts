// What /metrics tells of payments, read from the running program.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { NO_PROVIDERS } from '#app/providers.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import { type Office, openOffice } from '#test/app.ts'
import { figureLater, figureOf } from '#test/figures.ts'
import { type MadeAgent, makeAgent } from '#test/make.ts'
import { makeSigner, makeWaiting, type Sequence, send } from '#test/payment-callbacks.ts'
import { workOnCallbacks } from './server-callbacks.ts'

const signer = makeSigner()
let office: Office
let agent: MadeAgent

before(async () => {
  office = await openOffice({ providers: signer.providers(NO_PROVIDERS) })
  agent = await makeAgent(office)
})
after(() => office.stop())

const outcomesOf = async (channel: PayChannelName) =>
  Object.fromEntries(
    Object.entries(await figureOf(office, 'payment_callbacks_total'))
      .filter(([labels]) => labels.startsWith(channel))
      .map(([labels, count]) => [labels.split(' ')[1], count]),
  )

async function receive(channel: PayChannelName, messages: Sequence['messages']): Promise<void> {
  const [queryId = ''] = await makeWaiting(office, { id: agent.id, accountId: agent.accountId }, 1)
  await send(office, signer, queryId, { channel, messages, atOnce: false })
}

const NONE = {
  accepted: 0,
  duplicate: 0,
  rejected_signature: 0,
  rejected_stale: 0,
  rejected_content: 0,
  rejected_amount: 0,
  rejected_order: 0,
  failed: 0,
}

test('every outcome of both channels is told before anything has come', async () => {
  assert.deepEqual([await outcomesOf('wechat'), await outcomesOf('alipay')], [NONE, NONE])
})

test('callbacks are counted once each, by channel and by what became of them', async () => {
  const messages: Sequence['messages'] = [
    { kind: 'forged', times: 1 },
    { kind: 'altered', times: 1 },
    { kind: 'stale', times: 3 },
    { kind: 'wrong merchant', times: 1 },
    { kind: 'wrong amount', times: 1 },
    { kind: 'wrong currency', times: 1 },
    { kind: 'unknown order', times: 1 },
    { kind: 'right', times: 3 },
  ]
  await receive('wechat', messages)
  assert.equal((await outcomesOf('wechat')).accepted, 0, 'kept, and not recorded yet')
  await receive('alipay', messages)
  await workOnCallbacks(office.app.services)
  const both = {
    ...NONE,
    accepted: 1,
    duplicate: 2,
    rejected_signature: 2,
    rejected_content: 1,
    rejected_order: 1,
  }
  assert.deepEqual(await outcomesOf('wechat'), { ...both, rejected_stale: 3, rejected_amount: 2 })
  assert.deepEqual(await outcomesOf('alipay'), { ...both, rejected_amount: 1 })
})

test('a callback that cannot be recorded counts as failed, once in each round', async () => {
  await office.owner.query(
    `insert into provider_events (channel, event_id, content, body, out_trade_no, status, received_at)
     values ('wechat', 'poison', '{"kind":"payment"}', '', 'none', 'kept', now() - interval '100 seconds')`,
  )
  const before = await outcomesOf('wechat')
  for (let i = 0; i < 4; i++) await workOnCallbacks(office.app.services)
  assert.deepEqual(await outcomesOf('wechat'), { ...before, failed: Number(before.failed) + 4 })
})

test('the age of what has waited longest is told, and nothing of what is over', async () => {
  const ages = async () => {
    const {
      intent = 0,
      callback = 0,
      refund = 0,
    } = await figureLater(office, 'payment_oldest_pending_seconds')
    // Coarse, since a busy machine takes its time.
    return [intent, callback, refund].map(age => Math.round(age / 100) * 100)
  }
  await office.owner.query(`update payment_intents set status = 'expired' where status = 'waiting'`)
  await office.owner.query(
    `update payment_intents set created_at = now() - interval '1 day' where id = (select min(id) from payment_intents)`,
  )
  assert.deepEqual(await ages(), [0, 100, 0])
  const [older = '', newer = ''] = await makeWaiting(office, agent, 2)
  await office.owner.query(
    `update payment_intents set created_at = now() - make_interval(secs => case id when $1 then 500 else 100 end) where id in ($1, $2)`,
    [older, newer],
  )
  await office.owner.query(
    `insert into payment_refunds (attempt_id, agent_id, refund_no, amount_fen, reason, status, created_by, created_by_name, created_at, ask_at)
     select id, agent_id, out_trade_no || 'R', amount_fen, 'second', case channel when 'wechat' then 'wanted' else 'failed' end, 0, '系统',
       now() - make_interval(secs => case channel when 'wechat' then 3600 else 9000 end),
       case channel when 'wechat' then now() + interval '1 hour' end
     from payment_attempts where intent_id = $1`,
    [older],
  )
  await office.owner.query(`update provider_events set status = 'done' where event_id = 'poison'`)
  assert.deepEqual(await ages(), [500, 0, 3600])
})
