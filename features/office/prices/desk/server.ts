// Prices as the operator keeps them: what holds now and next, what a new one changes, and the history of an item.
import { inArray } from 'drizzle-orm'
import {
  type Book,
  BY_SYSTEM,
  comingNext,
  inForce,
  PRICE_KINDS,
  partName,
  refuseCents,
  refuseUnasked,
  unitOf,
} from '#features/office/prices/rules.ts'
import { beginPrice } from '#features/office/prices/server.ts'
import { lastReview, noteReview } from '#features/office/prices/server-reviews.ts'
import { IS_SOLD, withdrawPrice as withdraw } from '#features/office/prices/server-write.ts'
import { prices } from '#features/office/prices/tables.ts'
import { amountText } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { found, refuse, staffAlone } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import type { FieldChange } from '#server/tables.ts'
import { priceDesk as contract } from './contract.ts'
import { type DatedState, PRICE_REFUSALS, refuseStart } from './rules.ts'
import { addCampaign, endCampaign, listCampaigns } from './server-campaigns.ts'
import { choices } from './server-choices.ts'
import { listDiscounts, saveLevel, setDiscount, withdrawDiscount } from './server-discounts.ts'
import { type Item, itemsOf, sameLine, type Written, writtenPrices } from './server-items.ts'
import { listLevelChanges, previewLevel, setLevel, withdrawLevel } from './server-levels.ts'
import { effectsOf, previewPrice } from './server-preview.ts'

export const listPrices: Verb<typeof contract.prices> = async (ctx, input) => {
  staffAlone(ctx)
  const items = await itemsOf(ctx)
  const written = await writtenPrices(ctx)
  const now = ctx.now.toISOString()
  const all = items.flatMap(({ book, item, name, parts, counted }) => {
    const others = written.filter(row => row.book === book && row.item === item).map(row => row.part)
    return [...new Set([...parts, ...others])].map(part => {
      const of = (kind: 'list' | 'minimum') => written.filter(sameLine({ book, item, part, kind }))
      const next = comingNext(of('list'), now)
      return {
        ...{ book, item, part, itemName: name, partName: partName(book, part) },
        unit: unitOf(book, part, counted),
        cents: inForce(of('list'), now)?.cents ?? null,
        nextCents: next?.cents ?? null,
        nextStartsAt: next?.startsAt ?? null,
        minimumCents: inForce(of('minimum'), now)?.cents ?? null,
      }
    })
  })
  const { search = '', book, page, size } = input
  const rows = all
    .map((row, index) => ({ ...row, id: index + 1 }))
    .filter(row => (book === undefined || row.book === book) && row.itemName.includes(search.trim()))
  return { rows: rows.slice((page - 1) * size, page * size), total: rows.length, totalCapped: false }
}

export const priceHistory: Verb<typeof contract.history> = async (ctx, { book, item }) => {
  staffAlone(ctx)
  const { name, counted } = found((await itemsOf(ctx)).find(one => one.book === book && one.item === item))
  const written = (await writtenPrices(ctx)).filter(row => row.book === book && row.item === item)
  const now = ctx.now.toISOString()
  const unsold = await unsoldOf(ctx, written, now)
  const rows = written
    .map(row => ({
      ...row,
      unit: unitOf(book, row.part, counted),
      state: stateOf(row, written.filter(sameLine(row)), now),
      isUnsold: unsold.has(row.id),
    }))
    .reverse()
  return { itemName: name, rows }
}

/** Of the prices that hold, those at which nothing was sold. What a fresh office starts with is none of them. */
async function unsoldOf(ctx: Ctx, written: readonly Written[], now: string): Promise<ReadonlySet<number>> {
  const current = written.filter(
    row =>
      row.createdBy !== BY_SYSTEM.createdBy && stateOf(row, written.filter(sameLine(row)), now) === 'current',
  )
  if (current.length === 0) return new Set()
  const ids = current.map(({ id }) => id)
  const rows = await ctx.db
    .select({ id: prices.id, isSold: IS_SOLD })
    .from(prices)
    .where(inArray(prices.id, ids))
  return new Set(rows.filter(({ isSold }) => !isSold).map(({ id }) => id))
}

function stateOf(row: Written, line: readonly Written[], now: string): DatedState {
  if (row.withdrawnAt !== null) return 'withdrawn'
  if (Date.parse(row.startsAt) > Date.parse(now)) return 'coming'
  return inForce(line, now) === row ? 'current' : 'past'
}

export const setPrice: Verb<typeof contract.setPrice> = async (ctx, input) => {
  staffAlone(ctx)
  const { book, item, part, kind, cents, startsAt } = input
  const now = ctx.now.toISOString()
  const known = (await itemsOf(ctx)).find(one => one.book === book && one.item === item)
  if (!known?.parts.includes(part)) refuse('ITEM_UNKNOWN', PRICE_REFUSALS, { field: 'part' })
  // Products, packages and money from outside are taken off sale by their own switches.
  const mayEnd = kind === 'minimum' || book === 'version' || book === 'service'
  refuse(refuseCents(cents, book) ?? (cents === null && !mayEnd ? 'PRICE_FORMAT' : null), PRICE_REFUSALS, {
    field: 'cents',
  })
  refuse(refuseStart(startsAt, now), PRICE_REFUSALS, { field: 'startsAt' })
  const written = await writtenPrices(ctx)
  const at = startsAt ?? now
  const before = inForce(written.filter(sameLine(input)), at)?.cents ?? null
  if (before === cents) refuse('PRICE_SAME', PRICE_REFUSALS, { field: 'cents' })
  const list = inForce(written.filter(sameLine({ ...input, kind: 'list' })), at)?.cents ?? null
  if (kind === 'minimum' && cents !== null && list !== null && cents > list)
    refuse('MINIMUM_ABOVE', PRICE_REFUSALS, { field: 'cents' })
  const { risks } = await effectsOf(ctx, { ...input, startsAt: startsAt ?? undefined })
  refuse(refuseUnasked(risks, input.answered), PRICE_REFUSALS, { field: 'price' })
  const begun = await beginPrice(ctx, {
    ...{ book, item, part, kind, cents },
    ...(startsAt === null ? {} : { startsAt }),
  })
  if (begun === 'taken') refuse('MOMENT_TAKEN', PRICE_REFUSALS, { field: 'startsAt' })
  note(ctx, known as Item, input, [
    {
      name: `${partName(book, part)} ${PRICE_KINDS[kind]}`,
      before: told(book, before),
      after: told(book, cents),
    },
    { name: '生效时间', before: null, after: startsAt === null ? '立即' : formatInstant(startsAt) },
  ])
  return { done: true }
}

export const withdrawPrice: Verb<typeof contract.withdrawPrice> = async (ctx, { id }) => {
  staffAlone(ctx)
  const { row, kept } = await withdraw(ctx, id)
  refuse(kept, PRICE_REFUSALS)
  const known = found((await itemsOf(ctx)).find(one => one.book === row.book && one.item === row.item))
  note(ctx, known, row, [
    {
      name: `${partName(row.book, row.part)} ${PRICE_KINDS[row.kind]}（${formatInstant(row.startsAt)}起）`,
      before: told(row.book, row.cents),
      after: null,
    },
  ])
  return { done: true }
}

function told(book: Book, cents: number | null): string | null {
  return cents === null ? null : amountText(cents, book === 'recharge' ? '元' : '代币')
}

function note(
  ctx: Ctx,
  { name }: Item,
  { book, item }: { book: Book; item: number },
  changes: FieldChange[],
) {
  ctx.object('setting', `price ${book} ${item}`)
  ctx.note(`${name} (${book} ${item})`, changes)
}

const review: Verb<typeof contract.review> = async ctx => {
  staffAlone(ctx)
  const before = await lastReview(ctx)
  await noteReview(ctx)
  ctx.note('价格与等级折扣', [
    {
      name: '核对',
      before: before ? `${before.reviewedByName} 核对` : '示例价格',
      after: `${ctx.actor.name} 核对`,
    },
  ])
  return { done: true }
}

export const priceDeskRouter = serve(contract, {
  prices: listPrices,
  history: priceHistory,
  preview: previewPrice,
  setPrice,
  withdrawPrice,
  review,
  discounts: listDiscounts,
  choices,
  setDiscount,
  withdrawDiscount,
  saveLevel,
  levelChanges: listLevelChanges,
  previewLevel,
  setLevel,
  withdrawLevel,
  campaigns: listCampaigns,
  addCampaign,
  endCampaign,
})
