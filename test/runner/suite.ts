// Test files on one private database server, with the page built and a Chromium found once for all of them.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { ROOT } from '#scripts/checks.ts'
import { startTestServer, type TestServer } from '../database.ts'
import { runComponents } from './components.ts'
import { momentOf } from './day.ts'
import { endWith } from './ends.ts'
import { needBrowser } from './find-chromium.ts'
import { type FileResult, runFiles, sayResult, type TestRun } from './run-files.ts'
import { isBrowserTest, isComponentTest, keepTimes } from './test-files.ts'

/** The database is one for all. */
const WORKERS_MAX = 4

export type SuiteOptions = {
  /** With what is exhaustive rather than needed. */
  all?: boolean
  /** Without it: two more than there are processors, since a third of a browser test is waiting, in which another can run. */
  workers?: number | undefined
  /** No file is begun any more once this says so. */
  isOver?: () => boolean
  /** The moment at which each file begins, as `--on` says it; the machine's own without. */
  on?: string | undefined
  /** Where browsers stand; in Shanghai without. */
  zone?: string | undefined
}

let server: Promise<TestServer> | null = null
let run: TestRun | null = null
let components: TestRun | null = null
let stopped: Promise<void> | null = null

/** Ends what was started: the workers first, then the database with its files. */
export function stopSuite(): Promise<void> {
  stopped ??= (async () => {
    await Promise.all([run?.stop(), components?.stop()])
    const started = await server?.catch(() => null)
    await started?.stop()
  })()
  return stopped
}

endWith(stopSuite, {
  signals: process,
  outputs: [process.stdout, process.stderr],
  exit: status => process.exit(status),
})

/** The results of the files that came to their end, which are all of them unless `isOver` or `stopSuite` came between. */
export async function runSuite(
  files: string[],
  {
    all = false,
    workers = Math.min(availableParallelism() + 2, WORKERS_MAX),
    isOver,
    on,
    zone,
  }: SuiteOptions = {},
): Promise<FileResult[]> {
  const { env, pages } = prepare(files, all)
  if (zone) env.TEST_ZONE = zone
  if (on) Object.assign(env, standingAt(on))
  env.TEST_DATABASE_SERVER = await databaseUrl()
  if (stopped) return []
  components = runComponents(files.filter(isComponentTest), env, sayResult)
  const others = files.filter(file => !isComponentTest(file))
  run = runFiles({ files: others, workers, env, pages, finished: sayResult, ...(isOver ? { isOver } : {}) })
  const results = (await Promise.all([components.done, run.done])).flat()
  keepTimes(timesOf(results))
  return results
}

/** The tests of these files whose name fits the pattern, as Node itself runs and tells them; answers whether all is well. */
export async function runNamed(files: string[], pattern: string, all: boolean): Promise<boolean> {
  const { env, pages } = prepare(files, all)
  env.TEST_DATABASE_SERVER = await databaseUrl()
  env.TEST_PAGES = await pages
  const flags = ['--test', '--test-concurrency=1', `--test-name-pattern=${pattern}`]
  const child = spawn(process.execPath, [...flags, ...files], { cwd: ROOT, env, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', status => resolve(status === 0))
  })
}

/** What the processes of tests are given, and the page, which browser tests wait for. */
function prepare(
  files: string[],
  all: boolean,
): { env: NodeJS.ProcessEnv; pages: Promise<string> | undefined } {
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_ALL: all ? '1' : '' }
  if (!files.some(isBrowserTest)) return { env, pages: undefined }
  env.CHROMIUM_PATH = needBrowser()
  const pages = buildPageIfNeeded(ROOT, line => process.stdout.write(`${line}\n`))
  // Whoever waits for it is told.
  pages.catch(() => undefined)
  return { env, pages }
}

/** For the processes of tests, and for the programs that tests start. */
function standingAt(on: string): NodeJS.ProcessEnv {
  const movedMs = momentOf(on).getTime() - Date.now()
  const flag = `--import=${new URL('day.ts', import.meta.url)}`
  return {
    TEST_ON: on,
    TEST_CLOCK_MOVED_MS: String(movedMs),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${flag}`,
  }
}

async function databaseUrl(): Promise<string> {
  server = startTestServer()
  return (await server).ownerUrl
}

/** Of a file that failed, or ran again alone, they would say something else. */
function timesOf(results: FileResult[]): Record<string, number> {
  const sound = results.filter(({ failures, flaky }) => failures.length === 0 && !flaky)
  return Object.fromEntries(sound.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10]))
}
