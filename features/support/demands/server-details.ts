// One demand with all that belongs to it, and what its form asks for.
import { and, asc, desc, eq, getTableColumns, isNull, ne, sql } from 'drizzle-orm'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { seen } from '#features/care/threads/server-rows.ts'
import { threads } from '#features/care/threads/tables.ts'
import { accounts } from '#features/office/access/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { industries, merchants } from '#features/shops/merchants/tables.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { containing } from '#server/list.ts'
import { found } from '#server/refuse.ts'
import type { demands as contract } from './contract.ts'
import { ROW, weighed } from './server-list.ts'
import { refuseOthers, staffOnly, vendorPeople } from './server-rows.ts'
import { renewalsOfDemand } from './server-weight.ts'
import {
  demandFiles,
  demandRelations,
  demands,
  demandSources as sources,
  demandSubscribers as subscribers,
} from './tables.ts'

const FOUND_MOST = 20

export const readDetails: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select({
      ...ROW,
      industryId: demands.industryId,
      description: demands.description,
      revision: demands.revision,
      mergedIntoId: demands.mergedIntoId,
      mergedAt: demands.mergedAt,
      mergedByName: demands.mergedByName,
      deletedByName: demands.deletedByName,
    })
    .from(demands)
    .innerJoin(merchants, eq(merchants.id, demands.merchantId))
    .innerJoin(accounts, eq(accounts.id, demands.ownerId))
    .innerJoin(industries, eq(industries.id, demands.industryId))
    .where(and(eq(demands.id, id), staffOnly(ctx)))
  const demand = found(row)
  const followers = await followersOf(ctx, id)
  return {
    ...weighed(ctx, demand),
    subscribers: followers,
    subscribed: followers.some(({ id: accountId }) => accountId === ctx.actor.accountId),
    sources: await sourcesOf(ctx, demand),
    relations: await relationsOf(ctx, id),
    merged: await ctx.db
      .select({ id: demands.id, title: demands.title, status: demands.status })
      .from(demands)
      .where(eq(demands.mergedIntoId, id))
      .orderBy(asc(demands.id)),
    files: await ctx.db
      .select(getTableColumns(demandFiles))
      .from(demandFiles)
      .where(eq(demandFiles.demandId, id))
      .orderBy(asc(demandFiles.id)),
  }
}

function followersOf(ctx: Ctx, id: number) {
  return ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(subscribers)
    .innerJoin(accounts, eq(accounts.id, subscribers.accountId))
    .where(eq(subscribers.demandId, id))
    .orderBy(asc(accounts.id))
}

async function sourcesOf(ctx: Ctx, demand: { id: number; merchantId: number }) {
  const renewals = await renewalsOfDemand(ctx, demand.id)
  const rows = await ctx.db
    .select({
      ...getTableColumns(sources),
      shopName: merchants.shopName,
      writer: feedbackMessages.createdByName,
      content: feedbackMessages.content,
      threadTitle: threads.title,
      opens: sql<boolean>`coalesce(${seen(ctx)}, false)`,
      agentName: agents.companyName,
    })
    .from(sources)
    .leftJoin(merchants, eq(merchants.id, sources.merchantId))
    .leftJoin(feedbackMessages, eq(feedbackMessages.id, sources.feedbackId))
    .leftJoin(threads, eq(threads.id, sources.threadId))
    .leftJoin(agents, sql`${agents.id} = coalesce(${merchants.agentId}, ${feedbackMessages.agentId})`)
    .where(eq(sources.demandId, demand.id))
    .orderBy(asc(sources.askedAt), asc(sources.id))
  const valued = new Set<number | null>([null])
  return rows.map(({ shopName, writer, content, threadTitle, agentName, ...source }) => {
    // Of a shop that asked more than once it is said once.
    const isFirst = !valued.has(source.merchantId)
    valued.add(source.merchantId)
    return {
      ...source,
      name: shopName ?? writer ?? '',
      text: content ?? threadTitle ?? '',
      agentName: agentName ?? '',
      renewalCents: isFirst ? (renewals.get(source.merchantId ?? 0) ?? 0) : null,
      isOwn: source.kind === 'shop' && source.merchantId === demand.merchantId,
    }
  })
}

async function relationsOf(ctx: Ctx, id: number) {
  const rows = await ctx.db
    .select({
      demandId: demandRelations.demandId,
      kind: demandRelations.kind,
      id: demands.id,
      title: demands.title,
      status: demands.status,
    })
    .from(demandRelations)
    .innerJoin(
      demands,
      sql`${demands.id} = case when ${demandRelations.demandId} = ${id} then ${demandRelations.otherId} else ${demandRelations.demandId} end`,
    )
    .where(
      and(
        sql`${id} in (${demandRelations.demandId}, ${demandRelations.otherId})`,
        isNull(demands.deletedAt),
        isNull(demands.mergedIntoId),
      ),
    )
    .orderBy(asc(demands.id))
  return rows.map(({ demandId, ...row }) => ({ ...row, inverse: demandId !== id }))
}

export const readOptions: Verb<typeof contract.options> = async ctx => {
  const rows = await ctx.db.select().from(industries).orderBy(asc(industries.position))
  return {
    owners: await vendorPeople(ctx),
    industries: rows.map(({ id, name, retiredAt }) => ({ id, name, offered: retiredAt === null })),
  }
}

export const readShop: Verb<typeof contract.shop> = async (ctx, { merchantId }) => {
  const [shop] = await ctx.db
    .select({ id: merchants.id, shopName: merchants.shopName, industryId: merchants.industryId })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), staffOnly(ctx)))
  return { shop: shop ?? null }
}

export const readFeedback: Verb<typeof contract.feedback> = async (ctx, { id }) => {
  refuseOthers(ctx)
  const [row] = await ctx.db
    .select({
      id: feedbackMessages.id,
      content: feedbackMessages.content,
      agentName: agents.companyName,
    })
    .from(feedbackMessages)
    .innerJoin(agents, eq(agents.id, feedbackMessages.agentId))
    .where(and(eq(feedbackMessages.id, id), staffOnly(ctx)))
  const known = await ctx.db
    .select({ id: sources.demandId })
    .from(sources)
    .where(eq(sources.feedbackId, id))
    .orderBy(asc(sources.demandId))
  return { ...found(row), demandIds: known.map(one => one.id) }
}

export const findDemands: Verb<typeof contract.find> = async (ctx, { search }) => {
  const isNumber = /^\d{1,15}$/.test(search)
  const rows = await ctx.db
    .select({ id: demands.id, title: demands.title, status: demands.status })
    .from(demands)
    .where(
      and(
        isNull(demands.deletedAt),
        isNull(demands.mergedIntoId),
        staffOnly(ctx),
        search === ''
          ? ne(demands.status, 'online')
          : isNumber
            ? sql`(${eq(demands.id, Number(search))} or ${containing(demands.searchText, search)})`
            : containing(demands.searchText, search),
      ),
    )
    .orderBy(desc(demands.createdAt), desc(demands.id))
    .limit(FOUND_MOST)
  return { rows }
}
