// npm run bench -- capacity: what one primary carries on this machine: purchases a second of 64 people of one agency, who all take from one
// wallet, and what each leaves on disk and in the log that a standby and a backup get. Buyers, program and database share the processors.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { shop } from '#test/faults/buyers.ts'
import { BUYERS, openMarket } from '#test/faults/market.ts'
import { withOwner } from '#test/faults/payments-killed.ts'
import { supervise } from '#test/faults/supervisor.ts'
import { ROOT } from './child.ts'

const FOR_MS = 30_000
const SETTLE_MS = 60_000
const DAYS = 365
/** Of an office of a million shops: each renews once a year, and as much again is sold beside. */
const PURCHASES_A_YEAR = 2_000_000

type Size = { disk: number; log: number }

export async function measureCapacity(): Promise<void> {
  const dataDir = join(ROOT, 'data/bench-capacity')
  rmSync(dataDir, { recursive: true, force: true })
  const office = await supervise(dataDir, {
    SECRET_KEY: randomBytes(32).toString('hex'),
    LOGIN_FAILURES_MAX: '1000',
  })
  try {
    const market = await openMarket({
      url: office.url,
      withOwner: work => withOwner(dataDir, work),
      giveUpAt: Date.now() + FOR_MS + SETTLE_MS,
    })
    const before = await withOwner(dataDir, sizeOf)
    const began = performance.now()
    market.isOpen = () => performance.now() - began < FOR_MS
    await Promise.all(market.buyers.map(buyer => shop(market, buyer)))
    const seconds = (performance.now() - began) / 1_000
    const after = await withOwner(dataDir, sizeOf)
    if (market.breaches.length > 0) throw new Error(market.breaches.slice(0, 3).join('; '))
    const bought = market.intents.filter(({ answer }) => answer !== null).length
    const each = { disk: (after.disk - before.disk) / bought, log: (after.log - before.log) / bought }
    const gb = (bytes: number) => ((bytes * PURCHASES_A_YEAR) / 1024 ** 3).toFixed(1)
    say(
      `${bought} purchases and credits of ${BUYERS} people in ${seconds.toFixed(1)} s: ${(bought / seconds).toFixed(0)} a second on one wallet`,
    )
    say(
      `disk of each ${(each.disk / 1024).toFixed(1)} KiB, log of the database ${(each.log / 1024).toFixed(1)} KiB`,
    )
    say(
      `${PURCHASES_A_YEAR} a year (${(PURCHASES_A_YEAR / DAYS).toFixed(0)} a day): disk ${gb(each.disk)} GiB, log ${gb(each.log)} GiB`,
    )
  } finally {
    await office.stop()
    await pause(100)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Once nothing is to be written any more. */
async function sizeOf(client: pg.Client): Promise<Size> {
  await client.query('checkpoint')
  const { rows } = await client.query<{ disk: string; log: string }>(
    `select pg_database_size(current_database()) as disk, pg_current_wal_lsn() - '0/0'::pg_lsn as log`,
  )
  return { disk: Number(rows[0]?.disk), log: Number(rows[0]?.log) }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
