// What is told of a shop's settlement account, and that it is to be changed. The shop's lock guards that one change is under way.
import { and, desc, eq, gte, inArray, ne, or } from 'drizzle-orm'
import {
  isAccountNumber,
  maskAccount,
  REFUSALS as ONBOARDING_REFUSALS,
} from '#features/acquiring/onboardings/rules.ts'
import { gather } from '#features/acquiring/onboardings/server-known.ts'
import { onboardings } from '#features/acquiring/onboardings/tables.ts'
import { FORM_REFUSALS, PAY_TYPES } from '#features/acquiring/payment-applications/rules.ts'
import { lockApplication, tell } from '#features/acquiring/payment-applications/server-decide.ts'
import { nameOf } from '#features/acquiring/payment-applications/server-save.ts'
import { paymentApplications } from '#features/acquiring/payment-applications/tables.ts'
import { isOfferedDistrict } from '#features/office/regions/server.ts'
import { ACCOUNT_KINDS_OF } from '#kit/ports/onboarding.ts'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse, refuseBroken } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { settlementAccounts as contract } from './contract.ts'
import { ACCOUNT_CHANGE } from './fields.ts'
import { LIMITS, OPEN, REFUSALS, refuseChange, refuseKind } from './rules.ts'
import { accountChanges } from './tables.ts'

type Application = typeof paymentApplications.$inferSelect

async function applicationOf(ctx: Ctx, id: number): Promise<Application> {
  const [row] = await ctx.db
    .select()
    .from(paymentApplications)
    .where(and(eq(paymentApplications.id, id), ownRows(ctx, paymentApplications.agentId)))
  return found(row)
}

/** What is known of whoever holds the account, and why it cannot be changed now. */
async function standingOf(ctx: Ctx, application: Application) {
  const { known, row } = await gather(ctx, application)
  const ofShop = and(
    eq(accountChanges.merchantId, application.merchantId),
    ownRows(ctx, accountChanges.agentId),
  )
  const open = await ctx.db.$count(accountChanges, and(ofShop, inArray(accountChanges.state, [...OPEN])))
  const midnight = startOfDay(formatDay(ctx.now)).toISOString()
  // What the service refused to take does not count there.
  const isCounted = or(ne(accountChanges.state, 'refused'), ne(accountChanges.changeId, ''))
  const ofNumber = eq(accountChanges.subMerchantId, row?.subMerchantId ?? '')
  const today = await ctx.db.$count(
    accountChanges,
    and(ofShop, ofNumber, gte(accountChanges.requestedAt, midnight), isCounted),
  )
  return {
    row,
    kinds: ACCOUNT_KINDS_OF[known.subjectKind],
    subject: known.subjectKind,
    holders: { corporate: known.company, private: known.legalPerson },
    refusal: refuseChange({
      ...{ step: row?.state ?? null, isConnected: ctx.services.providers.onboarding !== null },
      ...{ isOpen: open > 0, today },
    }),
  }
}

export const ofApplication: Verb<typeof contract.ofApplication> = async (ctx, { id }) => {
  const { kinds, holders, refusal } = await standingOf(ctx, await applicationOf(ctx, id))
  const changes = await ctx.db
    .select()
    .from(accountChanges)
    .where(and(eq(accountChanges.applicationId, id), ownRows(ctx, accountChanges.agentId)))
    .orderBy(desc(accountChanges.id))
    .limit(LIMITS.shown)
  return { changes, kinds: [...kinds], holders, changeRefusal: refusal && REFUSALS[refusal] }
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
  const { shop, row: application } = await lockApplication(ctx, id)
  const { row, subject, holders, refusal } = await standingOf(ctx, application)
  refuse(refusal, REFUSALS)
  refuse(refuseKind(subject, given.payType), REFUSALS, { field: 'payType' })
  refuseBroken(ACCOUNT_CHANGE, given)
  if (!(await isOfferedDistrict(ctx, given.bankRegion)))
    throw new Refusal('INPUT_INVALID', FORM_REFUSALS.REGION_REQUIRED, { field: 'bankRegion' })
  if (given.bankCode === '') refuse('BANK_UNLISTED', REFUSALS, { field: 'bankName' })
  if (!isAccountNumber(given.accountNumber))
    refuse('ACCOUNT_NUMBER_WRONG', ONBOARDING_REFUSALS, { field: 'accountNumber' })
  const now = ctx.now.toISOString()
  const accountNumberMasked = maskAccount(given.accountNumber)
  const [kept] = await ctx.db
    .insert(accountChanges)
    .values({
      ...given,
      ...{ applicationId: id, agentId: shop.agentId, merchantId: shop.id, state: 'waiting' },
      ...{ subMerchantId: found(row).subMerchantId, holder: holders[given.payType] },
      ...{ accountNumber: ctx.services.secrets.encrypt(given.accountNumber), accountNumberMasked },
      ...{ requestedByName: nameOf(ctx), requestedAt: now, changedAt: now, nextAt: now },
    })
    .returning({ id: accountChanges.id })
  ctx.object('paymentApplication', id)
  const account = `${PAY_TYPES[given.payType]} ${given.bankName} ${accountNumberMasked}`
  ctx.note(`${shop.shopName} (${shop.id})`, [{ name: '结算账户', before: null, after: account }])
  if (shop.agentId !== ctx.actor.agentId)
    await tell(ctx, shop, id, { title: '正在变更结算账户', body: account })
  ctx.afterCommit(() => ctx.services.wake('settlementAccounts'))
  return { id: found(kept).id }
}
