// In a copy with a fault: runs the tests that the changed file can reach until one fails. `find.ts PATH SECONDS`; its last line is a `Found`.
import { buildPageIfNeeded } from '#scripts/build-page.ts'
import { ROOT } from '#scripts/checks.ts'
import { startTestServer } from '#test/database.ts'
import { needBrowser } from '#test/runner/find-chromium.ts'
import { nearestTests } from '#test/runner/reach.ts'
import { type FileResult, runFiles } from '#test/runner/run-files.ts'
import { isBrowserTest, testFiles } from '#test/runner/test-files.ts'

/** `by`: the file and the test that failed first; null where none did. `files`: how many were run. */
export type Found = { by: string | null; files: number; seconds: number }

const WORKERS = 2

const [path = '', within = ''] = process.argv.slice(2)
const found = nearestTests([path], testFiles())
/** An older tree has none, nor what runs them. */
const components = found.filter(file => file.endsWith('.test.tsx'))
const files = found.filter(file => !components.includes(file))
const env: NodeJS.ProcessEnv = { ...process.env }
let by: string | null = null
let run = 0
const finished = ({ file, failures }: FileResult) => {
  run++
  by ??= failures[0] === undefined ? null : `${file}: ${failures[0].split('\n', 1)[0]}`
}
if (files.some(isBrowserTest)) {
  env.CHROMIUM_PATH = needBrowser()
  try {
    env.TEST_PAGES = await buildPageIfNeeded(ROOT, () => undefined)
  } catch (error) {
    by = `the page cannot be built: ${(error as Error).message.split('\n', 1)[0]}`
  }
}
if (by === null && components.length > 0) {
  const { runComponents } = await import('#test/runner/components.ts')
  const running = runComponents(components, env, result => {
    finished(result)
    if (by !== null) void running.stop()
  })
  await running.done
}
if (by === null) {
  const server = await startTestServer()
  env.TEST_DATABASE_SERVER = server.ownerUrl
  const isOver = () => by !== null || performance.now() > Number(within) * 1_000
  const running = runFiles({
    files,
    workers: WORKERS,
    env,
    isOver,
    finished(result) {
      finished(result)
      if (by !== null) void running.stop()
    },
  })
  await running.done
  await server.stop()
}
const told: Found = { by, files: run, seconds: performance.now() / 1_000 }
process.stdout.write(`${JSON.stringify(told)}\n`)
