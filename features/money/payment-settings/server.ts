// The accounts that an agent is paid on itself: shown without their secrets, saved, checked, switched and removed.
import { and, eq, isNull, sql } from 'drizzle-orm'
import { payAllowed, setPayAllowed } from '#features/office/agents/server.ts'
import { CHANNEL_NAMES, PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { paymentSettings as contract } from './contract.ts'
import { LIMITS, REFUSALS, refuseRemove, refuseSignKey, refuseSwitchOn } from './rules.ts'
import { check } from './server-check.ts'
import { connects, currentSettings, offSeconds, save, switchedOff } from './server-save.ts'
import { paymentSettings, paymentSettingValues, paymentSignKeys } from './tables.ts'

const NOTHING_SET = {
  enabled: false,
  version: null,
  checkedVersion: null,
  checkedAt: null,
  checkResult: null,
  checkWords: '',
  offSeconds: null,
}

const settings: Verb<typeof contract.settings> = async ctx => {
  const rows = await ctx.db
    .select({ settings: paymentSettings, offSeconds: offSeconds() })
    .from(paymentSettings)
    .where(and(ownAgent(ctx), isNull(paymentSettings.replacedAt)))
  const values = await ctx.db
    .select()
    .from(paymentSettingValues)
    .where(
      and(eq(paymentSettingValues.agentId, ctx.actor.agentId), ownRows(ctx, paymentSettingValues.agentId)),
    )
  const [signKey] = await ctx.db
    .select({ setAt: paymentSignKeys.setAt, setByName: paymentSignKeys.setByName })
    .from(paymentSignKeys)
    .where(eq(paymentSignKeys.agentId, ctx.actor.agentId))
  return {
    payEnabled: await payAllowed(ctx, ctx.actor.agentId),
    channels: PAY_CHANNELS.filter(channel => connects(ctx, channel)).map(channel => {
      const row = rows.find(one => one.settings.channel === channel)
      return {
        channel,
        ...(row ? { ...row.settings, offSeconds: row.offSeconds } : NOTHING_SET),
        values: values
          .filter(({ settingsId }) => settingsId === row?.settings.id)
          .map(({ name, open, setAt, setByName }) => ({ name, value: open, setAt, setByName })),
      }
    }),
    signKey: signKey ?? null,
  }
}

function ownAgent(ctx: Ctx) {
  return and(eq(paymentSettings.agentId, ctx.actor.agentId), ownRows(ctx, paymentSettings.agentId))
}

const switchChannel: Verb<typeof contract.switch> = async (ctx, { channel, enabled }) => {
  const current = await currentSettings(ctx, channel)
  if (enabled)
    refuse(
      refuseSwitchOn({
        payEnabled: await payAllowed(ctx, ctx.actor.agentId),
        version: current?.version ?? null,
        checkedVersion: current?.checkedVersion ?? null,
        checkResult: current?.checkResult ?? null,
      }),
      REFUSALS,
    )
  if (!current) throw new Refusal('NOT_SET', REFUSALS.NOT_SET)
  if (current.enabled === enabled) {
    ctx.nothingChanged()
    return { enabled }
  }
  await ctx.db
    .update(paymentSettings)
    .set(enabled ? { enabled } : switchedOff())
    .where(eq(paymentSettings.id, current.id))
  note(ctx, channel, [{ name: '状态', before: word(!enabled), after: word(enabled) }])
  return { enabled }
}

const word = (enabled: boolean) => (enabled ? '已启用' : '未启用')

const remove: Verb<typeof contract.remove> = async (ctx, { channel }) => {
  const current = await currentSettings(ctx, channel)
  if (!current) throw new Refusal('NOT_SET', REFUSALS.NOT_SET)
  refuse(refuseRemove(current), REFUSALS)
  // With those of merchants of before, whose payments have ended too.
  const settled = sql`(${paymentSettings.offAt} is null or ${offSeconds()} >= ${LIMITS.settleMinutes * 60})`
  const gone = await ctx.db
    .update(paymentSettings)
    .set({
      ...switchedOff(),
      replacedAt: sql`coalesce(${paymentSettings.replacedAt}, now())`,
      version: sql`${paymentSettings.version} + 1`,
    })
    .where(and(ownAgent(ctx), eq(paymentSettings.channel, channel), settled))
    .returning({ id: paymentSettings.id })
  for (const { id } of gone)
    await ctx.db.delete(paymentSettingValues).where(eq(paymentSettingValues.settingsId, id))
  note(ctx, channel, [{ name: '支付设置', before: '已设置', after: '已删除' }])
  return { removed: true }
}

const setSignKey: Verb<typeof contract.setSignKey> = async (ctx, { signKey }) => {
  ctx.object('setting', 'signKey')
  ctx.note('签名密钥')
  refuse((await payAllowed(ctx, ctx.actor.agentId)) ? null : 'PAY_DISABLED', REFUSALS)
  refuse(refuseSignKey(signKey), REFUSALS, { field: 'signKey' })
  const row = {
    sealed: ctx.services.secrets.encrypt(signKey.trim()),
    setAt: sql`now()`,
    setByName: ctx.actor.name,
  }
  const [before] = await ctx.db
    .select({ agentId: paymentSignKeys.agentId })
    .from(paymentSignKeys)
    .where(eq(paymentSignKeys.agentId, ctx.actor.agentId))
  await ctx.db
    .insert(paymentSignKeys)
    .values({ agentId: ctx.actor.agentId, ...row })
    .onConflictDoUpdate({ target: paymentSignKeys.agentId, set: row })
  ctx.note('签名密钥', [
    { name: '签名密钥', before: before ? '已设置' : null, after: before ? '已更换' : '已设置' },
  ])
  return { kept: true }
}

const removeSignKey: Verb<typeof contract.removeSignKey> = async ctx => {
  const [gone] = await ctx.db
    .delete(paymentSignKeys)
    .where(eq(paymentSignKeys.agentId, ctx.actor.agentId))
    .returning({ agentId: paymentSignKeys.agentId })
  ctx.object('setting', 'signKey')
  found(gone)
  ctx.note('签名密钥', [{ name: '签名密钥', before: '已设置', after: '已删除' }])
  return { removed: true }
}

const allow: Verb<typeof contract.allow> = async (ctx, { id, enabled }) => {
  const { companyName, changed } = await setPayAllowed(ctx, id, enabled)
  ctx.about(id)
  if (!changed) ctx.nothingChanged()
  ctx.note(`${companyName} (${id})`, [
    { name: '在线收款', before: enabled ? '未开通' : '已开通', after: enabled ? '已开通' : '未开通' },
  ])
  return { enabled }
}

function note(ctx: Ctx, channel: PayChannelName, changes: Parameters<Ctx['note']>[1]): void {
  ctx.object('setting', `own-${channel}`)
  ctx.note(CHANNEL_NAMES[channel], changes)
}

export const paymentSettingsRouter = serve(contract, {
  settings,
  save,
  check,
  switch: switchChannel,
  remove,
  setSignKey,
  removeSignKey,
  allow,
})
