// The channels of agents' own accounts, as payments use them: which are offered, and the client of each.
import { and, eq, isNull } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import { KeyUnreadable, type PayChannel } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { paymentSettings, paymentSettingValues } from './tables.ts'

export type OwnAccount = { settingsId: number; channel: PayChannelName }
/** A channel of an agent's own account, and the last parts of the address of its callbacks. */
export type OwnConnection = { settingsId: number; agentId: number; channel: PayChannel; callbackPath: string }

type Settings = typeof paymentSettings.$inferSelect

/** The channels that an agent is paid by on its own account now: switched on, and the operator still allows it. */
export async function ownAccounts(ctx: Ctx, agentId: number): Promise<OwnAccount[]> {
  const rows = await ctx.db
    .select({ settingsId: paymentSettings.id, channel: paymentSettings.channel })
    .from(paymentSettings)
    .innerJoin(agents, eq(agents.id, paymentSettings.agentId))
    .where(
      and(
        eq(paymentSettings.agentId, agentId),
        eq(paymentSettings.enabled, true),
        isNull(paymentSettings.replacedAt),
        eq(agents.payEnabled, true),
        eq(agents.status, 'active'),
      ),
    )
  return PAY_CHANNELS.flatMap(channel =>
    rows.filter(row => row.channel === channel && ctx.services.providers.own[channel] !== undefined),
  )
}

/** The client of an account, also of one that is off or replaced; null where its keys are gone. */
export async function ownConnection(ctx: Ctx, settingsId: number): Promise<OwnConnection | null> {
  const [settings] = await ctx.db.select().from(paymentSettings).where(eq(paymentSettings.id, settingsId))
  return settings ? connectionOf(ctx, settings) : null
}

/** By the last part of the address that a callback came to. */
export async function ownConnectionByKey(
  ctx: Ctx,
  channel: PayChannelName,
  callbackKey: string,
): Promise<OwnConnection | null> {
  const [settings] = await ctx.db
    .select()
    .from(paymentSettings)
    .where(and(eq(paymentSettings.callbackKey, callbackKey), eq(paymentSettings.channel, channel)))
  return settings ? connectionOf(ctx, settings) : null
}

/** A client keeps the certificates that it downloaded: one for each version of the settings, as long as they are in use. */
const clients = new WeakMap<Services, Map<number, { version: number; channel: PayChannel }>>()
const CLIENTS_MAX = 500

async function connectionOf(ctx: Ctx, settings: Settings): Promise<OwnConnection | null> {
  const { id, agentId, version, callbackKey } = settings
  const known = clients.get(ctx.services) ?? new Map<number, { version: number; channel: PayChannel }>()
  clients.set(ctx.services, known)
  let client = known.get(id)
  if (client?.version !== version) {
    const channel = await makeChannel(ctx, settings)
    if (!channel) return null
    client = { version, channel }
  }
  known.delete(id)
  known.set(id, client)
  for (const [oldest] of known) if (known.size > CLIENTS_MAX) known.delete(oldest)
  return {
    settingsId: id,
    agentId,
    channel: client.channel,
    callbackPath: `${settings.channel}/${callbackKey}`,
  }
}

async function makeChannel(ctx: Ctx, settings: Settings): Promise<PayChannel | null> {
  const make = ctx.services.providers.own[settings.channel]
  if (!make) return null
  try {
    return make(await valuesOf(ctx, settings.id))
  } catch (error) {
    if (!(error instanceof KeyUnreadable)) throw error
    return null
  }
}

/** Everything that was given, secrets in clear: for the client alone. */
export async function valuesOf(ctx: Ctx, settingsId: number): Promise<Record<string, string>> {
  const rows = await ctx.db
    .select()
    .from(paymentSettingValues)
    .where(eq(paymentSettingValues.settingsId, settingsId))
  return Object.fromEntries(
    rows.map(({ name, open, sealed }) => [
      name,
      sealed === null ? (open ?? '') : ctx.services.secrets.decrypt(sealed),
    ]),
  )
}
