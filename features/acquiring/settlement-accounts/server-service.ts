// The one place that hands in changes of accounts. A change has no code of ours to be asked about, and each counts among those of its day: it
// is written down as sent before it is, and of one that nobody has answered the account itself says whether it came about.
import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { bankOf } from '#features/acquiring/payment-applications/server-banks.ts'
import { lockApplication, tell } from '#features/acquiring/payment-applications/server-decide.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { OnboardingDesk, SettlementAccount } from '#kit/ports/onboarding.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import {
  ACCOUNT_CHANGE_STEPS,
  ACCOUNT_CHANGE_WORDS,
  GIVEN_UP,
  isGivenUp,
  isMaskOf,
  LIMITS,
  secondsToNext,
} from './rules.ts'
import { accountChanges } from './tables.ts'

type Change = typeof accountChanges.$inferSelect
/** `later`: it stands as it stood. `held`: it was not handed in after all. */
type Round =
  | { kind: 'taken'; changeId: string }
  | { kind: 'done' }
  | { kind: 'refused' | 'held' | 'later'; message: string }

const CLAIM = `
  update account_changes set claim = $1, next_at = now() + make_interval(secs => $2), tries = tries + 1
  where id in (select id from account_changes where next_at <= now() order by next_at, id limit $3 for update skip locked)
  returning id::int`

/** Does a part and answers whether more waits. */
export async function changeAndAsk(services: Services): Promise<boolean> {
  const desk = services.providers.onboarding
  if (!desk) return false
  const claim = randomUUID()
  const rows = await actAsSystem(services, 'account changes claim', async ctx => {
    const { rows } = await ctx.client.query<{ id: number }>({
      name: 'claim_account_changes',
      text: CLAIM,
      values: [claim, LIMITS.claimSeconds, LIMITS.atOnce],
    })
    return rows.length === 0
      ? []
      : ctx.db.select().from(accountChanges).where(eq(accountChanges.claim, claim))
  })
  await Promise.all(
    rows.map(async row => {
      const round = await call(services, desk, row)
      await actAsSystem(services, 'account changes record', ctx => record(ctx, row, round))
    }),
  )
  return rows.length === LIMITS.atOnce
}

async function call(services: Services, desk: OnboardingDesk, row: Change): Promise<Round> {
  try {
    if (row.state === 'auditing') return await asked(desk, row)
    return row.state === 'unclear' ? await lookedAt(services, desk, row) : await handedIn(services, desk, row)
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnknown)) services.onProblem(error)
    // Nothing was handed in where it throws: only questions were asked.
    return { kind: 'later', message: wordsOf(desk, error) }
  }
}

const wordsOf = (desk: OnboardingDesk, error: unknown) =>
  error instanceof ProviderRefused ? desk.troubleOf(error).words : '支付服务未应答，将再次查询'

async function asked(desk: OnboardingDesk, { subMerchantId, changeId }: Change): Promise<Round> {
  const { state, reason } = await desk.askChange(subMerchantId, changeId)
  switch (state) {
    case 'done':
      return { kind: 'done' }
    case 'refused':
      return { kind: 'refused', message: reason || '支付服务没有说明原因' }
    case 'auditing':
      return { kind: 'later', message: '' }
  }
}

/** Nobody has answered: whether the account is the new one now. */
async function lookedAt(services: Services, desk: OnboardingDesk, row: Change): Promise<Round> {
  const { kind, numberMasked } = await desk.accountOf(row.subMerchantId)
  if (kind === row.payType && isMaskOf(numberMasked, numberOf(services, row))) return { kind: 'done' }
  return isGivenUp(row.changedAt, services.clock.now())
    ? { kind: 'refused', message: GIVEN_UP }
    : { kind: 'later', message: '支付服务未应答，正在确认是否已变更' }
}

async function handedIn(services: Services, desk: OnboardingDesk, row: Change): Promise<Round> {
  const bank = await bankOf(services, desk.directory, row)
  if (!bank) return { kind: 'refused', message: '支付服务不认识该银行，请从列表重新选择' }
  const { branchName: name, branchNumber } = row
  const account: SettlementAccount = {
    ...{ kind: row.payType, holder: row.holder, number: numberOf(services, row), division: row.bankRegion },
    bank: bank.accountBank,
    ...(bank.needsBranch ? { branch: { number: branchNumber, name } } : {}),
  }
  if (!(await actAsSystem(services, 'account changes send', ctx => send(ctx, row))))
    return { kind: 'later', message: '' }
  try {
    return { kind: 'taken', ...(await desk.changeAccount(row.subMerchantId, account)) }
  } catch (error) {
    const message = wordsOf(desk, error)
    if (!(error instanceof ProviderRefused)) {
      if (!(error instanceof ProviderUnknown)) services.onProblem(error)
      return { kind: 'later', message: '支付服务未应答，正在确认是否已变更' }
    }
    const isLater = error instanceof ProviderBusy || desk.troubleOf(error).turn === 'later'
    return { kind: isLater ? 'held' : 'refused', message }
  }
}

const numberOf = ({ secrets }: Services, { accountNumber }: Change) =>
  accountNumber === null ? '' : secrets.decrypt(accountNumber)

/** Answers whether it is this round's to hand in. */
async function send(ctx: Ctx, { id, claim }: Change): Promise<boolean> {
  const { from, to } = ACCOUNT_CHANGE_STEPS.send
  const rows = await ctx.db
    .update(accountChanges)
    .set({ state: to, changedAt: ctx.now.toISOString() })
    .where(
      and(
        eq(accountChanges.id, id),
        eq(accountChanges.claim, claim),
        inArray(accountChanges.state, [...from]),
      ),
    )
    .returning({ id: accountChanges.id })
  return rows.length > 0
}

const STEP_OF = { taken: 'take', done: 'finish', refused: 'refuse', held: 'hold' } as const

/** A round whose claim was lost to another changes nothing. */
async function record(ctx: Ctx, before: Change, round: Round): Promise<void> {
  const { shop } = await lockApplication(ctx, before.applicationId)
  const [row] = await ctx.db
    .select()
    .from(accountChanges)
    .where(and(eq(accountChanges.id, before.id), eq(accountChanges.claim, before.claim)))
    .for('update')
  if (!row) return
  const message = 'message' in round ? round.message : ''
  const after = round.kind === 'later' ? row : await stepTo(ctx, row, STEP_OF[round.kind], round)
  const seconds = secondsToNext(after, ctx.now)
  await ctx.db
    .update(accountChanges)
    .set({
      ...{ claim: '', message },
      nextAt: seconds === null ? null : new Date(ctx.now.getTime() + seconds * 1_000).toISOString(),
      ...(seconds === null ? { accountNumber: null } : {}),
    })
    .where(eq(accountChanges.id, row.id))
  if (after.state === row.state || seconds !== null) return
  const account = `${row.bankName} ${row.accountNumberMasked}`
  await logOperation(ctx, {
    operation: '/payment-applications settlement account',
    title: '变更结算账户',
    subject: `${shop.shopName} (${shop.id})`,
    objects: [objectKey('paymentApplication', row.applicationId), objectKey('merchant', shop.id)],
    by: { ...ctx.actor, agentId: shop.agentId },
    ...{ merchantId: shop.id, aboutAgentId: shop.agentId },
    changes: [
      {
        name: `结算账户 ${account}`,
        before: ACCOUNT_CHANGE_WORDS[row.state],
        after:
          message === ''
            ? ACCOUNT_CHANGE_WORDS[after.state]
            : `${ACCOUNT_CHANGE_WORDS[after.state]}：${message}`,
      },
    ],
  })
  const isDone = after.state === 'done'
  const title = isDone ? '结算账户已变更' : '结算账户变更未生效'
  await tell(ctx, shop, row.applicationId, { title, body: isDone ? account : `${account}，${message}` })
  if (!isDone)
    await notify(ctx, {
      vendor: 'staff',
      holding: 'paymentApplications.review',
      topic: 'Approval_Notify',
      title,
      body: `${shop.shopName}：${account}，${message}`,
      link: `/admin/schedule/payInformation?id=${row.applicationId}`,
    })
}

async function stepTo(
  ctx: Ctx,
  row: Change,
  step: (typeof STEP_OF)[keyof typeof STEP_OF],
  round: Round,
): Promise<Change> {
  const { from, to } = ACCOUNT_CHANGE_STEPS[step]
  const [after] = await ctx.db
    .update(accountChanges)
    .set({
      ...{ state: to, changedAt: ctx.now.toISOString() },
      ...(round.kind === 'taken' ? { changeId: round.changeId, tries: 0 } : {}),
    })
    .where(and(eq(accountChanges.id, row.id), inArray(accountChanges.state, [...from])))
    .returning()
  return found(after)
}
