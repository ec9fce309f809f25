// Print templates as staff read them: the list, one with its draft, its history.
import { and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { In } from '#kit/declare/op.ts'
import type { Ctx } from '#server/ctx.ts'
import {
  type Condition,
  containingConditions,
  equal,
  filtered,
  type ListSource,
  rowsAndTotal,
  sortedBy,
} from '#server/list.ts'
import { staffAlone } from '#server/refuse.ts'
import type { TemplateOps } from './contract-of-kind.ts'
import { templateList } from './fields.ts'
import { TEMPLATE_KINDS, type TemplateState } from './rules.ts'
import {
  audienceTold,
  presented,
  ROW,
  readIndustries,
  type Setup,
  servedOf,
  templateOf,
  versionsOf,
} from './server-rows.ts'
import { printTemplateEvents as events, printTemplates as templates } from './tables.ts'

const EVENTS_MOST = 500

const IN_STATE = {
  draft: isNull(templates.publishedVersion),
  published: sql`${templates.publishedVersion} is not null and ${templates.publishedRevision} = ${templates.revision}`,
  changed: sql`${templates.publishedVersion} is not null and ${templates.publishedRevision} is distinct from ${templates.revision}`,
}

/** Also those that are drawn for any industry. */
const drawnFor = (industryId: number): Condition[] => [
  {
    key: 'industry',
    sql: sql`(${templates.industryIds} = '{}' or ${templates.industryIds} @> array[${sql.placeholder('industryId')}::integer])`,
    values: { industryId },
  },
]
const inState = (state: TemplateState): Condition[] => [{ key: `state ${state}`, sql: IN_STATE[state] }]

export async function listTemplates(
  ctx: Ctx,
  { kind }: Setup,
  { search, deleted, ...input }: In<TemplateOps['list']>,
) {
  staffAlone(ctx)
  const { sort, order } = sortedBy(
    input,
    { updatedAt: templates.updatedAt, createdAt: templates.createdAt },
    templates.id,
  )
  const list: ListSource = {
    name: 'print templates',
    table: templates,
    conditions: [
      ...equal('kind', templates.kind, kind),
      deleted
        ? { key: 'deleted', sql: isNotNull(templates.deletedAt) }
        : { key: 'live', sql: isNull(templates.deletedAt) },
      ...filtered(templateList('list', TEMPLATE_KINDS[kind], ''), input, {
        industryId: drawnFor,
        state: inState,
        deleted: () => [],
      }),
      ...(search ? containingConditions(templates.searchText, search) : []),
    ],
    sort,
    order,
  }
  const page = await rowsAndTotal(ctx, list, input, found =>
    ctx.db
      .with(found)
      .select(ROW)
      .from(found)
      .innerJoin(templates, eq(templates.id, found.id))
      .orderBy(...order),
  )
  const { namesOf } = await readIndustries(ctx)
  return { ...page, rows: page.rows.map(row => presented(row, namesOf)) }
}

export async function readTemplate(ctx: Ctx, { kind }: Setup, id: number) {
  const template = await templateOf(ctx, kind, id)
  const { nameOf, namesOf } = await readIndustries(ctx)
  const served = await servedOf(ctx, id)
  return {
    ...presented(template, namesOf),
    served: served.map(version => ({ ...version, audience: audienceTold(version, nameOf) })),
  }
}

export async function listIndustries(ctx: Ctx) {
  staffAlone(ctx)
  const { rows } = await readIndustries(ctx)
  return { rows: rows.map(({ id, name, retiredAt }) => ({ id, name, offered: retiredAt === null })) }
}

export async function readHistory(ctx: Ctx, { kind }: Setup, id: number) {
  await templateOf(ctx, kind, id)
  const { nameOf } = await readIndustries(ctx)
  const all = await versionsOf(ctx, id)
  const happened = await ctx.db
    .select()
    .from(events)
    .where(and(eq(events.templateId, id)))
    .orderBy(desc(events.id))
    .limit(EVENTS_MOST)
  return {
    versions: all.map(version => ({ ...version, audience: audienceTold(version, nameOf) })),
    events: happened,
  }
}
