// Which shops' own signatures a service may be given: those that it has approved and that the shop goes by now.
import { and, eq, inArray } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { SmsProviderName } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { takeBack } from './server-states.ts'
import { shopSignatures } from './tables.ts'

/** By shop; whoever is not in it goes by the vendor's. None where no service sends. */
export async function usableSignatures(
  ctx: Ctx,
  merchantIds: readonly number[],
  service: SmsProviderName | null = ctx.services.providers.sms?.name ?? null,
): Promise<ReadonlyMap<number, string>> {
  if (service === null || merchantIds.length === 0) return new Map()
  const rows = await ctx.db
    .select({ id: shopSignatures.merchantId, signature: shopSignatures.signature })
    .from(shopSignatures)
    .innerJoin(
      merchants,
      and(eq(merchants.id, shopSignatures.merchantId), eq(merchants.signature, shopSignatures.signature)),
    )
    .where(
      and(
        inArray(shopSignatures.merchantId, [...new Set(merchantIds)]),
        eq(shopSignatures.service, service),
        eq(shopSignatures.state, 'approved'),
      ),
    )
  return new Map(rows.map(({ id, signature }) => [id, signature]))
}

/** The service refused a message for the signature that it carried: no other message carries it until it is approved again. */
export function loseSignature(
  services: Services,
  lost: { service: SmsProviderName; signature: string; code: string; answer: string },
): Promise<void> {
  return actAsSystem(services, 'signature refused', async ctx => {
    const rows = await ctx.db
      .select()
      .from(shopSignatures)
      .where(
        and(
          eq(shopSignatures.service, lost.service),
          eq(shopSignatures.signature, lost.signature),
          eq(shopSignatures.state, 'approved'),
        ),
      )
      .orderBy(shopSignatures.id)
      .for('update')
    for (const row of rows) await takeBack(ctx, row, lost)
    ctx.afterCommit(() => ctx.services.wake('signatures'))
  })
}
