import { AGAIN_REFUSALS, SIGNATURE_STATE_KEYS, SMS_SERVICES } from '#features/shops/signatures/rules.ts'
import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import {
  CARRIER_STATES,
  CARRIERS,
  type Carrier,
  type CarrierState,
  type SmsProviderName,
} from '#kit/ports/signature-desk.ts'
import { APPROVAL_FIELDS, MEMBER_TITLE_REQUESTS, SHOP_NAME_REQUESTS, SIGNATURE_REQUESTS } from './fields.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_LIMITS,
  APPROVAL_STATES,
  type ApprovalKind,
  type ApprovalState,
  DECISION_REFUSALS,
  REQUEST_REFUSALS,
  WITHDRAW_REFUSALS,
} from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(500)
const kind = z.enum(Object.keys(APPROVAL_KINDS) as [ApprovalKind, ...ApprovalKind[]])

export const ApprovalRow = z.object({
  ...outputShape(APPROVAL_FIELDS, 'row'),
  /** Of GET /api/files/{id}. */
  pictureId: z.string().nullable(),
})

/** What became of one of the requests that were to be decided; `refusal` says why nothing did. */
const Decided = z.object({
  rows: z.array(
    z.object({
      id: z.number(),
      shopName: z.string(),
      content: z.string(),
      refusal: z.string().nullable(),
      /** Where it stands now; `reviewing`: the SMS services decide; null: there is no such request. */
      state: z.enum(Object.keys(APPROVAL_STATES) as [ApprovalState, ...ApprovalState[]]).nullable(),
    }),
  ),
})
const ids = z.array(whole(1)).min(1).max(APPROVAL_LIMITS.rows)

/** A signature of a shop at one SMS service. */
const AtService = z.object({
  id: z.number(),
  requestId: z.number(),
  service: z.enum(Object.keys(SMS_SERVICES) as [SmsProviderName, ...SmsProviderName[]]),
  signature: z.string(),
  state: z.enum(SIGNATURE_STATE_KEYS),
  carriers: z.array(
    z.object({
      carrier: z.enum(Object.keys(CARRIERS) as [Carrier, ...Carrier[]]),
      state: z.enum(Object.keys(CARRIER_STATES) as [CarrierState, ...CarrierState[]]),
    }),
  ),
  serviceId: z.string(),
  code: z.string(),
  /** The service's own words. */
  answer: z.string(),
  handedInAt: z.string().nullable(),
  askedAt: z.string().nullable(),
  nextAt: z.string().nullable(),
  changedAt: z.string(),
  /** Why it cannot be handed in again now. */
  againRefusal: z.string().nullable(),
  /** Whether this service sends what is sent now. */
  sends: z.boolean(),
})

const STALE = ['approvals', 'merchants', 'agentDesk', 'renewals', 'dashboard']

export const approvals = {
  signatures: op(
    { permission: 'approvals.signatures' },
    { method: 'GET', path: '/approvals/signatures', summary: 'Requests for an SMS signature' },
  )
    .input(z.object(listInput(SIGNATURE_REQUESTS)))
    .output(pageOf(ApprovalRow)),
  shopNames: op(
    { permission: 'approvals.shopNames' },
    { method: 'GET', path: '/approvals/shop-names', summary: 'Requests for a store name' },
  )
    .input(z.object(listInput(SHOP_NAME_REQUESTS)))
    .output(pageOf(ApprovalRow)),
  memberTitles: op(
    { permission: 'approvals.memberTitles' },
    { method: 'GET', path: '/approvals/member-titles', summary: 'Requests for a member title' },
  )
    .input(z.object(listInput(MEMBER_TITLE_REQUESTS)))
    .output(pageOf(ApprovalRow)),
  /** What the shop has now, and what it asked for, the latest first. */
  ofShop: op(
    { permission: 'merchants.details' },
    { method: 'GET', path: '/approvals/shop', summary: 'The last requests of one shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(
      z.object({
        standing: z.object({ signature: z.string(), shopName: z.string(), memberTitle: z.string() }),
        /** Within so many hours somebody answers. */
        hours: z.number(),
        rows: z.array(ApprovalRow),
      }),
    ),
  /** What is asked for in place of what a list shows of these shops; so many at most, the latest first. */
  waitingSignatures: op(
    { permission: 'approvals.request' },
    {
      method: 'GET',
      path: '/approvals/waiting-signatures',
      summary: 'Signatures that wait for approval, by shop',
    },
  ).output(
    z.object({
      rows: z.array(
        z.object({ merchantId: z.number(), content: z.string(), state: z.enum(['pending', 'reviewing']) }),
      ),
    }),
  ),
  reasons: op(
    { permission: 'approvals.decide' },
    { method: 'GET', path: '/approvals/reasons', summary: 'Why requests may be rejected, with the advice' },
  ).output(z.object({ reasons: z.array(z.object({ kind, name: z.string(), advice: z.string() })) })),
  /** In place of one that waits, which ends. */
  request: op(
    { permission: 'approvals.request', log: '提交审批申请', stale: STALE },
    { method: 'POST', path: '/approvals', summary: 'Ask for a signature, a store name or a member title' },
  )
    .errors(errorsOf(REQUEST_REFUSALS))
    .input(
      z.object({
        merchantId: whole(1),
        kind,
        content: lineText.max(500),
        note: text.default(''),
        pictureId: z.uuid().nullable().default(null),
        bySms: z.boolean().default(false),
      }),
    )
    .output(z.object({ id: z.number() })),
  withdraw: op(
    { permission: 'approvals.request', log: '撤回审批申请', stale: STALE },
    { method: 'POST', path: '/approvals/{id}/withdrawal', summary: 'Take back a request that waits' },
  )
    .errors(errorsOf(WITHDRAW_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(z.object({ id: z.number() })),
  /** What is approved takes effect at once, a signature once the SMS services that review it have; who comes second is told of the first in the request's own row. */
  approve: op(
    { permission: 'approvals.decide', log: '通过审批申请', stale: STALE },
    { method: 'POST', path: '/approvals/approve', summary: 'Approve requests, each for itself' },
  )
    .errors(errorsOf(DECISION_REFUSALS))
    .input(z.object({ ids }))
    .output(Decided),
  reject: op(
    { permission: 'approvals.decide', log: '驳回审批申请', stale: STALE },
    { method: 'POST', path: '/approvals/reject', summary: 'Reject requests with a reason, each for itself' },
  )
    .errors(errorsOf(DECISION_REFUSALS))
    .input(z.object({ ids, reason: text, advice: text.default('') }))
    .output(Decided),
  /** Where the signatures of a shop stand at the SMS services, the latest first, with what these said. */
  atServices: op(
    { permission: 'approvals.signatures' },
    { method: 'GET', path: '/approvals/at-services', summary: 'A shop’s signatures at the SMS services' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(z.object({ rows: z.array(AtService) })),
  askService: op(
    { permission: 'approvals.decide', log: '查询签名审核结果', stale: STALE },
    {
      method: 'POST',
      path: '/approvals/at-services/{id}/question',
      summary: 'Ask an SMS service now where a signature stands',
    },
  )
    .input(z.object({ id: whole(1) }))
    .output(z.object({ id: z.number() })),
  /** What the service refused, took back, or could not be given. */
  handInAgain: op(
    { permission: 'approvals.decide', log: '重新提交签名审核', stale: STALE },
    {
      method: 'POST',
      path: '/approvals/at-services/{id}/hand-in',
      summary: 'Hand a signature in again at an SMS service',
    },
  )
    .errors(errorsOf(AGAIN_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(z.object({ id: z.number() })),
}
