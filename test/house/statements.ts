// Where the sources write rows, through Drizzle or in SQL of their own, for the tests that guard tables and state machines.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { ROOT, type Source, targetOf } from './sources.ts'

/** `name`: as the sources call it. `owner`: the room whose tables.ts has it. */
export type Table = { name: string; sqlName: string; owner: string; columns: PgTable }
export type Write = {
  verb: 'insert' | 'update' | 'delete'
  table: Table
  path: string
  line: number
  /** Of Drizzle: the text between the brackets of each call, by the call's name. */
  calls: Record<string, string>
  /** The statement in SQL; null where Drizzle writes it. */
  sql: string | null
  /** The function or constant at the top of its file that it stands in. */
  within: string
}

export const TABLES: Table[] = []
for (const path of globSync('{features/**,server}/tables.ts', { cwd: ROOT }).sort())
  for (const [name, value] of Object.entries((await import(`#${path}`)) as Record<string, unknown>))
    if (is(value, PgTable))
      TABLES.push({ name, sqlName: getTableName(value), owner: dirname(path), columns: value })

/** The text of a table's declaration. */
function declarationOf({ name, owner }: Table): { before: string; text: string } {
  const source = readFileSync(join(ROOT, owner, 'tables.ts'), 'utf8')
  const start = source.indexOf(`\nexport const ${name} = pgTable(`) + 1
  assert.ok(start > 0, `${owner} declares ${name}`)
  const end = source.indexOf('\nexport const ', start)
  return { before: source.slice(0, start), text: source.slice(start, end < 0 ? undefined : end) }
}

/** Why a rule does not hold for columns, by `table.column`, as the comment over each says: `// No field: shown by name.` */
export function columnReasons(rule: string): Map<string, string> {
  const said = new RegExp(`^ +// ${rule}: (.+)\\n((?: *//.*\\n)*) +(\\w+)?`, 'gm')
  return new Map(
    TABLES.flatMap(table =>
      [...declarationOf(table).text.matchAll(said)].map(([, reason = '', , key = '']) => {
        assert.ok(key in getTableColumns(table.columns), `${table.name}: no column stands below "${reason}"`)
        return [`${table.name}.${key}`, reason] as const
      }),
    ),
  )
}

/** The same of whole tables. */
export function tableReasons(rule: string): Map<string, string> {
  return new Map(
    TABLES.flatMap(table => {
      const [, reason] =
        declarationOf(table).before.match(new RegExp(`^// ${rule}: (.+)\\n$(?![^])`, 'm')) ?? []
      return reason === undefined ? [] : [[table.name, reason] as const]
    }),
  )
}

const IMPORTED = /import (?:type )?\{([^}]*)\} from '([^']*\/tables\.ts)'/g
const CALLED = /\.(insert|update|delete)\(\s*(\w+)\s*,?\s*\)/g
const IN_SQL = /\b(insert into|update|delete from) ([a-z_]+)\b/gi
const VERBS = { 'insert into': 'insert', update: 'update', 'delete from': 'delete' } as const

/** Every place where this file writes rows of a table. */
export function writesIn({ path, text }: Source): Write[] {
  const known = importedTables(path, text)
  const at = (index: number) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    ...topOf(text, index),
  })
  const called = [...text.matchAll(CALLED)].flatMap(({ 1: verb, 2: name = '', index }): Write[] => {
    const table = known.get(name)
    if (!table) return []
    return [{ verb: verb as Write['verb'], table, calls: callsFrom(text, index), sql: null, ...at(index) }]
  })
  const written = [...text.matchAll(IN_SQL)].flatMap(({ 1: verb = '', 2: name, index }): Write[] => {
    const table = TABLES.find(({ sqlName }) => sqlName === name)
    if (!table) return []
    const isTemplate = text.slice(0, index).split('`').length % 2 === 0
    const sql = text.slice(index).split(isTemplate ? '`' : "'", 1)[0] as string
    return [{ verb: VERBS[verb.toLowerCase() as keyof typeof VERBS], table, calls: {}, sql, ...at(index) }]
  })
  return [...called, ...written]
}

function importedTables(path: string, text: string): Map<string, Table> {
  const known = new Map<string, Table>()
  for (const [, names = '', specifier = ''] of text.matchAll(IMPORTED))
    for (const [, name, alias = name] of names.matchAll(/(\w+)(?: as (\w+))?/g)) {
      const owner = dirname(targetOf(path, specifier))
      const table = TABLES.find(table => table.owner === owner && table.name === name)
      if (table) known.set(alias as string, table)
    }
  return known
}

/** The calls of a chain, such as set and where of an update. */
function callsFrom(text: string, start: number): Record<string, string> {
  const calls: Record<string, string> = {}
  const next = /\s*\.(\w+)\(/y
  for (next.lastIndex = start; ; ) {
    const call = next.exec(text)
    if (!call) return calls
    const end = closingOf(text, next.lastIndex)
    calls[call[1] as string] = text.slice(next.lastIndex, end)
    next.lastIndex = end + 1
  }
}

/** Where the bracket closes that was opened just before `start`. */
function closingOf(text: string, start: number): number {
  let depth = 1
  for (let index = start; index < text.length; index++) {
    if ('([{'.includes(text[index] as string)) depth++
    if (')]}'.includes(text[index] as string)) depth--
    if (depth === 0) return index
  }
  return assert.fail(`a bracket is never closed: ${text.slice(start, start + 80)}`)
}

/** What stands at the left margin around this place. */
function topOf(text: string, index: number): { within: string } {
  const start = text.lastIndexOf('\n}', index)
  const end = text.indexOf('\n}', index)
  return { within: text.slice(Math.max(start, 0), end === -1 ? undefined : end) }
}
