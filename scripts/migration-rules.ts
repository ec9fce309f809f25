// What a migration may not say, since the office goes on while it runs: what would lock a table that may have a million rows, and what would
// take from the program of before, which still runs beside it, what that reads or writes. How it is said instead: docs/CHANGING.md.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Migrations up to here were written for an office that is stopped. */
const LAST_OF_BEFORE = 112

export type Forbidden = {
  name: string
  pattern: RegExp
  why: string
  instead: string
  /** A table that the migration makes itself, or that has few rows by its nature, is nobody's wait. */
  onAnyTable?: true
  /** Allowed where the migration says `-- contracts: NUMBER`. */
  whereContracting?: true
  /** Allowed in a migration outside of a transaction, in steps. */
  inSteps?: true
}

const LONG = 'every row is read or written while nobody else may'
const OLDER = 'the program of before still runs, and asks for it by its name'

/** Of each statement in lower case, without comments, texts and bodies of functions. `(?<table>…)`: whose it is. */
export const FORBIDDEN: readonly Forbidden[] = [
  {
    name: 'create index',
    pattern: /^create (?:unique )?index (?!concurrently).*? on (?:only )?(?<table>\S+)/,
    why: 'nobody writes to the table until it is made',
    instead: 'create index concurrently, in a migration outside of a transaction',
  },
  {
    name: 'drop index',
    pattern: /^drop index (?!concurrently)/,
    why: 'it waits for whoever reads, and everybody waits behind it',
    instead: 'drop index concurrently, in a migration outside of a transaction',
    onAnyTable: true,
  },
  {
    name: 'reindex',
    pattern: /^reindex (?!.*\bconcurrently\b)/,
    why: LONG,
    instead: 'reindex concurrently',
    onAnyTable: true,
  },
  {
    name: 'add column with a computed default',
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>\S+) .*\badd (?:column )?.*(?:default (?!now\(\)|current_timestamp)\(?[a-z_."]+\(|\bgenerated (?:always|by default) as|\b(?:small|big)?serial\b)/,
    why: 'the table is written anew: each row has a value of its own',
    instead: 'add it without, then set the default, then fill it in steps',
  },
  {
    name: 'add column that must be given',
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>\S+) .*\badd (?:column )?(?!constraint)(?=[^,]*\bnot null\b)(?![^,]*\bdefault\b)/,
    why: 'the program of before writes rows without it',
    instead: 'with a constant default, or null until a later release',
  },
  {
    name: 'alter column type',
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>\S+) .*\balter (?:column )?\S+ (?:set data )?type\b/,
    why: LONG,
    instead: 'another column, filled in steps; the old one goes with a later release',
  },
  {
    name: 'set not null',
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>\S+) .*\balter (?:column )?(?<column>\S+) set not null/,
    why: LONG,
    instead: 'a check (column is not null) not valid, validate it, then set not null, which believes it',
  },
  {
    name: 'add constraint',
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>\S+) .*\badd (?:constraint \S+ )?(?:check|foreign key|exclude|unique|primary key)\b(?!.*\bnot valid\b)(?!.*\busing index\b)/,
    why: LONG,
    instead:
      'not valid, then validate constraint; what is unique by an index that was made concurrently (using index)',
  },
  {
    name: 'rewrite',
    pattern:
      /^(?:alter table (?:if exists )?(?:only )?(?<table>\S+) .*\bset (?:logged|unlogged|tablespace|access method)\b|cluster\b|vacuum full\b|truncate\b)/,
    why: LONG,
    instead: 'a table of its own, filled in steps',
  },
  {
    name: 'lock table',
    pattern: /^lock (?:table )?/,
    why: 'whoever migrates has the locks that are needed, for as long as they are',
    instead: 'nothing: or steps that each take few rows',
    onAnyTable: true,
  },
  {
    name: 'whole table at once',
    pattern: /^(?:with .*\)\s*)?(?:update (?:only )?|delete from (?:only )?|merge into )(?<table>[^\s(]+)/,
    why: 'its rows stay locked until the last one is written, and the table holds each of them twice',
    instead: 'steps (`-- in steps: table.key 5000`) in a migration outside of a transaction',
    inSteps: true,
  },
  {
    name: 'rename',
    pattern: /^alter (?:table|view|index|type|sequence) .*\brename\b/,
    why: OLDER,
    instead: 'another name beside it; the old one goes with a later release',
    onAnyTable: true,
  },
  {
    name: 'drop',
    pattern:
      /^(?:drop (?:table|view|materialized view|type|sequence|schema)\b|alter table .*\bdrop (?:column )?(?!constraint|not null|default|expression|identity)\S+)/,
    why: OLDER,
    instead:
      'a later release, whose migration says `-- contracts: NUMBER`: programs that do not know that migration are then refused',
    onAnyTable: true,
    whereContracting: true,
  },
  {
    name: 'alter type',
    pattern: /^alter type (?!.*\badd value\b)/,
    why: OLDER,
    instead: 'another column',
    onAnyTable: true,
  },
  {
    name: 'detach or attach a partition',
    pattern: /^alter table .*\b(?:detach partition (?!.*\bconcurrently\b)|attach partition)/,
    why: 'the whole table is locked, and what is attached is read from end to end',
    instead: 'detach … concurrently; a check that is validated before attaching, in a release of its own',
    onAnyTable: true,
  },
]

export type Finding = { file: string; rule: Forbidden; statement: string }

/** Statements as they are judged: lower case, one blank, without comments, texts and bodies. */
export function statementsIn(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split(';')
    .map(statement => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter(statement => statement !== '')
}

const MADE = /^create (?:unlogged )?table (?:if not exists )?(?<table>[^\s(]+)/
const CHECKED =
  /^alter table (?:only )?(?<table>\S+) add constraint (?<name>\S+) check \(\(?(?<column>\S+) is not null\)?\) not valid/
const VALIDATED = /^alter table (?:only )?(?<table>\S+) validate constraint (?<name>\S+)/
const FEW_ROWS = /^-- few rows: ([\w, ]+)$/gm

const plain = (name = '') => name.replaceAll('"', '').replace(/^public\./, '')

/** What of the migrations, by their names in their order, is forbidden. */
export function judgeMigrations(files: readonly { file: string; sql: string }[]): Finding[] {
  const findings: Finding[] = []
  const checks = new Map<string, string>()
  const notNull = new Set<string>()
  for (const { file, sql } of files) {
    const free = new Set(
      [...sql.matchAll(FEW_ROWS)].flatMap(([, names = '']) => names.split(',').map(name => name.trim())),
    )
    const contracts = /^-- contracts: \d{4}\b/m.test(sql)
    for (const part of sql.split('--> statement-breakpoint')) {
      const inSteps = /^-- in steps: \w+\.\w+ \d+$/m.test(part)
      for (const statement of statementsIn(part)) {
        const made = MADE.exec(statement)?.groups
        if (made) free.add(plain(made.table))
        const checked = CHECKED.exec(statement)?.groups
        if (checked) checks.set(`${plain(checked.table)} ${plain(checked.name)}`, plain(checked.column))
        const validated = VALIDATED.exec(statement)?.groups
        const column = validated && checks.get(`${plain(validated.table)} ${plain(validated.name)}`)
        if (validated && column) notNull.add(`${plain(validated.table)} ${column}`)
        for (const rule of FORBIDDEN) {
          const found = rule.pattern.exec(statement)
          if (!found) continue
          const { table, column: of } = found.groups ?? {}
          const isFree = !rule.onAnyTable && table !== undefined && free.has(plain(table))
          const isBelieved = rule.name === 'set not null' && notNull.has(`${plain(table)} ${plain(of)}`)
          if (isFree || isBelieved || (rule.whereContracting && contracts) || (rule.inSteps && inSteps))
            continue
          findings.push({ file, rule, statement })
        }
      }
    }
  }
  return findings
}

/** Those of a folder that were written since. */
export function judgeFolder(folder: string): Finding[] {
  const files = readdirSync(folder)
    .filter(name => /^\d{4}_.*\.sql$/.test(name) && Number(name.slice(0, 4)) > LAST_OF_BEFORE)
    .sort()
  return judgeMigrations(files.map(file => ({ file, sql: readFileSync(join(folder, file), 'utf8') })))
}

export const inWords = ({ file, rule, statement }: Finding): string =>
  `${file}: ${rule.name}: ${statement.slice(0, 120)}\n  ${rule.why}. Instead: ${rule.instead}.`
