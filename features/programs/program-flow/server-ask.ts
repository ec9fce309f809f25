// What people do about a flow: they have a mini program created, the platform asked again, an owner's authorisation taken and verified. None of it
// waits for the platform but the address at which an owner authorises: what is asked for is kept, and asked by server-rounds.ts.
import { timingSafeEqual } from 'node:crypto'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { askPlatform } from '#features/programs/platform/server-asking.ts'
import { codeKindOf, FORM_REFUSALS } from '#features/programs/program-applications/rules.ts'
import { correctRegistrant } from '#features/programs/program-applications/server-flow.ts'
import type { Application } from '#features/programs/program-applications/server-rows.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import type { Registration, RegistrationKey } from '#kit/ports/mini-programs.ts'
import { type Ctx, identityOf, ownRows, type Services, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { programFlow as contract } from './contract.ts'
import { FLOW_FIELDS } from './fields.ts'
import {
  brokenRegistrant,
  FLOW_REFUSALS,
  FLOW_STATES,
  LIMITS,
  mayAuthorize,
  mayLook,
  refuseRemark,
  takes,
} from './rules.ts'
import { changeFlow, type Flow, type Locked, lockFlow, standingOf, stepFlow } from './server-flows.ts'
import { programFlows as flows } from './tables.ts'

/** By which what the platform tells of a registration finds it; keyed, since a person's number is in it. */
export function registrationKeyOf(
  { secrets }: Pick<Services, 'secrets'>,
  { companyName, legalPersonWechat, legalPersonName }: RegistrationKey,
): string {
  const text = `program registration ${JSON.stringify([companyName, legalPersonWechat, legalPersonName])}`
  return secrets.digest(text).toString('base64url')
}

export const create: Verb<typeof contract.create> = async (ctx, { id, revision, ...typed }) => {
  const locked = await lockFlow(ctx, id)
  const { shop, row, flow } = locked
  noteFlow(ctx, locked)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  // A second press: it is under way.
  if (flow.state === 'creating' && row.revision === revision + 1) {
    ctx.nothingChanged()
    return { state: flow.state }
  }
  refuse(takes(flow.state, 'create') ? null : 'NOT_NOW', FLOW_REFUSALS)
  if (row.revision !== revision) refuseCommon('STALE')
  const [broken] = brokenRegistrant(typed, row.legalPersonWechat !== null)
  if (broken) refuse(broken.code, FORM_REFUSALS, { field: broken.field })
  const corrected = await correctRegistrant(ctx, row, typed)
  const registration = registrationOf(ctx, corrected.row)
  const registrationKey = registrationKeyOf(ctx.services, registration)
  await refuseRunning(ctx, flow, registrationKey)
  const now = ctx.now.toISOString()
  const after = await stepFlow(ctx, { row: corrected.row, flow }, 'create', {
    registration: ctx.services.secrets.encrypt(JSON.stringify(registration)),
    ...{ registrationKey, handedInAt: now, message: '', tries: 0, claim: '', nextAt: now },
  })
  noteFlow(ctx, locked, [
    { name: FLOW_FIELDS.state.label, before: FLOW_STATES[flow.state], after: FLOW_STATES[after.state] },
    ...corrected.changes,
  ])
  return { state: after.state }
}

function registrationOf(ctx: Ctx, row: Application): Registration {
  const { companyName, companyCode, legalPersonName, servicePhone } = row
  return {
    ...{ companyName, companyCode, legalPersonName, servicePhone },
    codeKind: codeKindOf(companyCode),
    legalPersonWechat: ctx.services.secrets.decrypt(found(row.legalPersonWechat ?? undefined)),
  }
}

/** The platform knows a registration by its company and legal person alone: two at once could not be told apart. */
async function refuseRunning(ctx: Ctx, flow: Flow, key: string): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`program registration ${key}`}))`)
  const running = await ctx.db
    .select({ id: flows.id })
    .from(flows)
    .where(
      and(
        eq(flows.registrationKey, key),
        ne(flows.id, flow.id),
        inArray(flows.state, ['creating', 'faceCheck']),
        ownRows(ctx, flows.agentId),
      ),
    )
    .limit(1)
  refuse(running.length === 0 ? null : 'ALREADY_RUNNING', FLOW_REFUSALS)
}

export const look: Verb<typeof contract.look> = async (ctx, { id }) => {
  const { flow } = await lockFlow(ctx, id)
  refuse(mayLook(flow.state, flow.isAuthorized) ? null : 'NOT_NOW', FLOW_REFUSALS)
  const askable = flow.askedAt === null ? 0 : Date.parse(flow.askedAt) + LIMITS.lookSeconds * 1_000
  const nextAt = new Date(Math.max(ctx.now.getTime(), askable)).toISOString()
  // One that is being asked just now keeps the end of its claim.
  if (flow.claim === '' && (flow.nextAt === null || flow.nextAt > nextAt))
    await changeFlow(ctx, flow, { nextAt })
  return { state: flow.state }
}

export const authorizeLink: Verb<typeof contract.authorizeLink> = async (ctx, { id }) => {
  const { services, request, actor } = ctx
  await services.database.read(identityOf(actor, services.walls), lent =>
    flowToAuthorize(makeCtx(lent, { services, request }, actor).ctx, id),
  )
  const until = ctx.now.getTime() + LIMITS.linkMinutes * 60_000
  const query = new URLSearchParams({ id: String(id), until: String(until), key: linkKey(ctx, id, until) })
  const back = `${services.baseUrl()}/admin/schedule/AppletFlow?${query}`
  const url = await askPlatform(services, FLOW_REFUSALS, platform => platform.authorizeUrl(back, 'screen'))
  return { url, until: new Date(until).toISOString() }
}

/** Refused where its owner cannot authorise now. `lastHash`: of the code that came last, keyed; empty: none. */
export async function flowToAuthorize(ctx: Ctx, id: number): Promise<{ lastHash: string }> {
  const [one] = await ctx.db
    .select({ application: applications, state: flows.state, lastHash: flows.authCodeHash })
    .from(applications)
    .leftJoin(flows, eq(flows.applicationId, applications.id))
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  const { application, state, lastHash } = found(one)
  refuse(application.deletedAt === null ? null : 'DELETED_ALREADY', FLOW_REFUSALS)
  const standing = standingOf(application, state === null ? null : { state })
  refuse(mayAuthorize(standing) ? null : 'NOT_NOW', FLOW_REFUSALS)
  return { lastHash: lastHash ?? '' }
}

/** Keyed: a code that comes again is known, and nobody reads it. */
export const authCodeHashOf = ({ services }: Pick<Ctx, 'services'>, authCode: string) =>
  services.secrets.digest(`auth code ${authCode}`).toString('base64url')

/** Nobody binds a mini program of theirs to a shop by an address that we did not make. */
const linkKey = ({ services }: Ctx, id: number, until: number) =>
  services.secrets.digest(`program authorization ${id} ${until}`).toString('base64url')

export const returned: Verb<typeof contract.returned> = async (ctx, { id, until, key, authCode }) => {
  const [given, known] = [Buffer.from(key), Buffer.from(linkKey(ctx, id, until))]
  const isOurs = given.length === known.length && timingSafeEqual(given, known)
  const locked = await lockFlow(ctx, id)
  const { flow } = locked
  noteFlow(ctx, locked)
  const authCodeHash = authCodeHashOf(ctx, authCode)
  if (isOurs && flow.authCodeHash === authCodeHash) {
    ctx.nothingChanged()
    return { state: flow.state }
  }
  refuse(isOurs && until > ctx.now.getTime() ? null : 'LINK_EXPIRED', FLOW_REFUSALS)
  refuse(mayAuthorize(flow.state) ? null : 'NOT_NOW', FLOW_REFUSALS)
  await changeFlow(ctx, flow, {
    authCode: ctx.services.secrets.encrypt(authCode),
    ...{ authCodeHash, message: '', tries: 0, claim: '', nextAt: ctx.now.toISOString() },
  })
  return { state: flow.state }
}

const isVerifiable = ({ state, isAuthorized }: Flow) =>
  isAuthorized && (takes(state, 'verify') || takes(state, 'passProfile'))

/** What was authorised, and then what the mini program shows of itself. */
export const verify: Verb<typeof contract.verify> = async (ctx, { id }) => {
  const locked = await lockFlow(ctx, id)
  const { flow } = locked
  noteFlow(ctx, locked)
  refuse(isVerifiable(flow) ? null : 'NOT_NOW', FLOW_REFUSALS)
  if (flow.isVerifying) ctx.nothingChanged()
  else
    await changeFlow(ctx, flow, {
      ...{ isVerifying: true, message: '', tries: 0, claim: '', nextAt: ctx.now.toISOString() },
    })
  return { state: flow.state }
}

export const setRemark: Verb<typeof contract.setRemark> = async (ctx, { id, remark }) => {
  refuse(refuseRemark(remark), FLOW_REFUSALS, { field: 'remark' })
  const locked = await lockFlow(ctx, id)
  const { flow } = locked
  noteFlow(ctx, locked, [{ name: FLOW_FIELDS.remark.label, before: flow.remark, after: remark }])
  if (flow.remark === remark) ctx.nothingChanged()
  else await changeFlow(ctx, flow, { remark })
  return { state: flow.state }
}

function noteFlow(ctx: Ctx, { shop, row }: Locked, changes: Parameters<Ctx['note']>[1] = []): void {
  ctx.object('programApplication', row.id)
  ctx.note(`${shop.shopName} (${shop.id})`, changes)
}
