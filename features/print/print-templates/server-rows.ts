// Rows of print templates: read, locked, named, and what their history says.
import { and, asc, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { industries, merchants } from '#features/shops/merchants/tables.ts'
import { keysIn, picked } from '#kit/declare/fields.ts'
import type { Ctx } from '#server/ctx.ts'
import { ownColumns } from '#server/list.ts'
import { found, staffAlone } from '#server/refuse.ts'
import { TEMPLATE_FIELDS } from './fields.ts'
import {
  type Audience,
  audienceOf,
  audienceText,
  stateOf,
  type TemplateEventKind,
  type TemplateKind,
} from './rules.ts'
import {
  printTemplateEvents as events,
  printTemplateShops as shops,
  printTemplates as templates,
  printTemplateVersions as versions,
} from './tables.ts'

/** Of a history, whose contents are all shown. */
const VERSIONS_MOST = 100

export type Template = typeof templates.$inferSelect
export type Version = typeof versions.$inferSelect

/** What a kind adds to the operations of its templates. */
export type TemplateSetup<C> = {
  kind: TemplateKind
  /** What is wrong with it, in words: nothing of that is published without a reason. */
  check(ctx: Ctx, content: C): Promise<readonly string[]> | readonly string[]
  /** Nothing would come to paper: not even a reason publishes that. */
  isEmpty(ctx: Ctx, content: C): Promise<boolean> | boolean
  /** As it is kept. */
  prepare?(content: C): C
  /** The uploaded pictures that stand in it, and what they were uploaded for. */
  pictures?: { purpose: string; of(content: C): readonly string[] }
}
/** Of any kind: its contents have been checked by its own schema when they came. */
export type Setup = TemplateSetup<unknown>

export const LOGGED = picked(TEMPLATE_FIELDS, keysIn(TEMPLATE_FIELDS, 'log'))

export const ROW = {
  ...ownColumns(templates, keysIn(TEMPLATE_FIELDS, 'row')),
  industryIds: templates.industryIds,
  revision: templates.revision,
  publishedRevision: templates.publishedRevision,
  content: templates.content,
}

export async function lockTemplate(ctx: Ctx, { kind }: Setup, id: number): Promise<Template> {
  staffAlone(ctx)
  const [row] = await ctx.db
    .select()
    .from(templates)
    .where(and(eq(templates.id, id), eq(templates.kind, kind)))
    .for('update')
  return found(row)
}

/** Of this kind, deleted or not; for whoever is let in by the kind's permission. */
export async function templateOf(ctx: Ctx, kind: TemplateKind, id: number): Promise<Template> {
  staffAlone(ctx)
  const [row] = await ctx.db
    .select()
    .from(templates)
    .where(and(eq(templates.id, id), eq(templates.kind, kind)))
  return found(row)
}

export const subjectOf = ({ id, name }: { id: number; name: string }) => `${name} (${id})`

/** Names of all industries by their ids, in their order. */
export async function readIndustries(ctx: Ctx) {
  const rows = await ctx.db.select().from(industries).orderBy(asc(industries.position), asc(industries.id))
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const nameOf = (id: number) => names.get(id) ?? String(id)
  return { rows, nameOf, namesOf: (ids: readonly number[]) => ids.map(nameOf).join('、') }
}

type Shown = Pick<Template, 'revision' | 'publishedVersion' | 'publishedRevision' | 'industryIds'>

export function presented<R extends Shown>(row: R, namesOf: (ids: readonly number[]) => string) {
  return { ...row, state: stateOf(row), industryNames: namesOf(row.industryIds) }
}

const { content: _content, ...WITHOUT_CONTENT } = getTableColumns(versions)

/** Versions of a template that are served, the newest first, each with whom it is meant for; not what is in them. */
export async function servedOf(ctx: Ctx, templateId: number) {
  const rows = await ctx.db
    .select(WITHOUT_CONTENT)
    .from(versions)
    .where(
      and(
        eq(versions.templateId, templateId),
        sql`${versions.withdrawnAt} is null and ${versions.supersededBy} is null`,
      ),
    )
    .orderBy(desc(versions.number))
  return withAudiences(ctx, templateId, rows)
}

/** The latest, with what is in them. */
export async function versionsOf(ctx: Ctx, templateId: number) {
  const rows = await ctx.db
    .select()
    .from(versions)
    .where(eq(versions.templateId, templateId))
    .orderBy(desc(versions.number))
    .limit(VERSIONS_MOST)
  return withAudiences(ctx, templateId, rows)
}

type ForWhom = Pick<Version, 'number' | 'toAll' | 'toIndustryIds'>

export async function withAudiences<V extends ForWhom>(ctx: Ctx, templateId: number, rows: readonly V[]) {
  const chosen = await ctx.db
    .select({ number: shops.number, id: shops.merchantId, name: merchants.shopName })
    .from(shops)
    .innerJoin(merchants, eq(merchants.id, shops.merchantId))
    .where(
      and(
        eq(shops.templateId, templateId),
        inArray(
          shops.number,
          rows.map(({ number }) => number),
        ),
      ),
    )
    .orderBy(asc(shops.merchantId))
  return rows.map(row => {
    const named = chosen.filter(({ number }) => number === row.number).map(({ id, name }) => ({ id, name }))
    const audience = audienceOf({
      all: row.toAll,
      industryIds: row.toIndustryIds,
      shopIds: named.map(({ id }) => id),
    })
    return { ...row, audience, shops: named }
  })
}
export type VersionWithAudience = Awaited<ReturnType<typeof servedOf>>[number]

export function audienceTold(
  { audience, shops: named }: VersionWithAudience,
  nameOf: (id: number) => string,
) {
  return {
    all: audience.all,
    industries: audience.industryIds.map(id => ({ id, name: nameOf(id) })),
    shops: named,
  }
}

type Happened = {
  kind: TemplateEventKind
  number?: number | null
  audience?: Audience
  reason?: string
}

/** Writes a line of its history. */
export async function recordEvent(
  ctx: Ctx,
  templateId: number,
  { kind, number = null, audience, reason = '' }: Happened,
): Promise<void> {
  const { nameOf } = await readIndustries(ctx)
  await ctx.db.insert(events).values({
    templateId,
    kind,
    number,
    audience: audience ? audienceText(audience, nameOf) : '',
    reason: reason.trim(),
    byName: ctx.actor.name,
    at: ctx.now.toISOString(),
  })
}
