// All shops as Excel in the background: how much memory its program takes, and what a list beside it takes meanwhile.
import type pg from 'pg'
import type { Child } from './child.ts'
import type { LoadOrder, LoadResult } from './load.ts'

const SLICE_MS = 3_000
const WITHIN_MS = 900_000

export type LongExportFigures = {
  rows: number
  seconds: number
  peakMiB: number
  aloneMs: number
  besideMs: number
  ratio: number
  line: string
}

type Servers = { program: Child & { hello: { port: number } }; load: Child }

/** `request` is the list's whole HTTP request; `cookie` the session of whoever may export everything. */
export async function measureLongExport(
  servers: Servers,
  asked: { owner: pg.Pool; cookie: string; request: string },
): Promise<LongExportFigures> {
  const { port } = servers.program.hello
  const medianOf = async () => {
    const order: LoadOrder = { port, requests: [asked.request], callers: 1, ms: SLICE_MS, once: false }
    const { latenciesMs } = await servers.load.ask<LoadResult>(order, SLICE_MS + 30_000)
    return middle(latenciesMs)
  }
  await medianOf()
  const alone = [await medianOf()]
  const startedMs = performance.now()
  const id = await startExport(port, asked.cookie)
  const beside: number[] = []
  let job = await jobOf(asked.owner, id)
  while (job.state === 'queued' || job.state === 'running') {
    if (performance.now() - startedMs > WITHIN_MS) throw new Error('the export did not end')
    const median = await medianOf()
    job = await jobOf(asked.owner, id)
    if (job.state === 'running') beside.push(median)
  }
  if (job.state !== 'done') throw new Error(`the export ended ${job.state}: ${job.error}`)
  alone.push(await medianOf())
  const figures = {
    rows: job.rows,
    seconds: job.seconds,
    peakMiB: job.peakMiB,
    aloneMs: middle(alone),
    besideMs: middle(beside),
    ratio: middle(beside) / middle(alone),
  }
  return { ...figures, line: describe(figures) }
}

function describe({
  rows,
  seconds,
  peakMiB,
  aloneMs,
  besideMs,
  ratio,
}: Omit<LongExportFigures, 'line'>): string {
  return `background export of ${rows} rows: ${seconds.toFixed(0)} s, at most ${peakMiB} MiB; a list alone ${aloneMs.toFixed(2)} ms, beside it ${besideMs.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`
}

async function startExport(port: number, cookie: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/exports`, {
    method: 'POST',
    headers: {
      cookie,
      'x-requested-with': 'partner-office',
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ path: '/merchants/export.xlsx', query: {} }),
  })
  if (!answer.ok) throw new Error(`the export answered ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: number }).id
}

async function jobOf(owner: pg.Pool, id: number) {
  const { rows } = await owner.query<{
    state: string
    error: string
    rows: string
    peak: number
    seconds: string
  }>(
    `select state, error, rows_written as rows, peak_mib::float8 as peak,
       extract(epoch from coalesce(finished_at, now()) - coalesce(started_at, now())) as seconds
     from export_jobs where id = $1`,
    [id],
  )
  const row = rows[0]
  if (!row) throw new Error(`no export ${id}`)
  return { ...row, rows: Number(row.rows), peakMiB: row.peak, seconds: Number(row.seconds) }
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
