import { z } from 'zod'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { PICTURE_KB, PICTURE_REFUSALS } from '#kit/picture.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type ApprovalKind,
  type ApprovalState,
  REQUEST_REFUSALS,
  WITHDRAW_REFUSALS,
} from './rules.ts'

const id = whole(1)
const text = z.string().trim().max(500)
const kind = z.enum(Object.keys(APPROVAL_KINDS) as [ApprovalKind, ...ApprovalKind[]])
const state = z.enum(Object.keys(APPROVAL_STATES) as [ApprovalState, ...ApprovalState[]])
const instant = z.string().describe('ISO 8601, UTC')

export const approvalsAtPos = {
  requests: op(
    { permission: 'pos.read', forKeys: 'only', unlogged: true },
    {
      method: 'GET',
      path: '/v1/shops/{id}/requests',
      summary: 'What a shop asked to have approved, the latest first',
    },
  )
    .input(z.object({ id }))
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
      bodyMost: Math.ceil((PICTURE_KB.max * 1_024 * 4) / 3) + 4_096,
    },
    {
      method: 'POST',
      path: '/v1/shops/{id}/request-pictures',
      summary: 'Send a picture, before the request that names it',
    },
  )
    .errors(errorsOf(PICTURE_REFUSALS))
    .input(z.object({ id, data: z.base64() }))
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
      z.object({
        id,
        kind,
        content: text,
        note: text.default(''),
        pictureId: z.uuid().nullable().default(null).describe('Of POST /v1/shops/{id}/request-pictures'),
        bySms: z.boolean().default(false).describe("Whether the decision also goes to the shop's phone"),
      }),
    )
    .output(z.object({ id: z.number() })),
  withdrawRequest: op(
    { permission: 'pos.write', forKeys: 'only', log: '撤回审批申请', idempotent: true },
    { method: 'POST', path: '/v1/requests/{id}/withdraw', summary: 'Take back a request that waits' },
  )
    .errors(errorsOf(WITHDRAW_REFUSALS))
    .input(z.object({ id }))
    .output(z.object({ id: z.number() })),
}
