// Data of mini programs that the shop's agent hands in, and what the platform has refused of them.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { FLOW_INBOX, flowsIn, shownFlows } from '#features/programs/program-flow/server-inbox.ts'
import { programFlows as flows } from '#features/programs/program-flow/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { PROFILE_PARTS, REMOVAL_STATES } from './rules.ts'
import { programProfileChanges as changes } from './tables.ts'

export const inbox: readonly InboxSource[] = [
  {
    key: 'program-profile.handIn',
    label: '提交小程序资料',
    ...FLOW_INBOX,
    table: flows,
    id: flows.id,
    since: flows.changedAt,
    // What is in review waits for the platform; what was refused is a kind of its own.
    waits: ({ own }) =>
      and(
        own(flows.agentId),
        flowsIn('profile'),
        sql`not exists (select from ${changes} c where c.application_id = ${flows.applicationId} and c.is_current and c.state <> 'passed')`,
      ),
    shown: shownFlows,
  },
  {
    key: 'program-profile.mend',
    label: '修改未通过的小程序资料',
    permission: 'programFlow.edit',
    decides: 'programFlow.edit',
    for: 'partner',
    table: changes,
    id: changes.id,
    since: changes.endedAt,
    waits: ({ own }) =>
      and(own(changes.agentId), isWord(changes.state, 'refused'), eq(changes.isCurrent, true)),
    shown: async (ctx, ids) => {
      const rows = await ctx.db
        .select({
          id: changes.id,
          applicationId: changes.applicationId,
          part: changes.part,
          args: changes.args,
          reason: changes.reason,
          merchantId: changes.merchantId,
          shopName: merchants.shopName,
          agentId: changes.agentId,
          agentName: agents.companyName,
        })
        .from(changes)
        .innerJoin(merchants, eq(merchants.id, changes.merchantId))
        .innerJoin(agents, eq(agents.id, changes.agentId))
        .where(inArray(changes.id, [...ids]))
      return rows.map(({ part, args, reason, applicationId, ...row }) => ({
        ...row,
        title: row.shopName,
        detail: `${PROFILE_PARTS[part]}${args.isRemoval ? REMOVAL_STATES.refused : '未通过'}：${reason}`,
        link: `/admin/schedule/AppletFlow?id=${applicationId}`,
      }))
    },
  },
]
