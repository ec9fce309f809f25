// How a channel is asked to settle to another account, and what became of that: an adapter for each. Nothing here is written.
import { gather, wholeKnown } from '#features/acquiring/acquirer-onboardings/server-known.ts'
import { findOnboarding } from '#features/acquiring/acquirer-onboardings/server-rows.ts'
import { bankOf } from '#features/acquiring/payment-applications/server-banks.ts'
import { openDocument } from '#features/care/documents/server-look.ts'
import type { AcquirerOnboardingDesk } from '#kit/ports/acquirer-onboarding.ts'
import { ACQUIRER_KEYS, ACQUIRER_NAMES, type AcquirerName, accountPaperOf } from '#kit/ports/acquirers.ts'
import type { AccountChangeState, OnboardingDesk, SettlementAccount } from '#kit/ports/onboarding.ts'
import type { ProviderRefused } from '#kit/ports/providers.ts'
import type { Services } from '#server/ctx.ts'
import { jpegWithin } from '#server/pictures.ts'
import { actAsSystem, systemCaller } from '#server/system.ts'
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
  const { onboarding, acquirerOnboarding } = services.providers
  const channels = new Map<AccountChannel, ChannelAdapter>()
  if (onboarding) channels.set(onboarding.name, paymentService(services, onboarding))
  for (const name of ACQUIRER_KEYS) {
    const desk = acquirerOnboarding[name]
    if (desk) channels.set(name, acquirer(services, name, desk))
  }
  return channels
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

/** It takes a number of ours, so that one change however often it is handed in is one; which account holds it does not say. */
const acquirer = (services: Services, name: AcquirerName, desk: AcquirerOnboardingDesk): ChannelAdapter => ({
  name: ACQUIRER_NAMES[name],
  async prepare(row) {
    const paper = accountPaperOf(name, row.payType)
    if (paper === null || row.documentId === null) return { kind: 'unfit', words: '没有新账户的照片' }
    const idNumber = row.payType === 'private' ? await idNumberOf(services, row) : ''
    const { bytes } = await openDocument(
      systemCaller(services, 'account changes'),
      row.documentId,
      'paymentApplication',
    )
    const picture = await jpegWithin(bytes, desk.pictureBytesMax)
    if (!picture) return { kind: 'unfit', words: '新账户的照片过大，请重新上传' }
    const { requestNo, merchantCode: merchant, payType: kind, holder, branchName, branchNumber } = row
    const change = {
      ...{ requestNo, merchant, kind, holder, number: numberOf(services, row), idNumber },
      ...{ branchName, branchNumber, picture: { paper, name: await desk.upload(paper, picture) } },
    }
    return { kind: 'ready', submit: () => desk.changeAccount(change) }
  },
  ask: ({ changeId }) => desk.askChange(changeId),
  unanswered: { as: 'again' },
  givenUp: '渠道没有确认收到，请先到渠道后台核对结算账户，再决定是否重新提交',
  troubleOf(refused) {
    const { turn, words } = desk.troubleOf(refused)
    return { turn: turn === 'later' ? 'later' : 'other', words }
  },
})

/** Of the legal person, whose account it is. */
const idNumberOf = (services: Services, { acquirerOnboardingId }: Change): Promise<string> =>
  actAsSystem(services, 'account changes gather', async ctx => {
    const row = await findOnboarding(ctx, Number(acquirerOnboardingId))
    return (await wholeKnown(ctx, await gather(ctx, row))).idNumber
  })
