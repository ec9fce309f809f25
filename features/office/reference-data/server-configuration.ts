// The configuration as one file: out of an office, and into another after a rehearsal. Nothing secret and no agent's own is in it.
import { getTableName, sql } from 'drizzle-orm'
import type { In, Out } from '#kit/declare/op.ts'
import { refuseValue, within } from '#kit/declare/settings.ts'
import { countText } from '#kit/money.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import type { FileRow, NameIn } from '#server/office/reference-tables.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import type { FieldChange } from '#server/tables.ts'
import type { referenceData as contract } from './contract.ts'
import { CONFIGURATION_FORMAT, CONFIGURATION_VERSION, REFERENCE_REFUSALS } from './rules.ts'
import { emptyPlan, isNewOffice, type Plan, planTable } from './server-file-plan.ts'
import { type FileTable, fileTables, idOf, rowsIn } from './server-file-tables.ts'
import { loggedRows, tokenOf } from './server-import.ts'
import { keepSetting, keptSettings, settingText } from './server-settings.ts'

/** What stays behind, whatever there is of it: the same lines in every office. */
const leftBehind = (tables: readonly FileTable[]) =>
  tables.flatMap(({ title, left }) => (left === undefined ? [] : [`${title}：${left}`]))

async function configurationOf(ctx: Ctx): Promise<Out<typeof contract.exportConfiguration>> {
  const known = fileTables(ctx)
  const tables: Record<string, Record<string, unknown>[]> = {}
  for (const table of known) tables[table.key] = await rowsIn(ctx, table)
  const kept = await keptSettings(ctx)
  const settings = ctx.services.settings.declared.map(one => [one.key, within(one, kept.get(one.key))])
  return {
    format: CONFIGURATION_FORMAT,
    version: CONFIGURATION_VERSION,
    tables,
    settings: Object.fromEntries(settings) as Record<string, number>,
    left: leftBehind(known),
  }
}

export const exportConfiguration: Verb<typeof contract.exportConfiguration> = async ctx => {
  const file = await configurationOf(ctx)
  const titles = new Map(fileTables(ctx).map(({ key, title }) => [key, title]))
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
  const known = fileTables(ctx)
  const importing = { nameIn: await namesIn(ctx, known, tables), isNew: await isNewOffice(ctx) }
  const plans: Plan[] = []
  for (const table of known) {
    if (!(table.key in tables)) continue
    plans.push(await planTable(ctx, table, tables[table.key], importing))
  }
  const strangers = Object.keys(tables).filter(key => !known.some(table => table.key === key))
  if (strangers.length > 0)
    plans.push({ ...emptyPlan('unknown', '未知的表'), refused: strangers.map(key => `${key}：没有这张表`) })
  plans.push(await planSettings(ctx, settings))
  return plans
}

/** What rows of other tables are called: as the file has them, else as this office does. */
async function namesIn(
  ctx: Ctx,
  known: readonly FileTable[],
  given: Readonly<Record<string, unknown>>,
): Promise<NameIn> {
  const names = new Map<string, string>()
  const bare: NameIn = (_, id) => String(id)
  for (const table of known) {
    if (table.dated || table.ids.length > 1) continue
    const rows = [...(await rowsIn(ctx, table)), ...listOf(given[table.key])]
    for (const row of rows) names.set(`${table.key} ${idOf(table, row)}`, table.called(row, bare))
  }
  return (key, id) => names.get(`${key} ${id}`) ?? `（${String(id)}）`
}

const listOf = (given: unknown): FileRow[] => (Array.isArray(given) ? given.filter(isRecord) : [])

async function planSettings(ctx: Ctx, given: Record<string, unknown>): Promise<Plan> {
  const plan = emptyPlan('settings', '规则与限额')
  const kept = await keptSettings(ctx)
  const { declared } = ctx.services.settings
  for (const [key, value] of Object.entries(given)) {
    const one = declared.find(known => known.key === key)
    const flaw = one ? refuseValue(one, value) : '没有这一项'
    if (!one || flaw !== null) plan.refused.push(`${one?.label ?? key}：${flaw}`)
    else if (within(one, kept.get(key)) !== value) {
      const [was, is] = [within(one, kept.get(key)), value as number]
      plan.changed.push({ name: one.label, what: `${settingText(one, was)} → ${settingText(one, is)}` })
      plan.write.push(() => keepSetting(ctx, key, value))
    }
  }
  return plan
}

/** The same only while file and office are. */
function presented(ctx: Ctx, plans: readonly Plan[]): Out<typeof contract.rehearse> {
  const tables = plans.map(({ write: _, ...told }) => told)
  return { token: tokenOf(tables), tables, left: leftBehind(fileTables(ctx)) }
}

export const rehearse: Verb<typeof contract.rehearse> = async (ctx, { file }) => {
  return presented(ctx, await planOf(ctx, givenOf(file)))
}

export const importConfiguration: Verb<typeof contract.importConfiguration> = async (
  ctx,
  { file, token },
) => {
  await ctx.client.query(`select pg_advisory_xact_lock(hashtextextended('office settings', 0))`)
  for (const { key } of ctx.services.edited)
    await ctx.client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`reference ${key}`])
  const plans = await planOf(ctx, givenOf(file))
  const answer = presented(ctx, plans)
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
  for (const { table, ids, columns } of fileTables(ctx)) {
    const column = found(columns[ids[0] ?? ''])
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
  return parts.flatMap(([what, names]) => loggedRows(`${title}${what}`, names))
}
