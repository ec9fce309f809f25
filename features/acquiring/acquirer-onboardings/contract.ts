import { DOCUMENT_STATES, type DocumentState } from '#features/care/documents/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { fileOf, listInput, outputShape } from '#kit/declare/list-input.ts'
import { download, errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { accountText, codeText, linesText, lineText, phoneText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { ACQUIRER_KEYS, ACQUIRER_PAPER_KEYS, ACQUIRER_SOURCE_KEYS } from '#kit/ports/acquirers.ts'
import { ACQUIRER_ONBOARDINGS, ACQUIRER_ONBOARDING_FIELDS as FIELDS } from './fields.ts'
import {
  HANDING_IN_STATES,
  MERCHANT_STANDING_KEYS,
  REASON_FIELD_KEYS,
  REFUSALS,
  TEST_STATE_KEYS,
} from './rules.ts'

const id = whole(1)
/** Of what was looked at. */
const revision = whole(1)
/** Bounded above what fields.ts allows, so that the rules tell what is too long. */
const line = lineText.max(300).default('')
const reasons = z.partialRecord(z.enum(REASON_FIELD_KEYS), linesText.max(300))
const channel = z.enum(ACQUIRER_KEYS)

const completion = {
  shortName: line,
  category: line,
  contactName: line,
  contactPhone: phoneText.max(40).default(''),
  email: line,
  rate: line,
  accountName: line,
}

const Row = z.object({ ...outputShape(FIELDS, 'row'), revision: z.number() })
const Counts = z.object({
  ...{ draft: z.number(), pending: z.number(), approved: z.number(), rejected: z.number() },
  ...{ waiting: z.number(), sent: z.number(), opened: z.number(), refused: z.number() },
})
const Paper = z.object({
  paper: z.enum(ACQUIRER_PAPER_KEYS),
  id: z.number(),
  state: z.enum(Object.keys(DOCUMENT_STATES) as [DocumentState, ...DocumentState[]]),
  width: z.number(),
  height: z.number(),
})
const Shown = Row.omit({ reason: true }).extend({
  reasons,
  payType: z.enum(['corporate', 'private']),
  ...completion,
  accountNumberMasked: z.string(),
  /** What the acquirer's form asks, in its order and names; of numbers of people and accounts the masked ones. */
  lines: z.array(
    z.object({
      ...{ name: z.string(), source: z.enum(ACQUIRER_SOURCE_KEYS) },
      ...{ value: z.string(), required: z.boolean() },
    }),
  ),
  /** The pictures that it asks for; null: there is none yet. */
  pictures: z.array(
    z.object({
      fileName: z.string(),
      kind: z.enum(ACQUIRER_PAPER_KEYS),
      required: z.boolean(),
      paper: Paper.nullable(),
    }),
  ),
  lacking: z.array(
    z.object({
      field: z.string(),
      words: z.string(),
      home: z.enum(['shop', 'identity', 'account', 'here', 'papers']),
    }),
  ),
  /** By which number the shop was last said to be paid. */
  handedOverCode: z.string(),
  editRefusal: z.string().nullable(),
  /** Whether it is handed in by the acquirer's protocol, how far that is, and why its last round came to nothing. */
  isConnected: z.boolean(),
  handingIn: z.enum(HANDING_IN_STATES),
  serviceMessage: z.string(),
  /** The acquirer's own number of the application; empty: it has none. */
  applicationId: z.string(),
  askedAt: z.string().nullable(),
  /** It is being asked at the moment where it stands. */
  isBeingAsked: z.boolean(),
  /** The latest payments of one fen, the newest first; `codeUrl` empty where nothing is to be paid. */
  testPayments: z.array(
    z.object({
      ...{ id: z.number(), state: z.enum(TEST_STATE_KEYS), reason: z.string(), codeUrl: z.string() },
      ...{ startedByName: z.string(), createdAt: z.string() },
      ...{ paidAt: z.string().nullable(), refundedAt: z.string().nullable() },
      /** By hand: what was done, by whom, and who looked at it, too. */
      ...{ settleReason: z.string(), settledByName: z.string(), settledAt: z.string().nullable() },
      ...{ checkedByName: z.string(), checkedAt: z.string().nullable() },
      ...{ settleRefusal: z.string().nullable(), checkRefusal: z.string().nullable() },
    }),
  ),
  /** Why no payment can be tried; null: it can. */
  testRefusal: z.string().nullable(),
  /** Where a simulated phone pays codes; null: none is simulated. */
  phoneUrl: z.string().nullable(),
  /** Within so many hours staff answer. */
  hours: z.number(),
})

const Changed = z.object({ id: z.number(), revision: z.number() })
const STALE = ['acquirerOnboardings', 'inbox']
const edit = 'acquirerOnboardings.edit'
const decide = 'acquirerOnboardings.decide'

const Preview = z.object({
  methodName: z.string(),
  /** Value by value, what the point of sale has and would get; of keys only whether they are set. */
  changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
  /** The method whose place it would take; null: none. */
  replaces: z.object({ methodId: z.number(), name: z.string() }).nullable(),
  /** What the key is called that is typed; null: the method has none. */
  secretLabel: z.string().nullable(),
  isSecretSet: z.boolean(),
  /** Why it cannot be handed over, whatever is said. */
  refusal: z.string().nullable(),
})

export const acquirerOnboardings = {
  /** `counts` of each state over all that one may see; up to 10,000. */
  list: op(
    { permission: 'acquirerOnboardings.list' },
    { method: 'GET', path: '/acquirer-onboardings', summary: 'Shops that are brought in to acquirers' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(ACQUIRER_ONBOARDINGS)))
    .output(pageOf(Row).extend({ counts: Counts, shopsCapped: z.boolean() })),
  details: op(
    { permission: 'acquirerOnboardings.list' },
    {
      method: 'GET',
      path: '/acquirer-onboardings/{id}',
      summary: 'What an acquirer asks of a shop, and where the shop stands there',
    },
  )
    .input(z.object({ id }))
    .output(Shown),
  /** `account`: what the shop signs in with. What is known of the shop is there at once. */
  begin: op(
    { permission: edit, log: '新建收单进件', stale: STALE },
    { method: 'POST', path: '/acquirer-onboardings', summary: 'Begin to bring a shop in to an acquirer' },
  )
    .errors(
      errorsOf({
        ACCOUNT_UNKNOWN: REFUSALS.ACCOUNT_UNKNOWN,
        ALREADY_BEGUN: REFUSALS.ALREADY_BEGUN,
        MERCHANT_DISABLED: REFUSALS.MERCHANT_DISABLED,
      }),
    )
    .input(z.object({ account: accountText.min(1).max(50), channel }))
    .output(Changed),
  /** Nothing need be whole. `accountNumber` empty: as it is kept. */
  complete: op(
    { permission: edit, log: '填写进件资料', stale: STALE },
    {
      method: 'PUT',
      path: '/acquirer-onboardings/{id}',
      summary: 'Complete what an acquirer asks of a shop',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision, ...completion, accountNumber: codeText.max(60).default('') }))
    .output(Changed),
  submit: op(
    { permission: edit, log: '提交收单进件', stale: [...STALE, 'documents'] },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/submission',
      summary: 'Hand in what an acquirer asks of a shop, for staff to look at',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision }))
    .output(Changed),
  approve: op(
    { permission: decide, log: '通过收单进件', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/approval',
      summary: 'Approve what a shop is brought in with',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision }))
    .output(Changed),
  /** `reasons`: by field, what is wrong with it. */
  reject: op(
    { permission: decide, log: '驳回收单进件', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/rejection',
      summary: 'Send it back with a reason for each field',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision, reasons }))
    .output(Changed),
  /** By the acquirer's protocol: it is written down, and handed in at once by the program. Stuck, it is tried again. */
  handIn: op(
    { permission: decide, log: '提交收单渠道', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/handing-in',
      summary: "Hand it in by the acquirer's protocol",
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision }))
    .output(Changed),
  /** At once, where it was handed in by the protocol; the answer is kept in the log. */
  ask: op(
    { permission: decide, log: '查询渠道审核结果', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/asking',
      summary: 'Have the acquirer asked at once where an application stands',
    },
  )
    .errors(
      errorsOf({
        INACTIVE: REFUSALS.INACTIVE,
        NOT_HANDED_IN: REFUSALS.NOT_HANDED_IN,
        ASKING_ALREADY: REFUSALS.ASKING_ALREADY,
        ASKED_JUST_NOW: REFUSALS.ASKED_JUST_NOW,
        NOT_CONNECTED: REFUSALS.NOT_CONNECTED,
      }),
    )
    .input(z.object({ id }))
    .output(Changed),
  send: op(
    { permission: decide, log: '登记进件已送达渠道', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/sending',
      summary: 'Say that it was brought to the acquirer',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision }))
    .output(Changed),
  /** Its agent mends it, and it is approved anew. */
  refuse: op(
    { permission: decide, log: '登记渠道驳回', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/refusal',
      summary: 'Say that the acquirer refused it, with a reason for each field',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision, reasons }))
    .output(Changed),
  /** The acquirer has taken the shop on by this number. */
  setCode: op(
    { permission: decide, log: '填写渠道商户编号', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/code',
      summary: "Say the acquirer's number of a merchant",
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id, revision, code: codeText.max(100) }))
    .output(Changed),
  setMerchantStatus: op(
    { permission: decide, log: '变更进件商户状态', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/merchant-status',
      summary: 'Say how a merchant stands at its acquirer',
    },
  )
    .errors(errorsOf({ NO_CODE: REFUSALS.NO_CODE }))
    .input(z.object({ id, revision, merchantStatus: z.enum(MERCHANT_STANDING_KEYS) }))
    .output(Changed),
  setActive: op(
    { permission: decide, log: '启用或停用进件', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/active',
      summary: 'Put it aside, or take it up again',
    },
  )
    .input(z.object({ id, revision, isActive: z.boolean() }))
    .output(Changed),
  setRemark: op(
    { permission: edit, log: '修改进件备注', stale: STALE },
    { method: 'POST', path: '/acquirer-onboardings/{id}/remark', summary: 'Remark on it' },
  )
    .input(z.object({ id, revision, remark: linesText.max(600) }))
    .output(Changed),
  /** What the point of sale would get. */
  preview: op(
    { permission: decide },
    {
      method: 'GET',
      path: '/acquirer-onboardings/{id}/hand-over',
      summary: 'What handing over the payment configuration would change',
    },
  )
    .input(z.object({ id }))
    .output(Preview),
  /** `insteadOf`: the method whose place it may take. An empty `secret` is the one that the shop has. */
  handOver: op(
    { permission: decide, log: '交接收款配置', stale: [...STALE, 'merchants'] },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/hand-over',
      summary: 'Have a shop paid through its acquirer',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(
      z.object({
        ...{ id, revision },
        secret: secretText.max(200).default(''),
        insteadOf: whole(0).nullable().default(null),
      }),
    )
    .output(Changed),
  /** One fen through what was handed over, and back at once; one that is under way is answered as it is. */
  testPay: op(
    { permission: decide, log: '登记测试支付', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/test-payments',
      summary: 'Try the payment configuration with one fen',
    },
  )
    .errors(errorsOf(REFUSALS))
    .input(z.object({ id }))
    .output(z.object({ id, testPaymentId: id })),
  /** One of two: that what the acquirer does not bring back was seen to by hand. */
  settleTest: op(
    { permission: decide, log: '登记测试支付人工处理', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/test-payments/{testPaymentId}/settling',
      summary: 'Say that a payment of one fen which does not come back was seen to by hand',
    },
  )
    .errors(errorsOf({ TEST_NOT_STUCK: REFUSALS.TEST_NOT_STUCK, TEST_SETTLING: REFUSALS.TEST_SETTLING }))
    .input(z.object({ id, testPaymentId: id, settleReason: linesText.max(600) }))
    .output(z.object({ id, testPaymentId: id })),
  /** The other one; not right, it is open again as before. */
  checkTest: op(
    { permission: decide, log: '复核测试支付人工处理', stale: STALE },
    {
      method: 'POST',
      path: '/acquirer-onboardings/{id}/test-payments/{testPaymentId}/check',
      summary: 'Look at what another has seen to by hand, and end it or not',
    },
  )
    .errors(
      errorsOf({
        TEST_NOT_SETTLING: REFUSALS.TEST_NOT_SETTLING,
        TEST_SETTLED_BY_YOU: REFUSALS.TEST_SETTLED_BY_YOU,
        TEST_ASKED_NOW: REFUSALS.TEST_ASKED_NOW,
      }),
    )
    .input(z.object({ id, testPaymentId: id, isRight: z.boolean() }))
    .output(z.object({ id, testPaymentId: id })),
}

export const acquirerDownloads = {
  list: fileOf(ACQUIRER_ONBOARDINGS),
  /** What its form asks, as it asks it, with whole numbers: it asks for a fresh second factor. */
  package: download({
    permission: decide,
    stepUp: true,
    log: '下载进件资料包',
    path: '/acquirer-onboardings/{id}/package',
    fileName: '进件资料包',
    calledAfter: 'id',
    format: 'zip',
    input: z.object({ id }),
    told: ({ id: asked }) => [[FIELDS.id.label, String(asked)]],
  }),
}
