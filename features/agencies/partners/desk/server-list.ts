// The operator's list of partners: which rows stand on the page first, then what is shown of them. A few thousand rows at the most:
// what no index has is reckoned of sums that are kept per day, and only where it is asked for.
import { eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { InvitationState } from '#features/agencies/partners/rules.ts'
import { partnerInvitations } from '#features/agencies/partners/tables.ts'
import { ledgerAccounts } from '#features/money/ledger/tables.ts'
import { agentMatches } from '#features/office/agents/server.ts'
import { agentLevels, agents } from '#features/office/agents/tables.ts'
import { discountNow } from '#features/office/prices/server.ts'
import { regionName } from '#features/office/regions/divisions.ts'
import { lastBought, spentBy } from '#features/overview/insights/server-ranking.ts'
import { merchantCounts } from '#features/shops/merchants/tables.ts'
import type { DownloadIn, Out } from '#kit/declare/op.ts'
import { formatDay } from '#kit/time.ts'
import { maskPhone } from '#kit/words/phone.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import { settingOf } from '#server/office/settings.ts'
import { type partnerDesk as contract, partnerDeskDownloads } from './contract.ts'
import { PARTNERS } from './fields.ts'
import { CONTRACT_DAYS, endingContracts, SPENT_DAYS } from './rules.ts'

type Asked = Omit<DownloadIn<typeof partnerDeskDownloads.list>, 'columns'>
type Row = Out<typeof contract.list>['rows'][number]

const parents = alias(agents, 'parents')

const DAYS_LEFT = sql`case when spending.cents > 0 then floor(coalesce(wallet.balance, 0) * spending.days / spending.cents)::bigint end`

/** By the keys of the fields, in the order of the statement. */
const COLUMNS = {
  id: sql`${agents.id}`,
  companyName: sql`${agents.companyName}`,
  levelName: sql`${agentLevels.name}`,
  discountBasisPoints: discountNow(),
  tokenBalanceCents: sql`coalesce(wallet.balance, 0)`,
  smsBalance: sql`coalesce(pieces.balance, 0)`,
  daysLeft: DAYS_LEFT,
  merchantCount: sql`coalesce(${merchantCounts.total}, 0)`,
  boughtOn: sql`bought.day::text`,
  idleDays: sql`bought.idle`,
  contactName: sql`${agents.contactName}`,
  mobile: sql`${agents.mobile}`,
  parentName: sql`${parents.companyName}`,
  regionName: sql`${agents.districtCode}`,
  status: sql`${agents.status}`,
  payEnabled: sql`${agents.payEnabled}`,
  createdAt: sql`to_char(${agents.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  contractTo: sql`${agents.contractTo}::text`,
  invitation: sql`invited.state`,
}

/** What each column needs beside the agent's own row. */
function joins(today: string) {
  return {
    wallet: sql`left join ${ledgerAccounts} as wallet on wallet.owner_kind = 'agent' and wallet.owner_id = ${agents.id} and wallet.asset = 'token' and wallet.book = ''`,
    counts: sql`left join ${merchantCounts} on ${merchantCounts.agentId} = ${agents.id}`,
    spending: sql`left join lateral (${spentBy(today, SPENT_DAYS)}) as spending on true`,
    bought: sql`left join lateral (${lastBought(today)}) as bought on true`,
  }
}
type Join = keyof ReturnType<typeof joins>

const SORTS: Record<Asked['sort'], { by: SQL; needs: readonly Join[] }> = {
  createdAt: { by: sql`${agents.createdAt}`, needs: [] },
  contractTo: { by: sql`${agents.contractTo}`, needs: [] },
  tokenBalanceCents: { by: COLUMNS.tokenBalanceCents, needs: ['wallet'] },
  daysLeft: { by: DAYS_LEFT, needs: ['wallet', 'spending'] },
  merchantCount: { by: COLUMNS.merchantCount, needs: ['counts'] },
  idleDays: { by: COLUMNS.idleDays, needs: ['bought'] },
}

export const listPartners: Verb<typeof contract.list> = async (ctx, { page, size, ...asked }) => {
  const today = formatDay(ctx.now)
  const { where, needs } = await conditionsOf(ctx, asked, today)
  const found = await ctx.db.execute<{ id: string; total: string }>(
    sql`select ${agents.id} as id, count(*) over () as total ${fromOf(today, [...needs, ...SORTS[asked.sort].needs])}
      where ${where} ${orderOf(asked)} limit ${size} offset ${(page - 1) * size}`,
  )
  const ids = found.rows.map(({ id }) => Number(id))
  const rows = await rowsOf(ctx, ids, today)
  return {
    rows: ids.flatMap(id => rows.find(row => row.id === id) ?? []),
    // A page after the last one counts nothing of itself.
    total: Number(found.rows[0]?.total ?? (page === 1 ? 0 : await countOf(ctx, where, today, needs))),
    totalCapped: false,
  }
}

async function countOf(ctx: Ctx, where: SQL, today: string, needs: readonly Join[]): Promise<number> {
  const { rows } = await ctx.db.execute<{ total: string }>(
    sql`select count(*) as total ${fromOf(today, needs)} where ${where}`,
  )
  return Number(rows[0]?.total ?? 0)
}

/** The rows of these agents, in no order. */
export async function rowsOf(ctx: Ctx, ids: readonly number[], today: string): Promise<Row[]> {
  if (ids.length === 0) return []
  const { rows } = await ctx.db.execute<Record<string, string | boolean | null>>(
    sql`${shownOf(today)} where ${agents.id} = any(${sql.param([...ids])}::bigint[]) and ${ownRows(ctx, agents.id) ?? sql`true`}`,
  )
  return rows.map(presented)
}

function shownOf(today: string): SQL {
  const columns = Object.entries(COLUMNS).map(([key, value]) => sql`${value} as ${sql.identifier(key)}`)
  const all = joins(today)
  return sql`select ${sql.join(columns, sql`, `)} ${fromOf(today, Object.keys(all) as Join[])}
    join ${agentLevels} on ${agentLevels.id} = ${agents.levelId}
    left join ${agents} as ${sql.identifier('parents')} on ${parents.id} = ${agents.parentId}
    left join ${ledgerAccounts} as pieces on pieces.owner_kind = 'agent' and pieces.owner_id = ${agents.id} and pieces.asset = 'sms' and pieces.book = ''
    left join lateral (
      select case when accepted_at is not null then 'accepted' when revoked_at is not null then 'revoked'
        when expires_at <= now() then 'expired' else 'open' end as state
      from ${partnerInvitations} where ${partnerInvitations.agentId} = ${agents.id} and not ${partnerInvitations.isReset}
      order by ${partnerInvitations.id} desc limit 1) as invited on true`
}

function fromOf(today: string, needs: readonly Join[]): SQL {
  const all = joins(today)
  const order = Object.keys(all) as Join[]
  return sql`from ${agents} ${sql.join(
    order.filter(key => needs.includes(key)).map(key => all[key]),
    sql` `,
  )}`
}

function orderOf({ sort, order }: Pick<Asked, 'sort' | 'order'>): SQL {
  const by = sql.raw(order === 'asc' ? 'asc' : 'desc')
  return sql`order by ${SORTS[sort].by} ${by} nulls last, ${agents.id} ${by}`
}

async function conditionsOf(ctx: Ctx, asked: Asked, today: string): Promise<{ where: SQL; needs: Join[] }> {
  const ending = asked.ending ? endingContracts(today, await settingOf(ctx, CONTRACT_DAYS)) : null
  const conditions = [
    ownRows(ctx, agents.id),
    agentMatches(asked.search),
    asked.status === undefined ? undefined : eq(agents.status, asked.status),
    asked.levelId === undefined ? undefined : eq(agents.levelId, asked.levelId),
    asked.parentId === undefined ? undefined : eq(agents.parentId, asked.parentId),
    asked.regionCode === undefined ? undefined : inRegion(asked.regionCode),
    asked.contractFrom ? gte(agents.contractTo, asked.contractFrom) : undefined,
    asked.contractTo ? lte(agents.contractTo, asked.contractTo) : undefined,
    ending &&
      sql`${agents.contractTo} between ${ending.from} and ${ending.to} and ${agents.status} <> 'closed'`,
    asked.lasts === undefined ? undefined : sql`${DAYS_LEFT} < ${asked.lasts}`,
    asked.idle === undefined
      ? undefined
      : sql`not ${agents.isVendorStaff} and coalesce(bought.idle, ${asked.idle}) >= ${asked.idle}`,
  ].filter(condition => condition !== undefined && condition !== null)
  return {
    where: conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `),
    needs: [
      ...(asked.lasts === undefined ? [] : (['wallet', 'spending'] as const)),
      ...(asked.idle === undefined ? [] : (['bought'] as const)),
    ],
  }
}

/** A province, a city or a district by the digits of its code: a range, which an index answers in any collation. */
function inRegion(code: number): SQL {
  const text = String(code)
  const width = 10 ** Math.max(0, 6 - text.length)
  const first = String(code * width).padStart(6, '0')
  const last = String((code + 1) * width - 1).padStart(6, '0')
  return sql`${agents.districtCode} between ${first} and ${last}`
}

const NUMBERS: readonly string[] = [
  'id',
  'discountBasisPoints',
  'tokenBalanceCents',
  'smsBalance',
  'daysLeft',
  'merchantCount',
  'idleDays',
]

function presented(row: Record<string, string | boolean | null>): Row {
  const entries = Object.entries(row).map(([key, value]): [string, unknown] => [
    key,
    value !== null && NUMBERS.includes(key) ? Number(value) : value,
  ])
  const {
    mobile,
    regionName: code,
    ...shown
  } = Object.fromEntries(entries) as Omit<Row, 'invitation'> & {
    invitation: InvitationState | null
  }
  return { ...shown, mobile: maskPhone(mobile), regionName: code === '' ? '' : regionName(code) }
}

export const partnersDownload = serveDownload(
  partnerDeskDownloads.list,
  async (ctx, { columns, ...asked }: DownloadIn<typeof partnerDeskDownloads.list>) => {
    const today = formatDay(ctx.now)
    const { where } = await conditionsOf(ctx, asked, today)
    return {
      statement: {
        getSQL: () => sql`${shownOf(today)} where ${where} ${orderOf(asked)}`,
        _: {
          selectedFields: Object.fromEntries(Object.keys(COLUMNS).map(key => [key, sql.identifier(key)])),
        },
      },
      values: {},
      ...fileColumns(PARTNERS, COLUMNS, columns, {
        createdAt: row => Date.parse(String(row.createdAt)),
        mobile: row => maskPhone(String(row.mobile)),
        regionName: row => (row.regionName === '' ? '' : regionName(String(row.regionName))),
      }),
    }
  },
)
