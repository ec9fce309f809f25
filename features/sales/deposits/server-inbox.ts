// What waits of deposits: requests for another to decide, and what is to be paid out by hand.
import { eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { amountText } from '#kit/money.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { REQUEST_KINDS } from './rules.ts'
import { depositRequests as requests } from './tables.ts'

async function shown(ctx: Ctx, ids: readonly number[], ending: string) {
  const rows = await ctx.db
    .select({
      id: requests.id,
      depositId: requests.depositId,
      kind: requests.kind,
      amountFen: requests.amountFen,
      by: requests.askedByName,
      merchantId: requests.merchantId,
      shopName: merchants.shopName,
      agentId: requests.agentId,
      agentName: agents.companyName,
    })
    .from(requests)
    .innerJoin(merchants, eq(merchants.id, requests.merchantId))
    .innerJoin(agents, eq(agents.id, requests.agentId))
    .where(inArray(requests.id, [...ids]))
  return rows.map(({ kind, amountFen, by, depositId, ...row }) => ({
    ...row,
    title: row.shopName,
    detail: `${by}申请${REQUEST_KINDS[kind]}押金 ${amountText(amountFen, '元')}${ending}`,
    about: String(depositId),
    link: `/admin/tool/importDeposit?id=${depositId}`,
  }))
}

const OF = {
  permission: 'deposits.list',
  decides: 'deposits.decide',
  for: 'staff',
  table: requests,
  id: requests.id,
} as const

export const inbox: readonly InboxSource[] = [
  {
    key: 'deposits.decide',
    label: '审批押金',
    isMoney: true,
    ...OF,
    since: requests.askedAt,
    waits: () => isWord(requests.state, 'asked'),
    decided: {
      is: () => sql`${requests.state} <> 'asked'`,
      at: requests.decidedAt,
      byName: requests.decidedByName,
      order: requests.id,
      opens: true,
    },
    shown: (ctx, ids) => shown(ctx, ids, ''),
  },
  {
    key: 'deposits.payOut',
    label: '押金待线下退款',
    isMoney: true,
    ...OF,
    since: requests.decidedAt,
    waits: () => isWord(requests.state, 'owed'),
    shown: (ctx, ids) => shown(ctx, ids, '，待线下退款'),
  },
]
