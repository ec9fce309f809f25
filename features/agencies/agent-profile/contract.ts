import { AGENT_PROFILE_FIELDS } from '#features/office/agents/fields.ts'
import { ACCOUNT_FORMATS } from '#features/office/agents/rules.ts'
import { passToken } from '#features/office/captcha/contract.ts'
import { PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { SEND_REFUSALS } from '#features/shops/messages/rules.ts'
import { inputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { codeText, lineText, phoneText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PHONE_REFUSALS, PHONE_STEPS, PROFILE_REFUSALS } from './rules.ts'

const code = codeText.max(16)
const label = lineText.max(200)

export const agentProfile = {
  /** What D3 calls agent info, of the acting account's agency. */
  find: op(
    { permission: 'account.profile' },
    { method: 'GET', path: '/agent-profile', summary: "The acting agency's own data" },
  ).output(
    z.object({
      agentId: z.number(),
      companyName: z.string(),
      levelName: z.string(),
      discountBasisPoints: z.number(),
      accountFormat: z.enum(ACCOUNT_FORMATS),
      parentName: z.string().nullable(),
      createdAt: z.string(),
      contactName: z.string(),
      /** Masked. */
      mobile: z.string(),
      telephone: z.string(),
      districtCode: z.string(),
      address: z.string(),
      domainLabel: z.string().nullable(),
      /** Null: agencies have no domains in this office. */
      domainSuffix: z.string().nullable(),
      hotline: z.string(),
      qq: z.string(),
      wechat: z.string(),
      logoId: z.string().nullable(),
      /** Of the acting account, masked. */
      ownPhone: z.string(),
    }),
  ),
  change: op(
    {
      permission: 'agentProfile.edit',
      log: '修改公司资料',
      stale: ['agentProfile', 'partnerDesk', 'access'],
    },
    { method: 'PUT', path: '/agent-profile', summary: 'Change what the agency says of itself' },
  )
    .errors(errorsOf(PROFILE_REFUSALS))
    .input(
      z.object({
        ...inputShape(AGENT_PROFILE_FIELDS, 'edit'),
        /** Empty: none. */
        domainLabel: label,
        logoId: z.uuid().nullable(),
      }),
    )
    .output(z.object({ done: z.literal(true) })),
  /** Told while it is typed. */
  domain: op(
    { permission: 'agentProfile.edit' },
    { method: 'GET', path: '/agent-profile/domain', summary: 'Whether a domain may be chosen' },
  )
    .input(z.object({ label }))
    .output(
      z.object({
        refusal: z.enum(Object.keys(PROFILE_REFUSALS) as [keyof typeof PROFILE_REFUSALS]).nullable(),
      }),
    ),
  /** To the number that the acting account has, or to the one it is to have. */
  sendPhoneCode: op(
    {
      unshown: 'a code is read on a phone',
      permission: 'agentProfile.changePhone',
      log: '发送更换手机号验证码',
    },
    { method: 'POST', path: '/agent-profile/phone/codes', summary: 'Send a code to the old or new number' },
  )
    .errors(errorsOf({ ...PHONE_REFUSALS, ...SEND_REFUSALS, ...PASS_REFUSALS }))
    .input(z.object({ step: z.enum(PHONE_STEPS), phone: phoneText.max(20).default(''), captcha: passToken }))
    .output(
      z.object({
        /** Masked. */
        phone: z.string(),
        secondsLeft: z.number(),
        /** Where it can be read, while SMS is simulated; else null. */
        inboxUrl: z.string().nullable(),
      }),
    ),
  changePhone: op(
    {
      permission: 'agentProfile.changePhone',
      log: '更换手机号',
      stale: ['agentProfile', 'access', 'team'],
      stepUp: 'always',
    },
    { method: 'PUT', path: '/agent-profile/phone', summary: "Change the acting account's number" },
  )
    .errors(errorsOf(PHONE_REFUSALS))
    .input(z.object({ phone: phoneText.max(20), oldCode: code, newCode: code }))
    .output(z.object({ phone: z.string() })),
}

export type Profile = Out<typeof agentProfile.find>
