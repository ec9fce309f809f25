// Which version a shop gets, which shops a template is served to, and how programs at the point of sale are told.
import type { ChangeTopic } from '#features/shops/pos-changes/rules.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import type { Ctx } from '#server/ctx.ts'
import { found } from '#server/refuse.ts'
import { isMeant, type TemplateKind } from './rules.ts'
import { servedOf, type Template, type VersionWithAudience } from './server-rows.ts'

const USAGE_AT_ONCE = 20

export type ServedTemplate = {
  id: number
  kind: TemplateKind
  version: number
  name: string
  publishedAt: string
}

const SERVED = 'v.withdrawn_at is null and v.superseded_by is null'
/** The newest of each template that is meant for a shop: all, its industry, itself; each by its index. */
export const SERVED_TO_SHOP = `
  select v.template_id::float8 as id, v.kind, v.number as version, v.name,
    to_char(v.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "publishedAt"
  from (
    select template_id, max(number) as number from (
      select template_id, number from print_template_versions v where to_all and ${SERVED}
      union all
      select template_id, number from print_template_versions v where to_industry_ids @> array[$2::integer] and ${SERVED}
      union all
      select s.template_id, s.number from print_template_shops s
        join print_template_versions v on v.template_id = s.template_id and v.number = s.number
        where s.merchant_id = $1 and ${SERVED}
    ) as meant group by template_id
  ) as newest join print_template_versions v using (template_id, number)
  order by v.template_id`

export async function servedTo(
  ctx: Ctx,
  shop: { id: number; industryId: number },
): Promise<ServedTemplate[]> {
  const { rows } = await ctx.client.query<ServedTemplate>({
    name: 'print_templates_of_shop',
    text: SERVED_TO_SHOP,
    values: [shop.id, shop.industryId],
  })
  return rows
}

/** Whom any of these versions is meant for; null: all. */
function meantBy(
  versions: readonly VersionWithAudience[],
): [industryIds: number[], shopIds: number[]] | null {
  if (versions.some(({ audience }) => audience.all)) return null
  const of = (key: 'industryIds' | 'shopIds') => [
    ...new Set(versions.flatMap(({ audience }) => audience[key])),
  ]
  return [of('industryIds'), of('shopIds')]
}

/** Of each industry and of the chosen no more than are shown, each in the order of an index: an industry may have few of many shops. */
const USING_SOME = `
  select distinct shop.id, shop.industry_id from (
    (select of_industry.* from unnest($1::integer[]) as wanted(id) cross join lateral (
      select id, industry_id from merchants where industry_id = wanted.id and id > $3 order by industry_id, id limit $4) as of_industry)
    union all
    (select id, industry_id from merchants where id = any ($2::bigint[]) and id > $3 order by id limit $4)
  ) as shop order by shop.id limit $4`
const USING_ALL = 'select id, industry_id from merchants where id > $1 order by id limit $2'

/** The statement of shops by number after one, with its values. */
export function usingShops(
  meant: ReturnType<typeof meantBy>,
  { after, most }: { after: number; most: number },
): { text: string; values: unknown[] } {
  return meant === null
    ? { text: USING_ALL, values: [after, most] }
    : { text: USING_SOME, values: [...meant, after, most] }
}

export async function countUsing(ctx: Ctx, templateId: number) {
  return counted(ctx, await servedOf(ctx, templateId))
}

async function counted(ctx: Ctx, served: readonly VersionWithAudience[]) {
  if (served.length === 0) return { total: 0, totalCapped: false }
  const { text, values } = usingShops(meantBy(served), { after: 0, most: COUNT_CAP + 1 })
  const { rows } = await ctx.client.query<{ total: number }>(
    `select count(*)::int as total from (${text}) as few`,
    values,
  )
  const total = found(rows[0]).total
  return { total: Math.min(total, COUNT_CAP), totalCapped: total > COUNT_CAP }
}

type Using = { id: number; name: string; agentName: string; industryName: string; industryId: number }

/** Shops by number after one, each with the version that it gets. */
export async function readUsage(ctx: Ctx, { id, after }: { id: number; after: number }) {
  const served = await servedOf(ctx, id)
  const totals = await counted(ctx, served)
  if (served.length === 0) return { ...totals, rows: [], more: false }
  const { text, values } = usingShops(meantBy(served), { after, most: USAGE_AT_ONCE + 1 })
  const { rows: shops } = await ctx.client.query<Using>(
    `select shop.id::float8 as id, m.shop_name as name, a.company_name as "agentName", i.name as "industryName", i.id as "industryId"
     from (${text}) as shop join merchants m on m.id = shop.id join agents a on a.id = m.agent_id
       join industries i on i.id = m.industry_id
     order by shop.id`,
    values,
  )
  const rows = shops.slice(0, USAGE_AT_ONCE).map(({ industryId, ...shop }) => ({
    ...shop,
    number: served.find(({ audience }) => isMeant(audience, { id: shop.id, industryId }))?.number ?? 0,
  }))
  return { ...totals, rows, more: shops.length > USAGE_AT_ONCE }
}

/** To each agency with shops of it (docs/decisions/0048); chosen shops each by themselves. */
const TELL_AGENCIES = `
  select note_shop_change(null, told.agent_id, $1, $2::jsonb) from (
    select a.id as agent_id from agents a
    where exists (select 1 from merchants m where m.agent_id = a.id and ($3::integer[] is null or m.industry_id = any ($3)))
    order by a.id) as told`
const TELL_SHOPS = `
  select note_shop_change(told.id, told.agent_id, $1, $2::jsonb)
  from (select id, agent_id from merchants where id = any ($3::bigint[]) order by id) as told`

async function tell(
  ctx: Ctx,
  topic: ChangeTopic,
  { id, kind }: Pick<Template, 'id' | 'kind'>,
  { number, audience }: Pick<VersionWithAudience, 'number' | 'audience'>,
): Promise<void> {
  const { all, industryIds, shopIds } = audience
  const data = { templateId: id, kind, version: number, all, ...(all ? {} : { industryIds }) }
  const said = [topic, JSON.stringify(data)]
  if (all || industryIds.length > 0)
    await ctx.client.query(TELL_AGENCIES, [...said, all ? null : [...industryIds]])
  if (shopIds.length > 0) await ctx.client.query(TELL_SHOPS, [...said, [...shopIds]])
}

type Told = Pick<VersionWithAudience, 'number' | 'audience'>

export async function tellPublished(ctx: Ctx, template: Pick<Template, 'id' | 'kind'>, version: Told) {
  await tell(ctx, 'print.template.published', template, version)
}

export async function tellWithdrawn(
  ctx: Ctx,
  template: Pick<Template, 'id' | 'kind'>,
  versions: readonly Told[],
): Promise<void> {
  for (const version of versions) await tell(ctx, 'print.template.withdrawn', template, version)
}
