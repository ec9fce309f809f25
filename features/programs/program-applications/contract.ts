import { DOCUMENT_STATES, type DocumentState } from '#features/care/documents/rules.ts'
import { CategoryList } from '#features/programs/program-categories/contract.ts'
import {
  REFUSALS as MERCHANT_REFUSALS,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from '#features/shops/merchants/rules.ts'
import { listInput, meantShape, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { accountText, linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { APPLICATION_FIELDS, APPLICATIONS, REGISTRATION } from './fields.ts'
import {
  APPLICATION_KINDS,
  type ApplicationKind,
  FORM_REFUSALS,
  LIMITS,
  NAME_STANDINGS,
  type NameStanding,
  PAPER_NAMES,
  PROGRAM_TYPE_KEYS,
  SAVE_REFUSALS,
  STATE_KEYS,
  STEP_REFUSALS,
} from './rules.ts'

const paper = whole(1).nullable().default(null)
const id = whole(1)
const revision = whole(0)
const state = z.enum(STATE_KEYS)
const programType = z.enum(PROGRAM_TYPE_KEYS)

const form = z.object({
  merchantId: whole(1),
  /** The one that was seen; 0: there was nothing yet. */
  revision,
  ...meantShape(REGISTRATION),
  categoryId: whole(1, 2_147_483_647).nullable().default(null),
  alternative: whole(0, 50).default(0),
  certificates: z
    .array(z.object({ name: lineText.min(1).max(200), documentId: id }))
    .max(LIMITS.certificates)
    .default([]),
  headImageId: paper,
  idFrontId: paper,
  idBackId: paper,
  licenceId: paper,
})

const Shown = {
  id: z.number(),
  state: z.enum(Object.keys(DOCUMENT_STATES) as [DocumentState, ...DocumentState[]]),
  width: z.number(),
  height: z.number(),
  expiresOn: z.string().nullable(),
  isLongTerm: z.boolean(),
}

const Standing = z.object({
  /** Null: nothing was kept yet. */
  id: z.number().nullable(),
  revision: z.number(),
  kind: z.enum(Object.keys(APPLICATION_KINDS) as [ApplicationKind, ...ApplicationKind[]]),
  state: state.nullable(),
  merchantId: z.number(),
  shopName: z.string(),
  account: z.string(),
  agentId: z.number(),
  agentName: z.string(),
  companyName: z.string(),
  companyCode: z.string(),
  legalPersonWechatMasked: z.string(),
  legalPersonName: z.string(),
  servicePhone: z.string(),
  programName: z.string(),
  programType: programType.nullable(),
  intro: z.string(),
  categoryId: z.number().nullable(),
  categoryName: z.string(),
  alternative: z.number(),
  certificates: z.array(z.object({ name: z.string(), ...Shown })),
  papers: z.array(z.object({ name: z.enum(PAPER_NAMES), ...Shown })),
  reason: z.string(),
  verificationStatus: z.enum(
    Object.keys(VERIFICATION_STATUSES) as [VerificationStatus, ...VerificationStatus[]],
  ),
  createdAt: z.string().nullable(),
  submittedByName: z.string(),
  submittedAt: z.string().nullable(),
  handledByName: z.string(),
  handledAt: z.string().nullable(),
  deletedByName: z.string(),
  deletedAt: z.string().nullable(),
  /** Why nothing can be changed now. */
  editRefusal: z.string().nullable(),
  /** Within so many hours staff answer. */
  hours: z.number(),
})

const Saved = z.object({ id: z.number(), revision: z.number(), state })
const Row = z.object({ ...outputShape(APPLICATION_FIELDS, 'row'), revision: z.number() })
const Counts = z.object({
  draft: z.number(),
  pending: z.number(),
  approved: z.number(),
  rejected: z.number(),
})
const STALE = ['programApplications', 'documents', 'inbox']
const edit = 'programApplications.edit'
const decide = 'programApplications.decide'
const seen = z.object({ id, revision })

export const programApplications = {
  /** `counts` of each state over all that one may see and nobody deleted; up to 10,000. */
  list: op(
    { permission: 'programApplications.list' },
    { method: 'GET', path: '/program-applications', summary: 'Applications of shops for mini programs' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(APPLICATIONS)))
    .output(pageOf(Row).extend({ counts: Counts, shopsCapped: z.boolean() })),
  details: op(
    { permission: 'programApplications.list' },
    { method: 'GET', path: '/program-applications/{id}', summary: 'One application with its papers' },
  )
    .input(z.object({ id }))
    .output(Standing),
  /** By the account that the shop signs in with. */
  find: op(
    { permission: edit },
    { method: 'GET', path: '/program-applications/shop', summary: 'The shop of an account' },
  )
    .errors(errorsOf({ ACCOUNT_UNKNOWN: FORM_REFUSALS.ACCOUNT_UNKNOWN }))
    .input(z.object({ account: accountText.min(1).max(50) }))
    .output(z.object({ merchantId: z.number(), shopName: z.string(), agentName: z.string() })),
  /** The application of a shop, or what a new one begins with. */
  ofShop: op(
    { permission: edit },
    { method: 'GET', path: '/program-applications/of-shop', summary: 'The application of one shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(Standing),
  /** Those that one may choose, for whoever fills in. */
  categories: op(
    { permission: edit },
    { method: 'GET', path: '/program-applications/categories', summary: 'Categories to choose from' },
  ).output(CategoryList),
  /** What the platform says of a name; `words` in Chinese. Never a refusal: who types goes on. */
  checkName: op(
    { permission: edit, detached: true },
    { method: 'GET', path: '/program-applications/name', summary: 'Whether a name may be had' },
  )
    .input(z.object({ name: lineText.min(1).max(100) }))
    .output(
      z.object({
        standing: z.enum(Object.keys(NAME_STANDINGS) as [NameStanding, ...NameStanding[]]),
        words: z.string(),
      }),
    ),
  /** Keeps a draft, of which nothing need be whole; what waits for staff is mended by them and stays whole. */
  save: op(
    { permission: edit, log: '保存小程序申请', stale: STALE },
    { method: 'PUT', path: '/program-applications', summary: 'Keep an application as a draft' },
  )
    .errors(errorsOf(SAVE_REFUSALS))
    .input(form)
    .output(Saved),
  submit: op(
    { permission: edit, log: '提交小程序申请', stale: STALE },
    { method: 'POST', path: '/program-applications', summary: 'Hand in an application' },
  )
    .errors(errorsOf(SAVE_REFUSALS))
    .input(form)
    .output(Saved),
  /** The shop has a mini program already, which its owner authorises. */
  addExisting: op(
    { permission: edit, log: '登记已有小程序', stale: STALE },
    {
      method: 'POST',
      path: '/program-applications/existing',
      summary: 'Record that a shop has a mini program already',
    },
  )
    .errors(errorsOf(SAVE_REFUSALS))
    .input(z.object({ merchantId: whole(1), programType }))
    .output(Saved),
  setType: op(
    { permission: edit, log: '修改小程序类别', stale: STALE },
    {
      method: 'PUT',
      path: '/program-applications/{id}/type',
      summary: 'What a mini program that exists already is for',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(seen.extend({ programType }))
    .output(Saved),
  /** `revision`: what was looked at. Who comes second is told who was first. */
  approve: op(
    { permission: decide, log: '通过小程序申请', stale: STALE },
    { method: 'POST', path: '/program-applications/{id}/approval', summary: 'Approve an application' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(seen)
    .output(Saved),
  reject: op(
    { permission: decide, log: '驳回小程序申请', stale: STALE },
    {
      method: 'POST',
      path: '/program-applications/{id}/rejection',
      summary: 'Reject an application with a reason',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(seen.extend({ reason: linesText.max(500) }))
    .output(Saved),
  remove: op(
    { permission: 'programApplications.remove', log: '删除小程序申请', stale: STALE },
    { method: 'POST', path: '/program-applications/{id}/removal', summary: 'Delete an application' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(seen)
    .output(Saved),
  restore: op(
    { permission: 'programApplications.remove', log: '恢复小程序申请', stale: STALE },
    {
      method: 'POST',
      path: '/program-applications/{id}/restoration',
      summary: 'Bring a deleted application back',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(seen)
    .output(Saved),
}

export const applicationDownloads = {
  /** It asks for a fresh second factor, as the papers of a shop do. */
  zip: download({
    permission: 'documents.take',
    stepUp: true,
    log: '打包下载小程序资料',
    path: '/program-applications/{id}/zip',
    fileName: '小程序资料',
    calledAfter: 'id',
    format: 'zip',
    input: z.object({ id }),
    told: ({ id }) => [[APPLICATION_FIELDS.id.label, String(id)]],
  }),
}
