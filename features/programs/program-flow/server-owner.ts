// The owner's own way to authorise, by an address that is given to them and opened without an account. The address proves itself: it is signed over
// what was authorised last, so that it works until it is used or its time is over, and nothing of it is kept. What it says is what the owner needs.
import { timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { triesOf } from '#features/office/captcha/server-tries.ts'
import { askPlatform } from '#features/programs/platform/server-asking.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import { actForNobody, inTheNameOf, systemOf } from '#server/system.ts'
import type { programFlow as contract } from './contract.ts'
import { FLOW_REFUSALS, LIMITS, mayAuthorize, OWNER_REFUSALS, ownerStandingOf } from './rules.ts'
import { authCodeHashOf, flowToAuthorize } from './server-ask.ts'
import { changeFlow, type Flow, lockFlow, standingOf } from './server-flows.ts'
import { programFlows as flows } from './tables.ts'

/** given: as the owner was told it. returned: where it leads once it was used, for the browser that used it. */
type Kind = 'given' | 'returned'
type Claim = { kind: Kind; id: number; until: number }
const MARKS = { given: 'g', returned: 'r' } as const

function signed({ services }: Pick<Ctx, 'services'>, { kind, id, until }: Claim, last: string): string {
  const mark = services.secrets.digest(`program owner ${kind} ${id} ${until} ${last}`).toString('base64url')
  return `${MARKS[kind]}${id.toString(36)}~${until.toString(36)}~${mark}`
}

/** What an address claims; whether it is ours is judged by its mark. */
function claimOf(code: string): Claim {
  const [head = '', until = ''] = code.split('~')
  return {
    kind: head.startsWith(MARKS.returned) ? 'returned' : 'given',
    id: Number.parseInt(head.slice(1), 36),
    until: Number.parseInt(until, 36),
  }
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

export const ownerLink: Verb<typeof contract.ownerLink> = async (ctx, { id }) => {
  const { lastHash } = await flowToAuthorize(ctx, id)
  const until = ctx.now.getTime() + LIMITS.ownerLinkHours * 3_600_000
  const code = signed(ctx, { kind: 'given', id, until }, lastHash)
  return { url: `${ctx.services.baseUrl()}/m/${code}`, until: new Date(until).toISOString() }
}

async function standing(ctx: Ctx, id: number) {
  const [one] = await ctx.db
    .select({
      row: applications,
      flow: flows,
      shopName: merchants.shopName,
      status: merchants.status,
      agentName: agents.companyName,
      isEnabled: agents.enabled,
    })
    .from(applications)
    .innerJoin(merchants, eq(merchants.id, applications.merchantId))
    .innerJoin(agents, eq(agents.id, applications.agentId))
    .leftJoin(flows, eq(flows.applicationId, applications.id))
    .where(eq(applications.id, id))
  return one
}
type Standing = NonNullable<Awaited<ReturnType<typeof standing>>>
type Opened = Claim & Standing

/** LINK_USED for one that is nobody's or was used; THROTTLED for a network that has tried many. */
async function openedBy(ctx: Ctx, code: string): Promise<Opened> {
  const tries = triesOf(ctx, 'program owner links', LIMITS.ownerTriesMinutes)
  if (tries.count >= LIMITS.ownerTries) refuseCommon('THROTTLED')
  const claim = claimOf(code)
  const one = await standing(ctx, claim.id)
  if (!one || !isSame(code, signed(ctx, claim, one.flow?.authCodeHash ?? ''))) {
    tries.count += 1
    throw new Refusal('LINK_USED', OWNER_REFUSALS.LINK_USED)
  }
  refuse(claim.until <= ctx.now.getTime() ? 'LINK_TOO_LATE' : null, OWNER_REFUSALS)
  const { row, status, isEnabled, flow } = one
  const isClosed = row.deletedAt !== null || status === 'disabled' || !isEnabled
  refuse(isClosed || row.state !== 'approved' ? 'LINK_CLOSED' : null, OWNER_REFUSALS)
  refuse(mayAuthorize(standingOf(row, flow)) ? null : 'LINK_CLOSED', OWNER_REFUSALS)
  return { ...claim, ...one }
}

export const ownerPage: Verb<typeof contract.ownerPage> = async (ctx, { code }) => {
  const { kind, until, row, flow, shopName, agentName } = await openedBy(ctx, code)
  return {
    ...{ shopName, agentName, programName: row.programName, until: new Date(until).toISOString() },
    ...ownerStandingOf(kind === 'returned' && flow ? flow : null),
  }
}

/** The platform's own page, in the phone's WeChat; it comes back to the same address. */
export const ownerBegin: Verb<typeof contract.ownerBegin> = async (ctx, { code }) => {
  await actForNobody(ctx, one => openedBy(one, code))
  const { services } = ctx
  const back = `${services.baseUrl()}/m/${code}`
  return { url: await askPlatform(services, FLOW_REFUSALS, platform => platform.authorizeUrl(back, 'phone')) }
}

/** Pressed back or opened again with what was brought already, it leads to where that led. */
export const ownerReturned: Verb<typeof contract.ownerReturned> = async (ctx, { code, authCode }) => {
  const hash = authCodeHashOf(ctx, authCode)
  const claim = claimOf(code)
  const until = Math.min(claim.until, ctx.now.getTime() + LIMITS.ownerLinkHours * 3_600_000)
  const known = await standing(ctx, claim.id)
  const returned = () => ({ code: signed(ctx, { kind: 'returned', id: claim.id, until }, hash) })
  if (known?.flow?.authCodeHash === hash) {
    noteOwner(ctx, known)
    ctx.nothingChanged()
    return returned()
  }
  const opened = await openedBy(ctx, code)
  noteOwner(ctx, opened)
  const { ctx: own } = inTheNameOf(ctx, ownerOf(opened))
  const { flow } = await lockFlow(own, opened.id)
  // Somebody else may have come back meanwhile.
  refuse(isSame(code, signed(ctx, opened, flow.authCodeHash)) ? null : 'LINK_USED', OWNER_REFUSALS)
  await keepAuthCode(own, flow, authCode, hash)
  return returned()
}

async function keepAuthCode(ctx: Ctx, flow: Flow, authCode: string, authCodeHash: string): Promise<void> {
  await changeFlow(ctx, flow, {
    authCode: ctx.services.secrets.encrypt(authCode),
    ...{ authCodeHash, message: '', tries: 0, claim: '', nextAt: ctx.now.toISOString() },
  })
}

const ownerOf = ({ row }: Pick<Standing, 'row'>) => ({ ...systemOf(row), name: '店主' })

function noteOwner(ctx: Ctx, one: Standing): void {
  const { row, shopName } = one
  ctx.about(row.agentId, row.merchantId)
  ctx.note(`${shopName} (${row.merchantId})`, [], ownerOf(one))
  ctx.object('programApplication', row.id)
}
