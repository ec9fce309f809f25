// Rows of a table as lines of text: what they would do is said first, and all of it is done or nothing.
import { createHash } from 'node:crypto'
import { EDITION_HEADS } from '#features/office/regions/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import {
  blankRow,
  brokenRow,
  type ReferenceField,
  type RowValues,
  trimmedRow,
} from '#kit/declare/reference.ts'
import { countText } from '#kit/money.ts'
import { csvLines, csvText } from '#kit/words/csv.ts'
import { headKey } from '#kit/words/heads.ts'
import type { Ctx, EditedTable, Verb } from '#server/ctx.ts'
import { refuse } from '#server/refuse.ts'
import { readBrought } from '#server/sheets/sheet.ts'
import type { FieldChange } from '#server/tables.ts'
import type { referenceData as contract } from './contract.ts'
import { ERRORS_SHOWN, REFERENCE_REFUSALS, ROWS_MOST, TABLE_LIMITS, TABLE_REFUSALS } from './rules.ts'
import {
  changesBetween,
  hasTypedKey,
  insertRow,
  keyName,
  lockTable,
  type Row,
  rowsOf,
  tableOf,
  updateRow,
} from './server-rows.ts'

type Told = Omit<Out<typeof contract.rehearseRows>, 'token'>
type Plan = Told & { write: (() => Promise<Row>)[] }

/** The same only while text and table are. */
export const tokenOf = (told: unknown) =>
  createHash('sha256').update(JSON.stringify(told)).digest('base64url')

/** The first errors, each at its line. */
export function errorsIn<T extends { line: number; message: string }>(errors: readonly T[]) {
  return { errors: errors.slice(0, ERRORS_SHOWN), errorCount: errors.length }
}

/** The columns of an import: what is typed, one text for each. */
function columnsOf({ fields }: EditedTable): [key: string, field: ReferenceField][] {
  return Object.entries(fields).filter(([, { shown, lines }]) => !shown && !lines)
}

/** A cell as its field keeps it: a word by what it is called. */
function typedValue({ kind, words }: ReferenceField, cell: string): string | boolean {
  if (kind === 'flag') return cell === '是'
  if (kind !== 'word') return cell
  return Object.entries(words ?? {}).find(([key, text]) => text === cell || key === cell)?.[0] ?? ''
}

async function planOf(ctx: Ctx, edited: EditedTable, text: string): Promise<Plan> {
  const columns = columnsOf(edited)
  const stands = await rowsOf(ctx, edited)
  const same = (a: RowValues, b: RowValues) =>
    [hasTypedKey(edited) ? keyName(edited) : edited.named, ...(edited.within ? [edited.within] : [])].every(
      key => a[key] === b[key],
    )
  const errors: { line: number; message: string }[] = []
  const seen: RowValues[] = []
  const plan: Plan = { added: [], changed: [], removed: [], same: 0, errors: [], errorCount: 0, write: [] }
  let heads: string[] | null = null
  for (const { line, cells } of csvLines(text)) {
    if (heads === null) {
      heads = cells
      const missing = columns.find(([, { label }]) => !cells.includes(label))
      if (missing) return { ...plan, ...errorsIn([{ line, message: `第一行须有「${missing[1].label}」列` }]) }
      continue
    }
    const at = heads
    const cellOf = ({ label }: ReferenceField) => cells[at.indexOf(label)] ?? ''
    const typed = Object.fromEntries(columns.map(([key, field]) => [key, typedValue(field, cellOf(field))]))
    const values = { ...blankRow(edited), ...typed }
    const message = brokenRow(edited, values)[0]?.message
    const given = trimmedRow(edited, values)
    if (message !== undefined) errors.push({ line, message })
    else if (seen.some(other => same(other, given))) errors.push({ line, message: '与前面的行重复' })
    else
      planRow(
        ctx,
        edited,
        plan,
        stands.find(row => same(row.values, given)),
        given,
      )
    seen.push(given)
    if (seen.length > ROWS_MOST) {
      errors.push({ line, message: `最多 ${ROWS_MOST} 行` })
      break
    }
  }
  if (seen.length === 0) errors.push({ line: 1, message: '没有可以导入的行' })
  return { ...plan, ...errorsIn(errors) }
}

function planRow(ctx: Ctx, edited: EditedTable, plan: Plan, before: Row | undefined, given: RowValues): void {
  const name = String(given[edited.named] ?? '')
  if (!before) {
    const what = changesBetween(edited.fields, null, given).map(({ name, after }) => `${name} ${after}`)
    plan.added.push({ name, what: what.join('、') })
    plan.write.push(() => insertRow(ctx, edited, given))
    return
  }
  const after = { ...before.values, ...given }
  const changes = changesBetween(edited.fields, before.values, after)
  if (changes.length === 0) {
    plan.same++
    return
  }
  const what = changes.map(({ name, before: was, after: is }) => `${name} ${was ?? '无'} → ${is ?? '无'}`)
  plan.changed.push({ name, what: what.join('、') })
  plan.write.push(() => updateRow(ctx, edited, before.id, given))
}

function importedTable(ctx: Ctx, key: string): EditedTable {
  const edited = tableOf(ctx, key)
  refuse(edited.imports && edited.adds ? null : 'ROWS_FIXED', REFERENCE_REFUSALS)
  return edited
}

export const readTable: Verb<typeof contract.readTable> = async (ctx, { table, bytes }) => {
  const heads =
    table === null ? EDITION_HEADS : columnsOf(importedTable(ctx, table)).map(([, { label }]) => label)
  const { lines, notes } = await readBrought({
    agentId: ctx.actor.agentId,
    file: bytes,
    limits: TABLE_LIMITS,
    heads: heads.map(headKey),
    words: TABLE_REFUSALS,
  })
  return { text: csvText(lines), notes }
}

export const rehearseRows: Verb<typeof contract.rehearseRows> = async (ctx, { table, text }) => {
  const { write: _, ...told } = await planOf(ctx, importedTable(ctx, table), text)
  return { ...told, token: tokenOf(told) }
}

export const importRows: Verb<typeof contract.importRows> = async (ctx, { table, text, token }) => {
  const edited = importedTable(ctx, table)
  await lockTable(ctx, edited)
  const { write, ...told } = await planOf(ctx, edited, text)
  refuse(told.errorCount > 0 ? 'FILE_REFUSED' : null, REFERENCE_REFUSALS)
  refuse(tokenOf(told) === token ? null : 'FILE_CHANGED', REFERENCE_REFUSALS)
  for (const work of write) await work()
  ctx.object('reference', edited.key)
  if (write.length === 0) ctx.nothingChanged()
  ctx.note(edited.title, importChanges(told))
  return { ...told, token }
}

const LOGGED_CHARS = 500

/** How many rows something was done to, and which. */
export function loggedRows(name: string, rows: readonly string[]): FieldChange[] {
  if (rows.length === 0) return []
  const after = `${countText(rows.length, '项')}：${rows.join('、')}`.slice(0, LOGGED_CHARS)
  return [{ name, before: null, after }]
}

export function importChanges({ added, changed, removed }: Pick<Told, 'added' | 'changed' | 'removed'>) {
  const names = (rows: Told['added']) => rows.map(({ name }) => name)
  return [
    ...loggedRows('新增', names(added)),
    ...loggedRows('修改', names(changed)),
    ...loggedRows('停用', names(removed)),
  ]
}
