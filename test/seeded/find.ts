// In a copy with a fault: runs the tests that the changed file can reach until one fails, first the one that found it before.
// `find.ts PATH SECONDS [FILE]`; its last line is a `Found`.
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { ROOT } from '#scripts/checks.ts'
import { startTestServer, type TestServer } from '#test/database.ts'
import { needBrowser } from '#test/runner/find-chromium.ts'
import { nearestTests } from '#test/runner/reach.ts'
import { type FileResult, runFiles, type TestRun } from '#test/runner/run-files.ts'
import { isBrowserTest, testFiles } from '#test/runner/test-files.ts'

/** `by`: the file and the test that failed first; null where none did. `files`: how many were run. */
export type Found = { by: string | null; files: number; seconds: number }

const WORKERS = 2
/** An older tree has none, nor a word for them. */
const isComponentTest = (file: string) => file.endsWith('.test.tsx')

/** How many are taken at a time: whatever is near is over before Vitest starts or the page is built for what is far. */
const PORTIONS = [6, 24]

const [path = '', within = '', finder = ''] = process.argv.slice(2)
const env: NodeJS.ProcessEnv = { ...process.env }
let by: string | null = null
let run = 0
let server: TestServer | null = null
const isOver = () => by !== null || performance.now() > Number(within) * 1_000
const finished = ({ file, failures }: FileResult) => {
  run++
  by ??= failures[0] === undefined ? null : `${file}: ${failures[0].split('\n', 1)[0]}`
}

async function runPortion(files: string[]): Promise<void> {
  await runNodes(files.filter(file => !isComponentTest(file) && !isBrowserTest(file)))
  const components = files.filter(isComponentTest)
  if (!isOver() && components.length > 0) {
    const { runComponents } = await import('#test/runner/components.ts')
    await untilFound(report => runComponents(components, env, report))
  }
  const pages = files.filter(isBrowserTest)
  if (!isOver() && pages.length > 0 && (await hasPage())) await runNodes(pages)
}

async function runNodes(files: string[]): Promise<void> {
  if (isOver() || files.length === 0) return
  server ??= await startTestServer()
  env.TEST_DATABASE_SERVER = server.ownerUrl
  await untilFound(report => runFiles({ files, workers: WORKERS, env, isOver, finished: report }))
}

async function untilFound(start: (report: (result: FileResult) => void) => TestRun): Promise<void> {
  const running = start(result => {
    finished(result)
    if (by !== null) void running.stop()
  })
  await running.done
}

/** That it cannot be built is what finds the fault. */
async function hasPage(): Promise<boolean> {
  env.CHROMIUM_PATH = needBrowser()
  try {
    env.TEST_PAGES ??= await buildPageIfNeeded(ROOT, () => undefined)
    return true
  } catch (error) {
    by = `the page cannot be built: ${(error as Error).message.split('\n', 1)[0]}`
    return false
  }
}

const nearest = nearestTests([path], testFiles())
// One of the house reads all sources, and is near to none.
const known = testFiles().filter(file => file === finder)
await runPortion(known)
const files = nearest.filter(file => file !== finder)
for (const most of [...PORTIONS, files.length]) if (!isOver()) await runPortion(files.splice(0, most))
await (server as TestServer | null)?.stop()
const told: Found = { by, files: run, seconds: performance.now() / 1_000 }
process.stdout.write(`${JSON.stringify(told)}\n`)
