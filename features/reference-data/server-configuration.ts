// The configuration as one file: out of an office, and into another after a rehearsal. Nothing secret and no agent's own is in it.
import { createHash } from 'node:crypto'
import { eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { countText } from '#kit/money.ts'
import type { In, Out } from '#kit/op.ts'
import { brokenRow } from '#kit/reference.ts'
import { refuseValue, within } from '#kit/settings.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { referenceData as contract } from './contract.ts'
import { CONFIGURATION_FORMAT, CONFIGURATION_VERSION, REFERENCE_REFUSALS, ROWS_MOST } from './rules.ts'
import { usesOf } from './server-rows.ts'
import { keepSetting, keptSettings, settingText } from './server-settings.ts'
import { removedRows } from './tables.ts'

type FileRow = Record<string, unknown>
type Table = {
  key: string
  title: string
  table: PgTable
  id: string
  named: string
  /** Columns that the file carries, by their names in code. */
  columns: Readonly<Record<string, AnyPgColumn>>
  leaves: Readonly<Record<string, unknown>>
  flawOf: (row: FileRow) => string | null
  retires: boolean
  uses: Parameters<typeof usesOf>[1]['uses'] | null
}
type Plan = Out<typeof contract.rehearse>['tables'][number] & { write: (() => Promise<unknown>)[] }

/** What is carried, what is named by others before them. */
function tablesOf(ctx: Ctx): Table[] {
  const { edited, configured } = ctx.services
  return [
    ...edited.map(one => ({
      ...describe(one.table, {}),
      ...one,
      id: nameOf(one.table, one.id),
      leaves: {},
      flawOf: (row: FileRow) => brokenRow(one, row)[0]?.message ?? null,
      uses: one.adds ? one.uses : null,
    })),
    ...configured.map(one => ({
      ...describe(one.table, one.leaves),
      ...one,
      id: nameOf(one.table, one.id),
      flawOf: (row: FileRow) => {
        const wrong = Object.entries(one.words ?? {}).find(
          ([column, words]) => !words.includes(String(row[column])),
        )
        return wrong ? `${wrong[0]}：${String(row[wrong[0]])}` : null
      },
      retires: false,
      uses: null,
    })),
  ]
}

function describe(table: PgTable, leaves: Readonly<Record<string, unknown>>) {
  const columns = Object.entries(getTableColumns(table) as Record<string, AnyPgColumn>)
  return { columns: Object.fromEntries(columns.filter(([name]) => !(name in leaves))) }
}

function nameOf(table: PgTable, id: AnyPgColumn): string {
  const found = Object.entries(getTableColumns(table)).find(([, column]) => column === id)
  if (!found) throw new Error(`${getTableName(table)} has not its own key`)
  return found[0]
}

async function rowsIn(ctx: Ctx, { table, id, columns }: Table): Promise<FileRow[]> {
  const rows: FileRow[] = await ctx.db
    .select()
    .from(table)
    .orderBy(columns[id] as AnyPgColumn)
  return rows.map(row => Object.fromEntries(Object.keys(columns).map(name => [name, row[name]])))
}

async function configurationOf(ctx: Ctx): Promise<Out<typeof contract.exportConfiguration>> {
  const tables: Record<string, FileRow[]> = {}
  for (const table of tablesOf(ctx)) tables[table.key] = await rowsIn(ctx, table)
  const kept = await keptSettings(ctx)
  const settings = ctx.services.settings.declared.map(one => [one.key, within(one, kept.get(one.key))])
  return {
    format: CONFIGURATION_FORMAT,
    version: CONFIGURATION_VERSION,
    tables,
    settings: Object.fromEntries(settings) as Record<string, number>,
  }
}

export const exportConfiguration: Verb<typeof contract.exportConfiguration> = async ctx => {
  const file = await configurationOf(ctx)
  const titles = new Map(tablesOf(ctx).map(({ key, title }) => [key, title]))
  ctx.object('setting', 'configuration')
  ctx.note(
    '配置文件',
    Object.entries(file.tables).map(([key, rows]) => ({
      name: titles.get(key) ?? key,
      before: null,
      after: countText(rows.length, '项'),
    })),
  )
  return file
}

type Given = { tables: Record<string, unknown>; settings: Record<string, unknown> }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function givenOf({ format, version, tables, settings }: In<typeof contract.rehearse>['file']): Given {
  const isOurs = format === CONFIGURATION_FORMAT && isRecord(tables) && isRecord(settings)
  if (!isOurs) throw new Refusal('FILE_WRONG', REFERENCE_REFUSALS.FILE_WRONG)
  refuse(version === CONFIGURATION_VERSION ? null : 'FILE_VERSION', REFERENCE_REFUSALS)
  return { tables, settings }
}

/** What an import would do, table by table. Whatever the file does not name stays as it is. */
async function planOf(ctx: Ctx, { tables, settings }: Given): Promise<Plan[]> {
  const known = tablesOf(ctx)
  const plans: Plan[] = []
  for (const table of known) {
    if (!(table.key in tables)) continue
    plans.push(await planTable(ctx, table, tables[table.key]))
  }
  const strangers = Object.keys(tables).filter(key => !known.some(table => table.key === key))
  if (strangers.length > 0)
    plans.push({ ...emptyPlan('unknown', '未知的表'), refused: strangers.map(key => `${key}：没有这张表`) })
  plans.push(await planSettings(ctx, settings))
  return plans
}

const emptyPlan = (key: string, title: string): Plan => ({
  ...{ key, title, added: [], changed: [], removed: [], retired: [], kept: [], refused: [], write: [] },
})

async function planTable(ctx: Ctx, table: Table, given: unknown): Promise<Plan> {
  const plan = emptyPlan(table.key, table.title)
  if (!Array.isArray(given) || given.length > ROWS_MOST || !given.every(isRecord))
    return { ...plan, refused: [`须为最多 ${ROWS_MOST} 项的列表`] }
  const stands = new Map((await rowsIn(ctx, table)).map(row => [String(row[table.id]), row]))
  const seen = new Set<string>()
  for (const row of given as FileRow[]) {
    const id = String(row[table.id])
    const flaw = seen.has(id) ? '重复' : flawIn(table, row)
    seen.add(id)
    if (flaw !== null) plan.refused.push(`${called(table, row)}：${flaw}`)
    else planRow(ctx, table, plan, stands.get(id), row)
  }
  for (const [id, row] of stands) if (!seen.has(id)) await planMissing(ctx, table, plan, id, row)
  return plan
}

const called = ({ id, named }: Table, row: FileRow) => `${String(row[named] ?? '')}（${String(row[id])}）`

/** What a column cannot hold, or what the table's own rules say. */
function flawIn(table: Table, row: FileRow): string | null {
  for (const [name, column] of Object.entries(table.columns)) {
    const value = row[name]
    if (!(name in row)) return `缺少 ${name}`
    if (value === null) {
      if (column.notNull) return `缺少 ${name}`
    } else if (!fits(column, value)) return `${name} 的内容不对`
  }
  const strange = Object.keys(row).find(name => !(name in table.columns))
  return strange === undefined ? table.flawOf(row) : `多出 ${strange}`
}

function fits({ dataType, columnType }: AnyPgColumn, value: unknown): boolean {
  if (columnType === 'PgCustomColumn') return typeof value === 'string' && !Number.isNaN(Date.parse(value))
  switch (dataType) {
    case 'number':
      return Number.isSafeInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'array':
      return Array.isArray(value)
    case 'json':
      return typeof value === 'object'
    default:
      return typeof value === 'string' && value.length <= 20_000
  }
}

function planRow(ctx: Ctx, table: Table, plan: Plan, before: FileRow | undefined, row: FileRow): void {
  const key = table.columns[table.id] as AnyPgColumn
  if (!before) {
    plan.added.push(called(table, row))
    plan.write.push(async () => {
      await ctx.db.insert(table.table).values({ ...table.leaves, ...row } as never)
      const name = getTableName(table.table)
      await ctx.db
        .delete(removedRows)
        .where(sql`${removedRows.tableName} = ${name} and ${removedRows.rowId} = ${String(row[table.id])}`)
    })
    return
  }
  const differs = Object.keys(table.columns).filter(
    name => JSON.stringify(before[name]) !== JSON.stringify(row[name]),
  )
  if (differs.length === 0) return
  plan.changed.push({ name: called(table, row), what: differs.join('、') })
  const changed = Object.fromEntries(differs.map(name => [name, row[name]]))
  plan.write.push(() => ctx.db.update(table.table).set(changed).where(eq(key, row[table.id])))
}

/** A row that the file does not have goes where nothing uses it, else it is offered no more. */
async function planMissing(ctx: Ctx, table: Table, plan: Plan, id: string, row: FileRow): Promise<void> {
  const key = table.columns[table.id] as AnyPgColumn
  const value = row[table.id]
  if (table.uses === null) {
    plan.kept.push(called(table, row))
    return
  }
  const uses = await usesOf(ctx, { uses: table.uses, id: key } as never, id)
  if (uses.every(({ count }) => count === 0)) {
    plan.removed.push(called(table, row))
    plan.write.push(async () => {
      await ctx.db.delete(table.table).where(eq(key, value))
      await ctx.db
        .insert(removedRows)
        .values({ tableName: getTableName(table.table), rowId: id, removedAt: sql`now()` })
        .onConflictDoNothing()
    })
  } else if (table.retires && row.retiredAt === null) {
    plan.retired.push(called(table, row))
    plan.write.push(() =>
      ctx.db
        .update(table.table)
        .set({ retiredAt: sql`now()` } as never)
        .where(eq(key, value)),
    )
  } else plan.kept.push(called(table, row))
}

async function planSettings(ctx: Ctx, given: Record<string, unknown>): Promise<Plan> {
  const plan = emptyPlan('settings', '规则与限额')
  const kept = await keptSettings(ctx)
  const { declared } = ctx.services.settings
  for (const [key, value] of Object.entries(given)) {
    const one = declared.find(known => known.key === key)
    const flaw = one ? refuseValue(one, value) : '没有这一项'
    if (!one || flaw !== null) plan.refused.push(`${one?.label ?? key}：${flaw}`)
    else if (within(one, kept.get(key)) !== value) {
      plan.changed.push({ name: one.label, what: settingText(one, value as number) })
      plan.write.push(() => keepSetting(ctx, key, value))
    }
  }
  return plan
}

/** The same only while file and office are. */
function presented(plans: readonly Plan[]): Out<typeof contract.rehearse> {
  const tables = plans.map(({ write: _, ...told }) => told)
  const token = createHash('sha256').update(JSON.stringify(tables)).digest('base64url')
  return { token, tables }
}

export const rehearse: Verb<typeof contract.rehearse> = async (ctx, { file }) => {
  return presented(await planOf(ctx, givenOf(file)))
}

export const importConfiguration: Verb<typeof contract.importConfiguration> = async (
  ctx,
  { file, token },
) => {
  await ctx.client.query(`select pg_advisory_xact_lock(hashtextextended('office settings', 0))`)
  for (const { key } of ctx.services.edited)
    await ctx.client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`reference ${key}`])
  const plans = await planOf(ctx, givenOf(file))
  const answer = presented(plans)
  refuse(plans.some(({ refused }) => refused.length > 0) ? 'FILE_REFUSED' : null, REFERENCE_REFUSALS)
  refuse(answer.token === token ? null : 'FILE_CHANGED', REFERENCE_REFUSALS)
  for (const { write } of plans) for (const work of write) await work()
  await passNumbers(ctx)
  ctx.object('setting', 'configuration')
  const changes = plans.flatMap(changesOfPlan)
  if (changes.length === 0) ctx.nothingChanged()
  ctx.note('配置文件', changes)
  return answer
}

/** Numbers that the database itself gives go on behind those that came with the file. */
async function passNumbers(ctx: Ctx): Promise<void> {
  for (const { table, id, columns } of tablesOf(ctx)) {
    const column = columns[id] as AnyPgColumn
    if (!column.generatedIdentity) continue
    const name = getTableName(table)
    await ctx.db.execute(sql`select setval(s.sequence, greatest(
      nextval(s.sequence), (select coalesce(max(${column}), 1) from ${table})))
      from (select pg_get_serial_sequence(${name}, ${column.name})::regclass as sequence) s`)
  }
}

/** How much was done to a table, and to what. */
function changesOfPlan({ title, added, changed, removed, retired }: Plan): FieldChange[] {
  const parts: [string, readonly string[]][] = [
    ['新增', added],
    ['修改', changed.map(({ name, what }) => `${name} ${what}`)],
    ['删除', removed],
    ['停用', retired],
  ]
  return parts.flatMap(([what, names]) =>
    names.length === 0
      ? []
      : [
          {
            name: `${title}${what}`,
            before: null,
            after: `${countText(names.length, '项')}：${names.join('、')}`.slice(0, 500),
          },
        ],
  )
}
