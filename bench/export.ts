// 100,000 rows as Excel: the program's download against the writer alone on the same cells, and the program's memory meanwhile.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import type pg from 'pg'
import { formatDay } from '#kit/time.ts'
import { type Child, cpuMs } from './child.ts'

const ROWS = 100_000
const RUNS = 5
const SAMPLE_MS = 20

export type ExportFigures = {
  rows: number
  programMs: number
  writerMs: number
  ratio: number
  /** Of the processors, of each side's own process. */
  cpuRatio: number
  idleMiB: number
  peakMiB: number
  line: string
}

type Servers = { program: Child & { hello: { port: number } }; floor: Child }

export async function measureExport(
  servers: Servers,
  whose: { owner: pg.Pool; cookie: string; largest: { agentId: number } },
): Promise<ExportFigures> {
  const query = { registeredFrom: await dayWithRows(whose.owner, whose.largest.agentId) }
  const writerOnce = () =>
    servers.floor.ask<{ ms: number; rows: number }>(
      { kind: 'write', agentId: whose.largest.agentId, query },
      60_000,
    )
  const url = `http://127.0.0.1:${servers.program.hello.port}/api/merchants/export.xlsx?${new URLSearchParams(query)}`
  const { rows } = await writerOnce()
  await download(url, whose.cookie)
  const idleMiB = residentMiB(servers.program.pid)
  let peakMiB = 0
  const sampler = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(servers.program.pid))
  }, SAMPLE_MS)
  const programMs: number[] = []
  const writerMs: number[] = []
  const usedMs = () => ({ program: cpuMs(servers.program.pid), writer: cpuMs(servers.floor.pid) })
  const before = usedMs()
  for (let run = 0; run < RUNS; run++) {
    writerMs.push((await writerOnce()).ms)
    programMs.push(await download(url, whose.cookie))
  }
  const after = usedMs()
  const cpuRatio = (after.program - before.program) / (after.writer - before.writer)
  clearInterval(sampler)
  const [program, writer] = [middle(programMs), middle(writerMs)]
  const figures = {
    rows,
    programMs: program,
    writerMs: writer,
    ratio: program / writer,
    cpuRatio,
    idleMiB,
    peakMiB,
  }
  return { ...figures, line: describe(figures) }
}

function describe(figures: Omit<ExportFigures, 'line'>): string {
  const { rows, programMs, writerMs, ratio, cpuRatio, peakMiB } = figures
  return `export of ${rows} rows: ${programMs.toFixed(0)} ms, the writer alone ${writerMs.toFixed(0)} ms, ratio ${ratio.toFixed(2)}, of its own processor ${cpuRatio.toFixed(2)}, at most ${peakMiB.toFixed(0)} MiB`
}

/** The first day from which on this agent registered about 100,000 shops. */
async function dayWithRows(owner: pg.Pool, agentId: number): Promise<string> {
  const { rows } = await owner.query<{ registered_at: string }>(
    `select registered_at::text from merchants where agent_id = $1
       order by registered_at desc, id desc offset least($2, (select total - 1 from merchant_counts where agent_id = $1)) limit 1`,
    [agentId, ROWS],
  )
  return formatDay(new Date(rows[0]?.registered_at ?? 0))
}

/** Reads a download to its end and answers how long that took. */
function download(url: string, cookie: string): Promise<number> {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie } }, response => {
      if (response.statusCode !== 200) reject(new Error(`the export answered ${response.statusCode}`))
      response.on('error', reject)
      response.on('end', () => resolve(performance.now() - startedMs))
      response.resume()
    }).on('error', reject)
  })
}

/** What a process holds of the memory now. Linux tells it; elsewhere the figure is missing. */
function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kib === undefined ? Number.NaN : Number(kib) / 1_024
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
