// What was asked for is done in the background, one call after the other. No call is made inside a transaction, each is known to the
// service by an act that was written down before it was first sent, and the service is asked what became of an act before it is sent
// again: a lost answer, a kill and a second instance change nothing. A table is emptied only by a backup that the service says is
// complete, with its rows and its checksum, which it holds the table against once more.
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { PosService, PosTask } from '#kit/ports/pos-service.ts'
import { ProviderBusy, ProviderRefused, ProviderUnknown } from '#kit/ports/providers.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { isLinkFailure } from '#server/db.ts'
import { settingOf } from '#server/office/settings.ts'
import { actAsSystem } from '#server/system.ts'
import {
  AT_WORK,
  backupEnd,
  CLEARING_REFUSALS,
  changedText,
  LIMITS,
  needsSecond,
  refuseShown,
  SECOND_PERSON_ROWS,
  secondsUntilAgain,
} from './rules.ts'
import { tellAsker, tellDeciders } from './server-ask.ts'
import { type Clearing, rowsText, takeStep } from './server-rows.ts'
import { tellEmptied, tellRestored } from './server-told.ts'
import { tableClearings as clearings } from './tables.ts'

/** Longer than any call takes: an instance that is gone has it no more. */
const HELD_S = 60
/** How soon work is looked at that goes on at the service. */
const LOOK_AGAIN_MS = 1_000
const PROGRAM = '系统'

/** Takes one clearing a step further and answers whether more may wait. */
export async function workOnClearings(services: Services): Promise<boolean> {
  const one = await takeInHand(services)
  if (!one) return false
  const { pos } = services.providers
  try {
    if (!pos) throw new ProviderUnknown(CLEARING_REFUSALS.POS_NOT_CONNECTED)
    await goOn({ services, pos, one })
  } catch (error) {
    // The next look asks what became of it.
    if (isLinkFailure(error)) throw error
    if (!(error instanceof ProviderUnknown || error instanceof ProviderBusy)) services.onProblem(error)
    await waitForAnswer(services, one)
  }
  return true
}

/** The one that has waited longest, held for a while so that no other instance has it meanwhile. */
async function takeInHand(services: Services): Promise<Clearing | null> {
  return actAsSystem(services, 'table clearings', async ({ db, now }) => {
    const [one] = await db
      .select()
      .from(clearings)
      .where(and(inArray(clearings.state, [...AT_WORK]), lte(clearings.lookAt, now.toISOString())))
      .orderBy(asc(clearings.lookAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!one) return null
    const lookAt = new Date(now.getTime() + HELD_S * 1_000).toISOString()
    await db.update(clearings).set({ lookAt }).where(eq(clearings.id, one.id))
    return { ...one, lookAt }
  })
}

type Hand = { services: Services; pos: PosService; one: Clearing }

function goOn(hand: Hand): Promise<void> {
  switch (hand.one.state) {
    case 'asked':
      return count(hand)
    case 'backingUp':
      return backUp(hand)
    case 'backedUp':
      return begin(hand)
    case 'emptying':
      return empty(hand)
    case 'restoring':
      return bringBack(hand)
    default:
      throw new Error(`a clearing that is ${hand.one.state} has nothing to be done`)
  }
}

/** Writes what came of a call, where the clearing is still as it was; somebody may have taken it back meanwhile. */
function settle(
  { services, one }: Pick<Hand, 'services' | 'one'>,
  work: (ctx: Ctx, one: Clearing) => Promise<unknown>,
): Promise<void> {
  return actAsSystem(services, 'table clearings', async ctx => {
    const [now] = await ctx.db
      .select()
      .from(clearings)
      .where(and(eq(clearings.id, one.id), eq(clearings.state, one.state)))
      .for('update')
    if (now) await work(ctx, now)
  })
}

async function waitForAnswer(services: Services, one: Clearing): Promise<void> {
  await settle({ services, one }, ({ db, now }, { id, silences }) =>
    db
      .update(clearings)
      .set({
        silences: silences + 1,
        problem: services.providers.pos ? CLEARING_REFUSALS.POS_SILENT : CLEARING_REFUSALS.POS_NOT_CONNECTED,
        lookAt: new Date(now.getTime() + secondsUntilAgain(silences) * 1_000).toISOString(),
      })
      .where(eq(clearings.id, id)),
  )
}

function lookAgain(hand: Hand, { percent }: PosTask): Promise<void> {
  return settle(hand, ({ db, now }, { id }) => {
    const lookAt = new Date(now.getTime() + LOOK_AGAIN_MS).toISOString()
    return db.update(clearings).set({ percent, lookAt, problem: '', silences: 0 }).where(eq(clearings.id, id))
  })
}

/** Asks what became of an act before it is sent. Only who refuses what is sent has done nothing: a question that is refused tells nothing. */
async function known(
  { pos, one }: Hand,
  act: string,
  send: () => Promise<PosTask>,
): Promise<PosTask | ProviderRefused> {
  const task = await pos.task(one.merchantId, act).catch((error: unknown) => {
    throw error instanceof ProviderRefused ? new ProviderUnknown(`${act} cannot be asked for`, error) : error
  })
  if (task) return task
  try {
    return await send()
  } catch (error) {
    if (error instanceof ProviderBusy || !(error instanceof ProviderRefused)) throw error
    return error
  }
}

/** The act of a column, written down before it is sent. */
function actOf(hand: Hand, column: 'backupAct' | 'emptyAct' | 'restoreAct'): string {
  const act = hand.one[column]
  if (act === null) throw new Error(`clearing ${hand.one.id} is ${hand.one.state} without ${column}`)
  return act
}

async function fail(hand: Hand, why: string): Promise<void> {
  await settle(hand, async (ctx, one) => {
    const problem = `${why}，没有清空任何数据`
    await takeStep(ctx, one, 'fail', { text: problem, by: PROGRAM, problem })
    await tellAsker(ctx, one, '数据未清空', problem)
  })
}

/** How many rows there are is the service's to say, not the page's; what the page showed has to be what is there. */
async function count(hand: Hand): Promise<void> {
  const { pos, one } = hand
  let tables: Awaited<ReturnType<PosService['tables']>>
  try {
    tables = await pos.tables(one.merchantId)
  } catch (error) {
    if (error instanceof ProviderBusy || !(error instanceof ProviderRefused)) throw error
    return fail(hand, `收银系统拒绝：${error.message}`)
  }
  const table = tables.find(({ key }) => key === one.tableKey)
  if (!table) return fail(hand, CLEARING_REFUSALS.TABLE_UNKNOWN)
  if (table.rows === 0) return fail(hand, '该数据表已经没有数据')
  // What a second person has approved may have grown since; what nobody has looked at again is as it was shown, or not emptied.
  const isFirst = one.backups === 0 && one.decidedBy === null
  if (isFirst && refuseShown(table, one.rows)) return fail(hand, changedText(one.rows, table.rows))
  const counted = { rows: table.rows, tableName: table.name.slice(0, LIMITS.name) }
  await settle(hand, async (ctx, now) => {
    if (await hold(ctx, now, counted)) return
    await takeStep(ctx, now, 'backUp', {
      ...counted,
      text: `开始备份 ${rowsText(counted.rows)}`,
      by: PROGRAM,
      backupAct: randomUUID(),
      backups: now.backups + 1,
    })
  })
}

/** Where there are more rows than one person may empty, a second one is asked for first. */
async function hold(
  ctx: Ctx,
  one: Clearing,
  counted: { rows: number; tableName?: string },
): Promise<boolean> {
  const most = await settingOf(ctx, SECOND_PERSON_ROWS)
  if (!needsSecond(counted.rows, most, one.decidedBy)) return false
  const held = await takeStep(ctx, one, 'hold', {
    ...counted,
    text: `共 ${rowsText(counted.rows)}，超过 ${rowsText(most)}，等待第二人审批`,
    by: PROGRAM,
    waitingSince: ctx.now.toISOString(),
  })
  await tellDeciders(ctx, held)
  return true
}

async function backUp(hand: Hand): Promise<void> {
  const { pos, one } = hand
  const act = actOf(hand, 'backupAct')
  const task = await known(hand, act, () => pos.backUp(one.merchantId, one.tableKey, act))
  if (task instanceof ProviderRefused) return fail(hand, `备份失败：${task.message}`)
  if (task.state === 'running') return lookAgain(hand, task)
  if (task.state === 'failed') return fail(hand, `备份失败：${task.reason}`)
  const { backup } = task
  if (!backup || task.kind !== 'backup') return fail(hand, '备份不完整')
  await settle(hand, async (ctx, now) => {
    if (await hold(ctx, now, { rows: backup.rows })) return
    await takeStep(ctx, now, 'keep', {
      text: `备份完成，共 ${rowsText(backup.rows)}，校验值 ${backup.checksum.slice(0, 8)}`,
      by: PROGRAM,
      backupId: backup.id,
      backupRows: backup.rows,
      checksum: backup.checksum,
      keptUntil: backup.keptUntil,
      backedUpAt: ctx.now.toISOString(),
    })
  })
}

/** From here on it cannot be taken back any more. */
async function begin(hand: Hand): Promise<void> {
  await settle(hand, (ctx, one) =>
    takeStep(ctx, one, 'empty', { text: '开始清空', by: PROGRAM, emptyAct: randomUUID() }),
  )
}

async function empty(hand: Hand): Promise<void> {
  const { pos, one } = hand
  const { backupId, backupRows, checksum } = one
  if (backupId === null || backupRows === null || checksum === null)
    throw new Error(`clearing ${one.id} is to be emptied without a backup`)
  const act = actOf(hand, 'emptyAct')
  const backup = { id: backupId, rows: backupRows, checksum }
  const task = await known(hand, act, () => pos.empty(one.merchantId, one.tableKey, backup, act))
  if (task instanceof ProviderRefused)
    return task.code === 'TABLE_CHANGED' && one.backups < LIMITS.backups
      ? backUpAnew(hand)
      : fail(hand, task.code === 'TABLE_CHANGED' ? '备份之后数据一直有变动' : `收银系统拒绝：${task.message}`)
  if (task.state === 'running') return lookAgain(hand, task)
  if (task.state === 'failed') return fail(hand, `收银系统未能清空：${task.reason}`)
  await settle(hand, async (ctx, now) => {
    const emptiedAt = ctx.now.toISOString()
    const done = await takeStep(ctx, now, 'finish', {
      text: `已清空 ${rowsText(task.rows)}`,
      by: PROGRAM,
      problem: task.rows === backupRows ? '' : '清空行数与备份行数不一致，请核对',
      emptiedRows: task.rows,
      emptiedAt,
      expiresAt: backupEnd(emptiedAt, now.keptUntil ?? emptiedAt),
    })
    await tellEmptied(ctx, done)
  })
}

/** What came since the backup would be lost: it is made anew, and counted anew. */
async function backUpAnew(hand: Hand): Promise<void> {
  await settle(hand, (ctx, one) =>
    takeStep(ctx, one, 'again', {
      text: '备份之后数据有变动，重新备份',
      by: PROGRAM,
      ...{ backupAct: null, emptyAct: null, backupId: null, backupRows: null, checksum: null },
      ...{ keptUntil: null, backedUpAt: null },
    }),
  )
}

async function bringBack(hand: Hand): Promise<void> {
  const { pos, one } = hand
  const act = actOf(hand, 'restoreAct')
  const { backupId } = one
  if (backupId === null) throw new Error(`clearing ${one.id} is to be restored without a backup`)
  const task = await known(hand, act, () => pos.restore(one.merchantId, one.tableKey, backupId, act))
  if (task instanceof ProviderRefused)
    return task.code === 'BACKUP_GONE' ? endBackup(hand) : leave(hand, task.message)
  if (task.state === 'running') return lookAgain(hand, task)
  if (task.state === 'failed') return leave(hand, task.reason)
  await settle(hand, async (ctx, now) => {
    const beside = task.beside === 0 ? '' : `，之后新增的 ${rowsText(task.beside)} 保留在旁`
    const done = await takeStep(ctx, now, 'bringBack', {
      text: `已恢复 ${rowsText(task.rows)}${beside}`,
      by: PROGRAM,
      restoredRows: task.rows,
      besideRows: task.beside,
      restoredAt: ctx.now.toISOString(),
    })
    await tellRestored(ctx, done)
  })
}

async function leave(hand: Hand, why: string): Promise<void> {
  await settle(hand, async (ctx, one) => {
    const problem = `恢复失败：${why}`
    await takeStep(ctx, one, 'leave', { text: problem, by: PROGRAM, problem })
    await tellAsker(ctx, { ...one, askedBy: one.restoreBy ?? one.askedBy }, '数据未恢复', problem)
  })
}

async function endBackup(hand: Hand): Promise<void> {
  await settle(hand, async (ctx, one) => {
    const problem = '恢复失败：收银系统已不再保留该备份'
    await takeStep(ctx, one, 'expire', { text: problem, by: PROGRAM, problem })
    await tellAsker(ctx, { ...one, askedBy: one.restoreBy ?? one.askedBy }, '数据未恢复', problem)
  })
}
