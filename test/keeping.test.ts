// Every table says how long it keeps its rows, and docs/KEEPING.md says the same.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { JOBS } from '#app/jobs.ts'
import { CLEARED, GROWING, STAYING } from '#app/keeping.ts'
import { keepingDocument } from '#app/keeping-document.ts'
import { ROOT } from '#scripts/checks.ts'
import { stepOf } from '#server/keeping.ts'
import { type Office, openOffice } from './app.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

const STAY = STAYING.flatMap(({ tables }) => tables)
/** Of which all rows go, sooner or later. */
const GO = CLEARED.filter(({ only, empties }) => !only && !empties).map(({ table }) => table)
const PARTLY = CLEARED.filter(({ only, empties }) => only || empties).map(({ table }) => table)

test('each table goes by its age or stays for a reason that is said, and none does both', async () => {
  const { rows } = await office.owner.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition order by 1`,
  )
  const tables = rows.map(({ name }) => name).filter(name => !OTHERS.includes(name))
  const told = [...new Set(GO), ...STAY]
  assert.deepEqual(
    tables.filter(name => !told.includes(name)),
    [],
    'how long is it kept? `clearing` of its feature, or app/keeping.ts',
  )
  assert.deepEqual(
    told.filter((name, at) => !tables.includes(name) || told.indexOf(name) !== at),
    [],
    'told twice, or there is no such table',
  )
  for (const name of PARTLY)
    assert.ok([...STAY, ...GO].includes(name), `${name} keeps some of its rows: why?`)
})

/** Of a library, which keeps it itself. */
const OTHERS = ['socket_io_attachments']

test('what goes can be asked for as it is declared, and a job that does it is there', async () => {
  for (const cleared of CLEARED)
    if (cleared.job)
      assert.ok(
        JOBS.some(({ name }) => name === cleared.job),
        cleared.job,
      )
    else await office.owner.query(stepOf(cleared), [1])
})

test('what grows is among the tables, and docs/KEEPING.md is made of what is declared', () => {
  for (const { table } of GROWING) assert.ok([...GO, ...STAY].includes(table), table)
  const kept = readFileSync(join(ROOT, 'docs/KEEPING.md'), 'utf8')
  assert.equal(kept === keepingDocument(), true, 'run npm run keeping:document')
})
