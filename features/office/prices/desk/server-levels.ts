// Which level an agent has from when: now or at a moment, told beforehand, kept as a history.
import { and, asc, count, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { levelAt } from '#features/office/agents/rules.ts'
import { beginLevel, levelsOf, withdrawLevel as withdraw } from '#features/office/agents/server-levels.ts'
import { lockAgent } from '#features/office/agents/server-operator.ts'
import { agentLevelChanges, agentLevels, agents } from '#features/office/agents/tables.ts'
import { type Book, inForce, priceLine } from '#features/office/prices/rules.ts'
import { placesBought } from '#features/sales/purchases/server-shops.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { filtered, type ListSource, rowsAndTotal, sortedBy } from '#server/list.ts'
import { found, refuse, staffAlone } from '#server/refuse.ts'
import type { priceDesk as contract } from './contract.ts'
import { LEVEL_CHANGES } from './fields.ts'
import { type DatedState, DISCOUNTED_BOOKS, LEVEL_REFUSALS, LIMITS, refuseStart } from './rules.ts'
import { sameLine, writtenPrices } from './server-items.ts'
import { conditionsOf } from './server-preview.ts'

const from = alias(agentLevels, 'from_level')
const to = alias(agentLevels, 'to_level')

const changes = agentLevelChanges
/** Of one line of changes that with the latest beginning holds, of those that have begun and stand. */
const STATE = sql<DatedState>`case when ${changes.withdrawnAt} is not null then 'withdrawn' when ${changes.startsAt} > now() then 'coming'
  when exists (select from ${changes} as later where later.agent_id = ${changes.agentId} and later.withdrawn_at is null
    and later.starts_at <= now() and later.starts_at > ${changes.startsAt}) then 'past' else 'current' end`

const ROW = {
  id: changes.id,
  agentId: changes.agentId,
  agentName: agents.companyName,
  fromLevelName: from.name,
  levelName: to.name,
  levelState: STATE,
  startsAt: changes.startsAt,
  createdByName: changes.createdByName,
  createdAt: changes.createdAt,
}

export const listLevelChanges: Verb<typeof contract.levelChanges> = (ctx, input) => {
  staffAlone(ctx)
  const inState = (levelState: unknown) => [
    { key: 'levelState', sql: sql`${STATE} = ${sql.placeholder('levelState')}`, values: { levelState } },
  ]
  const list: ListSource = {
    name: 'level changes',
    table: changes,
    conditions: filtered(LEVEL_CHANGES, input, { agentId: changes.agentId, levelState: inState }),
    ...sortedBy({ sort: 'startsAt', order: 'desc' }, changes, changes.id),
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(changes)
      .innerJoin(agents, eq(agents.id, changes.agentId))
      .innerJoin(from, eq(from.id, changes.fromLevelId))
      .innerJoin(to, eq(to.id, changes.levelId))
      .innerJoin(page, eq(page.id, changes.id))
      .orderBy(...list.order),
  )
}

type Asked = { agentId: number; levelId: number; startsAt: string | null }

/** The agent with its level at the moment and the wanted one, or the refusal. */
async function askedOf(ctx: Ctx, { agentId, levelId, startsAt }: Asked) {
  const now = ctx.now.toISOString()
  refuse(refuseStart(startsAt, now), LEVEL_REFUSALS, { field: 'startsAt' })
  const [agent] = await ctx.db
    .select({ id: agents.id, companyName: agents.companyName, levelId: agents.levelId })
    .from(agents)
    .where(and(eq(agents.id, agentId), ownRows(ctx, agents.id)))
  if (!agent) refuse('AGENT_UNKNOWN', LEVEL_REFUSALS, { field: 'agents' })
  const known = found(agent)
  const levels = new Map((await levelsOf(ctx)).map(level => [level.id, level]))
  if (!levels.has(levelId)) refuse('LEVEL_UNKNOWN', LEVEL_REFUSALS, { field: 'levels' })
  const line = await ctx.db.select().from(changes).where(eq(changes.agentId, agentId))
  const at = startsAt ?? now
  const fromLevelId = levelAt(line, known.levelId, at)
  if (fromLevelId === levelId) refuse('LEVEL_SAME', LEVEL_REFUSALS, { field: 'levels' })
  const nameOf = (id: number) => levels.get(id)?.name ?? ''
  return { agent: known, at, fromLevelId, fromLevelName: nameOf(fromLevelId), levelName: nameOf(levelId) }
}

export const previewLevel: Verb<typeof contract.previewLevel> = async (
  ctx,
  { agentId, levelId, startsAt },
) => {
  staffAlone(ctx)
  const asked = await askedOf(ctx, { agentId, levelId, startsAt: startsAt ?? null })
  const share = (level: number) =>
    sql<number>`discount_at(${agentId}, ${level}, one.book, ${asked.at}::timestamptz)`.mapWith(Number)
  const books = await ctx.db
    .select({ book: sql<Book>`one.book`, before: share(asked.fromLevelId), after: share(levelId) })
    .from(sql`unnest(${sql.param([...DISCOUNTED_BOOKS])}::text[]) with ordinality as one (book, place)`)
    .orderBy(sql`one.place`)
  const ofVersions = found(books.find(({ book }) => book === 'version'))
  return {
    ...{ fromLevelName: asked.fromLevelName, levelName: asked.levelName, books },
    renewals: await renewalsOf(ctx, agentId, asked.at, ofVersions),
  }
}

/** Its shops whose term ends in the 90 days from the moment on, renewed for a year with what they have. */
async function renewalsOf(ctx: Ctx, agentId: number, at: string, share: { before: number; after: number }) {
  const alike = await ctx.db
    .select({ item: merchants.versionId, places: placesBought, count: count() })
    .from(merchants)
    .where(
      and(
        ownRows(ctx, merchants.agentId),
        eq(merchants.agentId, agentId),
        eq(merchants.status, 'normal'),
        gte(merchants.expiresAt, at),
        lt(merchants.expiresAt, new Date(Date.parse(at) + LIMITS.previewDays * 86_400_000).toISOString()),
      ),
    )
    .groupBy(merchants.versionId, placesBought)
  const written = await writtenPrices(ctx)
  const priceOf = (item: number, kind: 'list' | 'minimum') =>
    inForce(written.filter(sameLine({ book: 'version', item, part: 'year', kind })), at)?.cents ?? null
  const differenceOf = (shops: (typeof alike)[number]) => {
    const unitCents = priceOf(shops.item, 'list')
    if (unitCents === null) return 0
    const conditions = conditionsOf('year', priceOf(shops.item, 'minimum'))
    const line = { part: 'year', unitCents, count: shops.places }
    const costs = (basisPoints: number) => priceLine(line, basisPoints, conditions).totalCents
    return (costs(share.after) - costs(share.before)) * shops.count
  }
  return {
    count: alike.reduce((sum, shops) => sum + shops.count, 0),
    differenceCents: alike.reduce((sum, shops) => sum + differenceOf(shops), 0),
  }
}

export const setLevel: Verb<typeof contract.setLevel> = async (ctx, input) => {
  staffAlone(ctx)
  const { agentId, levelId, startsAt } = input
  await lockAgent(ctx, agentId)
  const { agent, fromLevelId, fromLevelName, levelName } = await askedOf(ctx, input)
  const begun = await beginLevel(ctx, { agentId, fromLevelId, levelId }, startsAt)
  refuse(begun === 'taken' ? 'MOMENT_TAKEN' : null, LEVEL_REFUSALS, { field: 'startsAt' })
  ctx.object('agent', agentId)
  ctx.about(agentId)
  ctx.note(`${agent.companyName} (${agentId})`, [
    { name: '等级', before: fromLevelName, after: levelName },
    { name: '生效时间', before: null, after: startsAt === null ? '立即' : formatInstant(startsAt) },
  ])
  return { done: true }
}

export const withdrawLevel: Verb<typeof contract.withdrawLevel> = async (ctx, { id }) => {
  staffAlone(ctx)
  const { row, kept } = await withdraw(ctx, id)
  refuse(kept, LEVEL_REFUSALS)
  const [agent] = await ctx.db
    .select({ name: agents.companyName })
    .from(agents)
    .where(and(eq(agents.id, row.agentId), ownRows(ctx, agents.id)))
  const named = await ctx.db
    .select()
    .from(agentLevels)
    .where(inArray(agentLevels.id, [row.fromLevelId, row.levelId]))
    .orderBy(asc(agentLevels.id))
  const nameOf = (level: number) => named.find(one => one.id === level)?.name ?? ''
  ctx.object('agent', row.agentId)
  ctx.about(row.agentId)
  ctx.note(`${found(agent).name} (${row.agentId})`, [
    {
      name: `等级变更（${formatInstant(row.startsAt)}起）`,
      before: `${nameOf(row.fromLevelId)} → ${nameOf(row.levelId)}`,
      after: null,
    },
  ])
  return { done: true }
}
