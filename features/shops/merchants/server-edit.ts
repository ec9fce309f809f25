// Editing a shop, enabling and disabling it (D1 §4, D2 §5, §6).
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { keysIn, picked } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { type Ctx, changesOf, ownRows, type Verb } from '#server/ctx.ts'
import { sqlState } from '#server/db.ts'
import { found, refuse, refuseBroken, refuseCommon } from '#server/refuse.ts'
import { hashPassword } from '#server/secrets.ts'
import type { FieldChange } from '#server/tables.ts'
import type { merchants as contract } from './contract.ts'
import { MERCHANT_FIELDS, VERIFICATION_CHANGE } from './fields.ts'
import {
  asksVerificationReason,
  type Contact,
  type LockedField,
  lockOf,
  REFUSALS,
  refuseContact,
  refuseDisabled,
  refuseEditedMerchant,
  refuseRemark,
  refuseSignature,
  refuseSigner,
  refuseStatusStep,
  refuseVerificationChange,
  STATUS_STEPS,
} from './rules.ts'
import { refuseField, refuseUnknownIndustry, refuseUnknownManager } from './server-new.ts'
import { configOf, readConfig } from './server-payment.ts'
import { tellOfShop } from './server-told.ts'
import { industries, merchants, paymentMethods } from './tables.ts'

type Merchant = typeof merchants.$inferSelect
type Form = In<typeof contract.edit>

/** Rows whose names stand in the log for their ids. */
const NAMED = {
  versionId: versions,
  industryId: industries,
  managerId: accounts,
  paymentMethodId: paymentMethods,
} as const
const LOGGED = picked(
  MERCHANT_FIELDS,
  keysIn(MERCHANT_FIELDS, 'log').filter(key => !(key in NAMED) && key !== 'districtCode'),
)

/** The merchant, locked for this transaction; NOT_FOUND where it is not the acting agent's. */
export async function lockMerchant(ctx: Ctx, id: number): Promise<Merchant> {
  const own = ownRows(ctx, merchants.agentId) !== undefined
  const key = `lock_merchant ${own ? 'own' : 'all'}`
  const [row] = await ctx
    .prepared(key, db =>
      db
        .select()
        .from(merchants)
        .where(
          and(
            eq(merchants.id, sql.placeholder('id')),
            own ? eq(merchants.agentId, sql.placeholder('agentId')) : undefined,
          ),
        )
        .for('update')
        .prepare(key),
    )
    .execute({ id, agentId: ctx.actor.agentId })
  const merchant = found(row)
  ctx.about(merchant.agentId, merchant.id)
  return merchant
}

/** Writes the change and notes it; `unseen` names what changed without showing its values. */
export async function updateMerchant(
  ctx: Ctx,
  before: Merchant,
  changed: Partial<Omit<Merchant, 'status'>>,
  unseen: string[] = [],
  why: FieldChange[] = [],
): Promise<number> {
  const revision = before.revision + 1
  await ctx.db
    .update(merchants)
    .set({ ...changed, revision })
    .where(eq(merchants.id, before.id))
  ctx.note(`${before.shopName} (${before.id})`, [...(await changesIn(ctx, before, changed, unseen)), ...why])
  return revision
}

/** The same, and the shop's agent hears of it where others did it. */
export async function updateAndTell(
  ctx: Ctx,
  before: Merchant,
  changed: Partial<Omit<Merchant, 'status'>>,
  { title, unseen = [], why = [] }: { title: string; unseen?: string[]; why?: FieldChange[] },
): Promise<number> {
  const revision = await updateMerchant(ctx, before, changed, unseen, why)
  if (before.agentId !== ctx.actor.agentId)
    await tellOfShop(ctx, before, {
      title,
      changes: [...(await changesIn(ctx, before, changed, unseen)), ...why],
    })
  return revision
}

async function changesIn(
  ctx: Ctx,
  before: Merchant,
  changed: Partial<Omit<Merchant, 'status'>>,
  unseen: readonly string[],
): Promise<FieldChange[]> {
  return [
    ...changesOf(before, changed, LOGGED),
    ...(await namedChanges(ctx, before, changed)),
    ...unseen.map(name => ({ name, before: null, after: '已修改' })),
  ]
}

/** What changed to another row or place, by its name. */
async function namedChanges(ctx: Ctx, before: Merchant, changed: Partial<Merchant>): Promise<FieldChange[]> {
  const changes: FieldChange[] = []
  for (const [key, table] of Object.entries(NAMED) as [keyof typeof NAMED, (typeof NAMED)['versionId']][]) {
    const ids = [before[key], changed[key]]
    if (!(key in changed) || ids[0] === ids[1]) continue
    const rows = await ctx.db
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(
        inArray(
          table.id,
          ids.filter(id => typeof id === 'number'),
        ),
      )
    const [was = null, is = null] = ids.map(id => rows.find(row => row.id === id)?.name ?? null)
    changes.push({ name: MERCHANT_FIELDS[key].label, before: was, after: is })
  }
  const { districtCode } = changed
  if (districtCode !== undefined && districtCode !== before.districtCode) {
    const { formatAddress } = await regionsOf(ctx)
    changes.push({
      name: MERCHANT_FIELDS.districtCode.label,
      before: formatAddress(before.districtCode, '') || null,
      after: formatAddress(districtCode, '') || null,
    })
  }
  return changes
}

export async function editMerchant(ctx: Ctx, form: Form): Promise<Out<typeof contract.edit>> {
  const before = await lockMerchant(ctx, form.id)
  if (before.revision !== form.revision) refuseCommon('STALE')
  refuse(refuseDisabled(before.status), REFUSALS)
  const broken = refuseEditedMerchant(form, before.account)
  if (broken) refuse(broken.code, REFUSALS, { field: broken.field })
  refuseBroken({ ...MERCHANT_FIELDS, ...VERIFICATION_CHANGE }, form)
  refuseLocks(ctx, before, form)
  const change = refuseVerificationChange(form, before)
  if (change) refuse(change.code, REFUSALS, { field: change.field })
  await refuseUnknownIndustry(ctx, form.industryId, before.industryId)
  const path = await divisionOf(ctx, form.districtCode, before.districtCode)
  if (form.managerId !== before.managerId) await refuseUnknownManager(ctx, form.managerId, before.agentId)
  if (form.versionId !== before.versionId) await refuseUnknownVersion(ctx, form.versionId)
  const { id, revision: _, password, paymentConfig: given, verificationReason, ...fields } = form
  const paymentConfig = await editedConfig(ctx, before, form.paymentMethodId, given)
  const changed: Partial<Merchant> = {
    ...fields,
    industryId: form.industryId as number,
    ...path,
    // A reason stands beside a failure alone.
    verificationRefusal: form.verificationStatus === 'failed' ? form.verificationRefusal : '',
    paymentConfig,
    payEnabled: form.paymentMethodId === before.paymentMethodId ? before.payEnabled : paymentConfig !== null,
    // The same instant may be written in another way; only another instant is a change.
    registeredAt: sameInstant(form.registeredAt, before.registeredAt)
      ? before.registeredAt
      : new Date(form.registeredAt).toISOString(),
    expiresAt: sameInstant(form.expiresAt, before.expiresAt) ? before.expiresAt : instantOf(form.expiresAt),
  }
  const unseen = paymentConfig === before.paymentConfig ? [] : ['支付参数']
  if (password !== '') {
    changed.passwordHash = await hashPassword(password)
    unseen.push('密码')
  }
  try {
    const told = { title: '商户资料已修改', unseen, why: whyOf(form, before) }
    return { id, revision: await updateAndTell(ctx, before, changed, told) }
  } catch (error) {
    if (sqlState(error) === '23505') refuseField('ACCOUNT_TAKEN', 'account')
    throw error
  }
}

/** Why a status was set by hand stands beside it. */
function whyOf(form: Form, before: Merchant): FieldChange[] {
  if (!asksVerificationReason(form, before)) return []
  const { label } = VERIFICATION_CHANGE.verificationReason
  return [{ name: label, before: null, after: form.verificationReason }]
}

/** The divisions that a district lies in; one that is offered no more is kept. */
async function divisionOf(ctx: Ctx, districtCode: string, held: string) {
  const regions = await regionsOf(ctx)
  const mayStand = districtCode === held || regions.isOffered(districtCode)
  const path = mayStand ? regions.pathOf(districtCode) : null
  if (!path) refuseField('DIVISION_REQUIRED', 'districtCode')
  return path
}

/** How the shop is reached, as it says itself at its point of sale. */
export async function setContact(
  ctx: Ctx,
  { id, revision, ...contact }: Contact & { id: number; revision: number },
): Promise<{ id: number; revision: number }> {
  const before = await lockMerchant(ctx, id)
  if (before.revision !== revision) refuseCommon('STALE')
  refuse(refuseDisabled(before.status), REFUSALS)
  const broken = refuseContact(contact)
  if (broken) refuse(broken.code, REFUSALS, { field: broken.field })
  refuseBroken(picked(MERCHANT_FIELDS, ['shopPhone', 'address']), contact)
  const path = await divisionOf(ctx, contact.districtCode, before.districtCode)
  return {
    id,
    revision: await updateAndTell(ctx, before, { ...contact, ...path }, { title: '商户资料已修改' }),
  }
}

/** The config after the edit. An untouched method that is no longer offered keeps its values. */
async function editedConfig(
  ctx: Ctx,
  before: Merchant,
  methodId: number | null,
  given: Record<string, string>,
) {
  if (methodId === before.paymentMethodId && Object.keys(given).length === 0) return before.paymentConfig
  const kept = methodId === before.paymentMethodId ? readConfig(ctx, before.paymentConfig) : {}
  return configOf(ctx, methodId, given, kept, before)
}

function sameInstant(a: string | null, b: string | null): boolean {
  return instantOf(a) === instantOf(b)
}

function instantOf(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString()
}

/** Refuses the first changed field that this person may not change (D2 §6). */
function refuseLocks(ctx: Ctx, before: Merchant, form: Form): void {
  const touched: [LockedField, boolean, boolean][] = [
    ['account', form.account !== before.account, true],
    ['referrer', form.referrer !== before.referrer, before.referrer !== ''],
    ['managerId', form.managerId !== before.managerId, before.managerId !== null],
    ['versionId', form.versionId !== before.versionId, true],
    ['storeKind', form.storeKind !== before.storeKind, true],
    ['registeredAt', !sameInstant(form.registeredAt, before.registeredAt), true],
    [
      'verificationStatus',
      form.verificationStatus !== before.verificationStatus ||
        (form.verificationStatus === 'failed' && form.verificationRefusal !== before.verificationRefusal),
      true,
    ],
    ['expiresAt', !sameInstant(form.expiresAt, before.expiresAt), true],
    [
      'paymentMethodId',
      form.paymentMethodId !== before.paymentMethodId ||
        Object.values(form.paymentConfig).some(value => value !== ''),
      before.paymentMethodId !== null,
    ],
  ]
  for (const [field, isTouched, hasValue] of touched)
    if (isTouched) refuse(lockOf(field, ctx.actor, { hasValue, source: before.source }), REFUSALS, { field })
}

async function refuseUnknownVersion(ctx: Ctx, versionId: number): Promise<void> {
  const [version] = await ctx.db.select({ id: versions.id }).from(versions).where(eq(versions.id, versionId))
  found(version)
}

export const setSignature: Verb<typeof contract.setSignature> = async (ctx, input) => {
  refuse(refuseSignature(input.signature), REFUSALS, { field: 'signature' })
  const before = await lockMerchant(ctx, input.id)
  refuse(refuseDisabled(before.status) ?? refuseSigner(ctx.actor), REFUSALS)
  await updateMerchant(ctx, before, { signature: input.signature })
  if (input.signature !== before.signature) await tellSignature(ctx, before, input.signature)
  return input
}

/** Tells the shop's agent, but not whoever changed it, so that pages which show the signature ask for it again. */
async function tellSignature(ctx: Ctx, shop: Merchant, signature: string): Promise<void> {
  const others = await ctx.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.agentId, shop.agentId), ne(accounts.id, ctx.actor.accountId)))
  await notify(ctx, {
    accountIds: others.map(({ id }) => id),
    merchantId: shop.id,
    holding: 'merchants.list',
    topic: 'Refresh_Signature_Notify',
    title: '短信签名已修改',
    body: `${shop.shopName}：「${shop.signature || '无'}」改为「${signature}」，修改人 ${ctx.actor.name}`,
    link: `/admin/merchant/merchantDetails?user_id=${shop.id}`,
    args: { merchantId: shop.id, signature },
  })
}

export const setRemark: Verb<typeof contract.setRemark> = async (ctx, input) => {
  refuse(refuseRemark(input.remark), REFUSALS, { field: 'remark' })
  const before = await lockMerchant(ctx, input.id)
  await ctx
    .prepared('set_remark', db =>
      db
        .update(merchants)
        .set({ remark: sql`${sql.placeholder('remark')}`, revision: sql`${merchants.revision} + 1` })
        .where(eq(merchants.id, sql.placeholder('id')))
        .prepare('set_remark'),
    )
    .execute({ id: before.id, remark: input.remark })
  const changes = changesOf(before, { remark: input.remark }, LOGGED)
  ctx.note(`${before.shopName} (${before.id})`, changes)
  await tellOfShop(ctx, before, { title: '商户备注已修改', changes })
  return input
}

export const enable: Verb<typeof contract.enable> = (ctx, input) => {
  return step(ctx, input.id, 'enable')
}

export const disable: Verb<typeof contract.disable> = (ctx, input) => {
  return step(ctx, input.id, 'disable')
}

async function step(ctx: Ctx, id: number, action: 'enable' | 'disable') {
  const before = await lockMerchant(ctx, id)
  refuse(refuseStatusStep(before.status, action), REFUSALS)
  const { from, to: status } = STATUS_STEPS[action]
  await ctx.db
    .update(merchants)
    .set({ status, revision: before.revision + 1 })
    .where(and(eq(merchants.id, id), inArray(merchants.status, from)))
  const changes = changesOf(before, { status }, LOGGED)
  ctx.note(`${before.shopName} (${id})`, changes)
  await tellOfShop(ctx, before, { title: action === 'enable' ? '商户已启用' : '商户已禁用', changes })
  return { id, status }
}
