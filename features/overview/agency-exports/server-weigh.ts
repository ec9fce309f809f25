// How much an agency's archive will hold. Counted where that is done at once; of what many rows would have to be read for, what the
// database's planner expects.
import type pg from 'pg'
import { CONTENTS, GROUPED, type Group, whereOf } from './server-contents.ts'

export type Weight = {
  groups: { name: Group; rows: number; isAbout: boolean }[]
  rows: number
  isAbout: boolean
  files: number
  byteSize: number
}

/** What the planner calls a cost; counting up to so much takes some milliseconds. */
const COST_MOST = 20_000
/** What a row takes in an archive, in both forms and packed: measured over the demo. */
const ROW_BYTES = 90

type Plan = { 'Parent Relationship'?: string; 'Total Cost': number; 'Plan Rows': number; Plans?: Plan[] }

export async function weigh(client: Pick<pg.Client, 'query'>, agentId: number): Promise<Weight> {
  const tables = Object.keys(CONTENTS)
  const plans = await planned(client, tables, agentId)
  const cheap = tables.filter(table => (plans.get(table)?.cost ?? 0) <= COST_MOST)
  const counted = new Map(tables.map(table => [table, plans.get(table)?.rows ?? 0]))
  const { rows } = await client.query<{ name: string; total: string }>(countsOf(cheap, agentId))
  for (const { name, total } of rows) counted.set(name, Number(total))
  const { rows: files } = await client.query<{ bytes: string }>(
    `select coalesce(sum(r.byte_size), 0) as bytes from files r where ${whereOf('files', agentId)}`,
  )
  const sum = (of: readonly string[]) => of.reduce((total, table) => total + (counted.get(table) ?? 0), 0)
  const isAbout = (of: readonly string[]) => of.some(table => !cheap.includes(table))
  const all = sum(tables)
  return {
    groups: GROUPED.map(({ group, tables: of }) => ({ name: group, rows: sum(of), isAbout: isAbout(of) })),
    rows: all,
    isAbout: isAbout(tables),
    files: counted.get('files') ?? 0,
    byteSize: Number(files[0]?.bytes ?? 0) + all * ROW_BYTES,
  }
}

const countsOf = (tables: readonly string[], agentId: number) =>
  tables
    .map(
      table =>
        `select '${table}' as name, count(*) as total from public.${table} r where ${whereOf(table, agentId)}`,
    )
    .join(' union all ')

async function planned(
  client: Pick<pg.Client, 'query'>,
  tables: readonly string[],
  agentId: number,
): Promise<Map<string, { cost: number; rows: number }>> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) ${countsOf(tables, agentId)}`,
  )
  const members =
    rows[0]?.['QUERY PLAN'][0].Plan.Plans?.filter(of => of['Parent Relationship'] === 'Member') ?? []
  if (members.length !== tables.length) throw new Error('the planner does not tell of each table')
  return new Map(
    members.map((member, at) => {
      const counting =
        member['Plan Rows'] === 1 ? member.Plans?.find(of => of['Parent Relationship'] === 'Outer') : member
      return [tables[at] as string, { cost: member['Total Cost'], rows: counting?.['Plan Rows'] ?? 0 }]
    }),
  )
}
