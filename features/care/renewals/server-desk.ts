// The desk: the shops of a window nearest to their end, ranked by rules.ts, and the page of them that is shown.
import { and, asc, desc, eq, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { discountNow } from '#features/office/prices/server.ts'
import { merchantIdsMatching } from '#features/sales/orders/server-search.ts'
import { placesBought } from '#features/sales/purchases/server-shops.ts'
import { merchants, SEARCHED_TEXT } from '#features/shops/merchants/tables.ts'
import { yearPrices } from '#features/shops/versions/server.ts'
import { versions } from '#features/shops/versions/tables.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { discounted } from '#kit/money.ts'
import { addDays, addMonths, daysBetween, endOfDay, formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import { containing } from '#server/list.ts'
import type { renewals as contract } from './contract.ts'
import { LAPSED_DAYS, RANKED_MAX, rank, type Window } from './rules.ts'
import { latestMark, marked } from './server-marks.ts'

const managers = alias(accounts, 'managers')
/** A longer number names no shop. */
const ID_DIGITS_MAX = 15
type DeskInput = In<typeof contract.desk>

export async function listDesk(ctx: Ctx, input: DeskInput): Promise<Out<typeof contract.desk>> {
  const { now } = ctx
  const today = formatDay(now)
  const candidates = await candidatesOf(ctx, input, now)
  const years = await yearPrices(ctx)
  const ranked = candidates
    .map(shop => {
      const daysLeft = daysLeftOf(shop.expiresAt, today)
      const idleDays = shop.lastLoginAt === null ? null : daysBetween(shop.lastLoginAt, now)
      const yearlyCents = (years.get(shop.versionId) ?? 0) * shop.places
      const mark = shop.state === null ? null : { state: shop.state, nextOn: shop.nextOn }
      return {
        id: shop.id,
        expiresAt: Date.parse(shop.expiresAt),
        daysLeft,
        ...rank({ daysLeft, idleDays, shops: shop.shopsBought, yearlyCents, mark }, today),
      }
    })
    .sort((a, b) => byOrder(a, b, input) || a.id - b.id)
  const start = (input.page - 1) * input.size
  const shown = ranked.slice(start, start + input.size)
  const rows = await rowsOf(
    ctx,
    shown.map(shop => shop.id),
    years,
    now,
  )
  return {
    rows: shown.flatMap(({ id, expiresAt: _expiresAt, ...ranking }) => {
      const row = rows.get(id)
      return row ? [{ ...row, ...ranking }] : []
    }),
    total: ranked.length,
    totalCapped: candidates.length === RANKED_MAX,
  }
}

type Ordered = { score: number; expiresAt: number }

/** The nearest to today first: of what has lapsed the latest. */
function byOrder(a: Ordered, b: Ordered, { orderBy, window }: DeskInput): number {
  if (orderBy === 'rank') return b.score - a.score
  return window === 'lapsed' ? b.expiresAt - a.expiresAt : a.expiresAt - b.expiresAt
}

/** Whole days of Asia/Shanghai until the term's last day; 0 is today. */
function daysLeftOf(expiresAt: string, today: string): number {
  return daysBetween(startOfDay(today), startOfDay(formatDay(expiresAt)))
}

/** The window as instants: first included, second not. */
export function rangeOf(window: Window, now: Date): { from: string; to: string } {
  const today = formatDay(now)
  if (window === 'lapsed')
    return { from: startOfDay(addDays(today, -LAPSED_DAYS)).toISOString(), to: now.toISOString() }
  const month = (offset: number) => addMonths(startOfDay(`${today.slice(0, 8)}01`), offset).toISOString()
  if (window === 'thisMonth') return { from: now.toISOString(), to: month(1) }
  if (window === 'nextMonth') return { from: month(1), to: month(2) }
  return { from: now.toISOString(), to: endOfDay(addDays(today, Number(window))).toISOString() }
}

/** Conditions of every shop of a window; only shops that can be renewed, so no disabled ones. */
export function windowConditions(ctx: Ctx, window: Window, agentId: number | undefined, now: Date): SQL[] {
  const { from, to } = rangeOf(window, now)
  return [
    ownRows(ctx, merchants.agentId),
    agentId === undefined ? undefined : eq(merchants.agentId, agentId),
    eq(merchants.status, 'normal'),
    gte(merchants.expiresAt, from),
    lt(merchants.expiresAt, to),
  ].filter(condition => condition !== undefined)
}

async function candidatesOf(ctx: Ctx, input: DeskInput, now: Date) {
  const latest = latestMark(ctx, now)
  const { agentId } = input
  return ctx.db
    .select({
      id: merchants.id,
      expiresAt: sql<string>`${merchants.expiresAt}`.mapWith(merchants.expiresAt),
      lastLoginAt: merchants.lastLoginAt,
      shopsBought: merchants.shopsBought,
      places: placesBought,
      versionId: merchants.versionId,
      state: latest.state,
      nextOn: latest.nextOn,
    })
    .from(merchants)
    .leftJoinLateral(latest, sql`true`)
    .where(
      and(
        ...windowConditions(ctx, input.window, agentId, now),
        ofManager(input.managerId),
        await searched(ctx, input),
        await marked(ctx, input.mark, { agentId: actingOr(ctx, agentId), today: formatDay(now), now }),
      ),
    )
    .orderBy(input.window === 'lapsed' ? desc(merchants.expiresAt) : asc(merchants.expiresAt))
    .limit(RANKED_MAX)
}

/** The one agent whose shops are listed, where it is one. */
function actingOr(ctx: Ctx, agentId: number | undefined): number | undefined {
  return ctx.actor.isVendorStaff ? agentId : ctx.actor.agentId
}

function ofManager(managerId: number | undefined): SQL | undefined {
  if (managerId === undefined) return undefined
  return managerId === 0 ? isNull(merchants.managerId) : eq(merchants.managerId, managerId)
}

/**
 * Shops that hold the text: those that the index of two characters finds, where they are few. A text that many shops hold,
 * or one character of one agent's shops, is looked for in the window. Digits stand in every shop's id and account, so over
 * all agents they name one shop wholly.
 */
async function searched(ctx: Ctx, { search, agentId }: DeskInput): Promise<SQL | undefined> {
  if (!search) return undefined
  const isOneAgent = agentId !== undefined || !ctx.actor.isVendorStaff
  if (!isOneAgent && /^\d+$/.test(search))
    return or(
      search.length <= ID_DIGITS_MAX ? eq(merchants.id, Number(search)) : undefined,
      eq(merchants.account, search),
    )
  const contains = containing(SEARCHED_TEXT, search)
  if (isOneAgent && [...search].length < 2) return contains
  const shops = await merchantIdsMatching(ctx, search, agentId)
  if (shops.capped) return contains
  return sql`${merchants.id} = any(${sql.param(shops.ids)}::bigint[])`
}

async function rowsOf(ctx: Ctx, ids: number[], years: ReadonlyMap<number, number>, now: Date) {
  if (ids.length === 0) return new Map<number, never>()
  const latest = latestMark(ctx, now)
  const rows = await ctx.db
    .select({
      id: merchants.id,
      agentId: merchants.agentId,
      agentName: agents.companyName,
      shopName: merchants.shopName,
      personName: merchants.personName,
      account: merchants.account,
      shopPhone: merchants.shopPhone,
      storeKind: merchants.storeKind,
      versionId: merchants.versionId,
      versionName: versions.name,
      shopsBought: merchants.shopsBought,
      places: placesBought,
      discountBasisPoints: discountNow(),
      expiresAt: sql<string>`${merchants.expiresAt}`.mapWith(merchants.expiresAt),
      lastLoginAt: merchants.lastLoginAt,
      managerName: managers.name,
      mark: {
        id: latest.id,
        state: latest.state,
        note: latest.note,
        nextOn: latest.nextOn,
        createdByName: latest.createdByName,
        createdAt: latest.createdAt,
      },
    })
    .from(merchants)
    .innerJoin(agents, eq(agents.id, merchants.agentId))
    .innerJoin(versions, eq(versions.id, merchants.versionId))
    .leftJoin(managers, eq(managers.id, merchants.managerId))
    .leftJoinLateral(latest, sql`true`)
    .where(and(inArray(merchants.id, ids), or(ownRows(ctx, merchants.agentId))))
  return new Map(
    rows.map(({ discountBasisPoints, ...row }) => {
      const cents = years.get(row.versionId)
      const yearCents = cents === undefined ? null : discounted(cents * row.places, discountBasisPoints)
      return [row.id, { ...row, yearCents }]
    }),
  )
}
