import { z } from 'zod'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { codeText, lineText, phoneText } from '#kit/declare/texts.ts'
import { ONBOARDING_STATES, type OnboardingState } from '#kit/ports/onboarding.ts'
import { ONBOARDED_SUBJECT_KEYS, ONBOARDING_STEP_WORDS, type OnboardingStep, REFUSALS } from './rules.ts'

const id = whole(1)
/** Bounded above what fields.ts allows, so that the form tells what is too long. */
const line = lineText.max(300).default('')
const day = z
  .string()
  .regex(/^(\d{4}-\d{2}-\d{2})?$/)
  .default('')
const details = {
  subjectKind: z.enum(ONBOARDED_SUBJECT_KEYS),
  licenceAddress: line,
  licenceFrom: day,
  licenceTo: day,
  isLicenceLongTerm: z.boolean().default(false),
  idFrom: day,
  idTo: day,
  isIdLongTerm: z.boolean().default(false),
  idAddress: line,
  isOwner: z.boolean().default(true),
  shortName: line,
  servicePhone: phoneText.max(40).default(''),
  /** `id` and `qualificationType` of one of `categories`, with a space between them; empty: none is chosen yet. */
  category: lineText.max(100).default(''),
}

const Shown = z.object({
  /** 0: nothing was kept yet. */
  revision: z.number(),
  step: z.enum(Object.keys(ONBOARDING_STEP_WORDS) as [OnboardingStep, ...OnboardingStep[]]),
  serviceState: z.enum(Object.keys(ONBOARDING_STATES) as [OnboardingState, ...OnboardingState[]]).nullable(),
  ...details,
  accountNumberMasked: z.string(),
  categories: z.array(
    z.object({
      key: z.string(),
      subjectKind: z.enum(ONBOARDED_SUBJECT_KEYS),
      qualificationType: z.string(),
      rateBasisPoints: z.number(),
      settledAfterDays: z.number(),
      papers: z.string(),
      arePapersRequired: z.boolean(),
    }),
  ),
  /** Where the rates come from, and of which day they are. */
  categoriesFrom: z.string(),
  lacking: z.array(z.object({ field: z.string(), words: z.string() })),
  refusals: z.array(z.object({ field: z.string(), message: z.string() })),
  businessCode: z.string(),
  message: z.string(),
  signUrl: z.string(),
  /** Days in which the shop must act. */
  daysLeft: z.number().nullable(),
  subMerchantId: z.string(),
  /** What the shop is paid by, where it is something else than the number that the service gave. */
  paidOtherwise: z.string().nullable(),
  submittedByName: z.string(),
  submittedAt: z.string().nullable(),
  askedAt: z.string().nullable(),
  /** The service is asked at this moment, so that more is known soon. */
  isAsking: z.boolean(),
  completeRefusal: z.string().nullable(),
  submitRefusal: z.string().nullable(),
})
const Saved = z.object({ revision: z.number() })
const STALE = ['paymentApplications', 'onboardings', 'inbox']
const SAVED = errorsOf({
  UNDER_WAY: REFUSALS.UNDER_WAY,
  ACCEPTED: REFUSALS.ACCEPTED,
  ACCOUNT_NUMBER_WRONG: REFUSALS.ACCOUNT_NUMBER_WRONG,
  DAYS_WRONG: REFUSALS.DAYS_WRONG,
})
const review = 'paymentApplications.review'

export const onboardings = {
  /** `id`: the application. */
  ofApplication: op(
    { permission: 'paymentApplications.list' },
    {
      method: 'GET',
      path: '/payment-applications/{id}/onboarding',
      summary: 'What the payment service asks for beyond an application, and where it stands there',
    },
  )
    .input(z.object({ id }))
    .output(Shown),
  /** Nothing need be whole. `accountNumber` null: as it is kept. */
  complete: op(
    { permission: 'paymentApplications.edit', log: '修改支付补充资料', stale: STALE },
    {
      method: 'PUT',
      path: '/payment-applications/{id}/onboarding',
      summary: 'Complete what the payment service asks for beyond an application',
    },
  )
    .errors(SAVED)
    .input(
      z.object({
        id,
        revision: whole(0),
        ...details,
        accountNumber: codeText.max(60).nullable().default(null),
      }),
    )
    .output(Saved),
  /** It is handed in by the program, once, however often it is asked to. */
  submit: op(
    { permission: review, log: '提交支付服务', stale: STALE },
    {
      method: 'POST',
      path: '/payment-applications/{id}/onboarding',
      summary: 'Have an approved application handed in at the payment service',
    },
  )
    .errors(
      errorsOf({
        NO_SERVICE: REFUSALS.NO_SERVICE,
        NOT_APPROVED: REFUSALS.NOT_APPROVED,
        ACCEPTED: REFUSALS.ACCEPTED,
        LACKING: REFUSALS.LACKING,
        ALREADY_UNDER_WAY: REFUSALS.ALREADY_UNDER_WAY,
      }),
    )
    .input(z.object({ id, revision: whole(0) }))
    .output(Saved),
  /** Now rather than when it is due. */
  ask: op(
    { permission: 'paymentApplications.edit', log: '查询支付服务状态', stale: STALE },
    {
      method: 'POST',
      path: '/payment-applications/{id}/onboarding/question',
      summary: 'Have the payment service asked how far an application is',
    },
  )
    .errors(errorsOf({ NOT_HANDED_IN: REFUSALS.NOT_HANDED_IN, ASKED_JUST_NOW: REFUSALS.ASKED_JUST_NOW }))
    .input(z.object({ id }))
    .output(z.object({ id })),
  /** In place of what it was paid by before, which the program alone does not do. */
  handOver: op(
    { permission: review, log: '变更商户收款方式', stale: [...STALE, 'merchants'] },
    {
      method: 'POST',
      path: '/payment-applications/{id}/onboarding/number',
      summary: 'Have a shop paid by the number that the payment service gave it',
    },
  )
    .errors(errorsOf({ NO_NUMBER: REFUSALS.NO_NUMBER }))
    .input(z.object({ id }))
    .output(z.object({ id })),
}
