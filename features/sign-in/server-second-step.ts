// Being let in by a second factor: after the password, or by a passkey alone.
import { eq } from 'drizzle-orm'
import { startSession } from '#features/access/server-sessions.ts'
import { accounts } from '#features/access/tables.ts'
import { agents } from '#features/agents/tables.ts'
import { FACTOR_REFUSALS } from '#features/factors/rules.ts'
import { beginAssertion, finishAssertion } from '#features/factors/server-passkeys.ts'
import { finishSecondStep, markProven } from '#features/factors/server-prove.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse } from '#server/refuse.ts'
import type { signIn as contract } from './contract.ts'
import { LOGIN_REFUSALS } from './rules.ts'
import { recordSignIn, rememberDevice, thisDevice } from './server-devices.ts'

export const signInByProof: Verb<typeof contract.prove> = async (ctx, { token, proof }) =>
  enter(ctx, await finishSecondStep(ctx, token, proof))

export const beginPasskey: Verb<typeof contract.passkeyOptions> = async ctx => {
  const asked = await beginAssertion(ctx, null)
  if (!asked) refuse('PASSKEYS_ELSEWHERE', FACTOR_REFUSALS)
  return found(asked)
}

export const signInByPasskey: Verb<typeof contract.passkey> = async (ctx, given) =>
  enter(ctx, await finishAssertion(ctx, given, null))

/** A session that has just proven its factor. */
async function enter(ctx: Ctx, accountId: number) {
  const [row] = await ctx.db
    .select({ account: accounts, agentEnabled: agents.enabled })
    .from(accounts)
    .innerJoin(agents, eq(agents.id, accounts.agentId))
    .where(eq(accounts.id, accountId))
  const { account, agentEnabled } = found(row)
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
