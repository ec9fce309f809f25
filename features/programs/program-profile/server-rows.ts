// What one mini program shows of itself, part by part, with what was handed in and what came of it.
import { and, desc, eq } from 'drizzle-orm'
import { askPlatform } from '#features/programs/platform/server-asking.ts'
import { askableName, NAME_STANDINGS } from '#features/programs/program-applications/rules.ts'
import { nameStanding } from '#features/programs/program-applications/server-name.ts'
import { programApplications as applications } from '#features/programs/program-applications/tables.ts'
import { standingOf } from '#features/programs/program-flow/server-flows.ts'
import { programFlows as flows } from '#features/programs/program-flow/tables.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { programProfile as contract } from './contract.ts'
import {
  type ChangeState,
  hasProfile,
  isOpen,
  PART_KEYS,
  PROFILE_REFUSALS,
  type ProfilePart,
  refusePart,
  refuseRemoval,
} from './rules.ts'
import { type Change, standingOfPart } from './server-profiles.ts'
import { programProfileChanges as changes, type KnownProfile, programProfiles as profiles } from './tables.ts'

const HISTORY_MOST = 50
/** Of the categories the one that needs somebody is told first. */
const ORDER: readonly ChangeState[] = ['refused', 'sending', 'reviewing', 'passed']

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const { row, flow, profile } = await standing(ctx, id)
  const appid = flow?.appid ?? null
  const kept = await ctx.db
    .select()
    .from(changes)
    .where(and(eq(changes.applicationId, id), ownRows(ctx, changes.agentId)))
    .orderBy(desc(changes.id))
    .limit(HISTORY_MOST)
  // Of another mini program than now nothing is known.
  const right = profile?.appid === appid ? profile : null
  const known = right?.known ?? null
  const current = kept.filter(one => one.isCurrent && one.appid === appid)
  const state = standingOf(row, flow)
  return {
    ...{
      id,
      merchantId: row.merchantId,
      hasProfile: hasProfile(state),
      isAuthorized: flow?.isAuthorized ?? false,
    },
    isAsking: right !== null && (right.claim !== '' || (right.nextAt !== null && isPressed(right, current))),
    ...{ message: right?.message ?? '', readAt: right?.readAt ?? null },
    parts: PART_KEYS.map(part => partOf(part, { row, flow, known, current })),
    categories: (known?.categories.categories ?? []).map(one => ({
      ...{ first: one.first, second: one.second, name: `${one.firstName} / ${one.secondName}` },
      ...{ state: one.state, reason: one.reason ?? '' },
      removalRefusal: removalRefusal(known, current, one.second),
    })),
    mostCategories: known?.categories.mostCategories ?? null,
    proposed: proposedOf(row, current),
    history: kept.map(shownChange),
  }
}

/** Something is on its way, not in review alone. */
const isPressed = ({ known, readAt }: typeof profiles.$inferSelect, current: readonly Change[]) =>
  known === null || readAt === null || current.some(({ state }) => state === 'sending')

type Standing = Awaited<ReturnType<typeof standing>>
type Of = Pick<Standing, 'row' | 'flow'> & { known: KnownProfile | null; current: readonly Change[] }

function partOf(part: ProfilePart, { row, flow, known, current }: Of) {
  const mine = current.filter(one => one.part === part)
  const change = mine.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.id - a.id)[0]
  const stands = flow === null ? null : standingOfPart(part, { row, flow }, known, current)
  const code = stands === null ? null : refusePart(part, stands)
  return {
    ...{ part, ...shownValue(part, known), left: stands?.left ?? null },
    change: change ? shownChange(change) : null,
    refusal: code === null ? null : PROFILE_REFUSALS[code],
  }
}

function removalRefusal(
  known: KnownProfile | null,
  current: readonly Change[],
  second: number,
): string | null {
  const isOpenHere = current.some(
    one => one.part === 'category' && one.secondId === second && isOpen(one.state),
  )
  const none = known?.categories.monthlyLeft === 0 ? 'NO_CATEGORY_CHANGE' : null
  const code = none ?? (isOpenHere ? 'IN_REVIEW' : refuseRemoval(known?.categories.categories ?? [], second))
  return code === null ? null : PROFILE_REFUSALS[code]
}

function shownValue(part: ProfilePart, known: KnownProfile | null): { value: string; quota: number | null } {
  if (known === null) return { value: '', quota: null }
  const { info, categories } = known
  switch (part) {
    case 'name':
      return { value: info.nickName.value, quota: info.nickName.quota }
    case 'headImage':
      return { value: info.headImage.url === '' ? '' : '已设置', quota: info.headImage.quota }
    case 'intro':
      return { value: info.signature.value, quota: info.signature.quota }
    case 'category': {
      const passed = categories.categories.filter(({ state }) => state === 'passed')
      const value = passed.map(one => `${one.firstName} / ${one.secondName}`).join('、')
      return { value, quota: categories.monthlyLimit }
    }
  }
}

const shownChange = ({ args, ...change }: Change) => ({
  ...change,
  ...{ documentId: args.documentId ?? null, isRemoval: args.isRemoval ?? false },
})

function proposedOf(row: Standing['row'], current: readonly Change[]) {
  const refused = (part: ProfilePart) =>
    current.find(one => one.part === part && one.state === 'refused' && !one.args.isRemoval)
  const category = refused('category')
  return {
    programName: refused('name')?.value ?? row.programName,
    intro: refused('intro')?.value ?? row.intro,
    headImageId: refused('headImage')?.args.documentId ?? row.headImageId,
    categoryId: category?.args.levels?.at(-1)?.id ?? row.categoryId,
    alternative: category ? 0 : row.alternative,
    certificates: [...(category?.args.papers ?? row.certificates)],
  }
}

async function standing(ctx: Ctx, id: number) {
  const [one] = await ctx.db
    .select({ row: applications, flow: flows, profile: profiles })
    .from(applications)
    .leftJoin(flows, eq(flows.applicationId, applications.id))
    .leftJoin(profiles, eq(profiles.applicationId, applications.id))
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  return found(one)
}

/** In a transaction that ends before the platform is asked. */
export const checkName: Verb<typeof contract.checkName> = async (ctx, { id, name }) => {
  const { services, request, actor } = ctx
  const appid = await services.database.read(identityOf(actor, services.walls), async lent => {
    const { flow } = await standing(makeCtx(lent, { services, request }, actor).ctx, id)
    refuse(flow?.appid && flow.isAuthorized ? null : 'NOT_AUTHORIZED', PROFILE_REFUSALS)
    return found(flow?.appid ?? undefined)
  })
  const asked = askableName(name)
  if (asked === null) return { standing: 'unavailable', words: NAME_STANDINGS.unavailable }
  return askPlatform(services, PROFILE_REFUSALS, platform =>
    nameStanding(platform, platform.of(appid), asked),
  )
}
