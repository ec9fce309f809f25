// The one writer of passwords. That a password which changes ends the sessions of its account is the database's doing.
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { hashPassword } from '#server/secrets.ts'
import { accounts } from './tables.ts'

type NewPassword = {
  accountId: number
  password: string
  /** Somebody else made it: whoever signs in with it must change it first. */
  mustChange: boolean
  /** The session of whoever changes it, which goes on. */
  keepSession?: number
}

/** Gives an account another password; its other sessions end. */
export async function setPassword(
  ctx: Ctx,
  { accountId, password, mustChange, keepSession }: NewPassword,
): Promise<void> {
  const passwordHash = await hashPassword(password)
  await ctx.db.execute(sql`select set_config('app.kept_session', ${String(keepSession ?? '')}, true)`)
  await ctx.db
    .update(accounts)
    .set({ passwordHash, mustChangePassword: mustChange })
    .where(eq(accounts.id, accountId))
  // Whoever had to change it goes on as soon as this is answered.
  ctx.afterCommit(() => ctx.services.forgetActors())
}
