// npm run faults -- sequences: random sequences of business and its undos, each in an agency of its own. One line of figures; fails where one
// does not end where it began, names its number, and goes on.
//   --count N      sequences (10000)       --steps N    of each (200)
//   --seconds N    none is begun after (0: until all are played)
//   --first N      the number of the first: each is made of its number alone (0)
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { openOffice } from '#test/app.ts'
import { startTestServer } from '#test/database.ts'
import { allowUndos, type Played, play, stepsOf } from '#test/sequences.ts'

const AT_ONCE = 4
const BREACHES_SHOWN = 10
const TOLD_EVERY_MS = 60_000

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    count: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '0' },
    first: { type: 'string', default: '0' },
  },
})
const [count, steps, seconds, first] = [values.count, values.steps, values.seconds, values.first].map(
  Number,
) as [number, number, number, number]

const began = performance.now()
const isOver = () => seconds > 0 && performance.now() - began > seconds * 1_000
const totals: Played = { sold: 0, undone: 0, refused: 0 }
const breaches: string[] = []
let played = 0
let ledger = ''
const server = await startTestServer()
process.env.TEST_DATABASE_SERVER = server.ownerUrl
const telling = setInterval(() => process.stdout.write(`${line()}\n`), TOLD_EVERY_MS)
try {
  const office = await openOffice()
  try {
    await allowUndos(office)
    let next = first
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < first + count && !isOver()) await playNumber(next++)
      }),
    )
    ledger = await office.verifyLedger()

    async function playNumber(number: number): Promise<void> {
      const [sequence = []] = fc.sample(stepsOf(steps), { numRuns: 1, seed: number + 1 })
      try {
        const one = await play(office, sequence)
        for (const key of Object.keys(totals) as (keyof Played)[]) totals[key] += one[key]
      } catch (error) {
        breaches.push(`sequence ${number}: ${error instanceof Error ? error.message : String(error)}`)
      }
      played++
    }
  } finally {
    await office.stop()
  }
} finally {
  clearInterval(telling)
  await server.stop()
}
for (const breach of breaches.slice(0, BREACHES_SHOWN)) process.stdout.write(`breach: ${breach}\n`)
process.stdout.write(`sequences ${breaches.length > 0 ? 'FAILED' : 'passed'} ${line()} ${ledger}\n`)
process.exitCode = breaches.length > 0 ? 1 : 0

function line(): string {
  const figures = { played, of: count, steps, ...totals, breaches: breaches.length }
  const text = Object.entries({ ...figures, seconds: Math.round((performance.now() - began) / 1_000) })
  return text.map(([name, value]) => `${name}=${value}`).join(' ')
}
