import { APPLICATION_FIELDS } from '#features/acquiring/payment-applications/fields.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { codeText, lineText, phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import {
  ID_PAPER_KINDS,
  type IdPaperKind,
  ONBOARDING_STATES,
  type OnboardingState,
} from '#kit/ports/onboarding.ts'
import {
  ONBOARDED_SUBJECT_KEYS,
  ONBOARDING_STEP_WORDS,
  type OnboardingStep,
  PERSON_ROLE_KEYS,
  REFUSALS,
} from './rules.ts'

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

const person = {
  role: z.enum(PERSON_ROLE_KEYS),
  idKind: z.enum(Object.keys(ID_PAPER_KINDS) as [IdPaperKind, ...IdPaperKind[]]),
  name: line,
  idFrom: day,
  /** Empty where it has no end. */
  idTo: day,
  isIdLongTerm: z.boolean().default(false),
  address: line,
  /** Papers of the shop. */
  frontId: whole(1).nullable().default(null),
  backId: whole(1).nullable().default(null),
  /** Of a deputy. */
  authorizationId: whole(1).nullable().default(null),
}

const Shown = z.object({
  merchantId: z.number(),
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
  /** Who signs in place of the legal person, and who owns the company beside it, in the order in which they are handed in. */
  people: z.array(
    z.object({
      ...{ ...person, id: z.number(), idNumberMasked: z.string(), frontId: z.number() },
      ...{ backId: z.number().nullable(), authorizationId: z.number().nullable() },
    }),
  ),
  /** `role` null: of the completed data. `personId` null: nobody, or the service does not say who. */
  refusals: z.array(
    z.object({
      ...{ field: z.string(), message: z.string() },
      ...{ role: z.enum(PERSON_ROLE_KEYS).nullable(), personId: z.number().nullable() },
    }),
  ),
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
  /** Of somebody new (`personId` null) or of who is there. `idNumber` null: as it is kept. */
  savePerson: op(
    { permission: 'paymentApplications.edit', log: '填写经办人或受益所有人', stale: [...STALE, 'documents'] },
    {
      method: 'PUT',
      path: '/payment-applications/{id}/onboarding/people',
      summary: 'Say who signs in place of the legal person, or who else owns the company',
    },
  )
    .errors(
      errorsOf({
        UNDER_WAY: REFUSALS.UNDER_WAY,
        ACCEPTED: REFUSALS.ACCEPTED,
        DEPUTY_TWICE: REFUSALS.DEPUTY_TWICE,
        OWNERS_OF_COMPANIES: REFUSALS.OWNERS_OF_COMPANIES,
        OWNERS_FULL: REFUSALS.OWNERS_FULL,
        OWNER_TWICE: REFUSALS.OWNER_TWICE,
        DAYS_WRONG: REFUSALS.DAYS_WRONG,
        PERSON_NAME_WRONG: REFUSALS.PERSON_NAME_WRONG,
        PERSON_NUMBER_MISSING: REFUSALS.PERSON_NUMBER_MISSING,
        PERSON_NUMBER_WRONG: REFUSALS.PERSON_NUMBER_WRONG,
        PERSON_TERM_MISSING: REFUSALS.PERSON_TERM_MISSING,
        PERSON_TERM_PAST: REFUSALS.PERSON_TERM_PAST,
        PERSON_ADDRESS_MISSING: REFUSALS.PERSON_ADDRESS_MISSING,
        PERSON_FRONT_MISSING: REFUSALS.PERSON_FRONT_MISSING,
        PERSON_BACK_MISSING: REFUSALS.PERSON_BACK_MISSING,
      }),
    )
    .input(
      z.object({
        ...{ id, revision: whole(0), personId: whole(1).nullable().default(null) },
        ...person,
        idNumber: codeText.max(60).nullable().default(null),
      }),
    )
    .output(Saved.extend({ personId: z.number() })),
  removePerson: op(
    { permission: 'paymentApplications.edit', log: '移除经办人或受益所有人', stale: [...STALE, 'documents'] },
    {
      method: 'POST',
      path: '/payment-applications/{id}/onboarding/people/{personId}/removal',
      summary: 'Take back who signs in place of the legal person, or who else owns the company',
    },
  )
    .errors(errorsOf({ UNDER_WAY: REFUSALS.UNDER_WAY, ACCEPTED: REFUSALS.ACCEPTED }))
    .input(z.object({ id, revision: whole(0), personId: whole(1) }))
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

export const onboardingDownloads = {
  /** Of the application and of the people told beside it. It asks for a fresh second factor, as the papers of a shop do. */
  zip: download({
    permission: 'documents.take',
    stepUp: true,
    log: '打包下载支付申请资料',
    path: '/payment-applications/{id}/zip',
    fileName: '支付申请资料',
    calledAfter: 'id',
    format: 'zip',
    input: z.object({ id }),
    told: ({ id }) => [[APPLICATION_FIELDS.id.label, String(id)]],
  }),
}
