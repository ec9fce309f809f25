// Campaigns: what is given, on what, to whom, from when and until when.
import { desc, inArray } from 'drizzle-orm'
import { levelsOf } from '#features/office/agents/server-levels.ts'
import { agents } from '#features/office/agents/tables.ts'
import { BOOKS, FIRSTS, partName, refuseUnasked, stateOf } from '#features/office/prices/rules.ts'
import {
  addCampaign as add,
  type CampaignRow,
  endCampaign as end,
} from '#features/office/prices/server-write.ts'
import { priceCampaigns } from '#features/office/prices/tables.ts'
import { formatDiscount } from '#features/shops/versions/rules.ts'
import { countText, formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { refuse, staffAlone } from '#server/refuse.ts'
import type { priceDesk as contract } from './contract.ts'
import { CAMPAIGN_REFUSALS, campaignRisks, refuseCampaign } from './rules.ts'
import { type Item, itemsOf } from './server-items.ts'

export const listCampaigns: Verb<typeof contract.campaigns> = async (ctx, input) => {
  staffAlone(ctx)
  const all = await ctx.db
    .select()
    .from(priceCampaigns)
    .orderBy(desc(priceCampaigns.startsAt), desc(priceCampaigns.id))
  const words = await wordsOf(ctx, all)
  const now = ctx.now.toISOString()
  const { search = '', campaignState, page, size } = input
  const rows = all
    .map(row => ({
      id: row.id,
      name: row.name,
      campaignState: stateOf(row, now),
      what: words.what(row),
      forWhom: words.forWhom(row),
      gives: givesOf(row),
      startsAt: row.startsAt,
      endsAt: row.endedAt ?? row.endsAt,
      createdByName: row.createdByName,
    }))
    .filter(
      row =>
        (campaignState === undefined || row.campaignState === campaignState) &&
        row.name.includes(search.trim()),
    )
  return { rows: rows.slice((page - 1) * size, page * size), total: rows.length, totalCapped: false }
}

type Told = Pick<
  CampaignRow,
  | 'book'
  | 'items'
  | 'part'
  | 'levelIds'
  | 'agentIds'
  | 'basisPoints'
  | 'cents'
  | 'bonusBasisPoints'
  | 'bonusPieces'
  | 'firstOf'
>

function givesOf(told: Told): string {
  return told.firstOf === null ? giftOf(told) : `${FIRSTS[told.firstOf]} ${giftOf(told)}`
}

function giftOf({ basisPoints, cents, bonusBasisPoints, bonusPieces }: Told): string {
  if (basisPoints !== null) return `再打 ${formatDiscount(basisPoints)}`
  if (cents !== null) return `一口价 ${formatCents(cents)}`
  return bonusPieces === null
    ? `送 ${(bonusBasisPoints ?? 0) / 100}%`
    : `每包送 ${countText(bonusPieces, '条')}`
}

async function wordsOf(ctx: Ctx, rows: readonly Told[]) {
  const items = await itemsOf(ctx)
  const levels = new Map((await levelsOf(ctx)).map(({ id, name }) => [id, name]))
  const named = await agentNames(
    ctx,
    rows.flatMap(({ agentIds }) => agentIds ?? []),
  )
  return {
    what: ({ book, items: chosen, part }: Told) => {
      const names = chosen?.map(item => nameIn(items, book, item))
      return `${names?.join('、') ?? `全部${BOOKS[book]}`}${part === null ? '' : `（${partName(book, part)}）`}`
    },
    forWhom: ({ levelIds, agentIds }: Told) => {
      const names = [
        ...(levelIds ?? []).map(id => levels.get(id) ?? `等级 ${id}`),
        ...(agentIds ?? []).map(id => named.get(id) ?? `代理商 ${id}`),
      ]
      return names.length === 0 ? '全部代理商' : names.join('、')
    },
  }
}

function nameIn(items: readonly Item[], book: string, item: number): string {
  return items.find(one => one.book === book && one.item === item)?.name ?? `项目 ${item}`
}

async function agentNames(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db
    .select({ id: agents.id, name: agents.companyName })
    .from(agents)
    .where(inArray(agents.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export const addCampaign: Verb<typeof contract.addCampaign> = async (ctx, { answered, ...input }) => {
  staffAlone(ctx)
  const now = ctx.now.toISOString()
  const asked = { ...input, name: input.name.trim() }
  const broken = refuseCampaign(asked, now)
  if (broken) refuse(broken.code, CAMPAIGN_REFUSALS, { field: broken.field })
  refuse(refuseUnasked(campaignRisks(asked), answered), CAMPAIGN_REFUSALS, { field: 'share' })
  const { startsAt, ...wanted } = asked
  const items = await itemsOf(ctx)
  const known = (item: number) =>
    items.some(
      one =>
        one.book === wanted.book &&
        one.item === item &&
        (wanted.part === null || one.parts.includes(wanted.part)),
    )
  if (wanted.items?.some(item => !known(item))) refuse('ITEM_UNKNOWN', CAMPAIGN_REFUSALS, { field: 'items' })
  const levels = await levelsOf(ctx)
  if (wanted.levelIds?.some(id => !levels.some(level => level.id === id)))
    refuse('LEVEL_UNKNOWN', CAMPAIGN_REFUSALS, { field: 'levelIds' })
  const named = await agentNames(ctx, wanted.agentIds ?? [])
  if (wanted.agentIds?.some(id => !named.has(id)))
    refuse('AGENT_UNKNOWN', CAMPAIGN_REFUSALS, { field: 'agentIds' })
  const id = await add(ctx, wanted, startsAt)
  const words = await wordsOf(ctx, [wanted])
  ctx.object('setting', `price-campaign ${id}`)
  ctx.note(`${wanted.name} (${id})`, [
    { name: '适用项目', before: null, after: words.what(wanted) },
    { name: '适用对象', before: null, after: words.forWhom(wanted) },
    { name: '优惠', before: null, after: givesOf(wanted) },
    { name: '开始时间', before: null, after: startsAt === null ? '立即' : formatInstant(startsAt) },
    { name: '结束时间', before: null, after: wanted.endsAt === null ? '长期' : formatInstant(wanted.endsAt) },
  ])
  return { id }
}

export const endCampaign: Verb<typeof contract.endCampaign> = async (ctx, { id }) => {
  staffAlone(ctx)
  const row = await end(ctx, id)
  if (!row) refuse('IS_ENDED', CAMPAIGN_REFUSALS)
  const { name, endsAt } = row as CampaignRow
  ctx.object('setting', `price-campaign ${id}`)
  ctx.note(`${name} (${id})`, [
    { name: '结束时间', before: endsAt === null ? '长期' : formatInstant(endsAt), after: '立即' },
  ])
  return { done: true }
}
