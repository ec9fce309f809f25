// The version board of one mini program, and the pictures that its page shows.
import { and, desc, eq } from 'drizzle-orm'
import { askPlatform } from '#features/programs/platform/server-asking.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { standingOf } from '#features/programs/program-flow/server-flows.ts'
import { programFlows as flows } from '#features/programs/program-flow/tables.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { programVersions as contract } from './contract.ts'
import {
  domainsWanted,
  hasBoard,
  mayOf,
  preflightOf,
  templatesFor,
  templateTagOf,
  VERSION_REFUSALS,
} from './rules.ts'
import { withdrawalsOf } from './server-codes.ts'
import { HOME_PAGE } from './server-rounds.ts'
import { programAudits as audits, programCodes as codes } from './tables.ts'

const AUDITS_MOST = 20
const CODE_WIDTH = 430

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const one = await standing(ctx, id)
  const { row, flow, code } = one
  const kept = await ctx.db
    .select()
    .from(audits)
    .where(and(eq(audits.applicationId, id), ownRows(ctx, audits.agentId)))
    .orderBy(desc(audits.id))
    .limit(AUDITS_MOST)
  const state = standingOf(row, flow)
  const known = code?.known ?? null
  const version = code?.version ?? ''
  const current = kept.find(({ isCurrent }) => isCurrent) ?? null
  const isAuthorized = flow?.isAuthorized ?? false
  return {
    ...{ id, state, isAuthorized, hasBoard: hasBoard(state) },
    ...{ deed: code?.deed || null, message: code?.message ?? '', version },
    committedAt: code?.committedAt ?? null,
    ...{ trial: known?.trial ?? null, live: known?.live ?? null, readAt: code?.readAt ?? null },
    checks: known === null ? [] : preflightOf(known, version, domainsWanted(ctx.services.baseUrl())),
    quota: known?.quota ?? null,
    withdrawals: code ? await withdrawalsOf(ctx, code.appid) : { today: 0, thisMonth: 0 },
    releases: [...(known?.releases ?? [])].toReversed(),
    audits: kept.map(({ screenshots, ...audit }) => ({ ...audit, hasScreenshots: screenshots !== null })),
    may: mayOf(state, current, { hasCode: version !== '', releases: known?.releases.length ?? 0 }),
  }
}

async function standing(ctx: Ctx, id: number) {
  const [one] = await ctx.db
    .select({ row: applications, flow: flows, code: codes })
    .from(applications)
    .leftJoin(flows, eq(flows.applicationId, applications.id))
    .leftJoin(codes, eq(codes.applicationId, applications.id))
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  return found(one)
}

export const screenshots: Verb<typeof contract.screenshots> = async (ctx, { id, auditId }) => {
  const [audit] = await ctx.db
    .select({ screenshots: audits.screenshots })
    .from(audits)
    .where(and(eq(audits.applicationId, id), eq(audits.auditId, auditId), ownRows(ctx, audits.agentId)))
  const { screenshots: sealed } = found(audit)
  return {
    pictures: sealed === null ? [] : (JSON.parse(ctx.services.secrets.decrypt(sealed)) as string[]),
  }
}

export const templates: Verb<typeof contract.templates> = async (ctx, { id }) => {
  const { row } = await authorized(ctx, id)
  const tag = templateTagOf(row.programType)
  refuse(tag === null ? 'NO_TEMPLATE' : null, VERSION_REFUSALS)
  return {
    templates: templatesFor(
      await askPlatform(ctx.services, VERSION_REFUSALS, platform => platform.templates()),
      tag,
    ),
  }
}

export const trialCode: Verb<typeof contract.trialCode> = async (ctx, { id }) => {
  const { appid } = await authorized(ctx, id)
  const picture = await askPlatform(ctx.services, VERSION_REFUSALS, platform =>
    platform.of(appid).trialCode(),
  )
  return { base64: picture.toString('base64') }
}

export const liveCode: Verb<typeof contract.liveCode> = async (ctx, { id }) => {
  const { appid } = await authorized(ctx, id)
  const picture = await askPlatform(ctx.services, VERSION_REFUSALS, platform =>
    platform.of(appid).code(HOME_PAGE, CODE_WIDTH),
  )
  return { base64: picture.toString('base64') }
}

/** In a transaction that ends before the platform is asked. */
export function authorized({ services, request, actor }: Ctx, id: number) {
  return services.database.read(identityOf(actor, services.walls), async lent => {
    const { ctx } = makeCtx(lent, { services, request }, actor)
    const { row, flow } = await standing(ctx, id)
    refuse(flow?.appid && flow.isAuthorized ? null : 'NOT_AUTHORIZED', VERSION_REFUSALS)
    return { row, appid: found(flow?.appid ?? undefined) }
  })
}
