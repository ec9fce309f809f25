// Mini programs that wait for the shop's agent on their way: to be created, corrected after a refusal, and verified once their owner has authorised.
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, InboxSource } from '#server/ctx.ts'
import { isWord } from '#server/office/inbox.ts'
import { type FlowState, nextStepOf } from './rules.ts'
import { programFlows as flows } from './tables.ts'

export const FLOW_INBOX = {
  permission: 'programFlow.edit',
  decides: 'programFlow.edit',
  for: 'partner',
} as const

/** Of flows that are not deleted: those in one of these states. */
export function flowsIn(...states: FlowState[]): SQL | undefined {
  return and(
    isWord(flows.state, ...states),
    sql`exists (select from ${applications} a where a.id = ${flows.applicationId} and a.deleted_at is null)`,
  )
}

/** Rows of flows by their ids, each with what the platform said last or what it waits for. */
export async function shownFlows(ctx: Ctx, ids: readonly number[]) {
  const rows = await ctx.db
    .select({
      id: flows.id,
      applicationId: flows.applicationId,
      state: flows.state,
      message: flows.message,
      merchantId: flows.merchantId,
      shopName: merchants.shopName,
      agentId: flows.agentId,
      agentName: agents.companyName,
    })
    .from(flows)
    .innerJoin(merchants, eq(merchants.id, flows.merchantId))
    .innerJoin(agents, eq(agents.id, flows.agentId))
    .where(inArray(flows.id, [...ids]))
  return rows.map(({ state, message, applicationId, ...row }) => ({
    ...row,
    title: row.shopName,
    detail: message || nextStepOf(state, false).waits,
    link: `/admin/schedule/AppletFlow?id=${applicationId}`,
  }))
}

export const inbox: readonly InboxSource[] = [
  {
    key: 'program-flow.create',
    label: '提交创建小程序',
    ...FLOW_INBOX,
    table: applications,
    id: applications.id,
    since: applications.handledAt,
    // By the documents' numbers: a flow begins with its creation.
    waits: ({ own }) =>
      and(
        own(applications.agentId),
        isWord(applications.state, 'approved'),
        sql`${applications.flowStatus} = 1 and ${applications.flowStep} = 2`,
        isNull(applications.deletedAt),
      ),
    shown: async (ctx, ids) => {
      const rows = await ctx.db
        .select({
          id: applications.id,
          programName: applications.programName,
          merchantId: applications.merchantId,
          shopName: merchants.shopName,
          agentId: applications.agentId,
          agentName: agents.companyName,
        })
        .from(applications)
        .innerJoin(merchants, eq(merchants.id, applications.merchantId))
        .innerJoin(agents, eq(agents.id, applications.agentId))
        .where(inArray(applications.id, [...ids]))
      return rows.map(({ programName, ...row }) => ({
        ...row,
        title: row.shopName,
        detail: `「${programName}」${nextStepOf('toCreate', false).waits}`,
        link: `/admin/schedule/AppletFlow?id=${row.id}`,
      }))
    },
  },
  {
    key: 'program-flow.goOn',
    label: '处理小程序创建与授权',
    ...FLOW_INBOX,
    table: flows,
    id: flows.id,
    since: flows.changedAt,
    waits: ({ own }) => and(own(flows.agentId), flowsIn('creationRefused', 'authorized')),
    shown: shownFlows,
  },
]
