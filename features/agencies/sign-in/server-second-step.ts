// Being let in by a second factor: after the password, or by a passkey alone.
import { and, eq, gt, sql } from 'drizzle-orm'
import { startSession } from '#features/office/access/server-sessions.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { FACTOR_REFUSALS, WRONG_MAX } from '#features/office/factors/rules.ts'
import { beginAssertion, finishAssertion } from '#features/office/factors/server-passkeys.ts'
import {
  closeSecondStep,
  markProven,
  openSecondStep,
  passProof,
} from '#features/office/factors/server-prove.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import type { signIn as contract } from './contract.ts'
import { LOGIN_REFUSALS, LOGIN_WINDOW_MINUTES } from './rules.ts'
import { recordSignIn, rememberDevice, thisDevice } from './server-devices.ts'
import { signIns } from './tables.ts'

export const signInByProof: Verb<typeof contract.prove> = async (ctx, { token, proof }) => {
  const accountId = await openSecondStep(ctx, token)
  const { account } = await standingOf(ctx, accountId)
  try {
    await passProof(ctx, accountId, proof)
  } catch (error) {
    if (error instanceof Refusal && error.keepsWrites) await noteFailure(ctx, account)
    throw error
  }
  await closeSecondStep(ctx, token, accountId)
  return enter(ctx, accountId)
}

/** Who knows the password may fail at passkeys for ever: no more rows of it than of wrong codes. */
async function noteFailure(ctx: Ctx, account: typeof accounts.$inferSelect): Promise<void> {
  const { id: accountId, agentId, name, loginName } = account
  const since = sql`now() - make_interval(mins => ${LOGIN_WINDOW_MINUTES})`
  const told = await ctx.db.$count(
    signIns,
    and(eq(signIns.accountId, accountId), eq(signIns.outcome, 'factor'), gt(signIns.createdAt, since)),
  )
  if (told >= WRONG_MAX) return
  await recordSignIn(ctx, { accountId, agentId }, 'factor')
  ctx.note(loginName, [], { accountId, agentId, name })
}

export const beginPasskey: Verb<typeof contract.passkeyOptions> = async ctx => {
  const asked = await beginAssertion(ctx, null)
  if (!asked) refuse('PASSKEYS_ELSEWHERE', FACTOR_REFUSALS)
  return found(asked)
}

export const signInByPasskey: Verb<typeof contract.passkey> = async (ctx, given) =>
  enter(ctx, await finishAssertion(ctx, given, null))

async function standingOf(ctx: Ctx, accountId: number) {
  const [row] = await ctx.db
    .select({ account: accounts, agentEnabled: agents.enabled })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(eq(accounts.id, accountId))
  return found(row)
}

/** A session that has just proven its factor. */
async function enter(ctx: Ctx, accountId: number) {
  const { account, agentEnabled } = await standingOf(ctx, accountId)
  if (!account.enabled || !agentEnabled) refuse('ACCOUNT_DISABLED', LOGIN_REFUSALS)
  const { agentId, name, loginName } = account
  const owner = { accountId, agentId }
  const browser = thisDevice(ctx)
  await markProven(ctx, await startSession(ctx, { ...owner, deviceHash: browser.hash }))
  await rememberDevice(ctx, owner, browser)
  await recordSignIn(ctx, owner, 'done')
  ctx.note(loginName, [], { ...owner, name })
  return { name, step: null }
}
