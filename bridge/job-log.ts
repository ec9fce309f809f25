// What was printed: a line for each step of a job, written through before anybody is told. By it a job that is asked for again is
// known, after a restart too. Beside it lie the data of jobs that wait, and of the last that were printed.
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Failure, JobState, PrintKind } from '#kit/print/bridge/bridge.ts'
import { writeWhole } from './files.ts'

export type Job = {
  id: string
  origin: string
  target: string
  kind: PrintKind
  name: string
  copies: number
  byteSize: number
  sha256: string
  state: JobState
  reason: Failure | null
  detail: string
  at: string
}

export type JobLog = ReturnType<typeof openJobLog>

export function openJobLog(dir: string, { logMost, keptMost }: { logMost: number; keptMost: number }) {
  const path = join(dir, 'jobs.jsonl')
  const spool = join(dir, 'spool')
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  const jobs = readJobs(path)
  const dataPath = ({ id }: { id: string }) =>
    join(spool, `${createHash('sha256').update(id).digest('hex')}.bin`)
  let lines = Number.POSITIVE_INFINITY
  let file = -1

  /** One line for each job that is still known. */
  function compact(): void {
    const waiting = [...jobs.values()].filter(isWaiting)
    const ended = [...jobs.values()].filter(job => !isWaiting(job)).slice(-logMost)
    const kept = new Set([...waiting, ...ended].map(({ id }) => id))
    for (const id of jobs.keys()) if (!kept.has(id)) jobs.delete(id)
    writeWhole(path, [...jobs.values()].map(job => `${JSON.stringify(job)}\n`).join(''))
    if (file !== -1) closeSync(file)
    file = openSync(path, 'a', 0o600)
    lines = jobs.size
  }

  function write(job: Job): void {
    // Put at the end: the order is that of the last step.
    jobs.delete(job.id)
    jobs.set(job.id, job)
    writeSync(file, `${JSON.stringify(job)}\n`)
    fsyncSync(file)
    lines += 1
    if (lines > logMost * 4) compact()
  }

  /** Data of jobs that ended, the oldest first, until what is left may stay. */
  function clear(): void {
    const wanted = new Set([...jobs.values()].filter(isWaiting).map(dataPath))
    const files = readdirSync(spool)
      .map(name => join(spool, name))
      .filter(one => !wanted.has(one))
      .map(one => ({ one, stat: statSync(one) }))
      .toSorted((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)
    let bytes = 0
    for (const { one, stat } of files) {
      bytes += stat.size
      if (bytes > keptMost || one.endsWith('.part')) rmSync(one, { force: true })
    }
  }

  compact()
  clear()
  return {
    find: (id: string) => jobs.get(id),
    all: () => [...jobs.values()],
    /** Keeps data and line; whoever is told of it afterwards may rely on it. */
    accept(job: Job, data: Buffer): void {
      writeWhole(dataPath(job), data)
      write(job)
    },
    step(job: Job, change: Partial<Pick<Job, 'state' | 'reason' | 'detail'>>): Job {
      const next = { ...job, ...change, at: new Date().toISOString() }
      write(next)
      if (!isWaiting(next)) clear()
      return next
    },
    hasData: (job: Job) => existsSync(dataPath(job)),
    /** Null where it is gone, or is not what was accepted. */
    data(job: Job): Buffer | null {
      if (!existsSync(dataPath(job))) return null
      const data = readFileSync(dataPath(job))
      return createHash('sha256').update(data).digest('hex') === job.sha256 ? data : null
    },
    close: () => closeSync(file),
  }
}

export const isWaiting = ({ state }: Pick<Job, 'state'>) => state === 'accepted' || state === 'printing'

/** The last line of each job. A line that was cut off, as by the loss of power, was told to nobody and counts for nothing. */
function readJobs(path: string): Map<string, Job> {
  const jobs = new Map<string, Job>()
  if (!existsSync(path)) return jobs
  const text = readFileSync(path, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
  for (const line of whole.split('\n').filter(Boolean)) {
    const job = JSON.parse(line) as Job
    jobs.delete(job.id)
    jobs.set(job.id, job)
  }
  return jobs
}
