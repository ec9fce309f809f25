// What is told of a shop's settlement account, and that it is to be changed. The shop's lock guards that one change is under way.
import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { findOnboarding } from '#features/acquiring/acquirer-onboardings/server-rows.ts'
import { lockOnboarding } from '#features/acquiring/acquirer-onboardings/server-save.ts'
import {
  isAccountNumber,
  maskAccount,
  REFUSALS as ONBOARDING_REFUSALS,
} from '#features/acquiring/onboardings/rules.ts'
import { onboardings } from '#features/acquiring/onboardings/tables.ts'
import { FORM_REFUSALS, PAY_TYPES, type PayType } from '#features/acquiring/payment-applications/rules.ts'
import { lockApplication } from '#features/acquiring/payment-applications/server-decide.ts'
import { nameOf } from '#features/acquiring/payment-applications/server-save.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { isOfferedDistrict } from '#features/office/regions/server.ts'
import type { In } from '#kit/declare/op.ts'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseBroken } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { settlementAccounts as contract } from './contract.ts'
import { ACCOUNT_CHANGE } from './fields.ts'
import { isBranchNumber, LIMITS, REFUSALS, refuseHolder, refuseKind, refusePaper } from './rules.ts'
import {
  ofAcquirer as acquirerSubject,
  type Change,
  homeOf,
  papersOf,
  refusalNow,
  type Shop,
  type Subject,
  ofApplication as subjectOf,
} from './server-subjects.ts'
import { accountChanges } from './tables.ts'

type Given = Omit<In<typeof contract.change>, 'id'>

/** What is told of it wherever it belongs. */
async function shownOf(ctx: Ctx, subject: Subject) {
  const { applicationId, acquirerOnboardingId } = subject.of
  const refusal = await refusalNow(ctx, subject)
  const changes = await ctx.db
    .select()
    .from(accountChanges)
    .where(
      and(
        applicationId === null
          ? isNull(accountChanges.applicationId)
          : eq(accountChanges.applicationId, applicationId),
        acquirerOnboardingId === null
          ? isNull(accountChanges.acquirerOnboardingId)
          : eq(accountChanges.acquirerOnboardingId, acquirerOnboardingId),
        ownRows(ctx, accountChanges.agentId),
      ),
    )
    .orderBy(desc(accountChanges.id))
    .limit(LIMITS.shown)
  return {
    ...{ changes, kinds: [...subject.kinds], holders: subject.holders },
    changeRefusal: refusal && REFUSALS[refusal],
  }
}

export const ofApplication: Verb<typeof contract.ofApplication> = async (ctx, { id }) => {
  const [application] = await ctx.db
    .select()
    .from(paymentApplications)
    .where(and(eq(paymentApplications.id, id), ownRows(ctx, paymentApplications.agentId)))
  return shownOf(ctx, await subjectOf(ctx, found(application)))
}

export const ofAcquirer: Verb<typeof contract.ofAcquirer> = async (ctx, { id }) => {
  const row = await findOnboarding(ctx, id)
  const paper = async (payType: PayType) => {
    const { kind, papers, old } = await papersOf(ctx, row, payType)
    const [newest = null] = papers
    return { kind, documentId: newest && refusePaper(newest, old) === null ? newest.id : null }
  }
  return {
    ...(await shownOf(ctx, await acquirerSubject(ctx, row))),
    ...{ merchantId: row.merchantId, channel: row.channel },
    papers: { corporate: await paper('corporate'), private: await paper('private') },
  }
}

export const standing: Verb<typeof contract.standing> = async (ctx, { id }) => {
  const { services, request, actor } = ctx
  const desk = services.providers.onboarding
  const number = await services.database.read(identityOf(actor, services.walls), async lent => {
    const reading = makeCtx(lent, { services, request }, actor).ctx
    const [row] = await reading.db
      .select({ number: onboardings.subMerchantId, state: onboardings.state })
      .from(onboardings)
      .where(and(eq(onboardings.applicationId, id), ownRows(reading, onboardings.agentId)))
    const { state, number: given } = found(row)
    return state === 'finished' ? given : ''
  })
  if (!desk || number === '') return { account: null }
  try {
    const { kind, bank, branchName, numberMasked, verification, reason } = await desk.accountOf(number)
    return {
      account: {
        ...{ payType: kind, bank, branchName: branchName ?? '', accountNumberMasked: numberMasked },
        ...{ verification, reason },
      },
    }
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnknown)) throw error
    services.onProblem(error)
    return { account: null }
  }
}

export const change: Verb<typeof contract.change> = async (ctx, { id, ...given }) => {
  const { shop, row } = await lockApplication(ctx, id)
  const subject = await subjectOf(ctx, row)
  await refuseGiven(ctx, subject, given)
  refuse(given.bankCode === '' ? 'BANK_UNLISTED' : null, REFUSALS, { field: 'bankName' })
  return keep(ctx, { shop, subject }, given)
}

export const changeAtAcquirer: Verb<typeof contract.changeAtAcquirer> = async (
  ctx,
  { id, documentId, ...given },
) => {
  const { shop, row } = await lockOnboarding(ctx, { id })
  const subject = await acquirerSubject(ctx, row)
  const { payType } = given
  await refuseGiven(ctx, subject, given)
  const { hasIdNumber, holders } = subject
  refuse(refuseHolder(payType, { holder: holders[payType], hasIdNumber }), REFUSALS, { field: 'payType' })
  refuse(isBranchNumber(given.branchNumber) ? null : 'BRANCH_NUMBER_WRONG', REFUSALS, {
    field: 'branchNumber',
  })
  const { kind, papers, old } = await papersOf(ctx, row, payType)
  if (kind !== null) {
    const paper = papers.find(one => one.id === documentId) ?? null
    refuse(refusePaper(paper, old), REFUSALS, { field: 'documentId' })
  }
  const proof = kind === null ? null : documentId
  const requestNo = `C${randomUUID().replaceAll('-', '').slice(0, 31)}`
  const kept = await keep(ctx, { shop, subject }, { ...given, documentId: proof, requestNo })
  const use = { feature: 'acquirerOnboardings', objectId: `account ${kept.id}` } as const
  await takeInUse(ctx, shop.id, use, proof === null ? [] : [proof])
  return kept
}

/** What is refused of an account at any channel. */
async function refuseGiven(ctx: Ctx, subject: Subject, given: Given): Promise<void> {
  refuse(await refusalNow(ctx, subject), REFUSALS)
  refuse(refuseKind(subject.kinds, given.payType), REFUSALS, { field: 'payType' })
  refuseBroken(ACCOUNT_CHANGE, given)
  if (!(await isOfferedDistrict(ctx, given.bankRegion)))
    throw new Refusal('INPUT_INVALID', FORM_REFUSALS.REGION_REQUIRED, { field: 'bankRegion' })
  if (!isAccountNumber(given.accountNumber))
    refuse('ACCOUNT_NUMBER_WRONG', ONBOARDING_REFUSALS, { field: 'accountNumber' })
}

/** Its agent hears; the loop hands it in. */
async function keep(
  ctx: Ctx,
  { shop, subject }: { shop: Shop; subject: Subject },
  given: Given & Partial<Pick<Change, 'documentId' | 'requestNo'>>,
): Promise<{ id: number }> {
  const now = ctx.now.toISOString()
  const accountNumberMasked = maskAccount(given.accountNumber)
  const { of, merchantCode, holders } = subject
  const channel = found(subject.channel)
  const [kept] = await ctx.db
    .insert(accountChanges)
    .values({
      ...{ ...given, ...of, channel, merchantCode, holder: holders[given.payType] },
      ...{ agentId: shop.agentId, merchantId: shop.id, state: 'waiting' },
      ...{ accountNumber: ctx.services.secrets.encrypt(given.accountNumber), accountNumberMasked },
      ...{ requestedByName: nameOf(ctx), requestedAt: now, changedAt: now, nextAt: now },
    })
    .returning({ id: accountChanges.id })
  const home = homeOf({ ...of, channel })
  ctx.object(home.kind, home.id)
  const account = `${PAY_TYPES[given.payType]} ${given.bankName} ${accountNumberMasked}`
  ctx.note(home.subject(shop), [{ name: '结算账户', before: null, after: account }])
  if (shop.agentId !== ctx.actor.agentId)
    await home.tell(ctx, shop, { title: '正在变更结算账户', body: account })
  ctx.afterCommit(() => ctx.services.wake('settlementAccounts'))
  return { id: found(kept).id }
}
