// What people have changed of what a mini program shows of itself. None of it waits for the platform: what is handed in is kept, and sent by
// server-rounds.ts.
import { and, eq } from 'drizzle-orm'
import { refuseForeignDocuments, useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import {
  brokenChosenCategory,
  FORM_REFUSALS,
  wantedCertificates,
} from '#features/programs/program-applications/rules.ts'
import { categoryOf, nameOf, refuseHeadPicture } from '#features/programs/program-applications/server-save.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { programProfile as contract } from './contract.ts'
import {
  brokenPart,
  isOpen,
  LIMITS,
  PROFILE_PARTS,
  PROFILE_REFUSALS,
  type ProfilePart,
  type ProfileRefusal,
  refusePart,
  refuseRemoval,
} from './rules.ts'
import { type Change, type Locked, lockProfile, standingOfPart, wake } from './server-profiles.ts'
import { type ChangeArgs, programProfileChanges as changes } from './tables.ts'

type Wanted = { part: ProfilePart; value: string; secondId?: number; args?: ChangeArgs }
const DONE = { isAsking: true }

export const look: Verb<typeof contract.look> = async (ctx, { id }) => {
  const { profile } = await lockProfile(ctx, id)
  await wake(ctx, profile)
  return DONE
}

/** Locked and noted, and refused where this part cannot be changed now; the same again changes nothing (null). */
async function begin(
  ctx: Ctx,
  id: number,
  wanted: Wanted,
  field: string,
  refusal: (locked: Locked) => ProfileRefusal | null = () => null,
): Promise<Locked | null> {
  const locked = await lockProfile(ctx, id)
  const { shop, row, profile, current } = locked
  const { part, value } = wanted
  const last = currentOf(current, wanted)
  ctx.object('programApplication', row.id)
  ctx.note(`${shop.shopName} (${shop.id})`, [
    wanted.args?.isRemoval
      ? { name: PROFILE_PARTS[part], before: value, after: null }
      : { name: PROFILE_PARTS[part], before: last?.value ?? null, after: value || '新图片' },
  ])
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  if (last && isOpen(last.state) && isSame(last, wanted)) {
    ctx.nothingChanged()
    return null
  }
  refuse(refusePart(part, standingOfPart(part, locked, profile.known, current)), PROFILE_REFUSALS)
  refuse(last && isOpen(last.state) ? 'IN_REVIEW' : refusal(locked), PROFILE_REFUSALS, { field })
  return locked
}

const currentOf = (current: readonly Change[], { part, secondId = 0 }: Wanted) =>
  current.find(one => one.part === part && one.secondId === secondId)
const isSame = (change: Change, { value, args = {} }: Wanted) =>
  change.value === value && JSON.stringify(change.args) === JSON.stringify(args)

async function handIn(ctx: Ctx, locked: Locked, wanted: Wanted): Promise<typeof DONE> {
  const { flow, profile, current } = locked
  const { part, value, secondId = 0, args = {} } = wanted
  const info = profile.known?.info ?? flow.basicInfo
  const { applicationId, agentId, merchantId, appid } = profile
  const last = currentOf(current, wanted)
  if (last)
    await ctx.db
      .update(changes)
      .set({ isCurrent: false })
      .where(and(eq(changes.id, last.id), ownRows(ctx, changes.agentId)))
  await ctx.db.insert(changes).values({
    ...{ applicationId, agentId, merchantId, appid, part, value, secondId, args },
    ...{ state: 'sending', isCurrent: true, before: part === 'headImage' ? (info?.headImage.url ?? '') : '' },
    ...{ submittedByName: nameOf(ctx), submittedAt: ctx.now.toISOString() },
  })
  const kept = [...current.filter(one => one !== last).map(one => one.args), args]
  await takeInUse(
    ctx,
    merchantId,
    { feature: 'programProfile', objectId: applicationId },
    kept.flatMap(({ documentId, papers = [] }) => [
      ...(documentId === undefined ? [] : [documentId]),
      ...papers.map(one => one.documentId),
    ]),
  )
  await wake(ctx, profile)
  return DONE
}

export const setName: Verb<typeof contract.setName> = async (ctx, { id, programName, papers }) => {
  const [broken] = brokenPart('programName', programName)
  if (broken) refuse(broken.code, FORM_REFUSALS, { field: 'programName' })
  refuse(papers.length > LIMITS.naming ? 'TOO_MANY_PAPERS' : null, PROFILE_REFUSALS, { field: 'papers' })
  const args = papers.length === 0 ? {} : { papers: papers.map(documentId => ({ name: '', documentId })) }
  const wanted: Wanted = { part: 'name', value: programName, args }
  const locked = await begin(ctx, id, wanted, 'programName', ({ row, profile }) =>
    profile.known?.info.nickName.value === programName
      ? 'SAME_AS_NOW'
      : row.licenceId === null
        ? 'LICENCE_REQUIRED'
        : null,
  )
  if (locked === null) return DONE
  await refuseForeign(ctx, locked, papers)
  return handIn(ctx, locked, wanted)
}

async function refuseForeign(ctx: Ctx, { shop }: Locked, papers: readonly number[]): Promise<void> {
  for (const paper of papers)
    await refuseForeignDocuments(ctx, shop.id, { id: 'qualification' }, { id: paper })
}

export const setHeadImage: Verb<typeof contract.setHeadImage> = async (ctx, { id, documentId }) => {
  const wanted: Wanted = { part: 'headImage', value: '', args: { documentId } }
  const locked = await begin(ctx, id, wanted, 'headImageId')
  if (locked === null) return DONE
  await refuseForeignDocuments(ctx, locked.shop.id, { id: 'headImage' }, { id: documentId })
  await refuseHeadPicture(ctx, documentId)
  return handIn(ctx, locked, wanted)
}

export const setIntro: Verb<typeof contract.setIntro> = async (ctx, { id, intro }) => {
  const [broken] = brokenPart('intro', intro)
  if (broken) refuse(broken.code, FORM_REFUSALS, { field: 'intro' })
  const wanted: Wanted = { part: 'intro', value: intro }
  const locked = await begin(ctx, id, wanted, 'intro', ({ profile }) =>
    profile.known?.info.signature.value === intro ? 'SAME_AS_NOW' : null,
  )
  return locked === null ? DONE : handIn(ctx, locked, wanted)
}

export const setCategory: Verb<typeof contract.setCategory> = async (ctx, { id, ...form }) => {
  const category = await categoryOf(ctx, form.categoryId)
  const [broken] = brokenChosenCategory(form, category)
  if (broken) refuse(broken.code, FORM_REFUSALS, { field: broken.field })
  const { levels, ...known } = found(category ?? undefined)
  const [, second] = levels
  const secondId = found(second).id
  const papers = wantedCertificates(form, known)
  const wanted: Wanted = {
    ...{ part: 'category', secondId, value: levels.map(({ name }) => name).join(' / ') },
    args: { levels, ...(papers.length === 0 ? {} : { papers }) },
  }
  const locked = await begin(ctx, id, wanted, 'categoryId', ({ profile }) => {
    const standing = profile.known?.categories
    const there = standing?.categories.find(one => one.second === secondId)
    if (there?.state === 'passed') return 'CATEGORY_THERE'
    if (there?.state === 'reviewing') return 'IN_REVIEW'
    const isFull = standing !== undefined && standing.categories.length >= standing.mostCategories
    return !there && isFull ? 'TOO_MANY_CATEGORIES' : null
  })
  if (locked === null) return DONE
  await refuseForeign(
    ctx,
    locked,
    papers.map(({ documentId }) => documentId),
  )
  return handIn(ctx, locked, wanted)
}

export const removeCategory: Verb<typeof contract.removeCategory> = async (ctx, { id, second }) => {
  const { profile } = await lockProfile(ctx, id)
  const there = profile.known?.categories.categories.find(one => one.second === second)
  const wanted: Wanted = {
    ...{ part: 'category', secondId: second, args: { isRemoval: true } },
    value: there ? `${there.firstName} / ${there.secondName}` : '',
  }
  const locked = await begin(ctx, id, wanted, 'categoryId', ({ profile }) =>
    refuseRemoval(profile.known?.categories.categories ?? [], second),
  )
  return locked === null ? DONE : handIn(ctx, locked, wanted)
}
