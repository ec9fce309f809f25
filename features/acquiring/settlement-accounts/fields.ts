// What a change of the account asks for.

import { LIMITS as ONBOARDING_LIMITS } from '#features/acquiring/onboardings/rules.ts'
import { APPLICATION_FIELDS } from '#features/acquiring/payment-applications/fields.ts'
import { FORM_REFUSALS, LIMITS, PAY_TYPES } from '#features/acquiring/payment-applications/rules.ts'
import type { Fields } from '#kit/declare/fields.ts'
import { ACCOUNT_CHANGE_WORDS } from './rules.ts'

export const ACCOUNT_CHANGE = {
  payType: {
    kind: 'word',
    label: '账户类型',
    words: PAY_TYPES,
    control: { as: 'choice', look: 'buttons', required: true, first: 'corporate' },
  },
  bankRegion: {
    kind: 'text',
    label: APPLICATION_FIELDS.regionName.label,
    control: { as: 'own', required: true, missing: FORM_REFUSALS.REGION_REQUIRED },
  },
  bankName: {
    kind: 'text',
    label: APPLICATION_FIELDS.bankName.label,
    max: LIMITS.bankName,
    control: { as: 'own', required: true, missing: FORM_REFUSALS.BANK_REQUIRED },
  },
  branchName: {
    kind: 'text',
    label: APPLICATION_FIELDS.branchName.label,
    max: LIMITS.branchName,
    control: { as: 'own', required: true, missing: FORM_REFUSALS.BRANCH_REQUIRED },
  },
  accountNumber: {
    kind: 'digits',
    label: '银行账号',
    max: ONBOARDING_LIMITS.accountNumber,
    control: { as: 'text', required: true, inputMode: 'numeric' },
  },
} as const satisfies Fields

/** What a change at an acquirer asks for beyond it. */
export const ACQUIRER_ACCOUNT_CHANGE = {
  payType: ACCOUNT_CHANGE.payType,
  bankRegion: ACCOUNT_CHANGE.bankRegion,
  bankName: ACCOUNT_CHANGE.bankName,
  branchName: ACCOUNT_CHANGE.branchName,
  branchNumber: {
    kind: 'digits',
    label: APPLICATION_FIELDS.branchNumber.label,
    max: LIMITS.branchNumber,
    control: {
      ...{ as: 'text', required: true, inputMode: 'numeric' },
      hint: '12 位数字，可在开户许可证上查看，或向开户行询问',
    },
  },
  accountNumber: ACCOUNT_CHANGE.accountNumber,
} as const satisfies Fields

export const STATE = {
  words: ACCOUNT_CHANGE_WORDS,
  tones: {
    waiting: 'attention',
    unclear: 'attention',
    auditing: 'attention',
    done: 'done',
    refused: 'problem',
  },
} as const
