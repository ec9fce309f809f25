import { FLOW_REFUSALS, FLOW_STATE_KEYS } from '#features/programs/program-flow/rules.ts'
import { REFUSALS as MERCHANT_REFUSALS } from '#features/shops/merchants/rules.ts'
import { meantShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { linesText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { TESTER } from './fields.ts'
import { AUDIT_STATE_KEYS, CHECKS, type CheckKey, DEED_KEYS, VERSION_REFUSALS } from './rules.ts'

const id = whole(1)
/** The platform's number of an audit, as it was seen: a stale page acts on no other. */
const auditId = whole(1)
const Standing = z.object({ version: z.string(), description: z.string(), at: z.string() }).nullable()
const Audit = z.object({
  auditId: z.number(),
  version: z.string(),
  state: z.enum(AUDIT_STATE_KEYS),
  isCurrent: z.boolean(),
  isSpedUp: z.boolean(),
  reason: z.string(),
  hasScreenshots: z.boolean(),
  submittedByName: z.string(),
  submittedAt: z.string(),
  endedAt: z.string().nullable(),
  releasedAt: z.string().nullable(),
})
const Board = z.object({
  id: z.number(),
  state: z.enum(FLOW_STATE_KEYS),
  isAuthorized: z.boolean(),
  /** Whether versions are spoken of at all yet. */
  hasBoard: z.boolean(),
  /** What is asked of the platform right now. */
  deed: z.enum(DEED_KEYS).nullable(),
  message: z.string(),
  /** Of the code that was set; empty: none. */
  version: z.string(),
  committedAt: z.string().nullable(),
  /** What stands at the platform, as it was read at `readAt`; null: it was not read yet. */
  trial: Standing,
  live: Standing,
  readAt: z.string().nullable(),
  checks: z.array(
    z.object({
      key: z.enum(Object.keys(CHECKS) as [CheckKey, ...CheckKey[]]),
      isGreen: z.boolean(),
      words: z.string(),
      mend: z.enum(['profile', 'code', 'privacy', 'domains', 'read']).nullable(),
    }),
  ),
  quota: z
    .object({
      left: z.number(),
      limit: z.number(),
      speedUpsLeft: z.number(),
      speedUpLimit: z.number(),
    })
    .nullable(),
  withdrawals: z.object({ today: z.number(), thisMonth: z.number() }),
  /** What it can go back to, the newest first. */
  releases: z.array(
    z.object({
      appVersion: z.number(),
      version: z.string(),
      description: z.string(),
      committedAt: z.string().nullable(),
    }),
  ),
  /** The newest first, at most 20. */
  audits: z.array(Audit),
  may: z.object({
    setCode: z.boolean(),
    submit: z.boolean(),
    withdraw: z.boolean(),
    speedUp: z.boolean(),
    release: z.boolean(),
    rollBack: z.boolean(),
  }),
})

const permission = 'programFlow.edit'
const stale = ['programVersions', 'programFlow', 'programApplications']
const errors = errorsOf({
  DELETED_ALREADY: FLOW_REFUSALS.DELETED_ALREADY,
  ...VERSION_REFUSALS,
  MERCHANT_DISABLED: MERCHANT_REFUSALS.MERCHANT_DISABLED,
})
/** Asked behind the answer; pressed again, it is asked once. */
const Done = z.object({ deed: z.enum(DEED_KEYS) })
const OfAudit = z.object({ id, auditId })
const Picture = z.object({ base64: z.string() })

/** `id` is the application's everywhere. */
export const programVersions = {
  details: op(
    { permission: 'programFlow.list' },
    {
      method: 'GET',
      path: '/program-versions/{id}',
      summary: 'Versions of a mini program, and what can be done',
    },
  )
    .input(z.object({ id }))
    .output(Board),
  /** Asked of the platform: those that fit the kind, the newest first. */
  templates: op(
    { permission, detached: true },
    { method: 'GET', path: '/program-versions/{id}/templates', summary: 'Templates for a mini program' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(
      z.object({
        templates: z.array(
          z.object({
            templateId: z.number(),
            version: z.string(),
            description: z.string(),
            createdAt: z.string(),
          }),
        ),
      }),
    ),
  /** A QR code of the trial version. */
  trialCode: op(
    { permission: 'programFlow.list', detached: true },
    { method: 'GET', path: '/program-versions/{id}/trial-code', summary: 'A QR code of the trial version' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Picture),
  /** A code of the released version. */
  liveCode: op(
    { permission: 'programFlow.list', detached: true },
    { method: 'GET', path: '/program-versions/{id}/live-code', summary: 'A code of the released version' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Picture),
  /** Pictures of what the reviewer saw; empty: there are none. */
  screenshots: op(
    { permission: 'programFlow.list' },
    {
      method: 'GET',
      path: '/program-versions/{id}/audits/{auditId}/screenshots',
      summary: 'What the reviewer of a refused audit saw',
    },
  )
    .input(OfAudit)
    .output(z.object({ pictures: z.array(z.string()) })),
  /** Who may open the trial version, as the platform has them; null where somebody was added elsewhere. */
  testers: op(
    { permission: 'programFlow.list', detached: true },
    { method: 'GET', path: '/program-versions/{id}/testers', summary: 'Testers of a mini program' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(
      z.object({
        testers: z.array(
          z.object({
            userString: z.string(),
            wechatMasked: z.string().nullable(),
            addedByName: z.string().nullable(),
            addedAt: z.string().nullable(),
          }),
        ),
      }),
    ),
  addTester: op(
    {
      ...{ permission, log: '添加小程序体验者', detached: true },
      stale: ['programVersions.testers', 'programFlow'],
    },
    {
      method: 'POST',
      path: '/program-versions/{id}/testers',
      summary: 'Let somebody open the trial version',
    },
  )
    .errors(errors)
    .input(z.object({ id, ...meantShape(TESTER) }))
    .output(z.object({ userString: z.string() })),
  removeTester: op(
    {
      ...{ permission, log: '移除小程序体验者', detached: true },
      stale: ['programVersions.testers', 'programFlow'],
    },
    {
      method: 'POST',
      path: '/program-versions/{id}/testers/removal',
      summary: 'Let somebody open the trial version no more',
    },
  )
    .errors(errors)
    .input(z.object({ id, userString: madeText.min(1).max(200) }))
    .output(z.object({ userString: z.string() })),
  look: op(
    { permission, ephemeral: true, stale },
    { method: 'POST', path: '/program-versions/{id}/look', summary: 'Read what stands at the platform' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  /** Sets the code of a template, or upgrades what is released. */
  setCode: op(
    { permission, log: '设置小程序代码', stale },
    { method: 'POST', path: '/program-versions/{id}/code', summary: 'Set the code of a mini program' },
  )
    .errors(errors)
    .input(z.object({ id, templateId: whole(0) }))
    .output(Done),
  declarePrivacy: op(
    { permission, log: '设置小程序隐私保护指引', stale },
    { method: 'POST', path: '/program-versions/{id}/privacy', summary: 'Declare what the code uses' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  setDomains: op(
    { permission, log: '设置小程序服务器域名', stale },
    { method: 'POST', path: '/program-versions/{id}/domains', summary: 'Set where the code calls' },
  )
    .errors(errors)
    .input(z.object({ id }))
    .output(Done),
  submit: op(
    { permission, log: '提交小程序审核', stale },
    { method: 'POST', path: '/program-versions/{id}/audit', summary: 'Hand the code in for its audit' },
  )
    .errors(errors)
    .input(z.object({ id, feedback: linesText.max(500) }))
    .output(Done),
  withdraw: op(
    { permission, log: '撤回小程序审核', stale },
    { method: 'POST', path: '/program-versions/{id}/withdrawal', summary: 'Withdraw an audit' },
  )
    .errors(errors)
    .input(OfAudit)
    .output(Done),
  speedUp: op(
    { permission, log: '申请加急小程序审核', stale },
    { method: 'POST', path: '/program-versions/{id}/speed-up', summary: 'Have an audit sped up' },
  )
    .errors(errors)
    .input(OfAudit)
    .output(Done),
  release: op(
    { permission, log: '发布小程序', stale },
    { method: 'POST', path: '/program-versions/{id}/release', summary: 'Release what was audited' },
  )
    .errors(errors)
    .input(OfAudit)
    .output(Done),
  /** `appVersion`: which of the releases before. */
  rollBack: op(
    { permission, log: '恢复小程序上一版本', stale },
    { method: 'POST', path: '/program-versions/{id}/roll-back', summary: 'Go back to a release before' },
  )
    .errors(errors)
    .input(z.object({ id, appVersion: whole(0) }))
    .output(Done),
}
