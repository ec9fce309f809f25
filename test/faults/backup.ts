// npm run faults -- backup: an office is backed up while it is written to, destroyed, and restored to a moment and to its end in other folders: one
// on a PostgreSQL of Debian's packages by operate/pgbackrest, one on the database that the program brings. A line for each step, then figures:
// what was lost with the machine, and how long it took to have so much again. Exits 1 where a promise does not hold (at most 2 minutes lost,
// 1 GB within 5 minutes), 2 where a program is missing (apt-get install postgresql pgbackrest).
//   --megabytes N   of made-up text in the database beside what is written (1024)   --only own|embedded
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { buildServerIfNeeded } from '#scripts/build-server.ts'
import { ROOT } from '#scripts/checks.ts'
import { embeddedIsRestored } from './backup-embedded.ts'
import { ownIsRestored } from './backup-own.ts'
import type { Scene } from './backup-scene.ts'
import { postgresPrograms } from './postgres-packages.ts'

const LOST_MOST_SECONDS = 120
const RESTORED_WITHIN_SECONDS = 300

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== 'backup'),
  options: { megabytes: { type: 'string', default: '1024' }, only: { type: 'string' } },
})
const WAYS = { own: ownIsRestored, embedded: embeddedIsRestored } as const
const wanted = Object.entries(WAYS).filter(([name]) => values.only === undefined || values.only === name)

const isMissing =
  values.only !== 'embedded' && (spawnSync('which', ['pgbackrest']).status !== 0 || !postgresPrograms())
if (isMissing || wanted.length === 0) {
  process.stderr.write(
    'Missing: pgbackrest or PostgreSQL. Install the packages postgresql and pgbackrest; --only is own or embedded.\n',
  )
  process.exit(2)
}

let failed = 0
function tell(isRight: boolean, what: string): void {
  if (!isRight) failed++
  process.stdout.write(`${isRight ? 'ok  ' : 'FAIL'}  ${what}\n`)
}

const say = (line: string) => void process.stderr.write(`${line}\n`)
await buildPageIfNeeded(ROOT, say)
await buildServerIfNeeded(ROOT, say)
const lines: string[] = []
for (const [name, walk] of wanted) {
  const folder = mkdtempSync(join(tmpdir(), `partner-office-backup-${name}-`))
  const ends: (() => Promise<unknown> | unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  ]
  const scene: Scene = { folder, megabytes: Number(values.megabytes), tell, ends }
  try {
    const figures = await walk(scene)
    tell(
      figures.lost_seconds <= LOST_MOST_SECONDS,
      `${name}: with the machine were lost ${figures.lost_seconds} s (${figures.lost_postings} postings)`,
    )
    tell(
      figures.restore_seconds <= RESTORED_WITHIN_SECONDS,
      `${name}: ${figures.database_mb} MB were there again after ${figures.restore_seconds} s`,
    )
    lines.push(
      `${name} ${Object.entries(figures)
        .map(([key, value]) => `${key}=${value}`)
        .join(' ')}`,
    )
  } catch (error) {
    tell(false, `${name}: ${(error as Error).stack}`)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}
for (const line of lines) process.stdout.write(`${line}\n`)
process.stdout.write(`\nbackup ${failed > 0 ? 'FAILED' : 'passed'} failures=${failed}\n`)
process.exitCode = failed > 0 ? 1 : 0
