// The one place that calls the payment service about applications: it claims what is due, commits, asks under our code where it stands,
// hands in what is not there or was refused, and writes what came of it in a transaction of its own, the shop first. What may have been
// handed in is asked about, and handed in again only once the service has said that it is not there.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { bankOf } from '#features/acquiring/payment-applications/server-banks.ts'
import { lockApplication } from '#features/acquiring/payment-applications/server-decide.ts'
import type { Application } from '#features/acquiring/payment-applications/server-rows.ts'
import { heardOfService } from '#features/acquiring/payment-applications/server-service.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { DOCUMENT_KINDS } from '#features/care/documents/rules.ts'
import { openDocument } from '#features/care/documents/server-look.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { payByProvider } from '#features/shops/merchants/server-provided.ts'
import {
  type Bank,
  type FieldRefusal,
  type IdPaper,
  type MediaId,
  ONBOARDING_OPEN_STATES,
  type OnboardingApplication,
  type OnboardingDesk,
  type OnboardingFact,
  PICTURE_BYTES_MAX,
} from '#kit/ports/onboarding.ts'
import { LONG_TERM, ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { formatDay } from '#kit/time.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { PDF_TYPE } from '#server/files.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { jpegWithin } from '#server/pictures.ts'
import { found } from '#server/refuse.ts'
import { actAsSystem, systemCaller } from '#server/system.ts'
import {
  isCitizen,
  LIMITS,
  lackingOf,
  ONBOARDING_STEPS,
  reasonsFrom,
  refusedFrom,
  secondsToNext,
  TITLES,
  toldOf,
  withPeople,
} from './rules.ts'
import { type Gathered, gather, idNumberOf, type Onboarding, type Person, peopleOf } from './server-known.ts'
import { papersOf } from './server-people.ts'
import { paidOtherwise } from './server-save.ts'
import { onboardings } from './tables.ts'

type Media = Readonly<Record<string, MediaId>>
/** What one round told. `later`: nothing was done, or nobody knows; it is asked again. */
type Round =
  | { kind: 'fact'; fact: OnboardingFact }
  | { kind: 'handedIn'; serviceId: string; media: Media }
  | { kind: 'refused'; refusals: readonly FieldRefusal[]; message: string; media?: Media }
  | { kind: 'pictures' | 'stuck' | 'later' | 'lost' | 'withdrawn'; message: string; media?: Media }

type Failure = Exclude<Round, { kind: 'fact' | 'handedIn' }>

const CLAIM = `
  update onboardings set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (select id from onboardings where next_at <= now() order by next_at, id limit $3 for update skip locked)
  returning id::int`

/** Does a part and answers whether more waits. */
export async function handInAndAsk(services: Services): Promise<boolean> {
  const desk = services.providers.onboarding
  if (!desk) return false
  const claim = randomUUID()
  const rows = await actAsSystem(services, 'onboardings claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_onboardings',
      text: CLAIM,
      values: [claim, LIMITS.claimSeconds, LIMITS.atOnce],
    })
    return rows.length === 0 ? [] : ctx.db.select().from(onboardings).where(eq(onboardings.claim, claim))
  })
  await Promise.all(
    rows.map(async row => {
      const round = await call(services, desk, row)
      await actAsSystem(services, 'onboardings record', ctx => record(ctx, row, round))
    }),
  )
  return rows.length === LIMITS.atOnce
}

async function call(services: Services, desk: OnboardingDesk, row: Onboarding): Promise<Round> {
  const asked = await askedOf(services, desk, row)
  if (asked !== 'to be handed in') return asked
  // What was uploaded is good for the next round, too.
  const media: Record<string, MediaId> = { ...row.media }
  try {
    return await handIn(services, desk, row, media)
  } catch (error) {
    return { ...failedRound(services, desk, error), media }
  }
}

/** Where it stands; a question that is refused says nothing of the application. */
async function askedOf(
  services: Services,
  desk: OnboardingDesk,
  row: Onboarding,
): Promise<Round | 'to be handed in'> {
  try {
    const fact = await desk.ask(row.businessCode)
    const isToBeHandedIn = row.state === 'waiting' || row.state === 'stuck' || fact?.state === 'editing'
    if (fact && row.serviceId !== '' && fact.serviceId !== row.serviceId)
      return { kind: 'stuck', message: '支付服务以同一编号返回了另一份申请，请与支付服务核对' }
    if (fact && !(isToBeHandedIn && ONBOARDING_OPEN_STATES.includes(fact.state)))
      return { kind: 'fact', fact }
    return isToBeHandedIn
      ? 'to be handed in'
      : { kind: 'lost', message: '支付服务没有查到该申请，将再次查询' }
  } catch (error) {
    const round = failedRound(services, desk, error)
    return round.kind === 'refused' || round.kind === 'pictures'
      ? { kind: 'later', message: round.message }
      : round
  }
}

function failedRound(services: Services, desk: OnboardingDesk, error: unknown): Failure {
  if (error instanceof ProviderBusy) return { kind: 'later', message: error.message }
  if (error instanceof ProviderRefused) return refusedRound(desk, error)
  if (error instanceof ProviderUnknown) return { kind: 'later', message: '支付服务未应答，将再次查询' }
  services.onProblem(error)
  return { kind: 'later', message: '提交时出错，将再次尝试' }
}

function refusedRound(desk: OnboardingDesk, error: ProviderRefused): Failure {
  const { turn, words, ...about } = desk.troubleOf(error)
  switch (turn) {
    case 'data':
      return { kind: 'refused', refusals: [{ ...about, name: '', reason: words }], message: error.message }
    case 'pictures':
    case 'later':
      return { kind: turn, message: words }
    case 'state':
      return { kind: 'later', message: words }
    case 'account':
      return { kind: 'stuck', message: `${words}（${error.code}）` }
  }
}

async function handIn(
  services: Services,
  desk: OnboardingDesk,
  row: Onboarding,
  media: Record<string, MediaId>,
): Promise<Round> {
  const { application, gathered, idNumber, accountNumber, numbers } = await actAsSystem(
    services,
    'onboardings gather',
    async ctx => {
      const [of] = await ctx.db
        .select()
        .from(paymentApplications)
        .where(eq(paymentApplications.id, row.applicationId))
      const application = found(of)
      const gathered = await gather(ctx, application)
      const sealed = gathered.row?.accountNumber ?? null
      return {
        ...{ application, gathered, idNumber: await idNumberOf(ctx, gathered) },
        accountNumber: sealed === null ? '' : ctx.services.secrets.decrypt(sealed),
        numbers: new Map(
          gathered.people.map(person => [person.id, ctx.services.secrets.decrypt(person.idNumber)]),
        ),
      }
    },
  )
  const isOpen = application.state === 'approved' && application.reviewState !== 'accepted'
  if (!isOpen || lackingOf(gathered.known).length > 0)
    return { kind: 'withdrawn', message: '申请已被退回、受理或资料有变，没有提交，请核对后重新提交' }
  if (!isCitizen(idNumber))
    return {
      kind: 'refused',
      refusals: [
        {
          field: 'idNumber',
          name: '',
          reason: '支付服务这里只能提交居民身份证，请在支付服务的商户平台自行申请',
        },
      ],
      message: '',
    }
  const bank = await bankOf(services, desk.directory, application)
  if (!bank)
    return {
      kind: 'refused',
      refusals: [{ field: 'accountBank', name: '', reason: '支付服务不认识该银行，请从列表重新选择' }],
      message: '',
    }
  const refusal = await upload(services, desk, { application, gathered, media })
  if (refusal) return { kind: 'refused', refusals: [refusal], message: '', media }
  const order = orderOf({ row, application, gathered, idNumber, accountNumber, numbers, bank, media })
  const { serviceId } = await desk.submit(order)
  return { kind: 'handedIn', serviceId, media }
}

type Papers = { application: Application; gathered: Gathered; media: Record<string, MediaId> }

/** Each picture once: what the service has given for it before is good for what is handed in again. Answers what is no picture. */
async function upload(
  services: Services,
  desk: OnboardingDesk,
  { application, gathered, media }: Papers,
): Promise<FieldRefusal | null> {
  const ids = [
    ...[application.licenceId, application.idFrontId, application.idBackId],
    ...[application.shopFrontId, application.shopInsideId, application.checkstandId],
    ...[application.payType === 'corporate' ? application.permitId : application.bankCardId],
    ...toldOf(gathered.people, gathered.known.subjectKind).flatMap(papersOf),
    ...gathered.qualificationIds,
  ].flatMap(id => id ?? [])
  for (const id of ids) {
    if (media[id]) continue
    const caller = systemCaller(services, 'onboardings')
    const { bytes, kind, mime } = await openDocument(caller, id, 'paymentApplication')
    if (mime === PDF_TYPE)
      return { field: null, name: DOCUMENT_KINDS[kind], reason: '支付服务不收 PDF，请改为上传图片' }
    const picture = await jpegWithin(bytes, PICTURE_BYTES_MAX)
    if (!picture) throw new ProviderRefused('PICTURE_TOO_LARGE', '图片过大，请重新上传')
    media[id] = await desk.upload(picture)
  }
  return null
}

type Order = Papers & {
  row: Onboarding
  idNumber: string
  accountNumber: string
  /** Of the people, by their ids. */
  numbers: ReadonlyMap<number, string>
  bank: Bank
}

function orderOf({
  row,
  application,
  gathered,
  idNumber,
  accountNumber,
  numbers,
  bank,
  media,
}: Order): OnboardingApplication {
  const { known, shopName, qualificationIds } = gathered
  const people = toldOf(gathered.people, known.subjectKind)
  const deputy = people.find(({ role }) => role === 'deputy')
  const { phone, email } = application
  const of = (id: number | null) => media[String(id)] ?? ''
  const isEnterprise = known.subjectKind === 'enterprise'
  const isCorporate = application.payType === 'corporate'
  const { branchName, branchNumber } = application
  const paper = isCorporate ? application.permitId : application.bankCardId
  const paperOf = (person: Person): IdPaper => ({
    ...{ kind: person.idKind, front: of(person.frontId), back: of(person.backId) || undefined },
    ...{ name: person.name, number: numbers.get(person.id) ?? '', address: person.address || undefined },
    ...{ validFrom: person.idFrom, validTo: person.isIdLongTerm ? LONG_TERM : person.idTo },
  })
  return {
    businessCode: row.businessCode,
    administrator: deputy
      ? {
          ...{ kind: 'deputy', name: deputy.name, phone, email },
          ...{ paper: paperOf(deputy), authorization: of(deputy.authorizationId) },
        }
      : { kind: 'legalPerson', name: known.legalPerson, phone, email },
    subject: {
      ...{ kind: known.subjectKind, name: known.company, legalPerson: known.legalPerson },
      ...{ number: known.creditCode, picture: of(application.licenceId), address: known.licenceAddress },
      ...{ validFrom: known.licenceFrom, validTo: known.isLicenceLongTerm ? LONG_TERM : known.licenceTo },
    },
    identity: {
      kind: 'idCard',
      ...{ front: of(application.idFrontId), back: of(application.idBackId) },
      ...{ name: known.legalPerson, number: idNumber, address: known.idAddress || undefined },
      ...{ validFrom: known.idFrom, validTo: known.isIdLongTerm ? LONG_TERM : known.idTo },
    },
    ...(isEnterprise ? { isOwner: known.isOwner } : {}),
    owners: people.filter(({ role }) => role === 'owner').map(paperOf),
    business: {
      ...{ shortName: known.shortName, servicePhone: known.servicePhone },
      scenes: [
        {
          kind: 'store',
          ...{ name: shopName, division: known.districtCode, address: known.address },
          entrance: [of(application.shopFrontId)],
          indoor: [of(application.shopInsideId), of(application.checkstandId)],
        },
      ],
    },
    settlement: {
      id: known.category?.id ?? '',
      qualificationType: known.category?.qualificationType ?? '',
      qualifications: known.category?.papers ? qualificationIds.map(of) : [],
    },
    account: {
      ...{ kind: application.payType, holder: isCorporate ? known.company : known.legalPerson },
      ...{ number: accountNumber, bank: bank.accountBank, division: application.bankRegion },
      ...(bank.needsBranch ? { branch: { number: branchNumber, name: branchName } } : {}),
    },
    additions: { pictures: paper === null ? [] : [of(paper)] },
  }
}

/** A round whose claim was lost to another changes nothing. */
async function record(ctx: Ctx, before: Onboarding, round: Round): Promise<void> {
  const { shop, row: application } = await lockApplication(ctx, before.applicationId)
  const [row] = await ctx.db
    .select()
    .from(onboardings)
    .where(and(eq(onboardings.id, before.id), eq(onboardings.claim, before.claim)))
    .for('update')
  if (!row) return
  const after = await apply(ctx, row, round)
  const isNews = round.kind === 'fact' && round.fact.state !== application.serviceState
  const changedAt = isNews ? ctx.now.toISOString() : after.changedAt
  const seconds = secondsToNext({ ...after, changedAt }, ctx.now)
  await ctx.db
    .update(onboardings)
    .set({
      ...{ claim: '', askedAt: ctx.now.toISOString(), changedAt },
      nextAt: seconds === null ? null : new Date(ctx.now.getTime() + seconds * 1_000).toISOString(),
    })
    .where(eq(onboardings.id, row.id))
  if (after.state === 'stuck' || round.kind === 'stuck') await tellStuck(ctx, after)
  if (round.kind === 'handedIn')
    return heardOfService(ctx, { shop, row: application, serviceState: 'auditing' })
  if (after.state === 'mending') {
    const reasons = reasonsFrom(after.refusals, after.message)
    const refused = refusedFrom(after.refusals, after.message)
    const serviceState = round.kind === 'fact' ? round.fact.state : application.serviceState
    return heardOfService(ctx, {
      shop,
      row: application,
      serviceState,
      ...{ reasons, refused },
      title: TITLES.rejected ?? '',
    })
  }
  if (round.kind !== 'fact' || !isNews) return
  const { state } = round.fact
  const isPaid = after.state === 'finished' && (await carryOver(ctx, after, application))
  // Of how the shop is paid its agent has heard then.
  const title = isPaid ? null : TITLES[state]
  await heardOfService(ctx, {
    ...{ shop, row: application, serviceState: state, note: noteOf(after, state) },
    ...(title === null ? {} : { title }),
  })
}

const noteOf = ({ subMerchantId, message }: Onboarding, state: OnboardingFact['state']) =>
  state === 'finished' ? `商户号 ${subMerchantId}` : message

async function apply(ctx: Ctx, row: Onboarding, round: Round): Promise<Onboarding> {
  switch (round.kind) {
    case 'fact': {
      const { fact } = round
      const told = {
        ...{ serviceId: fact.serviceId, message: fact.message, signUrl: fact.signUrl ?? '' },
        ...{ subMerchantId: fact.subMerchantId ?? '', tries: 0 },
        refusals: await ofPeople(ctx, row, fact.refusals),
      }
      switch (fact.state) {
        case 'rejected':
          return stepTo(ctx, row, 'refuse', told)
        case 'finished':
          return stepTo(ctx, row, 'finish', told)
        case 'canceled':
          return stepTo(ctx, row, 'end', told)
        default:
          return stepTo(ctx, row, 'handIn', told)
      }
    }
    case 'handedIn':
      return stepTo(ctx, row, 'handIn', {
        ...{ serviceId: round.serviceId, media: round.media, message: '', refusals: [], tries: 0 },
      })
    case 'refused':
      return stepTo(ctx, row, 'refuse', {
        refusals: await ofPeople(ctx, row, round.refusals),
        ...{ message: round.message, ...kept(round) },
      })
    case 'pictures':
      // What was given for them before may be past.
      if (Object.keys(row.media).length > 0)
        return changed(ctx, row, { media: {}, message: round.message, tries: 0 })
      return row.tries < LIMITS.pictureRounds
        ? changed(ctx, row, { message: round.message })
        : stepTo(ctx, row, 'refuse', { refusals: [], message: round.message })
    case 'withdrawn':
      return stepTo(ctx, row, 'withdraw', { message: round.message })
    case 'lost':
      return row.tries < LIMITS.lostRounds
        ? changed(ctx, row, { message: round.message })
        : stepTo(ctx, row, 'lose', { message: round.message, serviceId: '', media: {}, tries: 0 })
    case 'stuck':
      return row.state === 'asked'
        ? changed(ctx, row, { message: round.message })
        : stepTo(ctx, row, 'stick', { message: round.message, ...kept(round) })
    case 'later':
      return row.state === 'waiting' && row.tries >= LIMITS.silentRounds
        ? stepTo(ctx, row, 'stick', { message: round.message, ...kept(round) })
        : changed(ctx, row, { message: round.message, ...kept(round) })
  }
}

/** They stand as they were handed in, until somebody mends it. */
async function ofPeople(ctx: Ctx, row: Onboarding, refusals: readonly FieldRefusal[]) {
  return refusals.length === 0
    ? refusals
    : withPeople(refusals, toldOf(await peopleOf(ctx, row.id), row.subjectKind))
}

const kept = ({ media }: { media?: Media }) => (media === undefined ? {} : { media })

type Changed = Partial<Omit<typeof onboardings.$inferInsert, 'state'>>

async function stepTo(
  ctx: Ctx,
  row: Onboarding,
  step: Exclude<keyof typeof ONBOARDING_STEPS, 'submit'>,
  given: Changed,
): Promise<Onboarding> {
  const { from, to } = ONBOARDING_STEPS[step]
  const isSame = row.state === to
  if (isSame) return changed(ctx, row, given)
  const [after] = await ctx.db
    .update(onboardings)
    .set({ ...given, state: to, changedAt: ctx.now.toISOString() })
    .where(and(eq(onboardings.id, row.id), inArray(onboardings.state, [...from])))
    .returning()
  return after ?? row
}

async function changed(ctx: Ctx, row: Onboarding, given: Changed): Promise<Onboarding> {
  const [after] = await ctx.db
    .update(onboardings)
    .set({ ...given })
    .where(eq(onboardings.id, row.id))
    .returning()
  return found(after)
}

/**
 * The number goes to where the shop is paid, unless it is paid by something else or its application was sent back: then somebody decides.
 * Answers whether it went.
 */
async function carryOver(ctx: Ctx, row: Onboarding, application: Application): Promise<boolean> {
  const { merchantId, applicationId, agentId, subMerchantId } = row
  const other = await paidOtherwise(ctx, row)
  if (other === null && application.state === 'approved') {
    await payByProvider(ctx, merchantId, subMerchantId)
    await logOperation(ctx, {
      operation: '/payment-applications onboarding number',
      title: '变更商户收款方式',
      subject: `商户 ${merchantId}`,
      objects: [objectKey('paymentApplication', applicationId), objectKey('merchant', merchantId)],
      ...{ by: { ...ctx.actor, agentId }, merchantId, aboutAgentId: agentId },
      changes: [{ name: '商户号', before: null, after: subMerchantId }],
    })
    return true
  }
  const why = other === null ? '申请已被退回' : `正在使用${other}`
  await notify(ctx, {
    vendor: 'staff',
    holding: 'paymentApplications.review',
    topic: 'Approval_Notify',
    title: '商户号待写入收款方式',
    body: `商户 ${merchantId} ${why}，新的商户号 ${subMerchantId} 没有自动写入，请核对后处理`,
    link: `/admin/schedule/payInformation?id=${applicationId}`,
  })
  return false
}

/** Once a day: nothing can be handed in until somebody has mended our account there. */
async function tellStuck(ctx: Ctx, { message }: Onboarding): Promise<void> {
  await notify(ctx, {
    vendor: 'staff',
    holding: 'paymentApplications.review',
    topic: 'Approval_Notify',
    title: '支付申请无法提交支付服务',
    body: `${message}。处理后会自动重新提交，也可以在申请中立即重试。`,
    link: '/admin/schedule/payInformation',
    onceKey: `onboarding-stuck ${message} ${formatDay(ctx.now)}`,
  })
}
