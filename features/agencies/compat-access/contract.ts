import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { flag, pageOf } from '#kit/declare/page.ts'
import { accountText, lineText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { COMPAT_USE_FIELDS, COMPAT_USES } from './fields.ts'
import { COMPAT_REFUSALS, ENTER_REFUSALS, TERM_KEYS } from './rules.ts'

const done = z.object({ done: z.literal(true) })
const call = lineText.min(1).max(80)

export const compatAccess = {
  /** One's own door: whether the office has it, and until when it is open. */
  standing: op(
    { permission: 'session' },
    {
      method: 'GET',
      path: '/compat-access',
      summary: 'Whether programs may sign in as oneself by the old calls',
    },
  ).output(
    z.object({
      isOffered: z.boolean(),
      access: z
        .object({
          /** The last day. */
          expiresOn: z.string(),
          /** The password is another since: nobody comes in until it is opened anew. */
          isVoid: z.boolean(),
          lastUsedAt: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  open: op(
    {
      permission: 'apiKeys.edit',
      log: '开通旧接口',
      stale: ['compatAccess', 'apiKeys'],
      stepUp: true,
      forKeys: false,
    },
    { method: 'POST', path: '/compat-access', summary: 'Let programs sign in as oneself by the old calls' },
  )
    .errors(errorsOf(COMPAT_REFUSALS))
    .input(z.object({ password: secretText.max(128), days: z.enum(TERM_KEYS) }))
    .output(done),
  close: op(
    { permission: 'session', log: '关闭旧接口', stale: ['compatAccess', 'apiKeys'] },
    {
      method: 'DELETE',
      path: '/compat-access',
      summary: 'Let nobody in as oneself by the old calls any more',
    },
  )
    .errors(errorsOf(COMPAT_REFUSALS))
    .output(done),
  /** What a program signs in with; the token is that of a key, for a few hours. */
  enter: op(
    { unshown: 'is called by programs', permission: 'public', log: '旧接口登录' },
    { method: 'POST', path: '/compat-access/tokens', summary: 'Sign in by the signature of the old calls' },
  )
    .errors(errorsOf(ENTER_REFUSALS))
    .input(
      z.object({
        userName: accountText.max(64),
        timestamp: lineText.max(40),
        nonce: lineText.max(200),
        signature: lineText.max(100),
      }),
    )
    .output(
      z.object({
        token: z.string(),
        expiresAt: z.string(),
        agentId: z.number(),
        accountId: z.number(),
        name: z.string(),
        userType: z.union([z.literal(0), z.literal(1)]),
        nodes: z.array(
          z.object({
            id: z.number(),
            parentId: z.number().nullable(),
            name: z.string(),
            path: z.string(),
            marker: z.string(),
          }),
        ),
      }),
    ),
  uses: op(
    { permission: 'compatAccess.uses', forKeys: false },
    { method: 'GET', path: '/compat-access/uses', summary: 'Who makes which of the old calls' },
  )
    .input(z.object(listInput(COMPAT_USES)))
    .output(pageOf(z.object(outputShape(COMPAT_USE_FIELDS, 'row')))),
  setCall: op(
    { permission: 'compatAccess.setCall', log: '停用或恢复旧接口', stale: ['compatAccess'], forKeys: false },
    {
      method: 'PUT',
      path: '/compat-access/calls/{call}',
      summary: 'Close one of the old calls for everybody, or open it',
    },
  )
    .errors(errorsOf(COMPAT_REFUSALS))
    .input(z.object({ call, closed: flag() }))
    .output(done),
}

export type CompatUse = Out<typeof compatAccess.uses>['rows'][number]
