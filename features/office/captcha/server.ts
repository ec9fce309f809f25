// Puzzles and what solving one gives. The third party's service is asked outside any transaction.
import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { In, Out } from '#kit/declare/op.ts'
import { ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Ctx, Services, Verb } from '#server/ctx.ts'
import { Refusal, refuseCommon } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { actAsSystem } from '#server/system.ts'
import { captcha as contract } from './contract.ts'
import {
  CHALLENGES_PER_HOUR,
  PUZZLE,
  PUZZLE_REFUSALS,
  PUZZLE_SECONDS,
  type PuzzleRefusal,
  refuseAnswer,
  type Scene,
} from './rules.ts'
import { issuePass, networkHash, refuseOften, subjectHashOf } from './server-pass.ts'
import { drawPuzzle, type Puzzle } from './server-picture.ts'
import { captchaChallenges } from './tables.ts'

/** Pictures drawn at the same time; more would take the processors from everything else. */
const DRAWN_AT_ONCE = 6
let drawing = 0

/** While a third party does not answer, ours stands in for it. */
const OUTAGE_MS = 60_000
const outageUntil = new WeakMap<Services, number>()

/** Where the piece of a third party's puzzle belongs: nobody can move ours there. */
const ELSEWHERE = -1

/** The picture is drawn between two transactions, so that strangers hold no connection while it is. */
export async function challenge(
  { services, request }: Ctx,
  { scene, subject, unreachable }: In<typeof contract.challenge>,
): Promise<Out<typeof contract.challenge>> {
  const { captcha, captchaSite } = services.providers
  const stoodIn = (outageUntil.get(services) ?? 0) > performance.now()
  const theirs = captcha && !unreachable && !stoodIn ? captcha : null
  const ipHash = networkHash({ services, request })
  await actAsSystem(services, 'captcha.challenge', async ctx => {
    await refuseOften({ ...ctx, request }, { scene, subject })
    await refuseManyPuzzles(ctx, ipHash, captcha && unreachable ? 'unreachable' : 'usual')
  })
  const puzzle = theirs ? null : await draw()
  const id = randomBytes(18).toString('base64url')
  await actAsSystem(services, 'captcha.challenge', async ctx => {
    await ctx.db.insert(captchaChallenges).values({
      id,
      scene,
      subjectHash: subjectHashOf(ctx, { scene, subject }),
      ipHash,
      x: puzzle?.x ?? ELSEWHERE,
      y: puzzle?.y ?? ELSEWHERE,
      createdAt: ctx.now.toISOString(),
      expiresAt: new Date(ctx.now.getTime() + PUZZLE_SECONDS * 1_000).toISOString(),
    })
  })
  if (theirs) return { kind: theirs.name, id, site: captchaSite }
  const { background, piece, y } = puzzle as Puzzle
  const { width, height, piece: pieceSize } = PUZZLE
  return { kind: 'slide', id, background, piece, y, width, height, pieceSize }
}

export const solve: Verb<typeof contract.solve> = async (ctx, { id, ...moved }) => {
  const puzzle = await consume(ctx, id, ctx.request)
  if (!puzzle || puzzle.x === ELSEWHERE) refuseSolving('CAPTCHA_EXPIRED')
  const wrong = refuseAnswer(moved, puzzle.x, ctx.now.getTime() - Date.parse(puzzle.createdAt))
  if (wrong) refuseSolving(wrong)
  return { token: await issuePass(ctx, puzzle) }
}

export async function prove(
  { services, request }: Ctx,
  { id, proof }: In<typeof contract.prove>,
): Promise<Out<typeof contract.prove>> {
  const puzzle = await actAsSystem(services, 'captcha.prove', ctx => consume(ctx, id, request))
  const verifier = services.providers.captcha
  if (!puzzle || puzzle.x !== ELSEWHERE || !verifier) return refuseSolving('CAPTCHA_EXPIRED')
  let isPerson = false
  try {
    isPerson = await verifier.verify(proof, request.ip)
  } catch (error) {
    if (!(error instanceof ProviderUnknown || error instanceof ProviderRefused)) throw error
    // Nobody is let through unasked: the page asks for our own puzzle now.
    services.onProblem(error)
    // What it refuses may be a stranger's rubbish, which must not switch it off for everybody.
    if (error instanceof ProviderUnknown) outageUntil.set(services, performance.now() + OUTAGE_MS)
    refuseSolving('CAPTCHA_UNAVAILABLE')
  }
  if (!isPerson) refuseSolving('CAPTCHA_REJECTED')
  return { token: await actAsSystem(services, 'captcha.prove', ctx => issuePass(ctx, puzzle)) }
}

type Answered = { scene: Scene; subjectHash: Buffer; ipHash: Buffer; x: number; createdAt: string }

/** The puzzle, which nobody can answer again; undefined where it is answered, too old, or another network's. */
async function consume(ctx: Ctx, id: string, request: Ctx['request']): Promise<Answered | undefined> {
  const now = ctx.now.toISOString()
  const { scene, subjectHash, ipHash, x, createdAt } = captchaChallenges
  const [puzzle] = await ctx.db
    .update(captchaChallenges)
    .set({ answeredAt: now })
    .where(
      and(
        eq(captchaChallenges.id, id),
        eq(ipHash, networkHash({ services: ctx.services, request })),
        isNull(captchaChallenges.answeredAt),
        gt(captchaChallenges.expiresAt, now),
      ),
    )
    .returning({ scene, subjectHash, ipHash, x, createdAt })
  return puzzle
}

/** The puzzle stays used although the answer is refused. */
function refuseSolving(code: PuzzleRefusal): never {
  throw new Refusal(code, PUZZLE_REFUSALS[code], undefined, true)
}

async function refuseManyPuzzles(
  ctx: Ctx,
  ipHash: Buffer,
  limit: keyof typeof CHALLENGES_PER_HOUR,
): Promise<void> {
  const { rows } = await ctx.client.query<{ asked: number }>({
    name: 'captcha_asked',
    text: `select count(*)::int as asked from (select 1 from captcha_challenges
             where ip_hash = $1 and created_at > now() - interval '1 hour' limit $2) as recent`,
    values: [ipHash, CHALLENGES_PER_HOUR[limit]],
  })
  if ((rows[0]?.asked ?? 0) >= CHALLENGES_PER_HOUR[limit]) refuseCommon('THROTTLED')
}

async function draw() {
  if (drawing >= DRAWN_AT_ONCE) refuseCommon('BUSY')
  drawing += 1
  try {
    return await drawPuzzle()
  } finally {
    drawing -= 1
  }
}

export const captchaRouter = serve(contract, { challenge, solve, prove })
