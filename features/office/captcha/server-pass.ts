// Passes that a solved puzzle gives: for one scene and subject from one network, once, within two minutes; kept as keyed hashes.
import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Ctx, Services } from '#server/ctx.ts'
import { Refusal, refuse, refuseCommon } from '#server/refuse.ts'
import { readAsSystem } from '#server/system.ts'
import {
  networkOf,
  PASS_REFUSALS,
  PASS_SECONDS,
  PASSES_PER_HOUR_ALARM,
  type PassUse,
  refusePass,
  type Scene,
} from './rules.ts'
import { captchaPasses } from './tables.ts'

/** What a puzzle is solved for; `subject` is a phone or a shop and stands nowhere in clear. */
type Guarded = { scene: Scene; subject: string }

/**
 * Uses the pass, or refuses with a code of PASS_REFUSALS or THROTTLED. What is refused later in the same transaction gives
 * the pass back: only what happened counts against the limits.
 */
export async function redeemPass(
  ctx: Ctx,
  { scene, subject, token }: Guarded & { token: string },
): Promise<void> {
  refuse(token === '' ? 'CAPTCHA_REQUIRED' : null, PASS_REFUSALS)
  const ipHash = networkHash(ctx)
  const subjectHash = subjectHashOf(ctx, { scene, subject })
  // Two at once would both see the other's pass unused.
  for (const hash of [ipHash, subjectHash])
    await ctx.client.query('select pg_advisory_xact_lock($1::bigint)', [String(hash.readBigInt64BE())])
  await refuseOften(ctx, { scene, subject })
  const now = ctx.now.toISOString()
  const used = await ctx.db
    .update(captchaPasses)
    .set({ usedAt: now })
    .where(
      and(
        eq(captchaPasses.tokenHash, tokenHash(ctx, token)),
        eq(captchaPasses.scene, scene),
        eq(captchaPasses.subjectHash, subjectHash),
        eq(captchaPasses.ipHash, ipHash),
        isNull(captchaPasses.usedAt),
        gt(captchaPasses.expiresAt, now),
      ),
    )
    .returning({ id: captchaPasses.id })
  refuse(used.length === 1 ? null : 'CAPTCHA_WRONG', PASS_REFUSALS)
  ctx.afterCommit(() => watchBudget(ctx.services))
}

/** Refuses where this network, phone or shop was let through too often. */
export async function refuseOften(ctx: Ctx, { scene, subject }: Guarded): Promise<void> {
  const use = await countUse(ctx, { scene, subject })
  // What was waited for was used after this operation began.
  const refused = refusePass(scene, use, ctx.services.clock.now().getTime())
  if (refused === null) return
  if (refused.code === 'THROTTLED') refuseCommon('THROTTLED')
  const { code, secondsLeft } = refused
  throw new Refusal(code, PASS_REFUSALS[code], code === 'CAPTCHA_TOO_SOON' ? { secondsLeft } : undefined)
}

/** The token of a new pass; only its hash is kept. */
export async function issuePass(
  ctx: Ctx,
  bound: { scene: Scene; subjectHash: Buffer; ipHash: Buffer },
): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await ctx.db.insert(captchaPasses).values({
    scene: bound.scene,
    subjectHash: bound.subjectHash,
    ipHash: bound.ipHash,
    tokenHash: tokenHash(ctx, token),
    createdAt: ctx.now.toISOString(),
    expiresAt: new Date(ctx.now.getTime() + PASS_SECONDS * 1_000).toISOString(),
  })
  return token
}

type Digests = { services: Pick<Services, 'secrets'> }

export function subjectHashOf({ services }: Digests, { scene, subject }: Guarded): Buffer {
  return services.secrets.digest(`captcha subject ${scene} ${subject}`)
}

export function networkHash(ctx: Digests & { request: { ip: string } }): Buffer {
  return ctx.services.secrets.digest(`captcha network ${networkOf(ctx.request.ip)}`)
}

function tokenHash({ services }: Digests, token: string): Buffer {
  return services.secrets.digest(`captcha pass ${token}`)
}

async function countUse(ctx: Ctx, { scene, subject }: Guarded): Promise<PassUse> {
  const { rows } = await ctx.client.query<{
    network_hour: number
    subject_hour: number
    subject_day: number
    last_ms: number | null
  }>({
    name: 'captcha_use',
    text: `select
        (select count(*)::int from captcha_passes where ip_hash = $1 and scene = $3 and used_at > now() - interval '1 hour') as network_hour,
        count(*) filter (where used_at > now() - interval '1 hour')::int as subject_hour,
        count(*)::int as subject_day,
        (extract(epoch from max(used_at)) * 1000)::float8 as last_ms
      from captcha_passes where subject_hash = $2 and used_at > now() - interval '1 day'`,
    values: [networkHash(ctx), subjectHashOf(ctx, { scene, subject }), scene],
  })
  const [row] = rows
  return {
    networkHour: row?.network_hour ?? 0,
    subjectHour: row?.subject_hour ?? 0,
    subjectDay: row?.subject_day ?? 0,
    lastUsedMs: row?.last_ms ?? null,
  }
}

const ALARM_EVERY_MS = 10 * 60_000
const alarmedAt = new WeakMap<Services, number>()

/** Tells the log, at most every ten minutes, that more is let through than people would ask for. */
async function watchBudget(services: Services): Promise<void> {
  if (performance.now() - (alarmedAt.get(services) ?? -ALARM_EVERY_MS) < ALARM_EVERY_MS) return
  const used = await readAsSystem(services, async ({ client }) => {
    const { rows } = await client.query<{ used: number }>(
      `select count(*)::int as used from (select 1 from captcha_passes
         where created_at > now() - interval '1 hour' and used_at is not null limit $1) as recent`,
      [PASSES_PER_HOUR_ALARM + 1],
    )
    return rows[0]?.used ?? 0
  })
  if (used <= PASSES_PER_HOUR_ALARM) return
  alarmedAt.set(services, performance.now())
  services.onProblem(
    new Error(`more than ${PASSES_PER_HOUR_ALARM} passes of puzzles were used within an hour`),
  )
}
