// Releases in the background. One instance has a train in hand for a while; each step of a mini program is a transaction of its own, the shop first,
// then the train, then its row, which judges anew what stands then: a kill undoes the step wholly, and a second instance finds it done. Nothing is
// asked of the platform here: what is to be asked is given to `program-versions`, which asks the platform first where an answer was lost.
import { and, asc, eq, inArray, lte, or } from 'drizzle-orm'
import { notify } from '#features/office/notices/server-notify.ts'
import { look, release, rollBack, setCode, submit } from '#features/programs/program-versions/server-ask.ts'
import { hush } from '#features/programs/program-versions/server-codes.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { isLinkFailure } from '#server/db.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { Refusal } from '#server/refuse.ts'
import { actAsSystem, inTheNameOf, readAsSystem, SYSTEM_ACTOR } from '#server/system.ts'
import { TRAIN_SHOP_FIELDS } from './fields.ts'
import {
  type Ask,
  GOING_BACK,
  haltText,
  judgedOf,
  LIMITS,
  type Move,
  moveOf,
  movingOf,
  reasonKeyOf,
  TRAIN_SHOP_STATES,
  TRAIN_SHOP_STEPS,
  type TrainShopStep,
  trainShopTakes,
} from './rules.ts'
import { countsOf } from './server-list.ts'
import { byApplications, lockAudits, type Program, programsOf, quotaRead } from './server-standing.ts'
import { lockTrain, subjectOf, type Train, takeTrainStep, tellAgents } from './server-steps.ts'
import { releaseTrainShops as shops, releaseTrains as trains } from './tables.ts'

type Row = typeof shops.$inferSelect

/** Mini programs that are looked after beside each other. */
const BESIDE = 5
/** What is taken one after the other of one mini program, before others come in. */
const CHAIN = 3

/** Does a part of the work and answers whether more waits. */
export async function workOnTrains(services: Services): Promise<boolean> {
  const train = await takeInHand(services)
  if (!train) return false
  let moved = 0
  try {
    const rows = await movable(services, train)
    for (let at = 0; at < rows.length && moved < LIMITS.atOnce; at += BESIDE) {
      const some = rows.slice(at, at + BESIDE)
      const done = await Promise.all(some.map(one => stepOn(services, train.id, one)))
      moved += done.filter(Boolean).length
    }
    await advance(services, train.id, moved >= LIMITS.atOnce)
  } catch (error) {
    // Whether it was done is not known: the next look judges what stands.
    if (isLinkFailure(error)) throw error
    services.onProblem(error)
  }
  return moved >= LIMITS.atOnce
}

/** The one that has waited longest, put off so that no other instance has it meanwhile. */
function takeInHand(services: Services): Promise<Train | null> {
  return actAsSystem(services, 'release trains', async ({ db, now }) => {
    const [one] = await db
      .select()
      .from(trains)
      .where(lte(trains.nextAt, now.toISOString()))
      .orderBy(asc(trains.nextAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!one) return null
    const nextAt = new Date(now.getTime() + LIMITS.heldSeconds * 1_000).toISOString()
    await db.update(trains).set({ nextAt }).where(eq(trains.id, one.id))
    return one
  })
}

/** Those whose wave has begun, or that go back, and that do not wait. */
function movable(services: Services, train: Train): Promise<Row[]> {
  return readAsSystem(services, async ctx => {
    const rows = await ctx.db
      .select()
      .from(shops)
      .where(
        and(
          eq(shops.trainId, train.id),
          or(
            and(lte(shops.wave, train.wave), inArray(shops.state, [...UNDER_WAY])),
            inArray(shops.state, [...GOING_BACK]),
          ),
        ),
      )
      .orderBy(asc(shops.wave), asc(shops.id))
    const programs = await standingOf(ctx, rows)
    return rows.filter(row => {
      const program = programs.get(row.applicationId)
      return program !== undefined && moveFor(row, program, train).kind !== 'wait'
    })
  })
}
const UNDER_WAY = TRAIN_SHOP_STEPS.leave.from

async function standingOf(ctx: Ctx, rows: readonly Row[]): Promise<Map<number, Program>> {
  const [first] = rows
  if (!first) return new Map()
  const programs = await programsOf(ctx, byApplications(rows.map(({ applicationId }) => applicationId)), {
    trainId: first.trainId,
  })
  return new Map(programs.map(program => [program.applicationId, program]))
}

const moveFor = (row: Row, program: Program, { tag, state }: Train): Move =>
  moveOf(row, program, { tag, isRunning: state === 'running' })

/** Answers whether anything was done. */
function stepOn(services: Services, trainId: number, { id, merchantId }: Row): Promise<boolean> {
  return actAsSystem(services, 'release train step', async system => {
    await lockMerchant(system, merchantId)
    const [train] = await system.db.select().from(trains).where(eq(trains.id, trainId)).for('share')
    if (!train) return false
    const actor = {
      ...SYSTEM_ACTOR,
      ...{ accountId: train.createdBy, name: `分批发布（${train.createdByName}）` },
    }
    const { ctx } = inTheNameOf(system, actor)
    let isDone = false
    for (let taken = 0; taken < CHAIN; taken++) {
      const [row] = await ctx.db.select().from(shops).where(eq(shops.id, id)).for('update')
      const program = row && (await standingOf(ctx, [row])).get(row.applicationId)
      if (!row || !program) break
      const move = moveFor(row, program, train)
      if (move.kind === 'wait') break
      const done =
        move.kind === 'take' ? await take(ctx, row, program, move) : await askFor(ctx, row, program, move.ask)
      if (!done) break
      isDone = true
      await logEnd(ctx, train, program, done)
    }
    return isDone
  })
}

type Given = Partial<Omit<typeof shops.$inferInsert, 'state'>>

async function takeStep(ctx: Ctx, row: Row, step: TrainShopStep, given: Given = {}): Promise<Row | null> {
  if (!trainShopTakes(row.state, step)) return null
  const { from, to } = TRAIN_SHOP_STEPS[step]
  const [after] = await ctx.db
    .update(shops)
    .set({ ...given, state: to, changedAt: ctx.now.toISOString() })
    .where(and(eq(shops.id, row.id), inArray(shops.state, [...from])))
    .returning()
  return after ?? null
}

const NOTHING_SAID = { reason: '', reasonKey: '' }
const told = (reason: string, { shopName, programName }: Program) => ({
  reason,
  reasonKey: reasonKeyOf(reason, [shopName, programName]),
})

/** What is well: what was said of it before is said no more. */
const CLEARS: ReadonlySet<TrainShopStep> = new Set([
  ...(['regain', 'code', 'defer', 'enter', 'pass', 'publish', 'goBack'] as const),
])
/** What is not, with its reason. */
const TELLS: ReadonlySet<TrainShopStep> = new Set(['refuse', 'fail', 'skip', 'keep'])

function take(ctx: Ctx, row: Row, program: Program, move: Extract<Move, { kind: 'take' }>) {
  const { step, reason, auditId, version } = move
  return takeStep(ctx, row, step, {
    ...(CLEARS.has(step) ? NOTHING_SAID : TELLS.has(step) ? told(reason, program) : {}),
    ...(auditId === undefined ? {} : { auditId }),
    ...(version === undefined ? {} : { version }),
  })
}

/** What becomes of one that may not be asked for any more. */
const REFUSED_AS = {
  commit: 'skip',
  submit: 'fail',
  release: 'fail',
  rollBack: 'keep',
} as const satisfies Record<Ask, TrainShopStep>

async function askFor(ctx: Ctx, row: Row, program: Program, ask: Ask): Promise<Row | null> {
  if (ask === 'submit' && (await lockAudits(ctx)) <= 0) {
    await readQuota(ctx, row, false)
    return null
  }
  try {
    return await giveOver(ctx, row, program, ask)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'BUSY') return null
    if (error.code === 'NO_AUDIT_LEFT') {
      await readQuota(ctx, row, true)
      return null
    }
    return takeStep(ctx, row, REFUSED_AS[ask], told(error.message, program))
  }
}

async function giveOver(ctx: Ctx, row: Row, program: Program, ask: Ask): Promise<Row | null> {
  const { applicationId: id, templateId, feedback } = row
  const auditId = program.audit?.auditId ?? null
  ctx.afterCommit(() => ctx.services.wake('programVersions'))
  switch (ask) {
    case 'commit':
      await setCode(ctx, { id, templateId })
      await hush(ctx, id)
      return takeStep(ctx, row, 'commit')
    case 'submit':
      await submit(ctx, { id, feedback })
      await hush(ctx, id)
      // The audit that counts until now: another one is this one's.
      return takeStep(ctx, row, 'submit', { auditId })
    case 'release':
      await release(ctx, { id, auditId: row.auditId ?? 0 })
      await hush(ctx, id)
      return takeStep(ctx, row, 'release')
    case 'rollBack': {
      const before = program.known?.releases.at(-1)
      await rollBack(ctx, { id, appVersion: before?.appVersion ?? 0 })
      await hush(ctx, id)
      return takeStep(ctx, row, 'rollBack', { backTo: before?.version ?? '' })
    }
  }
}

/** Has the platform asked how many audits are left, no more often than a reading needs to be sure. `isOwn`: what this one knows is old. */
async function readQuota(ctx: Ctx, row: Row, isOwn: boolean): Promise<void> {
  const read = await quotaRead(ctx)
  const ageMs = read ? ctx.now.getTime() - Date.parse(read.readAt) : Number.POSITIVE_INFINITY
  if (!isOwn && ageMs < (LIMITS.readingSeconds / 2) * 1_000) return
  await look(ctx, { id: row.applicationId })
  await hush(ctx, row.applicationId)
}

/** What the shop's history tells: that it was released, and that it was rolled back. Last of all, since it holds the chain of the log. */
async function logEnd(ctx: Ctx, train: Train, { shopName, agentId, merchantId }: Program, row: Row) {
  if (row.state !== 'released' && row.state !== 'rolledBack') return
  await logOperation(ctx, {
    operation: '/release-trains work',
    title: row.state === 'released' ? '分批发布小程序' : '分批回退小程序',
    subject: `${shopName} (${merchantId})`,
    objects: [objectKey('programApplication', row.applicationId), objectKey('releaseTrain', train.id)],
    changes: [
      {
        name: TRAIN_SHOP_FIELDS.version.label,
        before: null,
        after: row.state === 'released' ? row.version : row.backTo,
      },
      { name: TRAIN_SHOP_FIELDS.state.label, before: null, after: TRAIN_SHOP_STATES[row.state] },
    ],
    by: { accountId: ctx.actor.accountId, agentId: ctx.actor.agentId, name: ctx.actor.name },
    ...{ merchantId, aboutAgentId: agentId },
  })
}

/** Halts, begins the next wave, or comes to its end. `isMore`: some of those that do not wait were not come to. */
function advance(services: Services, id: number, isMore: boolean): Promise<void> {
  return actAsSystem(services, 'release train', async ctx => {
    const train = await lockTrain(ctx, id)
    const counts = (await countsOf(ctx, [id])).get(id) ?? {}
    const soon = new Date(ctx.now.getTime() + (isMore ? 0 : LIMITS.lookSeconds) * 1_000).toISOString()
    if (train.state !== 'running') return lookAgain(ctx, train, movingOf(counts) > 0 ? soon : null)
    const text = haltText(judgedOf(counts), train)
    if (text !== null) {
      await takeTrainStep(ctx, train, 'halt', { reason: text, nextAt: soon })
      return tell(ctx, train, '小程序分批发布已自动停止', text)
    }
    const [open] = await ctx.db
      .select({ id: shops.id })
      .from(shops)
      .where(
        and(
          eq(shops.trainId, id),
          lte(shops.wave, train.wave),
          inArray(shops.state, [...UNDER_WAY, ...GOING_BACK]),
        ),
      )
      .limit(1)
    if (open) return lookAgain(ctx, train, soon)
    if (train.wave < train.waves) {
      await ctx.db
        .update(trains)
        .set({ wave: train.wave + 1, nextAt: ctx.now.toISOString() })
        .where(eq(trains.id, id))
      return
    }
    await takeTrainStep(ctx, train, 'finish', { nextAt: null })
    await tellAgents(ctx, train, '小程序分批发布已完成')
    const { refused } = judgedOf(counts)
    return tell(
      ctx,
      train,
      '小程序分批发布已完成',
      `已发布 ${counts.released ?? 0} 家，未通过 ${refused} 家，跳过 ${counts.skipped ?? 0} 家`,
    )
  })
}

async function lookAgain(ctx: Ctx, { id }: Train, nextAt: string | null): Promise<void> {
  await ctx.db.update(trains).set({ nextAt }).where(eq(trains.id, id))
}

async function tell(ctx: Ctx, train: Train, title: string, body: string): Promise<void> {
  await notify(ctx, {
    ...{ vendor: 'staff', holding: 'releaseTrains.run', topic: 'ReleaseTrain_Notify', title },
    body: `${subjectOf(train)}：${body}`,
    link: `/admin/schedule/releaseTrain?id=${train.id}`,
    args: { id: train.id },
  })
}
