// npm run attack: what a hostile caller can try of an office of one's own, with ports and a folder of its own, all ended after. A line for
// each part, the first of what it found, and one line of all; exits 1 where something was found or was left out for want of time.
//   --only a,b     these parts alone: sweep, stored, files, doors, fuzz
//   --seconds N    in all (600)
//   --all          prints all that was found
//   --without-walls  takes scope and row-level security away: the sweep must fail
import { parseArgs } from 'node:util'
import { startTestServer } from '#test/database.ts'
import { needBrowser } from '#test/runner/find-chromium.ts'
import { attackDoors } from './doors.ts'
import { attackFiles } from './files.ts'
import { attackShapes } from './fuzz.ts'
import { openReport, type Report } from './report.ts'
import { attackStored } from './stored.ts'
import { attackTenancy } from './sweep.ts'

const SHOWN = 20
const PARTS: Readonly<Record<string, (report: Report) => Promise<void>>> = {
  sweep: report => attackTenancy(report, { withoutWalls: values['without-walls'] }),
  stored: attackStored,
  files: attackFiles,
  doors: attackDoors,
  fuzz: attackShapes,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(PARTS).join(',') },
    seconds: { type: 'string', default: '600' },
    all: { type: 'boolean', default: false },
    'without-walls': { type: 'boolean', default: false },
  },
})
const wanted = values.only.split(',')
const unknown = wanted.filter(name => !PARTS[name])
if (unknown.length > 0) throw new Error(`No part is called ${unknown.join(' or ')}.`)

const began = performance.now()
const until = began + Number(values.seconds) * 1_000
const server = await startTestServer()
const totals = { calls: 0, breaches: 0 }
try {
  process.env.TEST_DATABASE_SERVER = server.ownerUrl
  process.env.CHROMIUM_PATH = needBrowser()
  for (const name of wanted) {
    const startedAt = performance.now()
    const report = openReport(until)
    await PARTS[name]?.(report)
    const { figures, breaches } = report.outcome
    totals.calls += figures.calls ?? 0
    totals.breaches += breaches.length
    const line = { ...figures, breaches: breaches.length, seconds: secondsSince(startedAt) }
    process.stdout.write(`${name.padEnd(8)} ${textOf(line)}\n`)
    for (const breach of values.all ? breaches : breaches.slice(0, SHOWN))
      process.stdout.write(`  breach: ${breach}\n`)
  }
} finally {
  await server.stop()
}
const failed = totals.breaches > 0
process.stdout.write(
  `attack ${failed ? 'FAILED' : 'passed'} ${textOf({ ...totals, seconds: secondsSince(began) })}\n`,
)
process.exit(failed ? 1 : 0)

function secondsSince(moment: number): number {
  return Math.round((performance.now() - moment) / 1_000)
}

function textOf(figures: Record<string, number>): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
