// What is written to an office while it is backed up, and what of that is found in a restored one: postings of the ledger one after the other,
// and pictures among them, each noted once it was acknowledged.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import sharp from 'sharp'
import { openClient, withClient } from './database-client.ts'

const PICTURE_EVERY = 25
const BETWEEN_MS = 20
const DOCUMENT = 'BACKUP'

type Posted = { nth: number; at: number }
export type Found = { postings: number; last: number; pictures: number }

export type Load = {
  posted: Posted[]
  pictures: number
  /** A moment of the database's clock with nothing under way, and what was acknowledged before it. */
  moment(): Promise<{ at: Date; postings: number }>
  /** Ends whatever its office is up to. */
  stop(): Promise<void>
}

/** `office`: where pictures are sent, by whom. */
export async function startLoad(
  ownerUrl: string,
  agentId: number,
  office: { url: string; cookie: string },
): Promise<Load> {
  const client = await openClient(ownerUrl)
  const load: Load = { posted: [], pictures: 0, moment, stop }
  let isStopped = false
  let asked: ((told: { at: Date; postings: number }) => void) | null = null

  async function moment() {
    return new Promise<{ at: Date; postings: number }>(resolve => {
      asked = resolve
    })
  }

  async function write(): Promise<void> {
    for (let nth = 1; !isStopped; nth++) {
      await post(client, agentId, nth)
      load.posted.push({ nth, at: Date.now() })
      if (nth % PICTURE_EVERY === 0) {
        await sendPicture(office)
        load.pictures++
      }
      if (asked) {
        await pause(BETWEEN_MS)
        const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
        asked({ at: (rows[0] as { at: Date }).at, postings: nth })
        asked = null
      }
      await pause(BETWEEN_MS)
    }
  }

  const writing = write().catch(error => {
    if (!isStopped) process.stderr.write(`load ended: ${(error as Error).message}\n`)
  })
  async function stop(): Promise<void> {
    isStopped = true
    await writing
    await client.end().catch(() => undefined)
  }
  return load
}

async function post(client: pg.Client, agentId: number, nth: number): Promise<void> {
  const movement = {
    kind: 'credit',
    asset: 'token',
    amount: 1,
    from: { kind: 'vendor', book: 'issued' },
    to: { kind: 'agent', id: agentId },
    document: `${DOCUMENT}${nth}`,
    payMethod: 'gift',
    agentId,
    actorId: 1,
    actorName: '甲',
    description: '备份',
  }
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify([movement])])
}

async function sendPicture({ url, cookie }: { url: string; cookie: string }): Promise<void> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  const body = await sharp({ create: { width: 240, height: 240, channels: 3, background: 'white', noise } })
    .png()
    .toBuffer()
  const answer = await fetch(`${url}/api/files?purpose=logo`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'image/png', 'x-requested-with': 'partner-office', origin: url },
    body: new Uint8Array(body),
  })
  if (!answer.ok) throw new Error(`a picture was answered ${answer.status}: ${await answer.text()}`)
}

export async function countLoad(url: string): Promise<Found> {
  return withClient(url, async client => {
    const { rows } = await client.query<Found>(
      `select count(*)::int as postings, coalesce(max(substr(document, ${DOCUMENT.length + 1})::int), 0) as last,
         (select count(*)::int from files where purpose = 'logo') as pictures
       from ledger_transfers where document like '${DOCUMENT}%'`,
    )
    return rows[0] as Found
  })
}

const ROWS_A_MB = 1_000

/** A table of random text, so that there is as much to copy as in an office of years. Says how large the database is then. */
export async function fill(url: string, megabytes: number): Promise<number> {
  return withClient(url, async client => {
    await client.query('create table if not exists padding (id bigserial, text text)')
    for (let at = 0; at < megabytes; at += 32)
      await client.query(
        `insert into padding (text) select string_agg(md5(random()::text), '')
         from generate_series(1, $1::int) row, generate_series(1, 32) part group by row`,
        [Math.min(32, megabytes - at) * ROWS_A_MB],
      )
    const { rows } = await client.query<{ size: string }>(
      'select pg_database_size(current_database()) as size',
    )
    return Number(rows[0]?.size ?? 0)
  })
}
