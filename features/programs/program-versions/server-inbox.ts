// Audits of mini programs that wait for the shop's agent: refused ones to be mended, passed ones to be released.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { FLOW_INBOX, flowsIn, shownFlows } from '#features/programs/program-flow/server-inbox.ts'
import { programFlows as flows } from '#features/programs/program-flow/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { programAudits as audits } from './tables.ts'

async function shown(
  ctx: Ctx,
  ids: readonly number[],
  told: (of: { version: string; reason: string }) => string,
) {
  const rows = await ctx.db
    .select({
      id: audits.applicationId,
      version: audits.version,
      reason: audits.reason,
      merchantId: audits.merchantId,
      shopName: merchants.shopName,
      agentId: audits.agentId,
      agentName: agents.companyName,
    })
    .from(audits)
    .innerJoin(merchants, eq(merchants.id, audits.merchantId))
    .innerJoin(agents, eq(agents.id, audits.agentId))
    .where(and(inArray(audits.applicationId, [...ids]), eq(audits.isCurrent, true)))
  return rows.map(({ version, reason, ...row }) => ({
    ...row,
    title: row.shopName,
    detail: told({ version, reason }),
    link: `/admin/schedule/AppletFlow?id=${row.id}`,
  }))
}

const OF = {
  permission: 'programFlow.edit',
  decides: 'programFlow.edit',
  for: 'partner',
  table: audits,
  id: audits.applicationId,
  since: audits.endedAt,
} as const

export const inbox: readonly InboxSource[] = [
  {
    key: 'program-versions.code',
    label: '设置小程序代码并提交审核',
    ...FLOW_INBOX,
    table: flows,
    id: flows.id,
    since: flows.changedAt,
    // One whose audit was refused is a kind of its own.
    waits: ({ own }) =>
      and(
        own(flows.agentId),
        flowsIn('code'),
        sql`not exists (select from ${audits} u where u.application_id = ${flows.applicationId} and u.is_current and u.state = 'refused')`,
      ),
    shown: shownFlows,
  },
  {
    key: 'program-versions.mend',
    label: '修改未通过的小程序版本',
    ...OF,
    waits: ({ own }) => and(own(audits.agentId), isWord(audits.state, 'refused'), eq(audits.isCurrent, true)),
    shown: (ctx, ids) =>
      shown(ctx, ids, ({ version, reason }) => `版本 ${version} 审核未通过：${reason || '微信没有说明原因'}`),
  },
  {
    key: 'program-versions.release',
    label: '发布审核通过的小程序',
    ...OF,
    waits: ({ own }) => and(own(audits.agentId), isWord(audits.state, 'passed'), eq(audits.isCurrent, true)),
    shown: (ctx, ids) => shown(ctx, ids, ({ version }) => `版本 ${version} 审核通过，尚未发布`),
  },
]
