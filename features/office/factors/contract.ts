import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { codeText, lineText, madeText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { FACTOR_REFUSALS, RULE_KINDS } from './rules.ts'

const token = madeText.max(64)
/** What a browser's key answers or is asked: its own JSON, checked where it is verified. */
const fromKey = z.record(z.string().max(40), z.unknown())
const toKey = z.record(z.string(), z.unknown())

export const Proof = z.union([
  z.object({ code: codeText.min(1).max(40) }),
  z.object({ passkey: z.object({ token, response: fromKey }) }),
])
/** Of a session: the password, where the account has no factor. */
const SessionProof = z.union([Proof, z.object({ password: secretText.min(1).max(128) })])
/** How a factor can be proven; `passkey`: what a key is to sign. */
export const Asked = z.object({
  hasTotp: z.boolean(),
  recoveryLeft: z.number(),
  passkey: z.object({ token: z.string(), options: toKey }).nullable(),
})

/** Shown this once; null where the account has its codes already. */
const Codes = z.object({ recoveryCodes: z.array(z.string()).nullable() })

export const factors = {
  /** The account's own factors. */
  standing: op(
    { permission: 'session', enrolment: true },
    { method: 'GET', path: '/factors', summary: 'Second factors of the signed-in account' },
  ).output(
    z.object({
      totpSince: z.string().nullable(),
      passkeys: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          createdAt: z.string(),
          lastUsedAt: z.string().nullable(),
        }),
      ),
      recoveryLeft: z.number(),
      /** The address under which passkeys work; null where there is none. */
      passkeyOrigin: z.string().nullable(),
    }),
  ),
  startTotp: op(
    { permission: 'session', ephemeral: true, stepUp: 'always', enrolment: true, whileSuspended: true },
    { method: 'POST', path: '/factors/totp/secret', summary: 'A secret for an authenticator app' },
  ).output(z.object({ token: z.string(), secret: z.string(), address: z.string() })),
  /** With a code of the app; it takes the place of an earlier one. */
  addTotp: op(
    {
      permission: 'session',
      log: '设置验证器',
      stepUp: 'always',
      enrolment: true,
      stale: ['factors'],
      whileSuspended: true,
    },
    { method: 'POST', path: '/factors/totp', summary: 'Set up an authenticator app' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .input(z.object({ token, code: codeText.max(10) }))
    .output(Codes),
  removeTotp: op(
    { permission: 'session', log: '移除验证器', stepUp: 'always', stale: ['factors'], whileSuspended: true },
    { method: 'DELETE', path: '/factors/totp', summary: 'Remove the authenticator app' },
  ).output(z.object({ removed: z.literal(true) })),
  startPasskey: op(
    { permission: 'session', ephemeral: true, stepUp: 'always', enrolment: true, whileSuspended: true },
    { method: 'POST', path: '/factors/passkeys/options', summary: 'What a new passkey is made of' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .output(z.object({ token: z.string(), options: toKey })),
  addPasskey: op(
    {
      permission: 'session',
      log: '添加通行密钥',
      stepUp: 'always',
      enrolment: true,
      stale: ['factors'],
      whileSuspended: true,
    },
    { method: 'POST', path: '/factors/passkeys', summary: 'Add a passkey' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .input(z.object({ token, name: lineText.max(100), response: fromKey }))
    .output(Codes),
  renamePasskey: op(
    { permission: 'session', log: '重命名通行密钥', stale: ['factors'], whileSuspended: true },
    { method: 'PATCH', path: '/factors/passkeys/{id}', summary: 'Call a passkey something else' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .input(z.object({ id: whole(1), name: lineText.max(100) }))
    .output(z.object({ renamed: z.literal(true) })),
  removePasskey: op(
    {
      permission: 'session',
      log: '移除通行密钥',
      stepUp: 'always',
      stale: ['factors'],
      whileSuspended: true,
    },
    { method: 'DELETE', path: '/factors/passkeys/{id}', summary: 'Remove a passkey' },
  )
    .input(z.object({ id: whole(1) }))
    .output(z.object({ removed: z.literal(true) })),
  /** The codes of before end. */
  renewRecoveryCodes: op(
    {
      permission: 'session',
      log: '重新生成恢复码',
      stepUp: 'always',
      stale: ['factors'],
      whileSuspended: true,
    },
    { method: 'POST', path: '/factors/recovery-codes', summary: 'Make recovery codes anew' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .output(z.object({ recoveryCodes: z.array(z.string()) })),
  challenge: op(
    { permission: 'session', ephemeral: true, enrolment: true, whileSuspended: true },
    { method: 'POST', path: '/factors/proofs/options', summary: 'How this session can prove its factor' },
  ).output(Asked.extend({ password: z.boolean() })),
  /** Opens what asks for a fresh factor for ten minutes. */
  prove: op(
    {
      unshown: 'what it opens says itself what it makes stale',
      permission: 'session',
      log: '身份验证',
      enrolment: true,
      whileSuspended: true,
    },
    { method: 'POST', path: '/factors/proofs', summary: 'Prove the second factor of this session' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .input(SessionProof)
    .output(z.object({ proven: z.literal(true) })),
  /** Whom the acting account may oblige, and whom it does. */
  rules: op(
    { permission: 'factors.rules', forKeys: false },
    { method: 'GET', path: '/factors/rules', summary: 'Who must have a second factor' },
  ).output(
    z.object({
      rules: z.array(z.object({ kind: z.enum(RULE_KINDS), required: z.boolean(), graceDays: z.number() })),
    }),
  ),
  setRules: op(
    {
      permission: 'factors.rules',
      log: '二次验证要求',
      stepUp: true,
      forKeys: false,
      stale: ['factors.rules'],
    },
    { method: 'PUT', path: '/factors/rules', summary: 'Set who must have a second factor' },
  )
    .errors(errorsOf(FACTOR_REFUSALS))
    .input(
      z.object({
        rules: z
          .array(z.object({ kind: z.enum(RULE_KINDS), required: z.boolean(), graceDays: z.number() }))
          .max(RULE_KINDS.length),
      }),
    )
    .output(z.object({ kept: z.literal(true) })),
}
