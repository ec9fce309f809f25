// Tries at the door: counted by known device, or by account and network, before their result is told.
import { inArray, sql } from 'drizzle-orm'
import { networkOf, PASS_REFUSALS } from '#features/office/captcha/rules.ts'
import { redeemPass } from '#features/office/captcha/server-pass.ts'
import type { Ctx } from '#server/ctx.ts'
import { Refusal } from '#server/refuse.ts'
import { LOGIN_REFUSALS, LOGIN_WINDOW_MINUTES, refuseTry, type Tries, type TryRefusal } from './rules.ts'
import { loginFailures } from './tables.ts'

export type Subject = { by: Tries['by']; subject: string }

/** What a try counts by. `device`: the known one's hash, for this account. */
export function subjectsOf(ctx: Ctx, loginName: string, device: Buffer | null): Subject[] {
  if (device) return [{ by: 'device', subject: `device ${device.toString('hex')} ${loginName}` }]
  return [
    { by: 'account', subject: `account ${loginName}` },
    { by: 'network', subject: `network ${networkOf(ctx.request.ip)}` },
  ]
}

/** What the puzzle that is asked for after some failures is solved for. */
type Puzzle = { loginName: string; token: string }

/** Refuses a try that is not allowed now, before anything costly is done. */
export async function refuseThrottled(
  ctx: Ctx,
  subjects: readonly Subject[],
  puzzle?: Puzzle,
): Promise<void> {
  throwRefusal(await judge(ctx, subjects, puzzle === undefined || puzzle.token !== ''))
}

/**
 * Counts this try as a failure before its result is told, and answers the rows to take back when it was none. One try at a time
 * per subject, so that many at once cannot all pass below the limit; a limiter that cannot write refuses. Without a puzzle, where
 * nobody could solve one, delays and limits alone hold.
 */
export async function countTry(
  ctx: Ctx,
  subjects: readonly Subject[],
  puzzle?: Puzzle,
): Promise<readonly number[]> {
  for (const { by, subject } of subjects)
    await ctx.db.execute(sql`select pg_advisory_xact_lock(${LOCKS[by]}::int, hashtext(${subject}))`)
  const refusal = await judge(ctx, subjects, puzzle === undefined)
  if (refusal?.code === 'CAPTCHA_REQUIRED' && puzzle)
    await redeemPass(ctx, { scene: 'login', subject: puzzle.loginName, token: puzzle.token })
  else throwRefusal(refusal)
  const createdAt = ctx.services.clock.now().toISOString()
  const counted = await ctx.db
    .insert(loginFailures)
    .values(subjects.map(({ subject }) => ({ subject, createdAt })))
    .returning({ id: loginFailures.id })
  return counted.map(row => row.id)
}

/** Takes these tries back: they were none. */
export async function forgetTries(ctx: Ctx, tries: readonly number[]): Promise<void> {
  await ctx.db.delete(loginFailures).where(inArray(loginFailures.id, [...tries]))
}

const LOCKS: Record<Tries['by'], number> = { account: 1, network: 2, device: 3 }

/** Under the locks of its subjects: a try that was waited for came later than this one began. */
async function judge(ctx: Ctx, subjects: readonly Subject[], solved: boolean): Promise<TryRefusal | null> {
  const max = ctx.services.env.loginFailuresMax
  const tries: Tries[] = []
  for (const subject of subjects) tries.push(await triesOf(ctx, subject, max))
  return refuseTry(tries, { max, nowMs: ctx.services.clock.now().getTime(), solved })
}

function throwRefusal(refusal: TryRefusal | null): void {
  if (refusal === null) return
  const { code, secondsLeft } = refusal
  if (code === 'CAPTCHA_REQUIRED') throw new Refusal(code, PASS_REFUSALS[code])
  throw new Refusal(code, LOGIN_REFUSALS[code], { secondsLeft })
}

async function triesOf(ctx: Ctx, { by, subject }: Subject, max: number): Promise<Tries> {
  const { rows } = await ctx.client.query<{
    failures: number
    last_ms: number | null
    oldest_ms: number | null
  }>({
    name: 'login_tries',
    text: `select count(*)::int as failures, (extract(epoch from max(created_at)) * 1000)::float8 as last_ms,
        (extract(epoch from min(created_at)) * 1000)::float8 as oldest_ms
      from (select created_at from login_failures
        where subject = $1 and created_at > now() - make_interval(mins => $2) order by created_at desc limit $3) as recent`,
    values: [subject, LOGIN_WINDOW_MINUTES, max],
  })
  const [row] = rows
  return {
    by,
    failures: row?.failures ?? 0,
    lastFailedMs: row?.last_ms ?? null,
    oldestMs: row?.oldest_ms ?? null,
  }
}
