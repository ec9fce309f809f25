// Test files on one private database server, with the page built and a Chromium found once for all of them.
import { availableParallelism } from 'node:os'
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { ROOT } from '#scripts/checks.ts'
import { startTestServer, type TestServer } from '../database.ts'
import { momentOf } from './day.ts'
import { needBrowser } from './find-chromium.ts'
import { type FileResult, runFiles, sayResult, type TestRun } from './run-files.ts'
import { isBrowserTest } from './test-files.ts'

/** The database is one for all. */
const WORKERS_MAX = 4

export type SuiteOptions = {
  /** No file is begun any more once this says so. */
  isOver?: () => boolean
  /** The moment at which each file begins, as `--on` says it; the machine's own without. */
  on?: string
  /** Where browsers stand; in Shanghai without. */
  zone?: string
}

let server: Promise<TestServer> | null = null
let run: TestRun | null = null
let stopped: Promise<void> | null = null

/** Ends what was started: the workers first, then the database with its files. */
export function stopSuite(): Promise<void> {
  stopped ??= (async () => {
    await run?.stop()
    const started = await server?.catch(() => null)
    await started?.stop()
  })()
  return stopped
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stopSuite().finally(() => process.exit(130)))

/** The results of the files that came to their end, which are all of them unless `isOver` or `stopSuite` came between. */
export async function runSuite(
  files: string[],
  { isOver, on, zone }: SuiteOptions = {},
): Promise<FileResult[]> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...(zone && { TEST_ZONE: zone }) }
  if (on) {
    momentOf(on)
    env.TEST_ON = on
    // For the programs that tests start.
    env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --import=${new URL('day.ts', import.meta.url)}`
  }
  if (files.some(isBrowserTest)) {
    env.CHROMIUM_PATH = needBrowser()
    env.TEST_PAGES = await buildPageIfNeeded(ROOT, line => process.stdout.write(`${line}\n`))
  }
  server = startTestServer()
  env.TEST_DATABASE_SERVER = (await server).ownerUrl
  if (stopped) return []
  // A third of a browser test is waiting, in which another can run.
  const workers = Math.min(availableParallelism() + 1, WORKERS_MAX)
  run = runFiles({ files, workers, env, finished: sayResult, ...(isOver ? { isOver } : {}) })
  return run.done
}
