import { FORM_REFUSALS, PROGRAM_TYPE_KEYS } from '#features/programs/program-applications/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { listInput, meantShape, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, whole } from '#kit/declare/page.ts'
import { linesText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { FLOW_FIELDS, FLOWS, REGISTRANT } from './fields.ts'
import {
  FLOW_REFUSALS,
  FLOW_STATE_KEYS,
  LAUNCH_STANDINGS,
  LAUNCH_STEPS,
  type LaunchStanding,
  type LaunchStepKey,
  LIMITS,
  type NextStep,
  OWNER_REFUSALS,
  OWNER_STANDINGS,
  type OwnerStanding,
  REAL_NAMES,
  type RealName,
  TURNS,
  type Turn,
} from './rules.ts'

const id = whole(1)
const Next = {
  action: z.enum(['create', 'look', 'authorize', 'verify']).nullable() satisfies z.ZodType<
    NextStep['action']
  >,
  label: z.string(),
  waits: z.string(),
  turn: z.enum(Object.keys(TURNS) as [Turn, ...Turn[]]).nullable(),
}
const Row = z.object({
  ...outputShape(FLOW_FIELDS, 'row'),
  /** Of the application. */
  revision: z.number(),
  /** What the one button of the row says and does; null: nothing can be pressed. */
  action: Next.action,
  label: Next.label,
})
const Changing = z.object({ value: z.string(), used: z.number(), quota: z.number() })

const Flow = z.object({
  id: z.number(),
  /** Of the application. */
  revision: z.number(),
  merchantId: z.number(),
  shopName: z.string(),
  account: z.string(),
  agentName: z.string(),
  kind: z.enum(['registration', 'existing']),
  programName: z.string(),
  programType: z.enum(PROGRAM_TYPE_KEYS).nullable(),
  companyName: z.string(),
  companyCode: z.string(),
  legalPersonName: z.string(),
  legalPersonWechatMasked: z.string(),
  servicePhone: z.string(),
  state: z.enum(FLOW_STATE_KEYS),
  next: z.object(Next),
  mayAuthorize: z.boolean(),
  mayLook: z.boolean(),
  /** Something is asked of the platform right now. */
  isAsking: z.boolean(),
  message: z.string(),
  appid: z.string().nullable(),
  isAuthorized: z.boolean(),
  authorizedAt: z.string().nullable(),
  scopes: z.array(
    z.object({
      id: z.number(),
      label: z.string(),
      without: z.string(),
      isNeeded: z.boolean(),
      isGiven: z.boolean(),
    }),
  ),
  basicInfo: z
    .object({
      principalName: z.string(),
      realName: z.enum(Object.keys(REAL_NAMES) as [RealName, ...RealName[]]),
      isVerified: z.boolean(),
      nickName: Changing,
      headImage: z.object({ url: z.string(), used: z.number(), quota: z.number() }),
      signature: Changing,
    })
    .nullable(),
  basicInfoAt: z.string().nullable(),
  /** What is needed before a release beside this; empty as long as there is no mini program. */
  launchSteps: z.array(
    z.object({
      key: z.enum(Object.keys(LAUNCH_STEPS) as [LaunchStepKey, ...LaunchStepKey[]]),
      standing: z.enum(Object.keys(LAUNCH_STANDINGS) as [LaunchStanding, ...LaunchStanding[]]),
      waits: z.string(),
      turn: z.enum(Object.keys(TURNS) as [Turn, ...Turn[]]),
    }),
  ),
  remark: z.string(),
  deletedAt: z.string().nullable(),
  handedInAt: z.string().nullable(),
  askedAt: z.string().nullable(),
  /** The newest first, at most 100. */
  answers: z.array(
    z.object({
      id: z.number(),
      at: z.string(),
      title: z.string(),
      code: z.string(),
      words: z.string(),
      advice: z.string(),
      isTrouble: z.boolean(),
    }),
  ),
})

const STALE = ['programFlow', 'programApplications']
const edit = 'programFlow.edit'
const errors = errorsOf({
  ...FORM_REFUSALS,
  ...FLOW_REFUSALS,
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
})
const ownerErrors = errorsOf(OWNER_REFUSALS)
/** Unguessable; one that is nobody's and one that was used are answered alike. */
const code = z.string().regex(/^[gr][0-9a-z]{1,12}~[0-9a-z]{1,12}~[\w-]{43}$/)
const unshown = 'a page without an account asks again by itself'
const Done = z.object({ state: z.enum(FLOW_STATE_KEYS) })

/** `id` is the application's everywhere. */
export const programFlow = {
  list: op(
    { permission: 'programFlow.list' },
    { method: 'GET', path: '/program-flow', summary: 'Mini programs on their way to a release' },
  )
    .errors(errorsOf({ SEARCH_TOO_SHORT: MERCHANT_REFUSALS.SEARCH_TOO_SHORT }))
    .input(z.object(listInput(FLOWS)))
    .output(pageOf(Row).extend({ shopsCapped: z.boolean() })),
  details: op(
    { permission: 'programFlow.list' },
    { method: 'GET', path: '/program-flow/{id}', summary: 'Where a mini program stands at the platform' },
  )
    .input(z.object({ id }))
    .output(Flow),
  /** `revision`: the application that was seen. The platform is asked behind it; pressed again, it is asked once. */
  create: op(
    { permission: edit, log: '提交创建小程序', stale: STALE },
    {
      method: 'POST',
      path: '/program-flow/{id}/creation',
      summary: 'Have the platform register a mini program',
    },
  )
    .errors(errors)
    .input(z.object({ id, revision: whole(0), ...meantShape(REGISTRANT) }))
    .output(Done),
  /** Has the platform asked at once; no more often than every few seconds. */
  look: op(
    { permission: edit, ephemeral: true, stale: STALE },
    { method: 'POST', path: '/program-flow/{id}/look', summary: 'Ask the platform again' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  /** Where the owner authorises: an address of one use, which comes back to the page of the flow. */
  authorizeLink: op(
    { permission: edit, ephemeral: true, detached: true },
    { method: 'POST', path: '/program-flow/{id}/authorization-link', summary: 'Where an owner authorises' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(z.object({ url: z.string(), until: z.string() })),
  /** An address for the owner's own phone: it works once, for three days, and shows no more than the owner needs. */
  ownerLink: op(
    { permission: edit, ephemeral: true },
    {
      method: 'POST',
      path: '/program-flow/{id}/owner-link',
      summary: 'An address at which an owner authorises',
    },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(z.object({ url: z.string(), until: z.string() })),
  /** Public. */
  ownerPage: op(
    { permission: 'public' },
    { method: 'GET', path: '/program-flow/owner/{code}', summary: 'What the owner at such an address needs' },
  )
    .errors(ownerErrors)
    .input(z.object({ code }))
    .output(
      z.object({
        shopName: z.string(),
        agentName: z.string(),
        programName: z.string(),
        until: z.string(),
        standing: z.enum(Object.keys(OWNER_STANDINGS) as [OwnerStanding, ...OwnerStanding[]]),
        title: z.string(),
        words: z.string(),
      }),
    ),
  /** Public. Where the platform asks the owner; of one use. */
  ownerBegin: op(
    { permission: 'public', ephemeral: true, detached: true },
    {
      method: 'POST',
      path: '/program-flow/owner/{code}/authorization-link',
      summary: 'Where the platform asks an owner',
    },
  )
    .errors({ ...ownerErrors, ...errors })
    .input(z.object({ code }))
    .output(z.object({ url: z.string() })),
  /** Public. Answers the address under which the same browser sees what came of it. */
  ownerReturned: op(
    { permission: 'public', unshown, log: '客户提交小程序授权' },
    {
      method: 'POST',
      path: '/program-flow/owner/{code}/authorization',
      summary: 'What an owner brings back from the platform',
    },
  )
    .errors({ ...ownerErrors, ...errors })
    .input(z.object({ code, authCode: madeText.min(1).max(LIMITS.authCode) }))
    .output(z.object({ code: z.string() })),
  /** What the owner's authorisation brought back; the same again changes nothing. */
  returned: op(
    { permission: edit, log: '提交小程序授权', stale: STALE },
    {
      method: 'POST',
      path: '/program-flow/{id}/authorization',
      summary: 'What an authorisation brought back',
    },
  )
    .errors(errors)
    .input(
      z.object({
        id,
        until: whole(1),
        key: madeText.min(1).max(64),
        authCode: madeText.min(1).max(LIMITS.authCode),
      }),
    )
    .output(Done),
  /** What was authorised; once that is verified, whether name, avatar, intro and category are there. */
  verify: op(
    { permission: edit, log: '核对小程序授权与资料', stale: STALE },
    {
      method: 'POST',
      path: '/program-flow/{id}/verification',
      summary: 'Verify what was authorised, then what it shows of itself',
    },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  setRemark: op(
    { permission: edit, log: '修改小程序备注', stale: STALE },
    { method: 'PUT', path: '/program-flow/{id}/remark', summary: 'Note something about a mini program' },
  )
    .errors(errors)
    .input(z.object({ id, remark: linesText.max(500) }))
    .output(Done),
}
