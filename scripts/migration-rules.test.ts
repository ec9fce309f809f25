import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { ROOT } from './checks.ts'
import { FORBIDDEN, inWords, judgeFolder, judgeMigrations } from './migration-rules.ts'

const judged = (sql: string) => judgeMigrations([{ file: '0999_x.sql', sql }]).map(({ rule }) => rule.name)

/** Each rule by a statement that it refuses. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'create index': [
    'create index merchants_x on merchants (x)',
    'CREATE UNIQUE INDEX "a" ON "merchants" USING btree ("x")',
    "select 1; create index x on public.merchants (y) where z = 'a;b'",
  ],
  'drop index': ['drop index merchants_x', 'DROP INDEX IF EXISTS "merchants_x"'],
  reindex: ['reindex table merchants'],
  'add column with a computed default': [
    'alter table merchants add column x uuid default gen_random_uuid()',
    'alter table merchants add column x bigserial',
    'alter table merchants add column x text generated always as (lower(name)) stored',
    'alter table merchants add column x timestamptz default clock_timestamp()',
  ],
  'add column that must be given': ['alter table merchants add column x text not null'],
  'alter column type': [
    'alter table merchants alter column x type bigint',
    'alter table "merchants" alter column x set data type bigint',
  ],
  'set not null': ['alter table merchants alter column x set not null'],
  'add constraint': [
    'alter table merchants add constraint a check (x > 0)',
    'alter table merchants add constraint a foreign key (x) references y (id)',
    'alter table merchants add constraint a unique (x)',
    'alter table merchants add primary key (x)',
  ],
  rewrite: [
    'alter table merchants set logged',
    'vacuum full merchants',
    'truncate merchants',
    'cluster merchants',
  ],
  'lock table': ['lock table merchants in share mode', 'lock merchants'],
  'whole table at once': [
    'update merchants set x = 1',
    'delete from merchants where x = 1',
    'with a as (select 1) update merchants set x = 1',
  ],
  rename: ['alter table merchants rename column x to y', 'alter table merchants rename to shops'],
  drop: [
    'alter table merchants drop column x',
    'alter table merchants drop "x"',
    'drop table merchants',
    'drop view a',
  ],
  'alter type': ["alter type colour rename value 'a' to 'b'"],
  'detach or attach a partition': [
    'alter table logs detach partition logs_1',
    'alter table logs attach partition logs_1 for values in (1)',
  ],
}

for (const { name } of FORBIDDEN)
  test(`refused: ${name}`, () => {
    assert.ok(REFUSED[name]?.length, 'It has no statement.')
    for (const statement of REFUSED[name] ?? []) assert.ok(judged(statement).includes(name), statement)
  })

for (const [what, sql] of [
  ['an index that is made concurrently', 'create index concurrently merchants_x on merchants (x)'],
  ['a column with a constant', "alter table merchants add column x text not null default ''"],
  ['a column that may be null', 'alter table merchants add column x bigint'],
  ['a moment of the statement', 'alter table merchants add column x timestamptz not null default now()'],
  ['a constraint that is validated later', 'alter table merchants add constraint a check (x > 0) not valid'],
  ['what is validated', 'alter table merchants validate constraint a'],
  ['what is unique by an index that is there', 'alter table merchants add constraint a unique using index b'],
  [
    'everything of a table of its own',
    'create table "t" ("x" text); create index a on "t" (x); update t set x = 1',
  ],
  [
    'a table of few rows',
    '-- few rows: roles, accounts\nupdate roles set x = 1; create index a on accounts (x)',
  ],
  ['steps', '-- in steps: merchants.id 5000\nupdate merchants set x = 1 where id > $1 and id <= $2'],
  [
    'not null that a check has shown',
    `alter table merchants add constraint c check (x is not null) not valid;
     alter table merchants validate constraint c; alter table merchants alter column x set not null`,
  ],
  ['what is dropped by a later release', '-- contracts: 0112\nalter table merchants drop column x'],
  ['another value of a type', "alter type colour add value 'c'"],
  [
    'texts, comments and bodies',
    "-- drop table a\nselect 'drop table a'; create function f() returns void as $$ drop table a $$ language sql",
  ],
  ['a constraint that goes', 'alter table merchants drop constraint a'],
  ['a default that goes', 'alter table merchants alter column x drop default'],
] as const)
  test(`allowed: ${what}`, () => assert.deepEqual(judged(sql), []))

test('the migrations since then stop nobody', () => {
  assert.deepEqual(judgeFolder(join(ROOT, 'migrations')).map(inWords), [])
})

test('the rules are those that would have found what was written before', () => {
  const folder = join(ROOT, 'migrations')
  const all = readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort()
    .map(file => ({ file, sql: readFileSync(join(folder, file), 'utf8') }))
  const found = new Set(judgeMigrations(all).map(({ rule }) => rule.name))
  for (const name of ['create index', 'add constraint', 'whole table at once', 'drop'])
    assert.ok(found.has(name), name)
})
