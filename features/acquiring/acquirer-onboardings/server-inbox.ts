// What waits of shops that are brought in to acquirers: to be decided, to be mended, for its number, and for being paid by it.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { ACQUIRER_NAMES } from '#kit/ports/acquirers.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { ACQUIRER_HOURS, CHANNEL_STATES, HANDING_IN, reasonsText } from './rules.ts'
import type { AcquirerOnboarding } from './server-known.ts'
import { acquirerOnboardings as onboarded, acquirerTestPayments as tests } from './tables.ts'

type Told = Pick<AcquirerOnboarding, 'channel' | 'state' | 'reasons' | 'code' | 'submittedByName'>

async function shown(ctx: Ctx, ids: readonly number[], detailOf: (row: Told) => string) {
  const rows = await ctx.db
    .select({
      id: onboarded.id,
      told: {
        channel: onboarded.channel,
        state: onboarded.state,
        reasons: onboarded.reasons,
        code: onboarded.code,
        submittedByName: onboarded.submittedByName,
      },
      merchantId: onboarded.merchantId,
      shopName: merchants.shopName,
      agentId: onboarded.agentId,
      agentName: agents.companyName,
    })
    .from(onboarded)
    .innerJoin(merchants, eq(merchants.id, onboarded.merchantId))
    .innerJoin(agents, eq(agents.id, onboarded.agentId))
    .where(inArray(onboarded.id, [...ids]))
  return rows.map(({ told, ...row }) => ({
    ...row,
    title: row.shopName,
    detail: `${ACQUIRER_NAMES[told.channel]} · ${detailOf(told)}`,
    link: `/admin/merchant/acquiring?id=${row.id}`,
  }))
}

const OF = { table: onboarded, id: onboarded.id, permission: 'acquirerOnboardings.list' } as const
const FOR_STAFF = { ...OF, for: 'staff', decides: 'acquirerOnboardings.decide' } as const
const isActive = sql`${onboarded.isActive}`

export const inbox: readonly InboxSource[] = [
  {
    ...FOR_STAFF,
    key: 'acquirer-onboardings.decide',
    label: '审核收单进件',
    since: onboarded.submittedAt,
    within: ACQUIRER_HOURS,
    waits: () => and(isWord(onboarded.approvalState, 'pending'), isActive),
    decided: {
      is: () => and(isWord(onboarded.approvalState, 'approved', 'rejected'), isActive),
      at: onboarded.handledAt,
      byName: onboarded.handledByName,
      order: onboarded.createdAt,
      opens: true,
    },
    shown: (ctx, ids) => shown(ctx, ids, ({ submittedByName }) => `${submittedByName} 提交`),
  },
  {
    ...FOR_STAFF,
    key: 'acquirer-onboardings.code',
    label: '进件待送件或填写商户编号',
    since: onboarded.handledAt,
    // What the acquirer was handed by its protocol waits for the acquirer, unless nothing comes of it.
    waits: () =>
      and(
        isWord(onboarded.approvalState, 'approved'),
        sql`${onboarded.code} = ''`,
        isActive,
        sql`(${onboarded.requestNo} = '' or ${onboarded.tries} >= ${sql.raw(String(HANDING_IN.silentRounds))})`,
      ),
    shown: (ctx, ids) => shown(ctx, ids, ({ state }) => CHANNEL_STATES[state]),
  },
  {
    ...FOR_STAFF,
    key: 'acquirer-onboardings.handOver',
    label: '收单渠道待交接收款配置',
    since: onboarded.openedAt,
    waits: () =>
      and(isWord(onboarded.state, 'opened'), sql`${onboarded.code} <> ${onboarded.handedOverCode}`, isActive),
    shown: (ctx, ids) => shown(ctx, ids, ({ code }) => `商户编号 ${code}`),
  },
  {
    ...FOR_STAFF,
    ...{ table: tests, id: tests.id },
    key: 'acquirer-onboardings.testPayment',
    label: '测试支付的款项待退回',
    isMoney: true,
    since: tests.stuckAt,
    waits: () => sql`${tests.stuckAt} is not null`,
    shown: async (ctx, ids) => {
      const rows = await ctx.db
        .select({
          ...{ id: tests.id, onboardingId: tests.onboardingId, reason: tests.reason },
          settledByName: tests.settledByName,
        })
        .from(tests)
        .where(inArray(tests.id, [...ids]))
      const about = await shown(
        ctx,
        rows.map(({ onboardingId }) => onboardingId),
        () => '',
      )
      return rows.flatMap(({ id, onboardingId, reason, settledByName }) => {
        const of = about.find(one => one.id === onboardingId)
        const detail = settledByName === '' ? reason : `${settledByName} 登记人工处理，待复核`
        return of ? [{ ...of, id, detail: `一分钱测试支付 · ${detail}` }] : []
      })
    },
  },
  {
    ...OF,
    key: 'acquirer-onboardings.mend',
    label: '修改收单进件',
    decides: 'acquirerOnboardings.edit',
    for: 'partner',
    since: onboarded.handledAt,
    waits: ({ own }) => and(own(onboarded.agentId), isWord(onboarded.approvalState, 'rejected'), isActive),
    shown: (ctx, ids) => shown(ctx, ids, ({ reasons }) => reasonsText(reasons)),
  },
]
