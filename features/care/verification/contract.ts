import { DOCUMENT_STATES, type DocumentState } from '#features/care/documents/rules.ts'
import { VERIFICATION_STATUSES, type VerificationStatus } from '#features/shops/merchants/rules.ts'
import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText, lineText, phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import type { OcrName } from '#kit/ports/ocr.ts'
import { VERIFICATION_FIELDS, VERIFICATIONS } from './fields.ts'
import {
  PAPER_NAMES,
  READ_NAMES,
  READ_PROBLEM_KEYS,
  READ_REFUSALS,
  READERS,
  SAVE_REFUSALS,
  STEP_REFUSALS,
  VERIFICATION_LIMITS,
} from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(200).default('')
const line = lineText.max(200).default('')
const coded = codeText.max(200).default('')
const state = z.enum(Object.keys(VERIFICATION_STATUSES) as [VerificationStatus, ...VerificationStatus[]])
const paper = whole(1).nullable().default(null)
const merchantId = whole(1)
const readName = z.enum(READ_NAMES)
const problem = z.enum(READ_PROBLEM_KEYS)
const reader = z.enum(Object.keys(READERS) as [OcrName, ...OcrName[]])
const revision = whole(0)

export const VERIFICATION_TEXTS = {
  company: line,
  creditCode: coded,
  legalPerson: line,
  personInCharge: line,
  signature: line,
  phone: phoneText.max(200).default(''),
}
/** By warning: at most as long as rules.ts allows, and a little, so that the rules tell what is too long. */
const WARNING_TEXTS = z
  .record(z.string().max(60), linesText.max(200))
  .refine(texts => Object.keys(texts).length <= VERIFICATION_LIMITS.explanations)
  .default({})
export const VERIFICATION_PAPERS = { licenceId: paper, idFrontId: paper, idBackId: paper }

const form = z.object({
  merchantId,
  /** The one that was seen; 0: there was nothing yet. */
  revision,
  ...VERIFICATION_TEXTS,
  ...VERIFICATION_PAPERS,
  /** Null: as it is kept. */
  idNumber: codeText.max(200).nullable().default(null),
  /** Of the SMS that was sent to the phone; not required. */
  code: coded,
  /** Of each warning that stands, why it may. */
  explanations: WARNING_TEXTS,
  /** The request for a signature for which the data are given. */
  requestId: whole(1).nullable().default(null),
})

const Origin = z.object({ by: z.enum(['typed', 'read', 'corrected']), sure: z.number().nullable() })

/** What a reader said of a paper. An ID number is told to whoever asks for the reading itself, and nowhere else. */
const Reading = z.object({
  reader,
  isWeak: z.boolean(),
  fields: z.array(z.object({ name: readName, value: z.string(), sure: z.number() })),
  /** In sentences. */
  warnings: z.array(problem),
  problem: problem.nullable(),
  /** Whether asking again may help. */
  mayAsk: z.boolean(),
})

const Paper = z.object({
  name: z.enum(PAPER_NAMES),
  id: z.number(),
  state: z.enum(Object.keys(DOCUMENT_STATES) as [DocumentState, ...DocumentState[]]),
  width: z.number(),
  height: z.number(),
  expiresOn: z.string().nullable(),
  isLongTerm: z.boolean(),
  reading: Reading.nullable(),
})

/** What speaks against the data, what whoever handed them in said of it, and whoever verified. */
const Warned = z.object({ key: z.string(), text: z.string(), explanation: z.string(), answer: z.string() })

const Verification = z.object({
  merchantId: z.number(),
  shopName: z.string(),
  revision: z.number(),
  state,
  reason: z.string(),
  advice: z.string(),
  company: z.string(),
  creditCode: z.string(),
  legalPerson: z.string(),
  personInCharge: z.string(),
  signature: z.string(),
  phone: z.string(),
  phoneVerifiedAt: z.string().nullable(),
  /** Masked; empty: none is kept. */
  idNumberMasked: z.string(),
  papers: z.array(Paper),
  origins: z.partialRecord(readName, Origin),
  warnings: z.array(Warned),
  /** The signature that the shop goes by now; another one is asked for along with the data. */
  standingSignature: z.string(),
  savedByName: z.string(),
  savedAt: z.string().nullable(),
  submittedByName: z.string(),
  submittedAt: z.string().nullable(),
  handledByName: z.string(),
  handledAt: z.string().nullable(),
  /** Why nothing can be changed now. */
  editRefusal: z.string().nullable(),
  /** Who reads papers here; null: nobody. */
  reader: z.object({ name: reader, isWeak: z.boolean() }).nullable(),
  /** Within so many hours staff answer. */
  hours: z.number(),
})

const Saved = z.object({ revision: z.number(), state })
const Kept = Saved.extend({ warnings: z.array(Warned) })
const STALE = ['verification', 'approvals', 'merchants', 'documents', 'agentDesk', 'renewals', 'dashboard']
const edit = 'verification.edit'
const decide = 'verification.decide'
const decided = { merchantId, revision }

export const verification = {
  ofShop: op(
    { permission: 'verification.view' },
    { method: 'GET', path: '/verification/shop', summary: 'The verification data of one shop' },
  )
    .input(z.object({ merchantId }))
    .output(Verification),
  /** Keeps a draft; nothing need be whole. */
  save: op(
    { permission: edit, log: '保存实名资料', stale: STALE },
    { method: 'PUT', path: '/verification/shop', summary: 'Keep the verification data of a shop as a draft' },
  )
    .errors(errorsOf(SAVE_REFUSALS))
    .input(form)
    .output(Kept),
  submit: op(
    { permission: edit, log: '提交实名资料', stale: STALE },
    {
      method: 'POST',
      path: '/verification/submission',
      summary: 'Hand in the verification data of a shop',
    },
  )
    .errors(errorsOf(SAVE_REFUSALS))
    .input(form)
    .output(Saved),
  withdraw: op(
    { permission: edit, log: '撤回实名资料', stale: STALE },
    { method: 'POST', path: '/verification/withdrawal', summary: 'Take back what is in review' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ merchantId }))
    .output(Saved),
  /**
   * Asks the reader of papers; what it read already is told again without asking. What went wrong is part of the answer. That the paper
   * was opened and what came of it are rows of the log about the paper.
   */
  read: op(
    { permission: edit, ephemeral: true, detached: true, stale: ['verification', 'documents'] },
    { method: 'POST', path: '/verification/readings', summary: 'Have a paper of a shop read' },
  )
    .errors(errorsOf(READ_REFUSALS))
    .input(z.object({ documentId: whole(1) }))
    .output(Reading),
  /** Each time a row of the log about the paper on which it stands. */
  reveal: op(
    { permission: 'verification.reveal', ephemeral: true, forKeys: false },
    {
      method: 'POST',
      path: '/verification/id-number',
      summary: 'The whole ID number; each reading is logged',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ merchantId }))
    .output(z.object({ idNumber: z.string() })),
  reviews: op(
    { permission: 'verification.reviews' },
    { method: 'GET', path: '/verification', summary: 'Verification data that shops have handed in' },
  )
    .input(z.object(listInput(VERIFICATIONS)))
    .output(pageOf(z.object({ ...outputShape(VERIFICATION_FIELDS, 'row'), revision: z.number() }))),
  reasons: op(
    { permission: decide },
    { method: 'GET', path: '/verification/reasons', summary: 'Why data may be rejected, with the advice' },
  ).output(z.object({ reasons: z.array(z.object({ name: z.string(), advice: z.string() })) })),
  /** `revision`: what was looked at; `answers`: what was made of each warning. Who comes second is told who was first. */
  verify: op(
    { permission: decide, log: '通过实名资料', stale: STALE },
    { method: 'POST', path: '/verification/verified', summary: 'Verify a shop by its data' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ ...decided, answers: WARNING_TEXTS }))
    .output(Saved),
  /** Also of what was verified. */
  reject: op(
    { permission: decide, log: '驳回实名资料', stale: STALE },
    { method: 'POST', path: '/verification/rejected', summary: 'Reject verification data with a reason' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ ...decided, reason: text, advice: text }))
    .output(Saved),
}
