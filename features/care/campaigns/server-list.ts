import { and, desc, eq, like, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import type { MessageStatus } from '#features/shops/messages/rules.ts'
import { smsTemplates } from '#features/shops/messages/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { type Condition, filtered, type ListSource, ownCondition, rowsAndTotal } from '#server/list.ts'
import { found } from '#server/refuse.ts'
import type { campaigns as contract } from './contract.ts'
import { CAMPAIGNS } from './fields.ts'
import type { Progress } from './rules.ts'
import { campaigns } from './tables.ts'

const ROW = {
  id: campaigns.id,
  name: campaigns.name,
  agentId: campaigns.agentId,
  agentName: agents.companyName,
  templateKey: campaigns.templateKey,
  templateName: sql<string>`coalesce(${smsTemplates.name}, '')`,
  params: campaigns.params,
  audience: campaigns.audience,
  status: campaigns.status,
  scheduledAt: campaigns.scheduledAt,
  revision: campaigns.revision,
  expectedShops: campaigns.expectedShops,
  expectedSegments: campaigns.expectedSegments,
  queued: campaigns.queued,
  skipped: campaigns.skipped,
  progress: campaigns.progress,
  documentNo: campaigns.documentNo,
  problem: campaigns.problem,
  createdByName: campaigns.createdByName,
  createdAt: campaigns.createdAt,
  sentByName: campaigns.sentByName,
  startedAt: campaigns.startedAt,
  finishedAt: campaigns.finishedAt,
}

const LATEST = { sort: 'createdAt desc', order: [desc(campaigns.createdAt), desc(campaigns.id)] }

export const listCampaigns: Verb<typeof contract.list> = async (ctx, input) => {
  const list: ListSource = {
    name: 'campaigns',
    table: campaigns,
    conditions: [
      ...ownCondition(ctx, campaigns.agentId),
      ...filtered(CAMPAIGNS, input, {
        status: campaigns.status,
        created: campaigns.createdAt,
        agentId: campaigns.agentId,
      }),
      ...nameCondition(input.search),
    ],
    ...LATEST,
  }
  const { rows, ...total } = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(campaigns, eq(campaigns.id, page.id))
      .innerJoin(agents, eq(agents.id, campaigns.agentId))
      .leftJoin(smsTemplates, eq(smsTemplates.key, campaigns.templateKey))
      .orderBy(...LATEST.order),
  )
  return { rows: await withProgress(ctx, rows), ...total }
}

function nameCondition(search: string | undefined): Condition[] {
  if (!search) return []
  return [
    {
      key: 'search',
      sql: like(campaigns.name, sql.placeholder('pattern')),
      values: { pattern: `%${search.replace(/[\\%_]/g, '\\$&')}%` },
    },
  ]
}

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const rows = await ctx.db
    .select(ROW)
    .from(campaigns)
    .innerJoin(agents, eq(agents.id, campaigns.agentId))
    .leftJoin(smsTemplates, eq(smsTemplates.key, campaigns.templateKey))
    .where(and(eq(campaigns.id, id), ownRows(ctx, campaigns.agentId)))
  return found((await withProgress(ctx, rows))[0])
}

export const NONE: Progress = { messages: {}, charged: 0 }

/** Adds the messages by state: as they were kept, or counted while they still change. */
async function withProgress<Row extends { id: number; progress: Progress | null; startedAt: string | null }>(
  ctx: Ctx,
  rows: readonly Row[],
): Promise<(Row & Progress)[]> {
  const open = rows.filter(({ progress, startedAt }) => progress === null && startedAt !== null)
  const counted = await countProgress(
    ctx,
    open.map(({ id }) => id),
  )
  return rows.map(row => ({ ...row, ...(row.progress ?? counted.get(row.id) ?? NONE) }))
}

/** Messages of each of these campaigns by state, and what is charged for them. */
export async function countProgress(ctx: Ctx, ids: readonly number[]): Promise<Map<number, Progress>> {
  const progress = new Map<number, Progress>()
  if (ids.length === 0) return progress
  const { rows } = await ctx.client.query<{
    id: number
    status: MessageStatus
    messages: number
    charged: number
  }>({
    name: 'campaign_progress',
    text: `
      select campaign_id::float8 as id, status, count(*)::float8 as messages, sum(charged)::float8 as charged
      from outbox_messages where campaign_id = any ($1::bigint[]) group by campaign_id, status`,
    values: [ids],
  })
  for (const { id, status, messages, charged } of rows) {
    const before = progress.get(id) ?? NONE
    progress.set(id, {
      messages: { ...before.messages, [status]: messages },
      charged: before.charged + charged,
    })
  }
  return progress
}
