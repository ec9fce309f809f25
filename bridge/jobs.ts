// The queue of each printer: a job is printed once, whatever is asked twice and whatever ends the program (README, "Once").
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  BRIDGE_LIMITS,
  type BridgeAnswer,
  type Failure,
  type JobRow,
  PRINT_KIND_KEYS,
  type PrintKind,
  type TargetState,
  type Wait,
} from '#kit/print/bridge/bridge.ts'
import type { Config, TargetSettings } from './config.ts'
import { isWaiting, type Job, type JobLog } from './job-log.ts'
import { Broken, Offline, type Opened, type Way, wayOf } from './targets.ts'

/** A job whose printer stays away so long is given up. */
const GIVEN_UP_MS = 12 * 3_600_000
const RETRY_DOUBLES = 30

type Asked = {
  id: string
  target: string
  kind: string
  name: string
  copies: number
}
type Line = {
  settings: TargetSettings
  way: Way
  queue: string[]
  state: TargetState
  wait: Wait | null
  /** Ends what it waits for or prints. */
  stop: AbortController | null
  runs: boolean
  wake: () => void
}

/** `tell` is told of every step of a job, `changed` of printers. */
export function openJobs(
  config: Config,
  dir: string,
  log: JobLog,
  { tell, changed }: { tell: (origin: string, answer: BridgeAnswer) => void; changed: () => void },
) {
  let ended = false
  const running = new Set<Promise<void>>()
  const lineOf = (settings: TargetSettings): Line => ({
    ...{ settings, way: wayOf(settings, dir, config.stallMs), queue: [], state: 'unknown', wait: null },
    ...{ stop: null, runs: false, wake: () => undefined },
  })
  const lines = new Map(config.targets.map(settings => [settings.id, lineOf(settings)]))

  const say = (job: Job) => tell(job.origin, answerOf(job, lines.get(job.target)?.wait ?? null))
  const end = (job: Job, change: Partial<Job>) => say(log.step(job, change))

  function start(line: Line): void {
    if (line.runs || ended) return
    line.runs = true
    const run = work(line).finally(() => {
      line.runs = false
      running.delete(run)
    })
    running.add(run)
  }

  async function work(line: Line): Promise<void> {
    for (let id = line.queue[0]; id !== undefined && !ended; id = line.queue[0]) {
      const job = log.find(id)
      if (job && isWaiting(job)) await printOne(line, job)
      if (!ended) line.queue.shift()
      changed()
    }
  }

  async function printOne(line: Line, job: Job): Promise<void> {
    const data = log.data(job)
    if (!data) return end(job, { state: 'failed', reason: 'data-gone' })
    const stop = new AbortController()
    line.stop = stop
    try {
      const opened = await reach(line, job, stop.signal)
      if (opened) await send(line, job, opened, bytesOf(data, job.copies), stop.signal)
    } finally {
      line.stop = null
      line.wait = null
    }
  }

  /** Tries until the printer is there. Null: given up, cancelled, or the program ends. */
  async function reach(line: Line, job: Job, signal: AbortSignal): Promise<Opened | null> {
    const since = Date.now()
    for (let tries = 0; ; tries += 1) {
      try {
        const opened = await line.way.open()
        if (!signal.aborted) return opened
        opened.close()
      } catch (error) {
        if (!(error instanceof Offline)) throw error
        line.state = 'offline'
        line.wait = 'offline'
        changed()
        tell(job.origin, { type: 'waiting', id: job.id, reason: 'offline' })
      }
      if (!signal.aborted) {
        const pause = Math.min(config.retryMs * 2 ** tries, config.retryMs * RETRY_DOUBLES)
        const woken = new AbortController()
        line.wake = () => woken.abort()
        await sleep(pause, null, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => null)
      }
      if (ended) return null
      if (signal.aborted) {
        end(job, { state: 'failed', reason: 'cancelled' })
        return null
      }
      if (Date.now() - since > GIVEN_UP_MS) {
        end(job, { state: 'failed', reason: 'expired' })
        return null
      }
    }
  }

  async function send(line: Line, job: Job, opened: Opened, bytes: Buffer, signal: AbortSignal) {
    line.state = 'busy'
    line.wait = null
    // From here on it may be on paper: known before the first byte leaves.
    const begun = log.step(job, { state: 'printing' })
    say(begun)
    changed()
    const stalled = () => {
      line.wait = 'stalled'
      tell(job.origin, { type: 'waiting', id: job.id, reason: 'stalled' })
    }
    let timer = setTimeout(stalled, config.stallMs)
    const onTaken = () => {
      clearTimeout(timer)
      if (line.wait) tell(job.origin, { type: 'printing', id: job.id })
      line.wait = null
      timer = setTimeout(stalled, config.stallMs)
    }
    try {
      await opened.send({ id: job.id, name: job.name, bytes, onTaken, signal })
      line.state = 'ready'
      end(begun, { state: 'done' })
    } catch (error) {
      // The next start finds it begun, and says so.
      if (ended) return
      line.state = 'offline'
      const reason: Failure = signal.aborted ? 'cancelled' : error instanceof Broken ? 'broken' : 'printer'
      end(begun, { state: 'failed', reason, detail: (error as Error).message.slice(0, 200) })
    } finally {
      clearTimeout(timer)
    }
  }

  /** What an end of the program left: what had not begun is printed, what had begun is only where that can be seen. */
  async function resume(): Promise<void> {
    for (const job of log.all().filter(isWaiting)) {
      const line = lines.get(job.target)
      if (!line) end(job, { state: 'failed', reason: 'target-unknown' })
      else if (job.state === 'accepted') line.queue.push(job.id)
      else await resumeBegun(line, job)
    }
    for (const line of lines.values()) start(line)
  }

  async function resumeBegun(line: Line, job: Job): Promise<void> {
    const data = log.data(job)
    if (line.settings.way !== 'file' || !data) return end(job, { state: 'failed', reason: 'interrupted' })
    if (await line.way.isThere(job.id, job.name, bytesOf(data, job.copies))) end(job, { state: 'done' })
    else line.queue.push(log.step(job, { state: 'accepted' }).id)
  }

  function take(origin: string, asked: Asked, data: Buffer): BridgeAnswer {
    const { id } = asked
    const sha256 = createHash('sha256').update(data).digest('hex')
    const known = log.find(id)
    if (known) {
      const isSame =
        known.origin === origin &&
        known.sha256 === sha256 &&
        known.target === asked.target &&
        known.copies === asked.copies
      return isSame
        ? answerOf(known, lines.get(known.target)?.wait ?? null)
        : { type: 'failed', id, reason: 'id-reused', detail: '' }
    }
    const line = lines.get(asked.target)
    const reason = whyNot(line, asked, data)
    if (reason || !line) return { type: 'failed', id, reason: reason ?? 'target-unknown', detail: '' }
    const job: Job = {
      ...{ id, origin, target: asked.target, kind: asked.kind as PrintKind, name: asked.name },
      ...{ copies: asked.copies, byteSize: data.length, sha256 },
      ...{ state: 'accepted', reason: null, detail: '', at: new Date().toISOString() },
    }
    log.accept(job, data)
    line.queue.push(id)
    // After whoever asked was answered, so that steps come in their order.
    setImmediate(() => start(line))
    return { type: 'accepted', id }
  }

  const waitingBytes = () =>
    [...lines.values()]
      .flatMap(({ queue }) => queue)
      .reduce((sum, id) => sum + (log.find(id)?.byteSize ?? 0), 0)

  function whyNot(line: Line | undefined, { kind, copies }: Asked, data: Buffer): Failure | null {
    if (!line) return 'target-unknown'
    if (!PRINT_KIND_KEYS.includes(kind as PrintKind)) return 'kind-unknown'
    if (copies > config.copiesMost) return 'copies-too-many'
    if (data.length === 0 || data.length > BRIDGE_LIMITS.dataMost) return 'too-large'
    const bytes = data.length * copies
    if (bytes > BRIDGE_LIMITS.dataMost * 16) return 'too-large'
    if (line.queue.length >= BRIDGE_LIMITS.waiting) return 'queue-full'
    return waitingBytes() + data.length > BRIDGE_LIMITS.waitingBytes ? 'queue-full' : null
  }

  return {
    resume,
    take,
    reprint(origin: string, id: string, of: string, copies: number): BridgeAnswer {
      const job = log.find(of)
      const data = job && job.origin === origin ? log.data(job) : null
      if (!job || !data) return { type: 'failed', id, reason: 'data-gone', detail: '' }
      return take(origin, { ...job, id, copies }, data)
    },
    ask(origin: string, id: string): BridgeAnswer {
      const job = log.find(id)
      if (!job || job.origin !== origin) return { type: 'unknown', id }
      return answerOf(job, lines.get(job.target)?.wait ?? null)
    },
    cancel(origin: string, id: string): BridgeAnswer {
      const job = log.find(id)
      if (!job || job.origin !== origin) return { type: 'unknown', id }
      if (!isWaiting(job)) return answerOf(job, null)
      const line = lines.get(job.target)
      if (line?.queue[0] === id && line.stop) {
        line.stop.abort()
        return answerOf(job, line.wait)
      }
      if (line) line.queue = line.queue.filter(one => one !== id)
      return answerOf(log.step(job, { state: 'failed', reason: 'cancelled' }), null)
    },
    /** Looks whether a printer is there, and whoever waits for it tries at once. */
    async check(target: string): Promise<void> {
      const line = lines.get(target)
      if (!line || line.state === 'busy') return
      line.wake()
      try {
        const opened = await line.way.open()
        opened.close()
        line.state = 'ready'
      } catch (error) {
        if (!(error instanceof Offline)) throw error
        line.state = 'offline'
      }
      changed()
    },
    rows(origin: string): JobRow[] {
      const own = log.all().filter(job => job.origin === origin)
      return own
        .slice(-BRIDGE_LIMITS.logRows)
        .toReversed()
        .map(({ origin: _, ...job }) => ({
          ...job,
          targetName: lines.get(job.target)?.settings.name ?? job.target,
          kept: log.hasData({ ...job, origin }),
        }))
    },
    add(settings: TargetSettings): void {
      lines.set(settings.id, lineOf(settings))
      changed()
    },
    /** False where jobs wait for it: they would be lost. */
    remove(id: string): boolean {
      if ((lines.get(id)?.queue.length ?? 0) > 0) return false
      lines.delete(id)
      changed()
      return true
    },
    targets: () =>
      [...lines.values()].map(({ settings, state, queue }) => ({ settings, state, waiting: queue.length })),
    /** Begins nothing more and leaves what waits to the next start. */
    async stop(): Promise<void> {
      ended = true
      for (const line of lines.values()) line.stop?.abort()
      await Promise.allSettled(running)
    },
  }
}

const bytesOf = (data: Buffer, copies: number) =>
  copies === 1 ? data : Buffer.concat(Array.from({ length: copies }, () => data))

function answerOf(job: Job, wait: Wait | null): BridgeAnswer {
  const { id, state } = job
  if (state === 'done') return { type: 'done', id, sha256: job.sha256 }
  if (state === 'failed') return { type: 'failed', id, reason: job.reason ?? 'printer', detail: job.detail }
  if (wait) return { type: 'waiting', id, reason: wait }
  return { type: state, id }
}
