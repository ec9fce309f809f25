import { PASSWORD_REFUSALS } from '#features/agencies/sign-in/rules.ts'
import { ACCOUNT_FORMATS, AGENT_STATUS_KEYS } from '#features/office/agents/rules.ts'
import { SENDING_STATES } from '#features/shops/messages/rules.ts'
import { enteredText } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { day, whole } from '#kit/declare/page.ts'
import { accountText, codeText, lineText, madeText, phoneText, secretText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import {
  INVITATION_REFUSALS,
  INVITATION_STATES,
  INVITING_REFUSALS,
  MOVE_REFUSALS,
  PARTNER_REFUSALS,
  SUSPENSION_REFUSALS,
} from './rules.ts'

const channel = z.boolean().nullable()
/** What the operator says of a partner. A level that is not chosen is null, and the rules say what is missing. */
const terms = {
  companyName: lineText.max(500),
  levelId: whole(1).nullable(),
  parentId: whole(1).nullable(),
  districtCode: codeText.max(6),
  contactName: lineText.max(500),
  mobile: phoneText.max(500),
  accountFormat: z.enum(ACCOUNT_FORMATS),
  isVendorStaff: z.boolean(),
  hasFullMenu: z.boolean(),
  payEnabled: z.boolean(),
  contractFrom: day.nullable(),
  contractTo: day.nullable(),
  /** Payment methods of shops beyond those offered to all. */
  methodIds: z.array(whole(1)).max(50),
  /** Of topping up; null: as everybody. */
  channels: z.object(
    Object.fromEntries(PAY_CHANNELS.map(name => [name, channel])) as Record<
      (typeof PAY_CHANNELS)[number],
      typeof channel
    >,
  ),
}
const invitationState = z.enum(
  Object.keys(INVITATION_STATES) as [keyof typeof INVITATION_STATES, ...(keyof typeof INVITATION_STATES)[]],
)
const token = madeText.max(64)
const password = secretText.max(128)

/** What became of the invitation of an owner. */
const Invited = z.object({
  /** Masked. */
  phone: z.string(),
  expiresAt: z.string(),
  /** Where it can be read, while SMS is simulated; else null. */
  inboxUrl: z.string().nullable(),
})

/** A new partner with its first account and what it begins with. */
export const newPartner = {
  ...terms,
  ownerLoginName: accountText.max(500),
  ownerName: lineText.max(500),
  ownerMobile: phoneText.max(500),
  /** 1/100; 0: none. */
  tokenCents: z.number().int(),
}
export const TakenOn = z.object({ id: z.number(), invitation: Invited })

const manage = 'partners.manage'
const stale = ['partners', 'partnerDesk', 'agents', 'ledger'] as const

export const partners = {
  /** What can be chosen for a partner. */
  choices: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/agents/choices', summary: 'Levels, payment methods and channels for a partner' },
  ).output(
    z.object({
      levels: z.array(z.object({ id: z.number(), name: z.string(), discountBasisPoints: z.number() })),
      methods: z.array(z.object({ id: z.number(), name: z.string(), isForAll: z.boolean() })),
      channels: z.array(z.object({ channel: z.enum(PAY_CHANNELS), isForAll: z.boolean() })),
    }),
  ),
  /** A new partner, its first account, the invitation of whom it belongs to, and its opening tokens. */
  takeOn: op(
    { permission: manage, log: '新增合作伙伴', idempotent: true, stepUp: true, stale },
    { method: 'POST', path: '/agents', summary: 'Take on a partner' },
  )
    .errors(errorsOf(PARTNER_REFUSALS))
    .input(z.object(newPartner))
    .output(TakenOn),
  /** As they are now, for the form; with what became of its owner's invitation. */
  terms: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/agents/{id}/terms', summary: 'The terms of a partner' },
  )
    .input(z.object({ id: whole(1) }))
    .output(
      z.object({
        ...terms,
        companyName: z.string(),
        contactName: z.string(),
        mobile: z.string(),
        levelId: z.number().nullable(),
        parentId: z.number().nullable(),
        methodIds: z.array(z.number()),
        isOperator: z.boolean(),
        status: z.enum(AGENT_STATUS_KEYS),
        suspendedFor: z.string(),
        /** Null: nobody was invited. */
        invitation: z
          .object({ state: invitationState, phone: z.string(), createdAt: z.string(), expiresAt: z.string() })
          .nullable(),
      }),
    ),
  edit: op(
    { permission: manage, log: '修改合作伙伴', stepUp: true, stale },
    { method: 'PUT', path: '/agents/{id}', summary: 'Change the terms of a partner' },
  )
    .errors(errorsOf(PARTNER_REFUSALS))
    .input(z.object({ id: whole(1), ...terms }))
    .output(z.object({ done: z.literal(true) })),
  /** What another parent would change for whom. `parentId` absent: right under the vendor. */
  previewParent: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/agents/{id}/parent', summary: 'What another parent of a partner would change' },
  )
    .input(z.object({ id: whole(1), parentId: whole(1).optional() }))
    .output(
      z.object({
        companyName: z.string(),
        /** As it stands. */
        parent: z.object({ id: z.number(), companyName: z.string() }).nullable(),
        /** Why it cannot be, in words; null: it can. */
        refusal: z.string().nullable(),
        effects: z.array(z.object({ whom: z.string(), effect: z.string() })),
      }),
    ),
  /** `seen` is the parent that the preview was of; another one by then is refused. */
  changeParent: op(
    { permission: manage, log: '调整上级', stepUp: true, stale: [...stale, 'settlement'] },
    { method: 'PUT', path: '/agents/{id}/parent', summary: 'Put a partner under another' },
  )
    .errors(errorsOf({ ...PARTNER_REFUSALS, ...MOVE_REFUSALS }))
    .input(z.object({ id: whole(1), parentId: whole(1).nullable(), seen: whole(1).nullable() }))
    .output(z.object({ id: z.number() })),
  /** Its people see everything and change nothing, and its tokens stay where they are. */
  suspend: op(
    { permission: manage, log: '暂停合作伙伴', stepUp: true, stale },
    { method: 'POST', path: '/agents/{id}/suspension', summary: 'Suspend a partner' },
  )
    .errors(errorsOf(SUSPENSION_REFUSALS))
    .input(z.object({ id: whole(1), reason: enteredText }))
    .output(z.object({ done: z.literal(true) })),
  resume: op(
    { permission: manage, log: '恢复合作伙伴', stepUp: true, stale },
    { method: 'DELETE', path: '/agents/{id}/suspension', summary: 'Resume a partner' },
  )
    .errors(errorsOf(SUSPENSION_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(z.object({ done: z.literal(true) })),
  /** Another invitation in place of the one that is open or has expired. */
  invite: op(
    { permission: manage, log: '重发开户邀请', stepUp: true, stale },
    { method: 'POST', path: '/agents/{id}/invitations', summary: 'Invite the owner again' },
  )
    .errors(errorsOf(INVITING_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(Invited),
  /** The link of the open invitation, for who made it alone, with what became of its SMS. */
  invitationLink: op(
    { permission: manage, forKeys: false },
    { method: 'GET', path: '/agents/{id}/invitations/link', summary: 'The link of the open invitation' },
  )
    .errors(errorsOf(INVITING_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(
      z.object({
        url: z.string(),
        /** The address leads to this machine alone: nobody else can open it. */
        isLocal: z.boolean(),
        /** Of an owner who is here already. */
        isReset: z.boolean(),
        companyName: z.string(),
        loginName: z.string(),
        name: z.string(),
        expiresAt: z.string(),
        message: z.object({ state: z.enum(SENDING_STATES), words: z.string() }),
        /** Where the SMS can be read, while SMS is simulated; else null. */
        inboxUrl: z.string().nullable(),
      }),
    ),
  /** A link by which the owner, who is here, sets another password; in place of an earlier one. It is told by `invitationLink`. */
  resetLink: op(
    { permission: manage, log: '生成重设密码链接', stepUp: true, forKeys: false, stale },
    { method: 'POST', path: '/agents/{id}/password-links', summary: 'A link to set the owner’s password' },
  )
    .errors(errorsOf(INVITING_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(z.object({ id: z.number(), expiresAt: z.string() })),
  revokeInvitation: op(
    { permission: manage, log: '撤回开户邀请', stepUp: true, stale },
    { method: 'DELETE', path: '/agents/{id}/invitations', summary: 'Revoke the open invitation' },
  )
    .errors(errorsOf(INVITING_REFUSALS))
    .input(z.object({ id: whole(1) }))
    .output(z.object({ revoked: z.literal(true) })),
  /** Whom an invitation is for; told to whoever has its address. */
  invitation: op(
    { permission: 'public' },
    { method: 'GET', path: '/invitations', summary: 'Whom an invitation is for' },
  )
    .errors(errorsOf(INVITATION_REFUSALS))
    .input(z.object({ token }))
    .output(z.object({ companyName: z.string(), loginName: z.string(), name: z.string() })),
  accept: op(
    { unshown: 'nobody is signed in', permission: 'public', log: '接受开户邀请' },
    { method: 'POST', path: '/invitations/accept', summary: 'Set the password of an invited owner' },
  )
    .errors(errorsOf({ ...INVITATION_REFUSALS, ...PASSWORD_REFUSALS }))
    .input(z.object({ token, newPassword: password, confirmation: password }))
    .output(z.object({ loginName: z.string() })),
}
