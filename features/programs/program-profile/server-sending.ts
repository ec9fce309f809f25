// What becomes of one change of what a mini program shows of itself: handed in, or asked about where it was.
import { openDocument } from '#features/care/documents/server-look.ts'
import { type Asked, SILENT } from '#features/programs/platform/server-asking.ts'
import type { MiniProgram, MiniProgramPlatform } from '#kit/ports/mini-programs.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Services } from '#server/ctx.ts'
import { jpegWithin } from '#server/pictures.ts'
import { systemCaller } from '#server/system.ts'
import { isSilent, LIMITS, PROFILE_REFUSALS, SILENT_REFUSAL } from './rules.ts'
import type { Change } from './server-profiles.ts'
import type { KnownProfile } from './tables.ts'

export type Outcome =
  | { kind: 'accept'; auditId?: string; before?: string }
  | { kind: 'pass' }
  | { kind: 'refuse'; reason: string }
  /** It is tried again. `isUncertain`: nobody knows whether it was taken. */
  | { kind: 'later'; message: string; isUncertain: boolean }
type Work = {
  services: Services
  platform: MiniProgramPlatform
  program: MiniProgram
  asked: Asked
  /** As it was read right before. */
  known: KnownProfile
  licenceId: number | null
}

/** The platform's numbers of what is under way there already: after a lost answer it is ours. */
const NAME_IN_REVIEW = '91019'
const NOT_NOW = '53203'
const NO_AUDIT = '91011'
const UNEXPLAINED = '微信没有说明原因'

/** Null: it is in review still. */
export async function settleChange(work: Work, change: Change): Promise<Outcome | null> {
  try {
    return change.state === 'sending' ? await send(work, change) : await ask(work, change)
  } catch (error) {
    return failed(work, change, error)
  }
}

function failed({ platform }: Work, change: Change, error: unknown): Outcome {
  // Whether it was taken is not known where it was on its way.
  if (error instanceof ProviderUnknown)
    return { kind: 'later', message: SILENT, isUncertain: change.state === 'sending' }
  if (!(error instanceof ProviderRefused)) throw error
  const { turn, words, advice } = platform.troubleOf(error)
  const message = `${words}。${advice}`
  const isGone = error.code === NO_AUDIT
  if (error instanceof ProviderBusy || turn === 'later' || (change.state !== 'sending' && !isGone))
    return { kind: 'later', message, isUncertain: change.isUncertain }
  return { kind: 'refuse', reason: message }
}

function send(work: Work, change: Change): Promise<Outcome> {
  switch (change.part) {
    case 'name':
      return sendName(work, change)
    case 'headImage':
      return sendHeadImage(work, change)
    case 'intro':
      return sendIntro(work, change)
    case 'category':
      return change.args.isRemoval ? removeCategory(work, change) : sendCategory(work, change)
  }
}

/** Asked first whether it may be had, since a refusal costs a change. */
async function sendName(work: Work, change: Change): Promise<Outcome> {
  const { program, asked, known, licenceId } = work
  const { value, args, isUncertain } = change
  if (known.info.nickName.value === value) return { kind: 'pass' }
  if (licenceId === null) return { kind: 'refuse', reason: PROFILE_REFUSALS.LICENCE_REQUIRED }
  const papers = args.papers ?? []
  const proof = await asked(
    '校验名称',
    () => program.checkName(value),
    words => words ?? '名称可用',
  )
  if (proof !== null && papers.length === 0)
    return { kind: 'refuse', reason: `${proof}。请上传证明材料后重新提交` }
  try {
    const licenceMediaId = await upload(work, licenceId)
    const naming = await uploadAll(work, papers)
    const auditId = await asked(
      '提交名称',
      () => program.setName({ name: value, licenceMediaId, naming: naming.map(({ mediaId }) => mediaId) }),
      id => (id === null ? `名称「${value}」已生效` : `名称「${value}」审核单 ${id}`),
    )
    return auditId === null ? { kind: 'pass' } : { kind: 'accept', auditId }
  } catch (error) {
    if (isUncertain && isRefusedBy(error, NAME_IN_REVIEW)) return { kind: 'accept' }
    throw error
  }
}

/** It is known by another address than before alone. */
async function sendHeadImage(work: Work, { args, before, isUncertain }: Change): Promise<Outcome> {
  const { program, asked, known } = work
  const { url } = known.info.headImage
  if (isUncertain && url !== before) return { kind: 'pass' }
  if (args.documentId === undefined) throw new Error('a picture is sent that was never handed in')
  try {
    const mediaId = await upload(work, args.documentId)
    await asked(
      '提交头像',
      () => program.setHeadImage(mediaId),
      () => '已提交',
    )
  } catch (error) {
    if (!(isUncertain && isRefusedBy(error, NOT_NOW))) throw error
  }
  return { kind: 'accept', before: url }
}

async function sendIntro({ program, asked, known }: Work, { value, isUncertain }: Change): Promise<Outcome> {
  if (known.info.signature.value === value) return { kind: 'pass' }
  try {
    await asked(
      '提交简介',
      () => program.setSignature(value),
      () => value,
    )
  } catch (error) {
    if (!(isUncertain && isRefusedBy(error, NOT_NOW))) throw error
  }
  return { kind: 'accept' }
}

/** What stands there says whether it is added, mended, or under way already. */
async function sendCategory(work: Work, { args, value, secondId }: Change): Promise<Outcome> {
  const { program, asked, known } = work
  const there = known.categories.categories.find(({ second }) => second === secondId)
  if (there?.state === 'passed') return { kind: 'pass' }
  if (there?.state === 'reviewing') return { kind: 'accept' }
  const [first] = args.levels ?? []
  if (!first) throw new Error('a category is sent that was never chosen')
  const papers = await uploadAll(work, args.papers ?? [])
  const category = { first: first.id, second: secondId, papers }
  await asked(
    '提交类目',
    () => (there ? program.modifyCategory(category) : program.addCategories([category])),
    () => value,
  )
  return { kind: 'accept' }
}

/** Gone there, it was taken away: nobody reviews that. */
async function removeCategory(
  { program, asked, known }: Work,
  { value, secondId }: Change,
): Promise<Outcome> {
  const there = known.categories.categories.find(({ second }) => second === secondId)
  if (there)
    await asked(
      '删除类目',
      () => program.deleteCategory({ first: there.first, second: secondId }),
      () => value,
    )
  return { kind: 'pass' }
}

async function ask({ services, program, asked, known }: Work, change: Change): Promise<Outcome | null> {
  const { part, value, auditId, secondId, before } = change
  if (part === 'category') {
    const there = known.categories.categories.find(({ second }) => second === secondId)
    if (there?.state === 'passed') return { kind: 'pass' }
    if (there?.state === 'refused') return { kind: 'refuse', reason: there.reason ?? UNEXPLAINED }
    return there ? null : silent(services, change)
  }
  if (part === 'name') {
    if (known.info.nickName.value === value) return { kind: 'pass' }
    if (auditId === '') return null
    const { state, reason } = await asked(
      '查询名称审核',
      () => program.nameAudit(auditId),
      one => `${NAME_STATES[one.state]}${one.reason ? `：${one.reason}` : ''}`,
    )
    if (state === 'reviewing') return null
    return state === 'passed' ? { kind: 'pass' } : { kind: 'refuse', reason: reason ?? UNEXPLAINED }
  }
  const isThere =
    part === 'intro'
      ? known.info.signature.value === value
      : known.info.headImage.url !== '' && known.info.headImage.url !== before
  return isThere ? { kind: 'pass' } : silent(services, change)
}

function silent(services: Services, { submittedAt }: Change): Outcome | null {
  const hours = (services.clock.now().getTime() - Date.parse(submittedAt)) / 3_600_000
  return isSilent(hours) ? { kind: 'refuse', reason: SILENT_REFUSAL } : null
}
const NAME_STATES = { reviewing: '审核中', refused: '未通过', passed: '已通过' } as const

async function upload({ services, program }: Work, documentId: number): Promise<string> {
  const { bytes } = await openDocument(systemCaller(services, 'program profiles'), documentId, 'miniProgram')
  const picture = await jpegWithin(bytes, LIMITS.pictureBytes)
  if (!picture) throw new ProviderRefused('40005', 'no picture that the platform takes')
  return program.uploadPicture(picture)
}

async function uploadAll(work: Work, papers: readonly { name: string; documentId: number }[]) {
  const sent: { name: string; mediaId: string }[] = []
  for (const { name, documentId } of papers) sent.push({ name, mediaId: await upload(work, documentId) })
  return sent
}

const isRefusedBy = (error: unknown, code: string) => error instanceof ProviderRefused && error.code === code
