// Saving an account: what was given takes the place of what was there, and secrets are sealed.
import { randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { payAllowed } from '#features/office/agents/server.ts'
import { CHANNEL_NAMES, type OwnSetting, type PayChannelName } from '#kit/ports/channels.ts'
import { KeyUnreadable } from '#kit/ports/providers.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { paymentSettings as contract } from './contract.ts'
import { brokenValues, identityOf, REFUSALS, settingsOf } from './rules.ts'
import { valuesOf } from './server-channels.ts'
import { paymentSettings, paymentSettingValues } from './tables.ts'

/** 128 bits and more: nobody finds an address by trying. */
const KEY_BYTES = 24
const SHOWN_MAX = 64

export const newCallbackKey = () => randomBytes(KEY_BYTES).toString('base64url')

export type Settings = typeof paymentSettings.$inferSelect & { offSeconds: number | null }

export function offSeconds() {
  return sql<number | null>`extract(epoch from now() - ${paymentSettings.offAt})::int`
}

export function switchedOff() {
  return {
    enabled: false,
    offAt: sql`case when ${paymentSettings.enabled} then now() else ${paymentSettings.offAt} end`,
  }
}

/** Whether a channel can be paid to an agent at all. */
export function connects(ctx: Ctx, channel: PayChannelName): boolean {
  return ctx.services.providers.own[channel] !== undefined
}

/** Of the acting agent; locked, so that two who save come one after the other. */
export async function currentSettings(ctx: Ctx, channel: PayChannelName): Promise<Settings | null> {
  const { agentId } = ctx.actor
  await ctx.client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `payment settings ${agentId} ${channel}`,
  ])
  const [row] = await ctx.db
    .select({ settings: paymentSettings, offSeconds: offSeconds() })
    .from(paymentSettings)
    .where(
      and(
        eq(paymentSettings.agentId, agentId),
        ownRows(ctx, paymentSettings.agentId),
        eq(paymentSettings.channel, channel),
        isNull(paymentSettings.replacedAt),
      ),
    )
  return row ? { ...row.settings, offSeconds: row.offSeconds } : null
}

export const save: Verb<typeof contract.save> = async (ctx, { channel, values, remove }) => {
  const make = ctx.services.providers.own[channel]
  if (!make) throw new Refusal('CHANNEL_UNKNOWN', REFUSALS.CHANNEL_UNKNOWN)
  ctx.object('setting', `own-${channel}`)
  ctx.note(CHANNEL_NAMES[channel])
  refuse((await payAllowed(ctx, ctx.actor.agentId)) ? null : 'PAY_DISABLED', REFUSALS)
  const current = await currentSettings(ctx, channel)
  const before = current ? await valuesOf(ctx, current.id) : {}
  const declared = settingsOf(channel)
  const kept = Object.keys(before).filter(name => !remove.includes(name))
  const [broken] = brokenValues(channel, values, new Set(kept))
  if (broken) throw new Refusal('VALUE_INVALID', broken.message, { field: broken.field })
  const after = Object.fromEntries(
    Object.entries(declared).flatMap(([name, { kind }]) => {
      const typed = (values[name] ?? '').trim()
      const value = typed === '' && kind === 'secret' && kept.includes(name) ? (before[name] ?? '') : typed
      return value === '' ? [] : [[name, value] as const]
    }),
  )
  try {
    make(after)
  } catch (error) {
    if (!(error instanceof KeyUnreadable)) throw error
    throw new Refusal('KEY_UNREADABLE', error.message)
  }
  const changes = changesOf(declared, before, after)
  if (current && changes.length === 0) {
    ctx.nothingChanged()
    return { version: current.version, enabled: current.enabled }
  }
  const isOther = current !== null && identityOf(channel, before) !== identityOf(channel, after)
  const saved = current && !isOther ? await again(ctx, current.id) : await begin(ctx, channel, current)
  await write(ctx, saved.id, declared, isOther ? {} : before, after)
  ctx.note(CHANNEL_NAMES[channel], [
    ...changes,
    ...(current?.enabled ? [{ name: '状态', before: '已启用', after: '未启用' }] : []),
  ])
  return { version: saved.version, enabled: false }
}

async function again(ctx: Ctx, id: number) {
  const [row] = await ctx.db
    .update(paymentSettings)
    .set({ ...switchedOff(), version: sql`${paymentSettings.version} + 1`, updatedAt: sql`now()` })
    .where(eq(paymentSettings.id, id))
    .returning({ id: paymentSettings.id, version: paymentSettings.version })
  return found(row)
}

/** Another merchant has an address of its own for callbacks; what is under way stays with the one of before. */
async function begin(ctx: Ctx, channel: PayChannelName, replaced: Settings | null) {
  if (replaced)
    await ctx.db
      .update(paymentSettings)
      .set({ ...switchedOff(), replacedAt: sql`now()` })
      .where(eq(paymentSettings.id, replaced.id))
  const [row] = await ctx.db
    .insert(paymentSettings)
    .values({
      agentId: ctx.actor.agentId,
      channel,
      callbackKey: newCallbackKey(),
      // Later than of any settings before, so that no check of those counts.
      version: (replaced?.version ?? 0) + 1,
      createdAt: sql`now()`,
      updatedAt: sql`now()`,
    })
    .returning({ id: paymentSettings.id, version: paymentSettings.version })
  return found(row)
}

type Declared = Readonly<Record<string, OwnSetting>>
type Values = Readonly<Record<string, string>>

async function write(
  ctx: Ctx,
  settingsId: number,
  declared: Declared,
  before: Values,
  after: Values,
): Promise<void> {
  for (const [name, { kind }] of Object.entries(declared)) {
    const value = after[name]
    if (value === before[name]) continue
    const one = and(eq(paymentSettingValues.settingsId, settingsId), eq(paymentSettingValues.name, name))
    if (value === undefined) {
      await ctx.db.delete(paymentSettingValues).where(one)
      continue
    }
    const isSecret = kind === 'secret'
    const row = {
      open: isSecret ? null : value,
      sealed: isSecret ? ctx.services.secrets.encrypt(value) : null,
      setAt: sql`now()`,
      setByName: ctx.actor.name,
    }
    await ctx.db
      .insert(paymentSettingValues)
      .values({ settingsId, agentId: ctx.actor.agentId, name, ...row })
      .onConflictDoUpdate({ target: [paymentSettingValues.settingsId, paymentSettingValues.name], set: row })
  }
}

/** For the log: of a secret, and of a key of many lines, only that it is another. */
function changesOf(declared: Declared, before: Values, after: Values): FieldChange[] {
  return Object.entries(declared).flatMap(([name, { label, kind, isLong }]) => {
    const [old, fresh] = [before[name], after[name]]
    if (old === fresh) return []
    if (kind !== 'secret' && !isLong)
      return [
        { name: label, before: old?.slice(0, SHOWN_MAX) ?? null, after: fresh?.slice(0, SHOWN_MAX) ?? null },
      ]
    const told = fresh === undefined ? '已删除' : old === undefined ? '已设置' : '已更换'
    return [{ name: label, before: old === undefined ? null : '已设置', after: told }]
  })
}
