// What levels and agents pay of the list prices, and from when; levels by their names.
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { levelsOf, saveLevel as save } from '#features/office/agents/server-levels.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { BOOKS, inForce, refuseUnasked, shareRisks } from '#features/office/prices/rules.ts'
import {
  beginDiscount,
  type DiscountRow,
  withdrawDiscount as withdraw,
} from '#features/office/prices/server-write.ts'
import { discounts } from '#features/office/prices/tables.ts'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse, staffAlone } from '#server/refuse.ts'
import type { priceDesk as contract } from './contract.ts'
import { type DatedState, DISCOUNT_REFUSALS, refuseName, refuseShare, refuseStart } from './rules.ts'

const lineOf = ({ levelId, agentId, book }: Pick<DiscountRow, 'levelId' | 'agentId' | 'book'>) =>
  `${levelId} ${agentId} ${book}`

export const listDiscounts: Verb<typeof contract.discounts> = async (ctx, input) => {
  staffAlone(ctx)
  const all = await ctx.db
    .select({ row: discounts, levelName: agentLevels.name, agentName: agents.companyName })
    .from(discounts)
    .leftJoin(agentLevels, eq(agentLevels.id, discounts.levelId))
    .leftJoin(agents, eq(agents.id, discounts.agentId))
    .orderBy(
      sql`${discounts.agentId} nulls first`,
      asc(discounts.levelId),
      sql`${discounts.startsAt} desc, ${discounts.id} desc`,
    )
  const lines = Map.groupBy(
    all.map(({ row }) => row),
    lineOf,
  )
  const now = ctx.now.toISOString()
  const { search = '', whom, discountState, page, size } = input
  const rows = all
    .map(({ row, levelName, agentName }) => ({
      id: row.id,
      whom: row.levelId === null ? ('agent' as const) : ('level' as const),
      whomName: levelName ?? agentName ?? '',
      bookName: row.book === null ? '软件、服务、短信' : BOOKS[row.book],
      share: row.basisPoints === null ? '同等级' : formatDiscount(row.basisPoints),
      discountState: stateOf(row, lines.get(lineOf(row)) ?? [], now),
      startsAt: row.startsAt,
      createdByName: row.createdByName,
      createdAt: row.createdAt,
    }))
    .filter(
      row =>
        (whom === undefined || row.whom === whom) &&
        (discountState === undefined || row.discountState === discountState) &&
        row.whomName.includes(search.trim()),
    )
  return { rows: rows.slice((page - 1) * size, page * size), total: rows.length, totalCapped: false }
}

function stateOf(row: DiscountRow, line: readonly DiscountRow[], now: string): DatedState {
  if (row.withdrawnAt !== null) return 'withdrawn'
  if (Date.parse(row.startsAt) > Date.parse(now)) return 'coming'
  return inForce(line, now) === row ? 'current' : 'past'
}

export const setDiscount: Verb<typeof contract.setDiscount> = async (ctx, input) => {
  staffAlone(ctx)
  const { levelId, agentId, book, basisPoints, startsAt } = input
  if ((levelId === null) === (agentId === null))
    refuse('WHOM_REQUIRED', DISCOUNT_REFUSALS, { field: 'levelId' })
  if (basisPoints !== null || levelId !== null)
    refuse(refuseShare(basisPoints ?? Number.NaN), DISCOUNT_REFUSALS, { field: 'share' })
  const now = ctx.now.toISOString()
  refuse(refuseStart(startsAt, now), DISCOUNT_REFUSALS, { field: 'startsAt' })
  refuse(refuseUnasked(shareRisks(basisPoints), input.answered), DISCOUNT_REFUSALS, { field: 'share' })
  const name = await nameOf(ctx, { levelId, agentId })
  const line = (await ctx.db.select().from(discounts).orderBy(asc(discounts.id))).filter(
    row => lineOf(row) === lineOf(input),
  )
  const before = inForce(line, startsAt ?? now)?.basisPoints ?? null
  await beginDiscount(ctx, { levelId, agentId, book, basisPoints }, startsAt)
  ctx.object('setting', levelId === null ? `discount agent ${agentId}` : `discount level ${levelId}`)
  if (agentId !== null) ctx.about(agentId)
  ctx.note(`${name} (${levelId ?? agentId})`, [
    {
      name: `折扣（${book === null ? '全部' : BOOKS[book]}）`,
      before: told(before),
      after: told(basisPoints),
    },
    { name: '生效时间', before: null, after: startsAt === null ? '立即' : formatInstant(startsAt) },
  ])
  return { done: true }
}

const told = (basisPoints: number | null) =>
  basisPoints === null ? '未单独设置' : formatDiscount(basisPoints)

async function nameOf(ctx: Ctx, { levelId, agentId }: { levelId: number | null; agentId: number | null }) {
  if (levelId !== null) {
    const level = (await levelsOf(ctx)).find(({ id }) => id === levelId)
    refuse(level ? null : 'LEVEL_UNKNOWN', DISCOUNT_REFUSALS, { field: 'levelId' })
    return level?.name ?? ''
  }
  const [agent] = await ctx.db
    .select({ name: agents.companyName })
    .from(agents)
    .where(inArray(agents.id, [agentId ?? 0]))
  refuse(agent ? null : 'AGENT_UNKNOWN', DISCOUNT_REFUSALS, { field: 'agentId' })
  return agent?.name ?? ''
}

export const withdrawDiscount: Verb<typeof contract.withdrawDiscount> = async (ctx, { id }) => {
  staffAlone(ctx)
  const { row, kept } = await withdraw(ctx, id)
  refuse(kept, DISCOUNT_REFUSALS)
  const name = await nameOf(ctx, row)
  ctx.object(
    'setting',
    row.levelId === null ? `discount agent ${row.agentId}` : `discount level ${row.levelId}`,
  )
  if (row.agentId !== null) ctx.about(row.agentId)
  ctx.note(`${name} (${row.levelId ?? row.agentId})`, [
    { name: `折扣（${formatInstant(row.startsAt)}起）`, before: told(row.basisPoints), after: null },
  ])
  return { done: true }
}

export const saveLevel: Verb<typeof contract.saveLevel> = async (ctx, { id, name: typed, basisPoints }) => {
  staffAlone(ctx)
  const name = typed.trim()
  refuse(refuseName(name), DISCOUNT_REFUSALS, { field: 'name' })
  if (id === null) refuse(refuseShare(basisPoints ?? Number.NaN), DISCOUNT_REFUSALS, { field: 'share' })
  const saved = await save(ctx, { id, name })
  if (saved === 'unknown') refuse('LEVEL_UNKNOWN', DISCOUNT_REFUSALS, { field: 'id' })
  if (saved === 'taken') refuse('NAME_TAKEN', DISCOUNT_REFUSALS, { field: 'name' })
  const { before, after } = saved as Exclude<typeof saved, string>
  if (before === null)
    await beginDiscount(ctx, { levelId: after.id, agentId: null, book: null, basisPoints }, null)
  ctx.object('setting', `level ${after.id}`)
  if (before?.name === name) ctx.nothingChanged()
  ctx.note(`${name} (${after.id})`, [
    { name: '等级名称', before: before?.name ?? null, after: name },
    ...(before === null ? [{ name: '折扣', before: null, after: told(basisPoints) }] : []),
  ])
  return { id: after.id }
}
