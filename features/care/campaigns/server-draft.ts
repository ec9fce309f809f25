// Drafts: kept as they are written, complete or not, until they are sent or thrown away.
import { and, eq } from 'drizzle-orm'
import { nextDocumentNo } from '#features/money/ledger/server.ts'
import { templatesByKey } from '#features/shops/messages/server-templates.ts'
import type { Field } from '#kit/declare/fields.ts'
import { conditionsText } from '#kit/declare/list.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, changesOf, ownRows, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import type { campaigns as contract } from './contract.ts'
import { AUDIENCE_FILTERS } from './fields.ts'
import { brokenInDraft, CAMPAIGN_REFUSALS, refuseEditing } from './rules.ts'
import { campaigns } from './tables.ts'

export type Campaign = typeof campaigns.$inferSelect

type Saved = Pick<Campaign, 'name' | 'templateKey' | 'params' | 'audience' | 'scheduledAt'>

export const save: Verb<typeof contract.save> = async (ctx, input) => {
  const [broken] = brokenInDraft(input, await databaseNow(ctx))
  refuse(broken?.code ?? null, CAMPAIGN_REFUSALS, { field: broken?.field })
  const { name, templateKey, params, audience, scheduledAt } = input
  const { agentId, ...filters } = audience
  const isForAgent = ctx.actor.isVendorStaff && agentId !== undefined
  const saved: Saved = {
    name,
    templateKey,
    params,
    audience: isForAgent ? { ...filters, agentId } : filters,
    scheduledAt,
  }
  return input.id === undefined ? createDraft(ctx, saved) : changeDraft(ctx, input.id, input.revision, saved)
}

async function createDraft(ctx: Ctx, saved: Saved): Promise<Out<typeof contract.save>> {
  const [row] = await ctx.db
    .insert(campaigns)
    .values({
      ...saved,
      documentNo: await nextDocumentNo(ctx),
      agentId: ctx.actor.agentId,
      status: 'draft',
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: campaigns.id, revision: campaigns.revision })
  const created = found(row)
  ctx.object('campaign', created.id)
  ctx.note(
    subjectOf({ id: created.id, name: saved.name }),
    changesOf<Partial<Record<keyof Saved, unknown>>>({}, inWords(await templatesByKey(ctx), saved), LOGGED),
  )
  return created
}

async function changeDraft(
  ctx: Ctx,
  id: number,
  revision: number | undefined,
  saved: Saved,
): Promise<Out<typeof contract.save>> {
  const before = await lockCampaign(ctx, id)
  refuse(refuseEditing(before.status), CAMPAIGN_REFUSALS)
  // Nobody edits another's draft unseen: staff see all agents' campaigns and change only their own.
  if (before.agentId !== ctx.actor.agentId) refuseCommon('NOT_FOUND')
  if (before.revision !== revision) refuseCommon('STALE')
  await ctx.db
    .update(campaigns)
    .set({ ...saved, revision: before.revision + 1 })
    .where(eq(campaigns.id, id))
  const templates = await templatesByKey(ctx)
  ctx.object('campaign', id)
  ctx.note(
    subjectOf({ id, name: saved.name }),
    changesOf(inWords(templates, before), inWords(templates, saved), LOGGED),
  )
  return { id, revision: before.revision + 1 }
}

export const discard: Verb<typeof contract.discard> = async (ctx, { id }) => {
  const before = await lockCampaign(ctx, id)
  refuse(refuseEditing(before.status), CAMPAIGN_REFUSALS)
  if (before.agentId !== ctx.actor.agentId) refuseCommon('NOT_FOUND')
  await ctx.db.delete(campaigns).where(eq(campaigns.id, id))
  ctx.object('campaign', id)
  ctx.note(subjectOf(before), [{ name: '草稿', before: before.name, after: null }])
  return { id }
}

/** The campaign, held until the end of the transaction; a chunk of its messages is written before or after. */
export async function lockCampaign(ctx: Ctx, id: number): Promise<Campaign> {
  const [campaign] = await ctx.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, id), ownRows(ctx, campaigns.agentId)))
    .for('update')
  return found(campaign)
}

/** Instances need not agree about the time; whether a campaign is due, the database's clock says. */
export async function databaseNow(ctx: Ctx): Promise<Date> {
  const { rows } = await ctx.client.query<{ now: Date }>('select now() as now')
  return (rows[0] as { now: Date }).now
}

export function subjectOf({ id, name }: Pick<Campaign, 'id' | 'name'>): string {
  return `${name} (${id})`
}

const LOGGED = {
  name: { kind: 'text', label: '任务名称' },
  templateKey: { kind: 'text', label: '模板' },
  params: { kind: 'text', label: '内容' },
  audience: { kind: 'text', label: '商户范围' },
  scheduledAt: { kind: 'instant', label: '计划时间', none: '立即' },
} as const satisfies Record<keyof Saved, Field>

type Templates = Awaited<ReturnType<typeof templatesByKey>>

function inWords(
  templates: Templates,
  { name, templateKey, params, audience, scheduledAt }: Saved,
): Partial<Record<keyof Saved, unknown>> {
  return {
    name,
    templateKey: templates.get(templateKey)?.name ?? templateKey,
    params: Object.values(params).filter(Boolean).join('；'),
    audience: conditionsText({ filters: AUDIENCE_FILTERS }, audience),
    scheduledAt: scheduledAt && new Date(scheduledAt).toISOString(),
  }
}
