// Proving a second factor: a code once and seldom wrong, a recovery code once ever, or a passkey. For whoever signs in, and for
// a session before what asks for a fresh one.
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import type { Ctx } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import { saltedHash, verifyPassword } from '#server/secrets.ts'
import {
  FACTOR_REFUSALS,
  type FactorRefusal,
  isTotpCode,
  plainRecoveryCode,
  type TriedKind,
  WRONG_MAX,
  WRONG_WINDOW_MINUTES,
} from './rules.ts'
import { openChallenge, readChallenge, takeChallenge } from './server-challenges.ts'
import { beginAssertion, finishAssertion } from './server-passkeys.ts'
import { stepAt, stepOf } from './server-totp.ts'
import { factorFailures, factorProofs, factorTotps, passkeys, recoveryCodes } from './tables.ts'

/** Names the lock under which an account's codes are tried one by one. */
const TRY_LOCK = 7_211_020

export type Proof = { code: string } | { passkey: { token: string; response: object } }

/** How a factor can be proven: by codes, and what a passkey is to sign. */
export async function askProof(ctx: Ctx, accountId: number) {
  const [totp] = await ctx.db
    .select({ since: factorTotps.createdAt })
    .from(factorTotps)
    .where(eq(factorTotps.accountId, accountId))
  const recoveryLeft = await ctx.db.$count(
    recoveryCodes,
    and(eq(recoveryCodes.accountId, accountId), isNull(recoveryCodes.usedAt)),
  )
  return { hasTotp: totp !== undefined, recoveryLeft, passkey: await beginAssertion(ctx, accountId) }
}

/** Passes, or refuses; what was wrong counts. */
export async function passProof(ctx: Ctx, accountId: number, proof: Proof): Promise<void> {
  if ('passkey' in proof) {
    await finishAssertion(ctx, proof.passkey, accountId)
    return
  }
  const { code } = proof
  const says = { field: 'code', wrong: 'CODE_WRONG' } as const
  if (isTotpCode(code)) {
    const plain = code.replaceAll(' ', '')
    // Later the same digits may be right: within a step they are one try, however often they come.
    const tried = {
      kind: 'code',
      digest: digestOf(ctx, `code ${stepAt(ctx.now.getTime())} ${plain}`),
    } as const
    await tryOnce(ctx, accountId, { ...tried, ...says, throttled: 'FACTOR_THROTTLED' }, () =>
      takeTotp(ctx, accountId, plain),
    )
    return
  }
  const digest = digestOf(ctx, `recovery ${plainRecoveryCode(code)}`)
  const tried = { kind: 'recovery', digest, ...says, throttled: 'RECOVERY_THROTTLED' } as const
  await tryOnce(ctx, accountId, tried, () => takeRecoveryCode(ctx, accountId, code))
}

const digestOf = (ctx: Ctx, tried: string) => ctx.services.secrets.digest(`tried ${tried}`)

/** The password again, of an account that has nothing better. */
export async function passPassword(ctx: Ctx, accountId: number, password: string): Promise<void> {
  if (await hasFactor(ctx, accountId)) refuse('FACTOR_WANTED', FACTOR_REFUSALS)
  const says = { field: 'password', wrong: 'PASSWORD_WRONG', throttled: 'PASSWORD_THROTTLED' } as const
  await tryOnce(ctx, accountId, { kind: 'password', digest: null, ...says }, async () => {
    const [account] = await ctx.db
      .select({ passwordHash: accounts.passwordHash })
      .from(accounts)
      .where(eq(accounts.id, accountId))
    return verifyPassword(password.trim(), account?.passwordHash ?? '')
  })
}

type Tried = {
  kind: TriedKind
  /** Of what was tried, where the same again is the same try. */
  digest: Buffer | null
  field: string
  wrong: FactorRefusal
  throttled: FactorRefusal
}

/** One try at a time, and few wrong ones within a while. */
async function tryOnce(
  ctx: Ctx,
  accountId: number,
  { kind, digest, ...says }: Tried,
  isRight: () => Promise<boolean>,
): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(${TRY_LOCK}, ${accountId}::int)`)
  const wrong = await ctx.db
    .select({ digest: factorFailures.digest })
    .from(factorFailures)
    .where(
      and(
        eq(factorFailures.accountId, accountId),
        eq(factorFailures.kind, kind),
        gt(factorFailures.createdAt, sql`now() - make_interval(mins => ${WRONG_WINDOW_MINUTES})`),
      ),
    )
  if (digest && wrong.some(one => one.digest?.equals(digest))) keepRefusal(says.wrong, says.field)
  if (wrong.length >= WRONG_MAX) refuse(says.throttled, FACTOR_REFUSALS)
  if (await isRight()) {
    await ctx.db.delete(factorFailures).where(eq(factorFailures.accountId, accountId))
    return
  }
  await ctx.db.insert(factorFailures).values({ accountId, kind, digest, createdAt: sql`now()` })
  keepRefusal(says.wrong, says.field)
}

function keepRefusal(code: FactorRefusal, field = 'code'): never {
  throw new Refusal(code, FACTOR_REFUSALS[code], { field }, true)
}

/** A code is taken once: the step that it is of only rises. */
async function takeTotp(ctx: Ctx, accountId: number, code: string): Promise<boolean> {
  const [totp] = await ctx.db.select().from(factorTotps).where(eq(factorTotps.accountId, accountId))
  if (!totp) return false
  const secret = Buffer.from(ctx.services.secrets.decrypt(totp.secret), 'hex')
  const step = stepOf(secret, code, ctx.now.getTime(), totp.lastStep)
  if (step === null) return false
  const used = await ctx.db
    .update(factorTotps)
    .set({ lastStep: step })
    .where(and(eq(factorTotps.accountId, accountId), lt(factorTotps.lastStep, step)))
    .returning({ accountId: factorTotps.accountId })
  return used.length > 0
}

async function takeRecoveryCode(ctx: Ctx, accountId: number, typed: string): Promise<boolean> {
  const [kept] = await ctx.db
    .select({ salt: recoveryCodes.salt })
    .from(recoveryCodes)
    .where(eq(recoveryCodes.accountId, accountId))
    .limit(1)
  if (!kept) return false
  const used = await ctx.db
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.accountId, accountId),
        eq(recoveryCodes.codeHash, await recoveryHash(ctx, typed, kept.salt)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return used.length > 0
}

/** The program's key stands beside the salt, so that the table alone is no help in guessing. */
export async function recoveryHash(ctx: Ctx, code: string, salt: Buffer | null): Promise<Buffer> {
  const digest = ctx.services.secrets.digest(`recovery ${plainRecoveryCode(code)}`)
  return salt === null ? digest : saltedHash(digest, salt)
}

/** This session has proven its factor now, or its password. */
export async function markProven(
  ctx: Ctx,
  sessionId: number,
  by: 'factor' | 'password' = 'factor',
): Promise<void> {
  const proof = { provedAt: sql`now()`, byPassword: by === 'password' }
  await ctx.db
    .insert(factorProofs)
    .values({ sessionId, ...proof })
    .onConflictDoUpdate({ target: factorProofs.sessionId, set: proof })
}

/** Whether the account of this column has a factor. */
export const withFactor = (accountId: AnyPgColumn) =>
  sql<boolean>`(exists (select 1 from ${factorTotps} where ${factorTotps.accountId} = ${accountId})
    or exists (select 1 from ${passkeys} where ${passkeys.accountId} = ${accountId}))`

export async function hasFactor(ctx: Ctx, accountId: number): Promise<boolean> {
  const totps = await ctx.db.$count(factorTotps, eq(factorTotps.accountId, accountId))
  return totps > 0 || (await ctx.db.$count(passkeys, eq(passkeys.accountId, accountId))) > 0
}

/** After the right password: what else is asked for, or null where the account has no factor. Its token opens nothing else. */
export async function beginSecondStep(ctx: Ctx, accountId: number) {
  const { hasTotp, recoveryLeft, passkey } = await askProof(ctx, accountId)
  if (!(await hasFactor(ctx, accountId))) return null
  const token = await openChallenge(ctx, { purpose: 'signIn', accountId, value: '' })
  return { token, hasTotp, recoveryLeft, passkey }
}

/** Whose second step this token is; it goes on until `closeSecondStep`. */
export async function openSecondStep(ctx: Ctx, token: string): Promise<number> {
  const step = await readChallenge(ctx, token, 'signIn')
  return step?.accountId ?? keepRefusal('FACTOR_EXPIRED')
}

/** Its token is used up. */
export async function closeSecondStep(ctx: Ctx, token: string, accountId: number): Promise<void> {
  await takeChallenge(ctx, token, 'signIn', accountId)
}
