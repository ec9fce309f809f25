// Under whose signature a message goes: what a shop sends to its members under its own, where the service has approved it.
import { usableSignatures } from '#features/shops/signatures/server-use.ts'
import type { SmsProviderName } from '#kit/ports/providers.ts'
import type { Ctx } from '#server/ctx.ts'
import type { MessageKind } from './rules.ts'

/** Sent in the shop's name, not in the vendor's. */
const SIGNED_BY_SHOPS: readonly MessageKind[] = ['member']

type Signed = { kind: MessageKind; merchantId: number | null }

/** Answers the shop's own signature of each; empty: the vendor's. */
export async function ownSignatures(
  ctx: Ctx,
  messages: readonly Signed[],
  service?: SmsProviderName,
): Promise<(message: Signed) => string> {
  const isOwn = ({ kind }: Signed) => SIGNED_BY_SHOPS.includes(kind)
  const shops = messages.flatMap(one => (isOwn(one) && one.merchantId !== null ? [one.merchantId] : []))
  const own = await usableSignatures(ctx, shops, service)
  return one => (isOwn(one) ? (own.get(one.merchantId ?? 0) ?? '') : '')
}
