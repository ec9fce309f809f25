// What waits for an answer: taken once, within a few minutes, by its token.
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { CHALLENGE_MINUTES, type ChallengePurpose } from './rules.ts'
import { factorChallenges } from './tables.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest()

type Waiting = { purpose: ChallengePurpose; accountId: number | null; value: string }

export async function openChallenge(ctx: Ctx, { purpose, accountId, value }: Waiting): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await ctx.db.insert(factorChallenges).values({
    tokenHash: hashOf(token),
    purpose,
    accountId,
    value: ctx.services.secrets.encrypt(value),
    expiresAt: sql`now() + make_interval(mins => ${CHALLENGE_MINUTES})`,
  })
  return token
}

const standing = (token: string, purpose: ChallengePurpose) =>
  and(
    eq(factorChallenges.tokenHash, hashOf(token)),
    eq(factorChallenges.purpose, purpose),
    gt(factorChallenges.expiresAt, sql`now()`),
  )

const SHOWN = { accountId: factorChallenges.accountId, value: factorChallenges.value }
type Kept = { accountId: number | null; value: Buffer }
const opened = (ctx: Ctx, found: Kept | undefined) =>
  found && { accountId: found.accountId, value: ctx.services.secrets.decrypt(found.value) }

/** Nobody can take it again. Whoever it was not opened for leaves it as it is. */
export async function takeChallenge(
  ctx: Ctx,
  token: string,
  purpose: ChallengePurpose,
  accountId: number | null,
) {
  const whose =
    accountId === null ? isNull(factorChallenges.accountId) : eq(factorChallenges.accountId, accountId)
  const [found] = await ctx.db
    .delete(factorChallenges)
    .where(and(standing(token, purpose), whose))
    .returning(SHOWN)
  return opened(ctx, found)
}

/** Leaves it for another try; one try at a time. */
export async function readChallenge(ctx: Ctx, token: string, purpose: ChallengePurpose) {
  const [found] = await ctx.db
    .select(SHOWN)
    .from(factorChallenges)
    .where(standing(token, purpose))
    .for('update')
  return opened(ctx, found)
}
