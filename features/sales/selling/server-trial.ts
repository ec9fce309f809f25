// A shop that registers itself, on the website or in the app: a version on trial, for which nothing is paid.
import { and, eq, gte, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { REFUSALS, refuseNewMerchant } from '#features/shops/merchants/rules.ts'
import { insertMerchant } from '#features/shops/merchants/server-new.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { dayKept, VERSION_REFUSALS } from '#features/shops/versions/rules.ts'
import { isSoldBy, pricedVersion } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import { formatDay, formatInstant, startOfDay } from '#kit/time.ts'
import type { Ctx } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse, refuseBroken } from '#server/refuse.ts'
import { SELF_REGISTERED, type SelfRegistered, TRIAL_DAYS, TRIAL_REFUSALS, TRIALS_PER_DAY } from './rules.ts'
import { placeOf, refuseOnAdd, rowOf } from './server-add.ts'

export type TrialForm = {
  source: SelfRegistered
  versionId: number
  shortName: string
  shopName: string
  personName: string
  account: string
  password: string
  districtCode: string
  address: string
  industryId: number
  referrer: string
}

export type Registered = { id: number; versionId: number; registeredAt: string; expiresAt: string }

/** A shop of the acting agency, for as many days as the operator allows. Refused as any new shop is. */
export async function registerShop(ctx: Ctx, form: TrialForm): Promise<Registered> {
  const [chosen] = await ctx.db
    .select({ version: pricedVersion(), authorised: isSoldBy(agents.id), format: agents.accountFormat })
    .from(versions)
    .innerJoin(agents, eq(agents.id, ctx.actor.agentId))
    .where(eq(versions.id, form.versionId))
  refuse(refuseOnAdd(chosen), VERSION_REFUSALS, { field: 'versionId' })
  const entered = { ...form, managerId: null, paymentMethodId: null, remark: '', smsCount: 0 }
  const broken = refuseNewMerchant(entered, found(chosen).format)
  if (broken) refuse(broken.code, REFUSALS, { field: broken.field })
  refuseBroken(MERCHANT_FIELDS, entered)
  await refuseMany(ctx)
  const { path, managerId } = await placeOf(ctx, entered)
  const row = await rowOf(ctx, { ...entered, managerId }, path, {
    shops: 1,
    payEnabled: false,
    source: form.source,
  })
  const { now } = ctx
  const days = await settingOf(ctx, TRIAL_DAYS)
  const expiresAt = new Date(now.getTime() + days * DAY_MS).toISOString()
  const term = { expiresAt, termDay: dayKept(expiresAt, null) }
  const id = await insertMerchant(ctx, { row, paymentConfig: null }, now, term)
  ctx.about(ctx.actor.agentId, id)
  ctx.note(`${form.shopName} (${id})`, [
    { name: MERCHANT_FIELDS.source.label, before: null, after: SELF_REGISTERED[form.source] },
    { name: MERCHANT_FIELDS.expiresAt.label, before: null, after: formatInstant(expiresAt) },
  ])
  return { id, versionId: form.versionId, registeredAt: now.toISOString(), expiresAt }
}

const DAY_MS = 86_400_000
/** Under this lock the registrations of an agency are counted one by one. */
const REGISTER_LOCK = 7_211_031

async function refuseMany(ctx: Ctx): Promise<void> {
  const { agentId } = ctx.actor
  await ctx.client.query('select pg_advisory_xact_lock($1, $2)', [REGISTER_LOCK, agentId])
  const today = await ctx.db.$count(
    merchants,
    and(
      eq(merchants.agentId, agentId),
      inArray(merchants.source, Object.keys(SELF_REGISTERED) as SelfRegistered[]),
      gte(merchants.registeredAt, startOfDay(formatDay(ctx.now)).toISOString()),
    ),
  )
  if (today >= (await settingOf(ctx, TRIALS_PER_DAY))) refuse('TRIALS_FULL', TRIAL_REFUSALS)
}
