import { REFUSALS as ONBOARDING_REFUSALS } from '#features/acquiring/onboardings/rules.ts'
import { PAY_TYPE_KEYS } from '#features/acquiring/payment-applications/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { codeText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ACQUIRER_KEYS, ACQUIRER_PAPER_KEYS } from '#kit/ports/acquirers.ts'
import { ACCOUNT_CHANGE_STEP_KEYS, REFUSALS } from './rules.ts'

const id = whole(1)
const payType = z.enum(PAY_TYPE_KEYS)
/** Bounded above what fields.ts allows, so that the form tells what is too long. */
const line = lineText.max(300)

const Paper = z.object({ kind: z.enum(ACQUIRER_PAPER_KEYS).nullable(), documentId: z.number().nullable() })

const Change = z.object({
  id: z.number(),
  payType,
  bankName: z.string(),
  branchName: z.string(),
  accountNumberMasked: z.string(),
  state: z.enum(ACCOUNT_CHANGE_STEP_KEYS),
  message: z.string(),
  requestedByName: z.string(),
  requestedAt: z.string(),
  changedAt: z.string(),
})

const Shown = z.object({
  changes: z.array(Change),
  /** Those that the shop may have. */
  kinds: z.array(payType),
  /** As whose account it must be. */
  holders: z.object({ corporate: z.string(), private: z.string() }),
  changeRefusal: z.string().nullable(),
})
const Account = z.object({
  id,
  payType,
  bankRegion: z.string().regex(/^(\d{6})?$/),
  bankName: line,
  bankCode: codeText.max(32),
  branchName: line,
  branchNumber: z
    .string()
    .regex(/^(\d{12})?$/)
    .default(''),
  accountNumber: codeText.max(60),
})

export const settlementAccounts = {
  /** `id`: the application whose number it is. */
  ofApplication: op(
    { permission: 'paymentApplications.list' },
    {
      method: 'GET',
      path: '/payment-applications/{id}/settlement-account',
      summary: 'Changes of the account that a shop’s money is settled to, the newest first',
    },
  )
    .input(z.object({ id }))
    .output(Shown),
  /** As the service says it; null: there is none yet, or it does not answer. */
  standing: op(
    { permission: 'paymentApplications.review', detached: true },
    {
      method: 'GET',
      path: '/payment-applications/{id}/settlement-account/standing',
      summary: 'The account that a shop’s money is settled to now',
    },
  )
    .input(z.object({ id }))
    .output(
      z.object({
        account: z
          .object({
            payType,
            bank: z.string(),
            branchName: z.string(),
            accountNumberMasked: z.string(),
            verification: z.enum(['verifying', 'verified', 'failed']),
            reason: z.string(),
          })
          .nullable(),
      }),
    ),
  /** It is handed in by the program, once. */
  change: op(
    {
      permission: 'paymentApplications.review',
      log: '变更结算账户',
      stepUp: true,
      stale: ['settlementAccounts'],
    },
    {
      method: 'POST',
      path: '/payment-applications/{id}/settlement-account',
      summary: 'Have a shop’s money settled to another account',
    },
  )
    .errors(errorsOf({ ...REFUSALS, ACCOUNT_NUMBER_WRONG: ONBOARDING_REFUSALS.ACCOUNT_NUMBER_WRONG }))
    .input(Account)
    .output(z.object({ id: z.number() })),
  /** `id`: of the onboarding. */
  ofAcquirer: op(
    { permission: 'acquirerOnboardings.list' },
    {
      method: 'GET',
      path: '/acquirer-onboardings/{id}/settlement-account',
      summary: 'Changes of the account that an acquirer settles to, the newest first',
    },
  )
    .input(z.object({ id }))
    .output(
      Shown.extend({
        merchantId: z.number(),
        channel: z.enum(ACQUIRER_KEYS),
        /** The paper that an account of each kind goes along with, and the shop’s own where it is none of an account before. */
        papers: z.object({ corporate: Paper, private: Paper }),
      }),
    ),
  /** As `change`, with the paper of the new account. */
  changeAtAcquirer: op(
    {
      permission: 'acquirerOnboardings.decide',
      log: '变更结算账户',
      stepUp: true,
      stale: ['settlementAccounts'],
    },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/settlement-account',
      summary: 'Have an acquirer settle to another account',
    },
  )
    .errors(errorsOf({ ...REFUSALS, ACCOUNT_NUMBER_WRONG: ONBOARDING_REFUSALS.ACCOUNT_NUMBER_WRONG }))
    .input(Account.extend({ branchNumber: codeText.max(60), documentId: z.number().int().nullable() }))
    .output(z.object({ id: z.number() })),
}
