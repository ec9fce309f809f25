import { LIMITS as MERCHANT_LIMITS } from '#features/shops/merchants/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { bytesInBase64, entered, fileId, said } from '#kit/declare/said.ts'
import * as z from '#kit/declare/z.ts'
import { PICTURE_KB, PICTURE_REFUSALS } from '#kit/picture.ts'
import { PLAIN_TEXT } from '#kit/words/plain-text.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_LIMITS,
  APPROVAL_STATES,
  type ApprovalKind,
  type ApprovalState,
  REQUEST_REFUSALS,
  WITHDRAW_REFUSALS,
} from './rules.ts'

const id = whole(1)
const kind = z.enum(Object.keys(APPROVAL_KINDS) as [ApprovalKind, ...ApprovalKind[]])
const state = z.enum(Object.keys(APPROVAL_STATES) as [ApprovalState, ...ApprovalState[]])
const instant = z.string().describe('ISO 8601, UTC')

/** A picture in base64, and a little. */
const PICTURE_BODY = Math.ceil((PICTURE_KB.max * 1_024 * 4) / 3)
const NAME = `^(?=[\\s\\S]*\\S)${PLAIN_TEXT.source.slice(1)}`
/** What is asked for, as each kind of it may be. */
const CONTENTS = {
  signature: {
    minLength: MERCHANT_LIMITS.signatureLeast,
    maxLength: APPROVAL_LIMITS.signature,
    pattern: '^(?!\\p{N}*$)[\\p{L}\\p{N}]*$',
  },
  shopName: { minLength: 1, maxLength: APPROVAL_LIMITS.shopName, pattern: NAME },
  memberTitle: { minLength: 1, maxLength: APPROVAL_LIMITS.memberTitle, pattern: NAME },
} as const satisfies Record<ApprovalKind, object>
const content = entered({
  most: Math.max(...Object.values(CONTENTS).map(({ maxLength }) => maxLength)),
  least: 1,
  description: `Of a signature ${MERCHANT_LIMITS.signatureLeast} to ${APPROVAL_LIMITS.signature} letters and digits, not digits alone`,
})

export const approvalsAtPos = {
  requests: op(
    { permission: 'pos.read', forKeys: 'only', unlogged: true },
    {
      method: 'GET',
      path: '/v1/shops/{id}/requests',
      summary: 'What a shop asked to have approved, the latest first',
    },
  )
    .input(z.strictObject({ id }))
    .output(
      z.object({
        requests: z.array(
          z.object({
            id: z.number(),
            kind,
            content: z.string(),
            note: z.string(),
            bySms: z.boolean(),
            state,
            /** Why it was rejected, and what the shop is advised to do. */
            reason: z.string(),
            advice: z.string(),
            createdAt: instant,
            handledAt: instant.nullable(),
          }),
        ),
      }),
    ),
  /** The storage is asked while no connection is held. */
  keepPicture: op(
    {
      permission: 'pos.write',
      forKeys: 'only',
      log: '上传申请图片',
      detached: true,
      bodyMost: PICTURE_BODY + 4_096,
    },
    {
      method: 'POST',
      path: '/v1/shops/{id}/request-pictures',
      summary: 'Send a picture, before the request that names it',
    },
  )
    .errors(errorsOf(PICTURE_REFUSALS))
    .input(
      z.strictObject({
        id,
        data: bytesInBase64(PICTURE_BODY, 'A JPEG or PNG of up to 1 MB, or what the operator allows'),
      }),
    )
    .output(z.object({ id: z.string(), width: z.number(), height: z.number() })),
  /** In place of one of its kind that waits, which ends. */
  submitRequest: op(
    { permission: 'pos.write', forKeys: 'only', log: '提交审批申请', idempotent: true },
    {
      method: 'POST',
      path: '/v1/shops/{id}/requests',
      summary: 'Ask for a signature, a store name or a member title of a shop',
    },
  )
    .errors(errorsOf(REQUEST_REFUSALS))
    .input(
      said(
        z.strictObject({
          id,
          kind,
          content,
          note: entered({ as: 'lines', most: APPROVAL_LIMITS.note }).default(''),
          pictureId: fileId().nullable().default(null).describe('Of POST /v1/shops/{id}/request-pictures'),
          bySms: z.boolean().default(false).describe("Whether the decision also goes to the shop's phone"),
        }),
        {
          allOf: Object.entries(CONTENTS).map(([of, words]) => ({
            if: { properties: { kind: { const: of } } },
            // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
            then: { properties: { content: words } },
          })),
        },
      ),
    )
    .output(z.object({ id: z.number() })),
  withdrawRequest: op(
    { permission: 'pos.write', forKeys: 'only', log: '撤回审批申请', idempotent: true },
    { method: 'POST', path: '/v1/requests/{id}/withdraw', summary: 'Take back a request that waits' },
  )
    .errors(errorsOf(WITHDRAW_REFUSALS))
    .input(z.strictObject({ id }))
    .output(z.object({ id: z.number() })),
}
