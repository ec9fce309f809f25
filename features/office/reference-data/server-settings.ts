// The numbers that the operator sets for the whole office, as their features declare them.
import { sql } from 'drizzle-orm'
import { refuseValue, type Setting, within } from '#kit/declare/settings.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, Refusal, refuseCommon } from '#server/refuse.ts'
import type { referenceData as contract } from './contract.ts'
import { officeSettings } from './tables.ts'

/** Keeps a value under its name; every instance hears of it. */
export async function keepSetting(ctx: Ctx, key: string, value: unknown): Promise<void> {
  const changed = {
    // The JSON null, which the driver would write as no value at all.
    value: sql`${JSON.stringify(value)}::jsonb`,
    updatedBy: ctx.actor.accountId,
    updatedAt: ctx.now.toISOString(),
  }
  await ctx.db
    .insert(officeSettings)
    .values({ key, ...changed })
    .onConflictDoUpdate({ target: officeSettings.key, set: changed })
  ctx.afterCommit(ctx.services.settings.memory.forget)
}

/** What is set, read past the memory. */
export async function keptSettings(ctx: Ctx): Promise<Map<string, unknown>> {
  const rows = await ctx.db
    .select({ key: officeSettings.key, value: officeSettings.value })
    .from(officeSettings)
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export const settingText = ({ unit }: Setting, value: number) => `${value} ${unit}`

export const listSettings: Verb<typeof contract.settings> = async ctx => {
  const kept = await keptSettings(ctx)
  return {
    settings: ctx.services.settings.declared.map(one => ({ ...one, value: within(one, kept.get(one.key)) })),
  }
}

/** What pages tell people of the limits. */
export const limits: Verb<typeof contract.limits> = async ctx => {
  const kept = await ctx.services.settings.memory.read(ctx.client)
  const values = ctx.services.settings.declared.map(one => [one.key, within(one, kept.get(one.key))])
  return { values: Object.fromEntries(values) as Record<string, number> }
}

export const setSetting: Verb<typeof contract.setSetting> = async (ctx, { key, seen, value }) => {
  const one = found(ctx.services.settings.declared.find(known => known.key === key))
  const flaw = refuseValue(one, value)
  if (flaw) throw new Refusal('SETTING_WRONG', flaw, { field: 'value' })
  await ctx.client.query(`select pg_advisory_xact_lock(hashtextextended('office settings', 0))`)
  const before = within(one, (await keptSettings(ctx)).get(key))
  if (before !== seen) refuseCommon('STALE')
  await keepSetting(ctx, key, value)
  ctx.object('setting', key)
  if (before === value) ctx.nothingChanged()
  ctx.note(one.label, [{ name: one.label, before: settingText(one, before), after: settingText(one, value) }])
  return { key, value }
}
