// Runs test files on worker processes: one file at a time each, so that programs are loaded once and no file can hang the others.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '#scripts/checks.ts'
import { afterPatience } from '../patience.ts'
import type { Told } from './reporter.ts'
import { isBrowserTest } from './test-files.ts'

/** A file that hangs must not hang the run; the longest takes a minute or two where nothing else runs. */
const FILE_LIMIT_MS = 900_000
const END_LIMIT_MS = 10_000
const KILL_AFTER_MS = 3_000
const SLOWEST = 10
/** New objects are given room, so that a worker does not spend its time on copying them. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32']

export type FileResult = {
  file: string
  passed: number
  skipped: number
  seconds: number
  failures: string[]
  /** What failed at first, where it passed when it was run again alone. */
  flaky?: string[]
}
export type WorkerTold = Told | { kind: 'ready' } | { kind: 'left'; open: string[] }

type Queue = {
  /** Waits until there is a file that can be begun, or none is left. */
  ready(): Promise<void>
  take(): WorkerOrder
}

type Running = { result: FileResult; startedAt: number; isReported: boolean; isLeft: boolean }

/** What a worker is told: the next file, or that there is none; and where the built page is, once it is. */
export type WorkerOrder = { file: string | null; pages: string | undefined }

export type TestRun = {
  /** Results of all files that came to their end. */
  done: Promise<FileResult[]>
  /** Ends the workers at once. */
  stop(): Promise<void>
}

export type RunOptions = {
  files: string[]
  workers: number
  env: NodeJS.ProcessEnv
  /** The folder of the built page. Files that need it are begun once it is there, others before. */
  pages?: Promise<string> | undefined
  needsPage?: (file: string) => boolean
  /** Run once more, alone, after all others, where it fails: browser tests. */
  isRunAgain?: (file: string) => boolean
  /** No file is begun any more once this says so. */
  isOver?: () => boolean
  fileLimitMs?: number
  finished?: (result: FileResult) => void
}

/** Begins with the first files of the list. */
export function runFiles({
  files,
  workers,
  env,
  pages,
  needsPage = isBrowserTest,
  isRunAgain = isBrowserTest,
  isOver = () => false,
  fileLimitMs = FILE_LIMIT_MS,
  finished = () => undefined,
}: RunOptions): TestRun {
  const alive = new Set<ChildProcess>()
  let stopped = false
  let built: string | undefined
  const isOpen = () => !stopped && !isOver()

  const canBegin = (file: string) => !pages || built !== undefined || !needsPage(file)

  /** The files that wait, for one worker after the other. */
  const queueOf = (waiting: string[]): Queue => ({
    async ready() {
      if (isOpen() && waiting.length > 0 && !waiting.some(canBegin)) built = await pages
    },
    take() {
      const at = isOpen() ? waiting.findIndex(canBegin) : -1
      return { file: waiting.splice(at, at < 0 ? 0 : 1)[0] ?? null, pages: built }
    },
  })

  const work = async (waiting: string[], results: FileResult[]) => {
    while (isOpen() && waiting.length > 0) {
      const child = fork(join(ROOT, 'test/runner/worker.ts'), [], {
        cwd: ROOT,
        env,
        execArgv: [...FLAGS, `--test-reporter=${join(ROOT, 'test/runner/reporter.ts')}`],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      alive.add(child)
      const begun = await attend(child, queueOf(waiting), fileLimitMs, result => {
        // One that was cut off has no result.
        if (stopped) return
        results.push(result)
        finished(result)
      })
      alive.delete(child)
      if (begun === 0 && isOpen() && waiting.length > 0) throw new Error('A test worker cannot start.')
    }
  }
  const runAll = async (waiting: string[], atOnce: number): Promise<FileResult[]> => {
    const results: FileResult[] = []
    await Promise.all(Array.from({ length: atOnce }, () => work(waiting, results)))
    return results
  }
  const run = async () => {
    const first = await runAll([...files], workers)
    const failed = first.filter(({ file, failures }) => failures.length > 0 && isRunAgain(file))
    const second = await runAll(
      failed.map(({ file }) => file),
      failed.length > 0 ? 1 : 0,
    )
    return first.map(result => again(result, second))
  }
  pages?.then(
    dir => {
      built = dir
    },
    () => 'whoever waits for it is told',
  )
  return {
    done: run(),
    async stop() {
      stopped = true
      await Promise.all([...alive].map(end))
    },
  }
}

/** The second result of a file in place of its first one, where it has two. */
function again(first: FileResult, second: FileResult[]): FileResult {
  const result = second.find(({ file }) => file === first.file)
  if (!result) return first
  return result.failures.length > 0 ? result : { ...result, flaky: first.failures }
}

/** Gives a worker file after file; resolves with their number when its process is gone. */
function attend(
  child: ChildProcess,
  queue: Queue,
  fileLimitMs: number,
  finished: (result: FileResult) => void,
): Promise<number> {
  let running: Running | null = null
  let begun = 0
  let callOff: () => void = () => undefined
  const finish = () => {
    if (!running) return
    callOff()
    running.result.seconds = (performance.now() - running.startedAt) / 1_000
    finished(running.result)
    running = null
  }
  const begin = async () => {
    await queue.ready()
    // One that has died meanwhile takes no file along.
    if (!child.connected) return
    const order = queue.take()
    const { file } = order
    if (file) {
      begun++
      const result = { file, passed: 0, skipped: 0, seconds: 0, failures: [] }
      running = { result, startedAt: performance.now(), isReported: false, isLeft: false }
    }
    child.send(order)
    callOff = file
      ? afterPatience(fileLimitMs, () => void end(child))
      : after(END_LIMIT_MS, () => void end(child))
  }
  return new Promise((resolve, reject) => {
    child.on('message', (told: WorkerTold) => {
      if (told.kind === 'ready') return void begin().catch(reject)
      if (!running) return
      if (told.kind === 'left') {
        running.isLeft = true
        if (told.open.length > 0) running.result.failures.push(`It left open: ${told.open.join(', ')}.`)
      } else count(running, told)
      // The report of a test comes a little after its end, and is not to be taken for that of the next file.
      if (!running.isReported || !running.isLeft) return
      finish()
      begin().catch(reject)
    })
    child.once('exit', (code, signal) => {
      running?.result.failures.push(`The process of this file ended with ${signal ?? code}.`)
      finish()
      callOff()
      resolve(begun)
    })
  })
}

/** The file itself is the outermost test: it counts only where it failed by itself, and ends the report. */
function count(running: Running, { nesting, isSuite, outcome, error, path }: Told): void {
  const { result } = running
  const isFile = nesting === 0
  if (isFile) running.isReported = true
  if (outcome === 'failed' && error !== '') result.failures.push([...path.slice(1), error].join('\n'))
  if (isFile || isSuite) return
  if (outcome === 'passed') result.passed++
  if (outcome === 'skipped') result.skipped++
}

function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([gone, sleep(KILL_AFTER_MS, null, { ref: false })])
  child.kill('SIGKILL')
  await gone
}

export function sayResult({ file, passed, seconds, failures }: FileResult): void {
  const mark = failures.length === 0 ? 'ok  ' : 'FAIL'
  say(`${mark} ${seconds.toFixed(1).padStart(6)} s ${String(passed).padStart(5)}  ${file}`)
  for (const failure of failures) say(`\n${indent(failure)}\n`)
}

/** The failures once more, what was flaky, the slowest files, and the figures as the last line. Answers whether all is well. */
export function sayFigures(results: FileResult[]): boolean {
  const sum = (of: (result: FileResult) => number) => results.reduce((sum, result) => sum + of(result), 0)
  for (const { file, failures } of results)
    for (const failure of failures) say(`\nFAIL ${file}\n${indent(failure)}`)
  for (const { file, flaky } of results)
    if (flaky)
      say(
        `\nflaky ${file}: it passed when it was run again alone. First it failed:\n${indent(flaky[0] ?? '')}`,
      )
  say(`\nThe slowest ${SLOWEST} files:`)
  for (const { file, seconds } of results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    say(`${seconds.toFixed(1).padStart(8)} s  ${file}`)
  const failed = sum(result => result.failures.length)
  const skipped = sum(result => result.skipped)
  say(
    `\n${sum(result => result.passed)} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  )
  return failed === 0
}

const indent = (text: string) => text.replaceAll(/^/gm, '    ')

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
