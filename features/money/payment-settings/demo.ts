// Demo data: an agent that its shops pay on its own accounts, which the simulators know. Made by the running program, since what is
// secret is encrypted with its key, and only a service says whether keys are right.
import { eq, sql } from 'drizzle-orm'
import { accounts } from '#features/office/access/tables.ts'
import { setPayAllowed } from '#features/office/agents/server.ts'
import { PAY_CHANNELS, type PayChannelName } from '#kit/ports/channels.ts'
import type { Services } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { actAsSystem } from '#server/system.ts'
import { settingsOf, type Values } from './rules.ts'
import { ownConnection } from './server-channels.ts'
import { probeOf } from './server-check.ts'
import { newCallbackKey } from './server-save.ts'
import { paymentSettings, paymentSettingValues } from './tables.ts'

const OWNER = '20001'

export async function openDemoAccounts(
  services: Services,
  own: Partial<Record<PayChannelName, Values>>,
): Promise<void> {
  for (const channel of PAY_CHANNELS) {
    const values = own[channel]
    if (values) await openAccount(services, channel, values)
  }
}

async function openAccount(services: Services, channel: PayChannelName, values: Values): Promise<void> {
  const { id, connection } = await actAsSystem(services, 'demo', async ctx => {
    const [owner] = await ctx.db.select().from(accounts).where(eq(accounts.loginName, OWNER))
    const { agentId, name: setByName } = found(owner)
    await setPayAllowed(ctx, agentId, true)
    const [made] = await ctx.db
      .insert(paymentSettings)
      .values({
        agentId,
        channel,
        callbackKey: newCallbackKey(),
        createdAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .returning({ id: paymentSettings.id })
    const settingsId = found(made).id
    for (const [name, { kind }] of Object.entries(settingsOf(channel))) {
      const value = values[name]
      if (value === undefined) continue
      const isSecret = kind === 'secret'
      const sealed = isSecret ? services.secrets.encrypt(value) : null
      const row = { settingsId, agentId, name, open: isSecret ? null : value, sealed, setByName }
      await ctx.db.insert(paymentSettingValues).values({ ...row, setAt: sql`now()` })
    }
    return { id: settingsId, connection: found(await ownConnection(ctx, settingsId)) }
  })
  const answer = await connection.channel.check(probeOf(services, connection))
  await actAsSystem(services, 'demo', ctx =>
    ctx.db
      .update(paymentSettings)
      .set({
        checkedVersion: 1,
        checkedAt: sql`now()`,
        checkResult: answer.result,
        checkWords: answer.words,
        enabled: answer.result === 'right',
      })
      .where(eq(paymentSettings.id, id)),
  )
}
