// Whether a shop's account and password are right, asked by its point-of-sale software.
import { and, eq } from 'drizzle-orm'
import {
  countTry,
  forgetTries,
  refuseThrottled,
  type Subject,
} from '#features/agencies/sign-in/server-limits.ts'
import { networkOf } from '#features/office/captcha/rules.ts'
import { noteSignIn } from '#features/shops/merchants/server-changes.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { NOBODYS_HASH, verifyPassword } from '#server/secrets.ts'
import type { pos as contract } from './contract-pos.ts'
import { SIGN_IN_REFUSALS } from './rules.ts'

/** Of this agency alone, so that nobody keeps out another's shops. */
function subjectsOf({ actor }: Ctx, account: string, ip: string): Subject[] {
  return [
    { by: 'account', subject: `shop ${actor.agentId} ${account}` },
    { by: 'network', subject: `shop network ${actor.agentId} ${networkOf(ip)}` },
  ]
}

export const checkSignIn: Verb<typeof contract.signIn> = async (ctx, { account, password, ip }) => {
  const subjects = subjectsOf(ctx, account, ip)
  await refuseThrottled(ctx, subjects)
  const [shop] = await ctx.db
    .select({
      id: merchants.id,
      passwordHash: merchants.passwordHash,
      status: merchants.status,
      expiresAt: merchants.expiresAt,
    })
    .from(merchants)
    .where(and(eq(merchants.account, account), ownRows(ctx, merchants.agentId)))
  // Also where there is no shop: it takes as long, and counts alike.
  const matches = await verifyPassword(password.trim(), shop?.passwordHash ?? NOBODYS_HASH)
  const tries = await countTry(ctx, subjects)
  if (!shop || !matches) throw new Refusal('LOGIN_FAILED', SIGN_IN_REFUSALS.LOGIN_FAILED, undefined, true)
  await forgetTries(ctx, tries)
  const { id, status, expiresAt } = shop
  if (status === 'normal') await noteSignIn(ctx, id)
  return { shopId: id, status, expiresAt }
}
