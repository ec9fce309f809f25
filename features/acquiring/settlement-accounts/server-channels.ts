// How a channel is asked to settle to another account, and what became of that: an adapter for each. Nothing here is written.
import { bankOf } from '#features/acquiring/payment-applications/server-banks.ts'
import type { AccountChangeState, OnboardingDesk, SettlementAccount } from '#kit/ports/onboarding.ts'
import type { ProviderRefused } from '#kit/ports/providers.ts'
import type { Services } from '#server/ctx.ts'
import { type AccountChannel, isMaskOf } from './rules.ts'
import type { Change } from './server-subjects.ts'

export type Prepared =
  | { kind: 'ready'; submit(): Promise<{ changeId: string }> }
  | { kind: 'unfit'; words: string }

/** Each call rejects as those of `kit/ports` do. */
export type ChannelAdapter = {
  /** As people call it. */
  name: string
  /** Asks what has to be known, and changes nothing. */
  prepare(row: Change): Promise<Prepared>
  ask(row: Change): Promise<{ state: AccountChangeState; reason: string }>
  /** What becomes of one that nobody has answered. `again`: it is handed in again under its number, which is one change however often. */
  unanswered: { as: 'look'; isDone(row: Change): Promise<boolean> } | { as: 'again' }
  /** Told of one that was never confirmed. */
  givenUp: string
  /** later: the same may be handed in again. */
  troubleOf(refused: ProviderRefused): { turn: 'later' | 'other'; words: string }
}

/** Of those that are connected. */
export function channelsOf(services: Services): ReadonlyMap<AccountChannel, ChannelAdapter> {
  const { onboarding } = services.providers
  return new Map<AccountChannel, ChannelAdapter>(
    onboarding ? [[onboarding.name, paymentService(services, onboarding)]] : [],
  )
}

const numberOf = ({ secrets }: Services, { accountNumber }: Change) =>
  accountNumber === null ? '' : secrets.decrypt(accountNumber)

/** It knows no number of ours, and each that is handed in counts: of what was not answered the account itself is asked. */
const paymentService = (services: Services, desk: OnboardingDesk): ChannelAdapter => ({
  name: '支付服务',
  async prepare(row) {
    const bank = await bankOf(services, desk.directory, row)
    if (!bank) return { kind: 'unfit', words: '支付服务不认识该银行，请从列表重新选择' }
    const { branchName: name, branchNumber } = row
    const account: SettlementAccount = {
      ...{ kind: row.payType, holder: row.holder, number: numberOf(services, row), division: row.bankRegion },
      bank: bank.accountBank,
      ...(bank.needsBranch ? { branch: { number: branchNumber, name } } : {}),
    }
    return { kind: 'ready', submit: () => desk.changeAccount(row.merchantCode, account) }
  },
  ask: ({ merchantCode, changeId }) => desk.askChange(merchantCode, changeId),
  unanswered: {
    as: 'look',
    async isDone(row) {
      const { kind, numberMasked } = await desk.accountOf(row.merchantCode)
      return kind === row.payType && isMaskOf(numberMasked, numberOf(services, row))
    },
  },
  givenUp: '支付服务没有确认收到，结算账户没有变化，可以重新提交',
  troubleOf(refused) {
    const { turn, words } = desk.troubleOf(refused)
    return { turn: turn === 'later' ? 'later' : 'other', words }
  },
})
