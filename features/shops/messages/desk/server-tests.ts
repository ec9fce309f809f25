// A test that the operator sends to its own phone, to see that SMS arrive.
import { refuseTest, TEST_REFUSALS, TEST_TEMPLATE } from '#features/shops/messages/rules.ts'
import { lastTest, queueMessages } from '#features/shops/messages/server-outbox.ts'
import { formatInstant } from '#kit/time.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { Verb } from '#server/ctx.ts'
import { refuse, staffAlone } from '#server/refuse.ts'
import type { messageDesk as contract } from './contract.ts'

const TESTS_LOCK = 7_211_037

export const sendTest: Verb<typeof contract.sendTest> = async ctx => {
  staffAlone(ctx)
  const { agentId, mobile } = ctx.actor
  const { providers } = ctx.services
  // Two at once are one.
  await ctx.client.query('select pg_advisory_xact_lock($1, 0)', [TESTS_LOCK])
  const last = await lastTest(ctx)
  const lastAt = last ? Date.parse(last.createdAt) : null
  const terms = { isConnected: providers.sms !== null, lastAt, nowMs: ctx.now.getTime() }
  refuse(refuseTest(mobile, terms), TEST_REFUSALS)
  await queueMessages(ctx, [
    {
      agentId,
      merchantId: null,
      kind: 'account-notice',
      phone: mobile,
      template: TEST_TEMPLATE,
      params: { time: formatInstant(ctx.now) },
    },
  ])
  ctx.note('测试短信', [{ name: '手机号', before: null, after: maskPhone(mobile) }])
  return { phone: maskPhone(mobile), inboxUrl: providers.inboxUrl }
}
