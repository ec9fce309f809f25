// Flows as people see them: the list of applications on their way, and one with what the platform answered.
import { and, desc, eq, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { searchShops } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import { filtered, type ListSource, ownCondition, rowsAndTotal, skewedBy, sortedBy } from '#server/list.ts'
import { found } from '#server/refuse.ts'
import type { programFlow as contract } from './contract.ts'
import { FLOWS } from './fields.ts'
import { launchStepsOf, mayAuthorize, mayLook, nextStepOf, scopesOf } from './rules.ts'
import { standingOf } from './server-flows.ts'
import { programFlowAnswers as answers, programFlows as flows } from './tables.ts'

const ANSWERS_MOST = 100

const ROW = {
  id: applications.id,
  revision: applications.revision,
  merchantId: applications.merchantId,
  kind: applications.kind,
  programName: applications.programName,
  programType: applications.programType,
  createdAt: applications.createdAt,
  deletedAt: applications.deletedAt,
  agentId: applications.agentId,
  flowStatus: applications.flowStatus,
  flowStep: applications.flowStep,
  submitStatus: applications.submitStatus,
  shopName: merchants.shopName,
  account: merchants.account,
  agentName: agents.companyName,
  state: flows.state,
  message: flows.message,
  appid: flows.appid,
  isAuthorized: flows.isAuthorized,
  authorizedAt: flows.authorizedAt,
  liveVersion: flows.liveVersion,
  newVersion: flows.newVersion,
  remark: flows.remark,
}

// Literal, as the indexes have it.
const LIVE = sql`${applications.deletedAt} is null`
const DELETED = sql`${applications.deletedAt} is not null`
/** What nobody handed in is no flow yet. */
const UNDER_WAY = sql`${applications.state} in ('pending', 'approved')`
const COMPLETED = 12

/** It was authorised once and is so no longer. */
const isLost = (row: { appid: string | null; authorizedAt: string | null; isAuthorized: boolean | null }) =>
  row.appid !== null && row.authorizedAt !== null && !row.isAuthorized

export const list: Verb<typeof contract.list> = async (ctx, input) => {
  const { conditions, shopsCapped } = await searchShops(ctx, input, applications.merchantId)
  const source: ListSource = {
    name: 'program flows',
    table: applications,
    conditions: [
      ...ownCondition(ctx, applications.agentId),
      { key: 'underWay', sql: UNDER_WAY, values: {} },
      input.deleted ? { key: 'deleted', sql: DELETED, values: {} } : { key: 'live', sql: LIVE, values: {} },
      ...filtered(FLOWS, input, {
        progress: progress => [
          progress === 'completed'
            ? {
                key: 'completed',
                sql: sql`${applications.submitStatus} = ${sql.raw(String(COMPLETED))}`,
                values: {},
              }
            : {
                key: 'running',
                sql: sql`${applications.submitStatus} <> ${sql.raw(String(COMPLETED))}`,
                values: {},
              },
        ],
        programType: skewedBy('programType', applications.programType),
        agentId: applications.agentId,
        deleted: () => [],
      }),
      ...conditions,
    ],
    ...sortedBy(input, { createdAt: applications.createdAt }, applications.id),
  }
  const { rows, ...page } = await rowsAndTotal(ctx, source, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(applications)
      .innerJoin(merchants, eq(merchants.id, applications.merchantId))
      .innerJoin(agents, eq(agents.id, applications.agentId))
      .leftJoin(flows, eq(flows.applicationId, applications.id))
      .innerJoin(page, eq(page.id, applications.id))
      .orderBy(...source.order)
      .$dynamic(),
  )
  return {
    ...page,
    rows: rows.map(row => {
      const state = standingOf(row, row.state === null ? null : { state: row.state })
      const next = nextStepOf(state, isLost(row))
      const { message, liveVersion, newVersion, remark } = row
      return {
        ...{ ...row, ...next, state, message: message ?? '', remark: remark ?? '' },
        ...{ liveVersion: liveVersion ?? '', newVersion: newVersion ?? '' },
      }
    }),
    shopsCapped,
  }
}

/** The platform is asked now, or at once: what it says is worth waiting for. */
function isAsking({ claim, authCode, isVerifying, nextAt }: typeof flows.$inferSelect, now: Date): boolean {
  const isDue = nextAt !== null && Date.parse(nextAt) <= now.getTime()
  return claim !== '' || authCode !== null || isVerifying || isDue
}

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const own = and(eq(applications.id, id), ownRows(ctx, applications.agentId))
  const [[one], kept] = await together([
    ctx.db
      .select({ row: applications, flow: flows, shop: merchants, agentName: agents.companyName })
      .from(applications)
      .innerJoin(merchants, eq(merchants.id, applications.merchantId))
      .innerJoin(agents, eq(agents.id, applications.agentId))
      .leftJoin(flows, eq(flows.applicationId, applications.id))
      .where(own),
    ctx.db
      .select()
      .from(answers)
      .where(and(eq(answers.applicationId, id), ownRows(ctx, answers.agentId)))
      .orderBy(desc(answers.id))
      .limit(ANSWERS_MOST),
  ])
  const { row, flow, shop, agentName } = found(one)
  const state = standingOf(row, flow)
  const { appid = null, isAuthorized = false, authorizedAt = null } = flow ?? {}
  return {
    ...row,
    ...{ shopName: shop.shopName, account: shop.account, agentName, state },
    next: nextStepOf(state, isLost({ appid, isAuthorized, authorizedAt })),
    ...{ mayAuthorize: mayAuthorize(state), mayLook: mayLook(state, isAuthorized) },
    isAsking: flow !== null && isAsking(flow, ctx.now),
    ...{ appid, isAuthorized, authorizedAt, message: flow?.message ?? '', remark: flow?.remark ?? '' },
    scopes: scopesOf(flow?.scopes ?? []),
    ...{ basicInfo: flow?.basicInfo ?? null, basicInfoAt: flow?.basicInfoAt ?? null },
    launchSteps: appid === null ? [] : launchStepsOf(flow?.basicInfo ?? null, state),
    ...{ handedInAt: flow?.handedInAt ?? null, askedAt: flow?.askedAt ?? null },
    answers: kept,
  }
}
