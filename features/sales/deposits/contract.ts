import { START_REFUSALS } from '#features/sales/payments/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { codeText, linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { DEPOSIT_FIELDS, DEPOSITS } from './fields.ts'
import {
  ASK_REFUSALS,
  DEPOSIT_KIND_KEYS,
  DEPOSIT_STATES,
  type DepositState,
  PAY_REFUSALS,
  REQUEST_KIND_KEYS,
  REQUEST_STATES,
  type RequestState,
  STEP_REFUSALS,
} from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const reason = linesText.max(300)
const id = whole(1)
const fen = z.number().int().nullable()
const state = z.enum(Object.keys(DEPOSIT_STATES) as [DepositState, ...DepositState[]])
const requestState = z.enum(Object.keys(REQUEST_STATES) as [RequestState, ...RequestState[]])
const code = codeText.min(1).max(64)

const Row = z.object(outputShape(DEPOSIT_FIELDS, 'row'))

const Request = z.object({
  id: z.number(),
  kind: z.enum(REQUEST_KIND_KEYS),
  amountFen: z.number(),
  reason: z.string(),
  state: requestState,
  /** Asked for by whoever looks. */
  isOwn: z.boolean(),
  askedByName: z.string(),
  askedAt: z.string(),
  decidedByName: z.string(),
  decidedAt: z.string().nullable(),
  answer: z.string(),
  /** Of the refund by its channel, with what the channel said last. */
  refundNo: z.string(),
  providerWords: z.string(),
  receiptNo: z.string(),
  paidOutByName: z.string(),
  doneAt: z.string().nullable(),
})

const Deposit = Row.extend({
  cancelledByName: z.string(),
  cancelReason: z.string(),
  cancelledAt: z.string().nullable(),
  /** Where it is paid, while it waits for that. */
  payUrl: z.string().nullable(),
  requests: z.array(Request),
})

const Moved = z.object({ id: z.number(), state, heldFen: z.number() })
const STALE = ['deposits', 'inbox']
const SEARCHED = errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT })
const decide = 'deposits.decide'

export const deposits = {
  /** `counts` of each state over all that one may see, up to 10,000; `sumHeldFen` over what is filtered. */
  list: op(
    { permission: 'deposits.list' },
    { method: 'GET', path: '/deposits', summary: 'Deposits of shops' },
  )
    .errors(SEARCHED)
    .input(z.object(listInput(DEPOSITS)))
    .output(
      pageOf(Row).extend({
        counts: z.record(state, z.number()),
        sumHeldFen: z.number(),
        shopsCapped: z.boolean(),
      }),
    ),
  details: op(
    { permission: 'deposits.list' },
    { method: 'GET', path: '/deposits/{id}', summary: 'One deposit with what was asked of it' },
  )
    .input(z.object({ id }))
    .output(Deposit),
  /** What a shop has deposited and what it is asked for. */
  ofShop: op(
    { permission: 'deposits.list' },
    { method: 'GET', path: '/deposits/of-shop', summary: 'What is held of one shop' },
  )
    .input(z.object({ merchantId: whole(1) }))
    .output(z.object({ heldFen: z.number(), waiting: z.number() })),
  /** The vendor's staff alone: what the vendor holds, it has asked for. */
  ask: op(
    { permission: 'deposits.ask', log: '收取押金', idempotent: true, stale: STALE },
    { method: 'POST', path: '/deposits', summary: 'Ask a shop for a deposit' },
  )
    .errors(errorsOf(ASK_REFUSALS))
    .input(
      z.object({
        merchantId: whole(1).nullable(),
        kind: z.enum(DEPOSIT_KIND_KEYS),
        subject: lineText.max(300),
        amountFen: fen,
      }),
    )
    .output(z.object({ id: z.number(), orderNo: z.string(), payUrl: z.string() })),
  /** While it is not paid. What is paid for it later goes back. */
  cancel: op(
    { permission: 'deposits.ask', log: '取消押金', stale: STALE },
    { method: 'POST', path: '/deposits/{id}/cancellation', summary: 'Call a deposit off' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, reason }))
    .output(Moved),
  /** `heldFen`: what was seen. By the shop's agent or by staff; to keep it, by staff. */
  request: op(
    { permission: 'deposits.request', log: '申请处理押金', idempotent: true, stale: STALE },
    {
      method: 'POST',
      path: '/deposits/{id}/requests',
      summary: 'Ask to give back or keep some of a deposit',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, kind: z.enum(REQUEST_KIND_KEYS), amountFen: fen, heldFen: z.number(), reason }))
    .output(Moved),
  withdraw: op(
    { permission: 'deposits.request', log: '撤回押金申请', stale: STALE },
    {
      method: 'POST',
      path: '/deposits/requests/{id}/withdrawal',
      summary: 'Take back what one has asked for',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id }))
    .output(Moved),
  /** By another than who asked, whoever they are. */
  approve: op(
    { permission: decide, log: '通过押金申请', idempotent: true, stale: STALE, stepUp: true },
    {
      method: 'POST',
      path: '/deposits/requests/{id}/approval',
      summary: 'Give back or keep what was asked for',
    },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id }))
    .output(Moved),
  reject: op(
    { permission: decide, log: '驳回押金申请', stale: STALE },
    { method: 'POST', path: '/deposits/requests/{id}/rejection', summary: 'Turn down what was asked for' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, reason }))
    .output(Moved),
  /** What no channel gives back, or its channel has refused. */
  payOut: op(
    { permission: decide, log: '登记押金线下退款', idempotent: true, stale: STALE, stepUp: true },
    { method: 'POST', path: '/deposits/requests/{id}/payout', summary: 'Say that it was paid out by hand' },
  )
    .errors(errorsOf(STEP_REFUSALS))
    .input(z.object({ id, receiptNo: lineText.max(100) }))
    .output(Moved),
  /** Public. What whoever has the address is shown. */
  page: op(
    { permission: 'public' },
    { method: 'GET', path: '/deposits/pay/{code}', summary: 'What a shop is asked for' },
  )
    .input(z.object({ code }))
    .output(
      z.object({
        shopName: z.string(),
        subject: z.string(),
        amountFen: z.number(),
        state,
        paidAt: z.string().nullable(),
        payee: z.string(),
      }),
    ),
  /** Public. The order that can still be paid, or a new one. */
  pay: op(
    { unshown: 'a page without an account asks again by itself', permission: 'public', log: '支付押金' },
    { method: 'POST', path: '/deposits/pay/{code}', summary: 'Begin to pay a deposit by QR' },
  )
    .errors(errorsOf({ ...PAY_REFUSALS, ...START_REFUSALS }))
    .input(z.object({ code }))
    .output(z.object({ payUrl: z.string() })),
}

export const depositDownloads = { list: fileOf(DEPOSITS) }

export type DepositRow = Out<typeof deposits.list>['rows'][number]
export type DepositData = Out<typeof deposits.details>
export type RequestData = DepositData['requests'][number]
