// npm run faults -- movements: random sequences of every kind of movement and their undos, posted to the ledger of an office and reckoned
// beside it (test/books.ts), each in a transaction that is rolled back. One line of figures; fails where one differs, names its number,
// and goes on. Business itself, with its orders, terms and services, is what sequences.ts plays.
//   --count N      sequences (10000)       --steps N    of each (200)
//   --seconds N    none is begun after (0: until all are posted)
//   --first N      the number of the first: each is made of its number alone (0)
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import pg from 'pg'
import { type Office, openOffice } from '#test/app.ts'
import { FLOWING_KINDS, FLOWS, movementsOf, type Owners, postSequence } from '#test/books.ts'
import { startTestServer } from '#test/database.ts'
import { makeAgent, makeMerchant } from '#test/make.ts'

type Poster = { client: pg.Client; owners: Owners }

/** A processor each. */
const AT_ONCE = 2
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
const totals = { posted: 0, undone: 0, refused: 0 }
const kinds = new Set<string>()
const breaches: string[] = []
let played = 0
const server = await startTestServer()
process.env.TEST_DATABASE_SERVER = server.ownerUrl
const telling = setInterval(() => process.stdout.write(`${line()}\n`), TOLD_EVERY_MS)
try {
  const office = await openOffice()
  try {
    const posters: Poster[] = []
    for (let at = 0; at < AT_ONCE; at++) posters.push(await makePoster(office))
    let next = first
    await Promise.all(
      posters.map(async poster => {
        while (next < first + count && !isOver()) await playNumber(poster, next++)
      }),
    )
    for (const { client } of posters) await client.end()
  } finally {
    await office.stop()
  }
} finally {
  clearInterval(telling)
  await server.stop()
}
for (const breach of breaches.slice(0, BREACHES_SHOWN)) process.stdout.write(`breach: ${breach}\n`)
process.stdout.write(`movements ${breaches.length > 0 ? 'FAILED' : 'passed'} ${line()}\n`)
process.exitCode = breaches.length > 0 ? 1 : 0

/** With agents and shops of its own, so that none waits for another, and all of the vendor's books, which are made when first needed. */
async function makePoster(office: Office): Promise<Poster> {
  const [one, other] = [await makeAgent(office), await makeAgent(office)]
  const shop = () => makeMerchant(office, one.id)
  const owners: Owners = { agents: [one.id, other.id], shops: [await shop(), await shop()] }
  const client = new pg.Client({
    connectionString: office.ownerUrl,
    options: '-c timezone=UTC -c app.scope=all',
  })
  await client.connect()
  const every = FLOWING_KINDS.flatMap(kind =>
    FLOWS[kind].flatMap((_, flow) => [0, 1].map(of => ({ kind, flow, of: of as 0 | 1, amount: 1 }))),
  )
  await postSequence(client, owners, every)
  return { client, owners }
}

async function playNumber({ client, owners }: Poster, number: number): Promise<void> {
  const [sequence = []] = fc.sample(movementsOf(steps), { numRuns: 1, seed: number + 1 })
  await client.query('begin')
  try {
    const one = await postSequence(client, owners, sequence)
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += one[key]
    for (const kind of one.kinds) kinds.add(kind)
  } catch (error) {
    breaches.push(`sequence ${number}: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await client.query('rollback')
  }
  played++
}

function line(): string {
  const figures = { played, of: count, steps, ...totals, kinds: kinds.size, breaches: breaches.length }
  const text = Object.entries({ ...figures, seconds: Math.round((performance.now() - began) / 1_000) })
  return text.map(([name, value]) => `${name}=${value}`).join(' ')
}
