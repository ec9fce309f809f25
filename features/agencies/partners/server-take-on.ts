// A partner is taken on: its row, what it may use, its first account with an invitation, and its opening tokens.
import { asc, sql } from 'drizzle-orm'
import { nextDocumentNo, post } from '#features/money/ledger/server.ts'
import { insertOwner, isLoginNameTaken } from '#features/office/access/server-people.ts'
import {
  insertAgent,
  isCompanyTaken,
  levelOf,
  lockTree,
  parentOf,
} from '#features/office/agents/server-operator.ts'
import { agentLevels } from '#features/office/agents/tables.ts'
import { isOfferedDistrict, regionsOf } from '#features/office/regions/server.ts'
import { saveChannels } from '#features/sales/payments/server-manage.ts'
import { agentPayChannels } from '#features/sales/payments/tables.ts'
import { saveOfferedMethods } from '#features/shops/merchants/server-payment.ts'
import { agentPaymentMethods, paymentMethods } from '#features/shops/merchants/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { amountText } from '#kit/money.ts'
import { CHANNEL_NAMES, PAY_CHANNELS } from '#kit/ports/channels.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { partners as contract } from './contract.ts'
import { PARTNER_FIELDS } from './fields.ts'
import {
  brokenOwner,
  brokenTerms,
  type Channels,
  PARTNER_REFUSALS,
  type PartnerRefusal,
  refuseParent,
  refuseTokens,
  type Terms,
} from './rules.ts'
import { inviteOwner } from './server-invitations.ts'

export type NewPartner = In<typeof contract.takeOn>

export const choices: Verb<typeof contract.choices> = async ctx => {
  const levels = await ctx.db
    .select({
      id: agentLevels.id,
      name: agentLevels.name,
      // Of the level alone: no agent has this number.
      discountBasisPoints: sql<number>`discount_at(0, ${agentLevels.id}, 'version', now())`.mapWith(Number),
    })
    .from(agentLevels)
    .orderBy(asc(agentLevels.id))
  const methods = await ctx.db.select().from(paymentMethods).orderBy(asc(paymentMethods.position))
  const offered = await ctx.db.select().from(agentPaymentMethods)
  const channels = await ctx.db.select().from(agentPayChannels)
  const isForAll = (id: number) =>
    offered.some(({ agentId, paymentMethodId }) => agentId === 0 && paymentMethodId === id)
  return {
    levels,
    methods: methods.map(({ id, name }) => ({ id, name, isForAll: isForAll(id) })),
    channels: PAY_CHANNELS.map(channel => ({
      channel,
      isForAll: channels.some(one => one.agentId === 0 && one.channel === channel && one.enabled),
    })),
  }
}

/**
 * A new partner with all that belongs to it, in the caller's transaction; answers its id and the invitation of its owner. `tokenCents`
 * are credited through the ledger. Refuses by PARTNER_REFUSALS with the field.
 */
export async function takeOn(ctx: Ctx, input: NewPartner): Promise<Out<typeof contract.takeOn>> {
  // First wall: a partner is no agency's own row.
  if (!ctx.actor.isVendorStaff) refuseCommon('FORBIDDEN')
  const { ownerLoginName: loginName, ownerName: name, ownerMobile: mobile, tokenCents } = input
  const [broken] = [...brokenTerms(input), ...brokenOwner(input)]
  if (broken) refuseField(broken.code, broken.field)
  refuseField(refuseTokens(tokenCents), 'tokenCents')
  if (tokenCents > 0 && !ctx.actor.permissions.has('ledger.credit')) refuseCommon('FORBIDDEN')
  await checkTerms(ctx, input, null)
  const isTaken = await isLoginNameTaken(ctx, loginName, null)
  refuseField(isTaken ? 'OWNER_LOGIN_TAKEN' : null, 'ownerLoginName')
  const { methodIds, channels, ...terms } = input
  const inserted = await insertAgent(ctx, { ...termsOf(terms) })
  refuseField(inserted === 'taken' ? 'COMPANY_TAKEN' : null, 'companyName')
  const id = Number(inserted)
  await saveOfferedMethods(ctx, id, methodIds)
  await saveChannels(ctx, id, channels)
  const accountId = await insertOwner(ctx, id, { loginName, name, mobile })
  if (accountId === 'taken') refuseField('OWNER_LOGIN_TAKEN', 'ownerLoginName')
  const owner = {
    agentId: id,
    companyName: input.companyName,
    accountId: Number(accountId),
    loginName,
    name,
    mobile,
  }
  const invitation = await inviteOwner(ctx, owner)
  if (tokenCents > 0) await creditOpening(ctx, id, tokenCents)
  return { id, invitation }
}

/** What stands in the agent's row. */
export function termsOf(input: Terms) {
  return {
    companyName: input.companyName,
    levelId: Number(input.levelId),
    parentId: input.parentId,
    districtCode: input.districtCode,
    contactName: input.contactName,
    mobile: input.mobile,
    accountFormat: input.accountFormat,
    isVendorStaff: input.isVendorStaff,
    hasFullMenu: input.hasFullMenu,
    payEnabled: input.payEnabled,
    contractFrom: input.contractFrom,
    contractTo: input.contractTo,
  }
}

type Checked = Terms & { methodIds: readonly number[] }

/** What only the other rows know; from here on nobody else takes the name or moves an agent. `self`: who has them already. */
export async function checkTerms(
  ctx: Ctx,
  terms: Checked,
  self: {
    id: number
    depthBelow: number
    isVendorStaff: boolean
    parentId: number | null
    districtCode: string
  } | null,
): Promise<void> {
  await lockTree(ctx)
  const isTaken = await isCompanyTaken(ctx, terms.companyName, self?.id ?? null)
  refuseField(isTaken ? 'COMPANY_TAKEN' : null, 'companyName')
  if (!(await levelOf(ctx, Number(terms.levelId)))) refuseField('LEVEL_UNKNOWN', 'levelId')
  if (terms.parentId !== null && terms.parentId !== self?.parentId)
    refuseField(refuseParent(await parentOf(ctx, terms.parentId), self), 'parentId')
  if (terms.districtCode !== '' && terms.districtCode !== self?.districtCode)
    if (!(await isOfferedDistrict(ctx, terms.districtCode))) refuseField('REGION_UNKNOWN', 'districtCode')
  if (terms.isVendorStaff !== (self?.isVendorStaff ?? false) && !ctx.actor.isOperator)
    refuseField('FLAG_OPERATOR', 'isVendorStaff')
  const known = await ctx.db.select({ id: paymentMethods.id }).from(paymentMethods)
  const isUnknown = terms.methodIds.some(id => !known.some(method => method.id === id))
  refuseField(isUnknown ? 'METHOD_UNKNOWN' : null, 'methodIds')
}

export function refuseField(code: PartnerRefusal | null, field: string): void {
  refuse(code, PARTNER_REFUSALS, { field })
}

async function creditOpening(ctx: Ctx, agentId: number, amount: number): Promise<void> {
  await post(ctx, [
    {
      kind: 'credit',
      asset: 'token',
      amount,
      from: { kind: 'vendor', book: 'issued' },
      to: { kind: 'agent', id: agentId },
      document: await nextDocumentNo(ctx),
      payMethod: 'gift',
      agentId,
      description: '运营充值',
      remark: '开户代币',
    },
  ])
}

/** What the log says of a partner: ids by their names, the texts of lists. */
export async function toldTerms(ctx: Ctx, input: Checked & { channels: Channels }) {
  const { levelId, parentId, districtCode, methodIds, channels, ...plain } = input
  const level = levelId === null ? undefined : await levelOf(ctx, levelId)
  const parent = parentId === null ? undefined : await parentOf(ctx, parentId)
  const methods = await ctx.db.select().from(paymentMethods).orderBy(asc(paymentMethods.position))
  const offered = methods.filter(({ id }) => methodIds.includes(id)).map(({ name }) => name)
  const set = PAY_CHANNELS.flatMap(channel => {
    const isOn = channels[channel]
    return isOn === null ? [] : [`${CHANNEL_NAMES[channel]}${isOn ? '开' : '关'}`]
  })
  return {
    ...plain,
    levelName: level?.name ?? null,
    parentName: parent?.companyName ?? null,
    region: (await regionsOf(ctx)).regionName(districtCode),
    methods: offered.join('、'),
    channels: set.join('、'),
  }
}

const UNSET = {
  channels: '',
  methods: '',
  region: '',
  isVendorStaff: false,
  hasFullMenu: false,
  payEnabled: false,
}

export const takeOnPartner: Verb<typeof contract.takeOn> = async (ctx, input) => {
  const taken = await takeOn(ctx, input)
  const { tokenCents, ownerMobile, ...terms } = input
  const told = { ...(await toldTerms(ctx, terms)), ownerMobile: maskPhone(ownerMobile) }
  const nobody = Object.fromEntries(Object.keys(PARTNER_FIELDS).map(key => [key, null]))
  const changes: FieldChange[] = changesOf({ ...nobody, ...UNSET } as Record<string, unknown>, told, LOGGED)
  if (tokenCents > 0) changes.push({ name: '开户代币', before: null, after: amountText(tokenCents, '代币') })
  ctx.about(taken.id)
  ctx.note(`${input.companyName} (${taken.id})`, changes)
  return taken
}

/** The fields of the log, under the names that `toldTerms` gives them. */
export const LOGGED = {
  companyName: PARTNER_FIELDS.companyName,
  levelName: PARTNER_FIELDS.levelName,
  parentName: PARTNER_FIELDS.parentName,
  region: PARTNER_FIELDS.districtCode,
  contactName: PARTNER_FIELDS.contactName,
  mobile: PARTNER_FIELDS.mobile,
  accountFormat: PARTNER_FIELDS.accountFormat,
  isVendorStaff: PARTNER_FIELDS.isVendorStaff,
  hasFullMenu: PARTNER_FIELDS.hasFullMenu,
  payEnabled: PARTNER_FIELDS.payEnabled,
  contractFrom: PARTNER_FIELDS.contractFrom,
  contractTo: PARTNER_FIELDS.contractTo,
  methods: PARTNER_FIELDS.methods,
  channels: PARTNER_FIELDS.channels,
  ownerLoginName: PARTNER_FIELDS.ownerLoginName,
  ownerName: PARTNER_FIELDS.ownerName,
  ownerMobile: PARTNER_FIELDS.ownerMobile,
} as const
