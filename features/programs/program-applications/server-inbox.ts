// Applications for mini programs that wait: for staff to decide, for the agent to mend them.
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { PROGRAM_APPLICATION_HOURS } from './rules.ts'
import { programApplications as applications } from './tables.ts'

type Told = { by: string; programName: string; reason: string }

async function shown(
  ctx: Ctx,
  ids: readonly number[],
  told: { detail: (row: Told) => string; link: (row: { id: number; merchantId: number }) => string },
) {
  const rows = await ctx.db
    .select({
      id: applications.id,
      by: applications.submittedByName,
      programName: applications.programName,
      reason: applications.reason,
      merchantId: applications.merchantId,
      shopName: merchants.shopName,
      agentId: applications.agentId,
      agentName: agents.companyName,
    })
    .from(applications)
    .innerJoin(merchants, eq(merchants.id, applications.merchantId))
    .innerJoin(agents, eq(agents.id, applications.agentId))
    .where(inArray(applications.id, [...ids]))
  return rows.map(({ by, programName, reason, ...row }) => ({
    ...row,
    title: row.shopName,
    detail: told.detail({ by, programName, reason }),
    link: told.link(row),
  }))
}

const OF = { table: applications, id: applications.id } as const

export const inbox: readonly InboxSource[] = [
  {
    key: 'program-applications.decide',
    label: '审核小程序申请',
    permission: 'programApplications.list',
    decides: 'programApplications.decide',
    for: 'staff',
    ...OF,
    since: applications.submittedAt,
    within: PROGRAM_APPLICATION_HOURS,
    waits: () => and(isWord(applications.state, 'pending'), isNull(applications.deletedAt)),
    decided: {
      is: () => and(isWord(applications.state, 'approved', 'rejected'), isNull(applications.deletedAt)),
      at: applications.handledAt,
      byName: applications.handledByName,
      order: applications.createdAt,
      opens: true,
    },
    shown: (ctx, ids) =>
      shown(ctx, ids, {
        detail: ({ by, programName }) => `「${programName}」${by} 提交`,
        link: ({ id }) => `/admin/schedule/appApplication?id=${id}`,
      }),
  },
  {
    key: 'program-applications.mend',
    label: '修改小程序申请',
    permission: 'programApplications.edit',
    decides: 'programApplications.edit',
    for: 'partner',
    ...OF,
    since: applications.handledAt,
    waits: ({ own }) =>
      and(own(applications.agentId), isWord(applications.state, 'rejected'), isNull(applications.deletedAt)),
    shown: (ctx, ids) =>
      shown(ctx, ids, {
        detail: ({ reason }) => reason,
        link: ({ merchantId }) => `/admin/schedule/creationApplet?user_id=${merchantId}`,
      }),
  },
]
