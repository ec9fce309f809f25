// How the first account of a partner comes in: an address by SMS, good once and for 72 hours, behind which its password is set.
import { createHash, randomBytes } from 'node:crypto'
import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { knownWords, PASSWORD_REFUSALS, refuseNewPassword } from '#features/agencies/sign-in/rules.ts'
import { recordSignIn, rememberDevice } from '#features/agencies/sign-in/server-devices.ts'
import { refuseGuessed } from '#features/agencies/sign-in/server-strength.ts'
import { setPassword } from '#features/office/access/server-passwords.ts'
import { openAccount } from '#features/office/access/server-people.ts'
import { accounts } from '#features/office/access/tables.ts'
import { lockAgent } from '#features/office/agents/server-operator.ts'
import { agents } from '#features/office/agents/tables.ts'
import { type Sending, sendingOf } from '#features/shops/messages/rules.ts'
import { lastMessage, queueMessages } from '#features/shops/messages/server-outbox.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { maskPhone } from '#kit/words/phone.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { partners as contract } from './contract.ts'
import {
  INVITATION_HOURS,
  INVITATION_REFUSALS,
  INVITE_AGAIN_SECONDS,
  INVITE_PREFIX,
  INVITING_REFUSALS,
  invitationState,
  refuseInvitation,
} from './rules.ts'
import { partnerInvitations as invitations } from './tables.ts'

type Owner = {
  agentId: number
  companyName: string
  accountId: number
  loginName: string
  name: string
  mobile: string
}

/** Writes down the address by which somebody sets the password of an account that has none open; answers its token. */
async function openLink(
  ctx: Ctx,
  {
    agentId,
    accountId,
    mobile,
    isReset,
  }: Pick<Owner, 'agentId' | 'accountId' | 'mobile'> & { isReset: boolean },
): Promise<{ token: string; expiresAt: string }> {
  const token = randomBytes(16).toString('base64url')
  const now = ctx.now.getTime()
  const expiresAt = new Date(now + INVITATION_HOURS * 3_600_000).toISOString()
  await ctx.db.insert(invitations).values({
    agentId,
    accountId,
    isReset,
    tokenHash: hashOf(token),
    sealedToken: ctx.services.secrets.encrypt(token),
    createdBy: ctx.actor.accountId,
    phone: mobile,
    createdAt: new Date(now).toISOString(),
    createdByName: ctx.actor.name,
    expiresAt,
  })
  return { token, expiresAt }
}

/** Invites an owner who has none open; its SMS leaves after the commit. */
export async function inviteOwner(ctx: Ctx, owner: Owner): Promise<Out<typeof contract.invite>> {
  const { token, expiresAt } = await openLink(ctx, { ...owner, isReset: false })
  await queueMessages(ctx, [
    {
      agentId: owner.agentId,
      merchantId: null,
      kind: 'invitation',
      phone: owner.mobile,
      template: 'invitation',
      params: {
        name: owner.name,
        company: owner.companyName,
        account: owner.loginName,
        address: `${ctx.services.baseUrl()}${INVITE_PREFIX}`,
        code: token,
      },
      expiresAt,
    },
  ])
  return { phone: maskPhone(owner.mobile), expiresAt, inboxUrl: ctx.services.providers.inboxUrl }
}

/** Opaque tokens are found by their SHA-256. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()

export const invite: Verb<typeof contract.invite> = async (ctx, { id }) => {
  const { companyName } = await lockAgent(ctx, id)
  const { owner, last } = await invitedOf(ctx, id)
  refuse(owner.enabled ? 'OWNER_HERE' : null, INVITING_REFUSALS)
  const again = Date.parse(last.createdAt) + INVITE_AGAIN_SECONDS * 1_000
  const isOpen = invitationState(last, ctx.now.getTime()) === 'open'
  refuse(isOpen && again > ctx.now.getTime() ? 'INVITED_TOO_SOON' : null, INVITING_REFUSALS)
  await revokeOpen(ctx, owner.id)
  const { loginName, name, mobile } = owner
  ctx.about(id)
  ctx.note(`${companyName} (${id})`, [
    { name: '邀请', before: isOpen ? '待接受' : null, after: `重新发送给 ${name} ${maskPhone(mobile)}` },
  ])
  return inviteOwner(ctx, { agentId: id, companyName, accountId: owner.id, loginName, name, mobile })
}

/** Told to who made it alone, and to nobody who looks through that account. */
export const invitationLink: Verb<typeof contract.invitationLink> = async (ctx, { id }) => {
  const { actor, services } = ctx
  const { owner, last, companyName } = await invitedOf(ctx, id)
  const isOpen = invitationState(last, ctx.now.getTime()) === 'open'
  refuse(isOpen ? null : owner.enabled ? 'OWNER_HERE' : 'NOTHING_OPEN', INVITING_REFUSALS)
  const isOwn = last.createdBy === actor.accountId && actor.viewer === null
  if (!isOwn || last.sealedToken === null) refuse('LINK_OTHERS', INVITING_REFUSALS)
  const message = await lastMessage(
    ctx,
    eq(outboxMessages.agentId, id),
    eq(outboxMessages.kind, 'invitation'),
  )
  const base = services.baseUrl()
  return {
    url: `${base}${INVITE_PREFIX}${services.secrets.decrypt(found(last.sealedToken))}`,
    isLocal: isThisMachine(base),
    isReset: last.isReset,
    companyName,
    loginName: owner.loginName,
    name: owner.name,
    expiresAt: last.expiresAt,
    message: last.isReset
      ? RESET_SENDING
      : sendingOf(services.providers.sms !== null, message, {
          phone: maskPhone(last.phone),
          isOperator: actor.isOperator,
        }),
    inboxUrl: services.providers.inboxUrl,
  }
}

const RESET_SENDING: Sending = { state: 'none', words: '重设密码不发短信：请复制链接或出示二维码。' }

export const resetLink: Verb<typeof contract.resetLink> = async (ctx, { id }) => {
  const { companyName, isOperator, isVendorStaff } = await lockAgent(ctx, id)
  // Nobody takes over an account of the vendor so.
  refuse(isOperator || isVendorStaff ? 'RESET_VENDOR' : null, INVITING_REFUSALS)
  const [owner] = await ctx.db
    .select()
    .from(accounts)
    .where(and(eq(accounts.agentId, id), accounts.isOwner, accounts.enabled, isNull(accounts.deletedAt)))
    .orderBy(asc(accounts.id))
    .limit(1)
  refuse(owner ? null : 'OWNER_AWAY', INVITING_REFUSALS)
  const { id: accountId, name, loginName, mobile } = found(owner)
  await revokeOpen(ctx, accountId)
  const { expiresAt } = await openLink(ctx, { agentId: id, accountId, mobile, isReset: true })
  ctx.about(id)
  ctx.object('account', accountId)
  ctx.note(`${companyName} (${id})`, [
    { name: '重设密码', before: null, after: `为 ${name}（${loginName}）生成链接` },
  ])
  return { id, expiresAt }
}

const isThisMachine = (address: string) => /^(localhost|127\..+|\[::1\])$/.test(new URL(address).hostname)

export const revokeInvitation: Verb<typeof contract.revokeInvitation> = async (ctx, { id }) => {
  const { companyName } = await lockAgent(ctx, id)
  const { owner, last } = await invitedOf(ctx, id)
  refuse(owner.enabled ? 'OWNER_HERE' : null, INVITING_REFUSALS)
  refuse(invitationState(last, ctx.now.getTime()) === 'open' ? null : 'NOTHING_OPEN', INVITING_REFUSALS)
  await revokeOpen(ctx, owner.id)
  ctx.about(id)
  ctx.note(`${companyName} (${id})`, [{ name: '邀请', before: '待接受', after: '已撤回' }])
  return { revoked: true }
}

/** The owner who was invited into an agency, and the last invitation. */
async function invitedOf(ctx: Ctx, agentId: number) {
  const [row] = await ctx.db
    .select({ owner: accounts, last: invitations, companyName: agents.companyName })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .innerJoin(agents, eq(agents.id, invitations.agentId))
    .where(eq(invitations.agentId, agentId))
    .orderBy(desc(invitations.id))
    .limit(1)
  if (!row) refuse('NOTHING_OPEN', INVITING_REFUSALS)
  return found(row)
}

async function revokeOpen(ctx: Ctx, accountId: number): Promise<void> {
  const isOpen = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt))
  await ctx.db
    .update(invitations)
    .set({ revokedAt: ctx.now.toISOString(), sealedToken: null })
    .where(and(eq(invitations.accountId, accountId), isOpen))
}

export const showInvitation: Verb<typeof contract.invitation> = async (ctx, { token }) => {
  const { account, agent } = await usable(ctx, token)
  return { companyName: agent.companyName, loginName: account.loginName, name: account.name }
}

export const accept: Verb<typeof contract.accept> = async (ctx, { token, ...password }) => {
  const { invitation, account, agent } = await usable(ctx, token, 'locked')
  const broken = refuseNewPassword(password)
  if (broken) refuse(broken.code, PASSWORD_REFUSALS, { field: broken.field })
  await refuseGuessed(password.newPassword, knownWords({ ...account, companyName: agent.companyName }))
  await ctx.db
    .update(invitations)
    .set({ acceptedAt: ctx.now.toISOString(), sealedToken: null })
    .where(eq(invitations.id, invitation.id))
  const owner = { accountId: account.id, agentId: agent.id }
  await setPassword(ctx, { accountId: account.id, password: password.newPassword, mustChange: false })
  await openAccount(ctx, account.id)
  // Whoever was reset is told of a sign-in at a device that is new, as ever.
  if (!invitation.isReset) await rememberDevice(ctx, owner)
  await recordSignIn(ctx, owner, 'reset')
  ctx.object('account', account.id)
  ctx.note(
    `${account.name}（${account.loginName}）`,
    [
      { name: '登录密码', before: null, after: '已设置' },
      { name: invitation.isReset ? '重设密码链接' : '邀请', before: '待接受', after: '已接受' },
    ],
    { ...owner, name: account.name },
  )
  return { loginName: account.loginName }
}

/** The invitation of a token that lets somebody in now; every other is refused in a word. */
async function usable(ctx: Ctx, token: string, locked?: 'locked') {
  const wanted = ctx.db
    .select({ invitation: invitations, account: accounts, agent: agents })
    .from(invitations)
    .innerJoin(accounts, eq(accounts.id, invitations.accountId))
    .innerJoin(agents, eq(agents.id, invitations.agentId))
    .where(eq(invitations.tokenHash, hashOf(token)))
  const [row] = await (locked ? wanted.for('update', { of: invitations }) : wanted)
  refuse(refuseInvitation(row?.invitation, ctx.now.getTime()), INVITATION_REFUSALS)
  const { invitation, account, agent } = found(row)
  // A link to another password lets nobody in who was locked out since.
  const isLocked = row?.invitation.isReset === true && !account.enabled
  const isGone = account.deletedAt !== null || agent.status === 'closed' || isLocked
  refuse(isGone ? 'INVITATION_REVOKED' : null, INVITATION_REFUSALS)
  return { invitation, account, agent }
}
