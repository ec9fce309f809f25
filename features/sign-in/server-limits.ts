import { isIPv6 } from 'node:net'
import { and, count, eq, gt, sql } from 'drizzle-orm'
import type { Ctx } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import { LOGIN_REFUSALS, LOGIN_WINDOW_MINUTES } from './rules.ts'
import { loginFailures } from './tables.ts'

/** One network of IPv6 (/64) is one caller: whoever has one address of it has them all. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const { hostname } = new URL(`http://[${ip.split('%', 1)[0]}]`)
  const [before = '', after] = hostname.slice(1, -1).split('::')
  // An IPv4 address in IPv6 clothes.
  if (before === '' && after?.startsWith('ffff:')) return hostname
  const left = before.split(':').filter(Boolean)
  const right = after?.split(':').filter(Boolean) ?? []
  const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * Counts this attempt as a failure before its result is told, and answers the rows to take back when it was none. One
 * attempt at a time per subject, so that many at once cannot all pass below the limit; a limiter that cannot write refuses.
 */
export async function countAttempt(ctx: Ctx, subjects: string[]): Promise<number[]> {
  for (const [kind, subject] of subjects.entries())
    await ctx.db.execute(sql`select pg_advisory_xact_lock(${kind + 1}::int, hashtext(${subject}))`)
  await refuseThrottled(ctx, subjects)
  const counted = await ctx.db
    .insert(loginFailures)
    .values(subjects.map(subject => ({ subject, createdAt: new Date().toISOString() })))
    .returning({ id: loginFailures.id })
  return counted.map(row => row.id)
}

export async function refuseThrottled(ctx: Ctx, subjects: string[]): Promise<void> {
  for (const subject of subjects)
    if ((await recentFailures(ctx, subject)) >= ctx.services.env.loginFailuresMax)
      refuse('LOGIN_THROTTLED', LOGIN_REFUSALS)
}

async function recentFailures(ctx: Ctx, subject: string): Promise<number> {
  const [row] = await ctx.db
    .select({ failures: count() })
    .from(loginFailures)
    .where(
      and(
        eq(loginFailures.subject, subject),
        gt(loginFailures.createdAt, sql`now() - make_interval(mins => ${LOGIN_WINDOW_MINUTES})`),
      ),
    )
  return row?.failures ?? 0
}
