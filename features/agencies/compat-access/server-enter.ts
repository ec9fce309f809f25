// A program at the door of the documents' calls: its signature is checked with the sealed verifier, and it is given a token for a few hours.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { apiKeys } from '#features/agencies/api-keys/tables.ts'
import { recordSignIn } from '#features/agencies/sign-in/server-devices.ts'
import {
  countTry,
  forgetTries,
  refuseThrottled,
  subjectsOf,
} from '#features/agencies/sign-in/server-limits.ts'
import { hashToken, readAccountActor } from '#features/office/access/server.ts'
import { accounts, permissionNodes } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import type { In } from '#kit/declare/op.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { compatAccess as contract } from './contract.ts'
import { ENTER_REFUSALS, LIMITS, refuseEntering, signedTexts } from './rules.ts'
import { noteUse } from './server-door.ts'
import { compatAccesses, compatNonces, compatTokens } from './tables.ts'

type Signed = In<typeof contract.enter>

/** Of what stands in place of a password once it is stored: says whether it is still the same. */
export function digestOf({ services }: Pick<Ctx, 'services'>, passwordHash: string): Buffer {
  return services.secrets.digest(`compat password ${passwordHash}`)
}

/** So that an account without a door takes as long as a wrong signature. */
const NOBODYS_MD5 = '0'.repeat(32)

export const enter: Verb<typeof contract.enter> = async (ctx, input) => {
  if (!ctx.services.env.compat) refuse('COMPAT_OFF', ENTER_REFUSALS)
  refuse(refuseEntering(input, ctx.now.getTime()), ENTER_REFUSALS)
  const subjects = subjectsOf(ctx, input.userName, null)
  await refuseThrottled(ctx, subjects)
  const row = await accountOf(ctx, input.userName)
  const isRight = isSigned(
    row?.access ? ctx.services.secrets.decrypt(row.access.verifier) : NOBODYS_MD5,
    input,
  )
  const tries = await countTry(ctx, subjects)
  const owner = row ? { accountId: row.account.id, agentId: row.account.agentId } : null
  if (row && owner) ctx.note(input.userName, [], { ...owner, name: row.account.name })
  const isStill = row?.access && digestOf(ctx, row.account.passwordHash).equals(row.access.passwordDigest)
  if (!row?.access || !owner || !isRight || !isStill) {
    await recordSignIn(ctx, owner, 'password')
    throw new Refusal('LOGIN_FAILED', ENTER_REFUSALS.LOGIN_FAILED, undefined, true)
  }
  if (!row.account.enabled || !row.agentEnabled) {
    await recordSignIn(ctx, owner, 'disabled')
    throw new Refusal('ACCOUNT_DISABLED', ENTER_REFUSALS.ACCOUNT_DISABLED, undefined, true)
  }
  await takeNonce(ctx, owner, input.nonce)
  await forgetTries(ctx, tries)
  const token = `pot_${randomBytes(32).toString('base64url')}`
  const createdAt = ctx.now.toISOString()
  const expiresAt = new Date(ctx.now.getTime() + LIMITS.tokenHours * 3_600_000).toISOString()
  const { keyId } = row.access
  await ctx.db
    .insert(compatTokens)
    .values({ ...owner, tokenHash: hashToken(token), keyId, createdAt, expiresAt })
  await recordSignIn(ctx, owner, 'done')
  const { ip } = ctx.request
  ctx.afterCommit(() => noteUse(ctx.services, { ...owner, call: 'AppLogin', ip }))
  return {
    token,
    expiresAt,
    ...owner,
    name: row.account.name,
    userType: row.account.isOwner ? 0 : 1,
    nodes: await nodesOf(ctx, owner.accountId),
  }
}

async function accountOf(ctx: Ctx, loginName: string) {
  const [row] = await ctx.db
    .select({ account: accounts, agentEnabled: agents.enabled, access: compatAccesses })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.accountId, accounts.id),
        isNull(apiKeys.endedAt),
        gt(apiKeys.expiresAt, sql`now()`),
        sql`exists (select 1 from ${compatAccesses} c where c.key_id = ${apiKeys.id})`,
      ),
    )
    .leftJoin(
      compatAccesses,
      and(eq(compatAccesses.accountId, accounts.id), eq(compatAccesses.keyId, apiKeys.id)),
    )
    .where(eq(accounts.loginName, loginName))
  return row
}

function isSigned(passwordMd5: string, { timestamp, nonce, signature }: Signed): boolean {
  const given = Buffer.from(signature.toUpperCase())
  return signedTexts(passwordMd5, { timestamp, nonce })
    .map(text => Buffer.from(createHash('md5').update(text).digest('hex').toUpperCase()))
    .map(expected => expected.length === given.length && timingSafeEqual(expected, given))
    .includes(true)
}

/** Each once; kept longer than the clock lets in what bears it. */
async function takeNonce(
  ctx: Ctx,
  owner: { accountId: number; agentId: number },
  nonce: string,
): Promise<void> {
  const nonceHash = createHash('sha256').update(nonce).digest()
  const taken = await ctx.db
    .insert(compatNonces)
    .values({ ...owner, nonceHash, createdAt: ctx.now.toISOString() })
    .onConflictDoNothing()
    .returning({ accountId: compatNonces.accountId })
  if (taken.length === 0) throw new Refusal('NONCE_USED', ENTER_REFUSALS.NONCE_USED, undefined, true)
}

async function nodesOf(ctx: Ctx, accountId: number) {
  const actor = await readAccountActor(ctx.services, accountId)
  const nodes = await ctx.db.select().from(permissionNodes)
  return nodes
    .filter(({ key, marker }) => actor?.permissions.has(key) && marker !== 'none')
    .map(({ id, parentId, name, path, marker }) => ({ id, parentId, name, path, marker }))
}
