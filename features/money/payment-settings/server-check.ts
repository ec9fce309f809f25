// Asking the service itself whether it knows the keys. The call lies between two transactions.
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { payAllowed } from '#features/office/agents/server.ts'
import { CHANNEL_NAMES } from '#kit/ports/channels.ts'
import type { PayOrder } from '#kit/ports/providers.ts'
import { type Ctx, identityOf, type Services, type Verb } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { paymentSettings as contract } from './contract.ts'
import { CHECK_RESULTS, REFUSALS, refuseCheck } from './rules.ts'
import { type OwnConnection, ownConnection } from './server-channels.ts'
import { currentSettings } from './server-save.ts'
import { paymentSettings } from './tables.ts'

const PROBE_SECONDS = 600

export const check: Verb<typeof contract.check> = async (ctx, { channel }) => {
  const { settings, connection } = await inTurn(ctx, async one => {
    const current = await currentSettings(one, channel)
    const payEnabled = await payAllowed(one, ctx.actor.agentId)
    const standing = {
      payEnabled,
      version: current?.version ?? null,
      checkedVersion: null,
      checkResult: null,
    }
    refuse(refuseCheck(standing), REFUSALS)
    const own = current && (await ownConnection(one, current.id))
    if (!current || !own) throw new Refusal('NOT_SET', REFUSALS.NOT_SET)
    return { settings: current, connection: own }
  })
  const answer = await connection.channel.check(probeOf(ctx.services, connection))
  await inTurn(ctx, async one => {
    await one.db
      .update(paymentSettings)
      .set({
        checkedVersion: settings.version,
        checkedAt: sql`now()`,
        checkResult: answer.result,
        checkWords: answer.words.slice(0, 200),
      })
      .where(eq(paymentSettings.id, settings.id))
    await logOperation(one, {
      operation: '/payments/own/{channel}/check check',
      title: '检测支付设置',
      subject: CHANNEL_NAMES[channel],
      objects: [objectKey('setting', `own-${channel}`)],
      changes: [
        { name: '检测结果', before: null, after: `${CHECK_RESULTS[answer.result]}：${answer.words}` },
      ],
      by: ctx.actor,
    })
  })
  return answer
}

/** An order that was never made: its number is 26 hexadecimal digits by chance. */
export function probeOf(services: Services, { callbackPath }: OwnConnection): PayOrder {
  return {
    outTradeNo: `check${randomBytes(13).toString('hex')}`,
    amountFen: 1,
    subject: '支付设置检测',
    expiresAt: new Date(services.clock.now().getTime() + PROBE_SECONDS * 1_000).toISOString(),
    notifyUrl: `${services.baseUrl()}/callbacks/pay/${callbackPath}`,
  }
}

/** A transaction in the name of whoever acts. */
async function inTurn<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { services, request, actor } = ctx
  return services.database.write(identityOf(actor, services.walls), lent =>
    work(makeCtx(lent, { services, request }, actor).ctx),
  )
}
