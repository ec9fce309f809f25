import { DOCUMENT_STATES, type DocumentState } from '#features/care/documents/rules.ts'
import {
  REFUSALS as MERCHANT_REFUSALS,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from '#features/shops/merchants/rules.ts'
import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { accountText, codeText, linesText, lineText, phoneText, soughtText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { APPLICATION_FIELDS, APPLICATIONS, REVIEWS } from './fields.ts'
import {
  APPLICATION_STATES,
  type ApplicationState,
  FORM_REFUSALS,
  PAPER_NAMES,
  PAY_TYPE_KEYS,
  REASON_FIELD_KEYS,
  REVIEW_STATE_KEYS,
  SAVE_REFUSALS,
  STEP_REFUSALS,
} from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const bounded = (shape: typeof lineText) => shape.max(300).default('')
const line = bounded(lineText)
const paper = whole(1).nullable().default(null)
const id = whole(1)
const revision = whole(0)
const payType = z.enum(PAY_TYPE_KEYS)
const state = z.enum(Object.keys(APPLICATION_STATES) as [ApplicationState, ...ApplicationState[]])
const reviewState = z.enum(REVIEW_STATE_KEYS)
const region = z.string().regex(/^(\d{6})?$/)
const reasons = z.partialRecord(z.enum(REASON_FIELD_KEYS), linesText.max(300))

export const APPLICATION_PAPERS = {
  idFrontId: paper,
  idBackId: paper,
  licenceId: paper,
  permitId: paper,
  bankCardId: paper,
  shopFrontId: paper,
  checkstandId: paper,
  shopInsideId: paper,
}

const form = z.object({
  merchantId: whole(1),
  /** The one that was seen; 0: there was nothing yet. */
  revision,
  payType,
  phone: bounded(phoneText),
  email: line,
  bankRegion: region.default(''),
  bankName: line,
  bankCode: codeText.max(32).default(''),
  branchName: line,
  branchNumber: codeText.max(20).default(''),
  ...APPLICATION_PAPERS,
})

const Paper = z.object({
  name: z.enum(PAPER_NAMES),
  id: z.number(),
  state: z.enum(Object.keys(DOCUMENT_STATES) as [DocumentState, ...DocumentState[]]),
  width: z.number(),
  height: z.number(),
  expiresOn: z.string().nullable(),
  isLongTerm: z.boolean(),
})

/** Who the shop is, from its verification data: never asked for twice. */
const Identity = z.object({
  state: z.enum(Object.keys(VERIFICATION_STATUSES) as [VerificationStatus, ...VerificationStatus[]]),
  company: z.string(),
  creditCode: z.string(),
  legalPerson: z.string(),
  personInCharge: z.string(),
  idNumberMasked: z.string(),
})

const Standing = z.object({
  /** Null: nothing was kept yet. */
  id: z.number().nullable(),
  revision: z.number(),
  state: state.nullable(),
  reviewState: reviewState.nullable(),
  merchantId: z.number(),
  shopName: z.string(),
  account: z.string(),
  agentId: z.number(),
  agentName: z.string(),
  payType,
  phone: z.string(),
  email: z.string(),
  bankRegion: z.string(),
  regionName: z.string(),
  bankName: z.string(),
  bankCode: z.string(),
  branchName: z.string(),
  branchNumber: z.string(),
  papers: z.array(Paper),
  reasons,
  /** How what is refused is mended, by its field. */
  advice: z.array(z.object({ field: z.string(), advice: z.string() })),
  reviewNote: z.string(),
  identity: Identity,
  submittedByName: z.string(),
  submittedAt: z.string().nullable(),
  handledByName: z.string(),
  handledAt: z.string().nullable(),
  reviewedByName: z.string(),
  reviewedAt: z.string().nullable(),
  /** Why nothing can be changed now. */
  editRefusal: z.string().nullable(),
  /** Within so many hours staff answer. */
  hours: z.number(),
})

const Saved = z.object({ id: z.number(), revision: z.number(), state })
const Row = z.object({ ...outputShape(APPLICATION_FIELDS, 'row'), revision: z.number() })
const Counts = z.object({ pending: z.number(), approved: z.number(), rejected: z.number() })
const ReviewCounts = z.object({
  waiting: z.number(),
  accepting: z.number(),
  accepted: z.number(),
  rejected: z.number(),
})
const STALE = ['paymentApplications', 'documents', 'inbox']
const SEARCHED = errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT })
const edit = 'paymentApplications.edit'
const decide = 'paymentApplications.decide'

export const paymentApplications = {
  /** `counts` of each state over all that one may see; up to 10,000. */
  list: op(
    { permission: 'paymentApplications.list' },
    { method: 'GET', path: '/payment-applications', summary: 'Applications of shops for payments' },
  )
    .errors(SEARCHED)
    .input(z.object(listInput(APPLICATIONS)))
    .output(pageOf(Row).extend({ counts: Counts, shopsCapped: z.boolean() })),
  reviews: op(
    { permission: 'paymentApplications.reviews' },
    {
      method: 'GET',
      path: '/payment-applications/reviews',
      summary: 'Approved applications, and how far they are with the payment service',
    },
  )
    .errors(SEARCHED)
    .input(z.object(listInput(REVIEWS)))
    .output(pageOf(Row).extend({ counts: ReviewCounts, shopsCapped: z.boolean() })),
  details: op(
    { permission: 'paymentApplications.list' },
    { method: 'GET', path: '/payment-applications/{id}', summary: 'One application with its papers' },
  )
    .input(z.object({ id }))
    .output(Standing),
  /** By the account that the shop signs in with. */
  find: op(
    { permission: edit },
    { method: 'GET', path: '/payment-applications/shop', summary: 'The shop of an account' },
  )
    .errors(errorsOf({ ACCOUNT_UNKNOWN: FORM_REFUSALS.ACCOUNT_UNKNOWN }))
    .input(z.object({ account: accountText.min(1).max(50) }))
    .output(z.object({ merchantId: z.number(), shopName: z.string(), agentName: z.string() })),
  /** The application that is not accepted yet, or what a new one begins with. */
  ofShop: op(
    { permission: edit },
    { method: 'GET', path: '/payment-applications/of-shop', summary: 'The application of one shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(Standing),
  /** Keeps a draft; nothing need be whole. */
  save: op(
    { permission: edit, log: '保存支付申请', stale: STALE },
    { method: 'PUT', path: '/payment-applications', summary: 'Keep an application as a draft' },
  )
    .errors(errorsOf(SAVE_REFUSALS))
    .input(form)
    .output(Saved),
  submit: op(
    { permission: edit, log: '提交支付申请', stale: STALE },
    { method: 'POST', path: '/payment-applications', summary: 'Hand in an application' },
  )
    .errors(errorsOf(SAVE_REFUSALS))
    .input(form)
    .output(Saved),
  /** `revision`: what was looked at. Who comes second is told who was first. */
  approve: op(
    { permission: decide, log: '通过支付申请', stale: STALE },
    { method: 'POST', path: '/payment-applications/{id}/approval', summary: 'Approve an application' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, revision }))
    .output(Saved),
  /** `reasons`: by field, what is wrong with it. */
  reject: op(
    { permission: decide, log: '驳回支付申请', stale: STALE },
    {
      method: 'POST',
      path: '/payment-applications/{id}/rejection',
      summary: 'Reject an application with a reason for each field',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, revision, reasons }))
    .output(Saved),
  /** Any of the states; rejected, the shop's agent mends the data and hands them in anew. */
  review: op(
    { permission: 'paymentApplications.review', log: '变更支付受理状态', stale: STALE },
    {
      method: 'POST',
      path: '/payment-applications/{id}/review',
      summary: 'Say how far an application is with the payment service',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, revision, reviewState, reviewNote: bounded(linesText) }))
    .output(Saved),
  /** Null: no payment service is connected, or it does not answer, so that names are typed. */
  banks: op(
    { permission: edit, detached: true },
    { method: 'GET', path: '/payment-applications/banks', summary: 'Banks that the payment service knows' },
  )
    .input(z.object({ payType, search: bounded(soughtText) }))
    .output(
      z.object({
        banks: z.array(z.object({ name: z.string(), code: z.string(), needsBranch: z.boolean() })).nullable(),
      }),
    ),
  /** In the city of a district; null: as of banks, or the service does not know the city. */
  branches: op(
    { permission: edit, detached: true },
    { method: 'GET', path: '/payment-applications/branches', summary: 'Branches of a bank in a city' },
  )
    .input(
      z.object({
        bankCode: codeText.min(1).max(32),
        region: z.string().regex(/^\d{6}$/),
        search: bounded(soughtText),
      }),
    )
    .output(z.object({ branches: z.array(z.object({ name: z.string(), number: z.string() })).nullable() })),
}
