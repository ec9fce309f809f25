// A process that runs test files one after another, as its parent names them: the program's modules are loaded once for all of them.
import '#scripts/quick-loading.ts'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '#scripts/checks.ts'
import { momentOf, moveTo } from './day.ts'
import { testFile } from './light-test.ts'
import type { WorkerOrder, WorkerTold } from './run-files.ts'

const REST_MS = 20
const LOOKS_BEFORE_LEAK = 250

async function next(told: WorkerTold): Promise<string | null> {
  process.send?.(told)
  const [{ file, pages }] = (await once(process, 'message')) as [WorkerOrder]
  if (pages !== undefined) process.env.TEST_PAGES = pages
  return file
}

/** What keeps a process alive, but for what the runner itself holds: a file alone would never end with it. */
function held(): string[] {
  return process.getActiveResourcesInfo().filter(name => name !== 'Immediate')
}

/** What the file left open, after a moment in which what was just closed may go. */
async function leftOver(before: string[]): Promise<string[]> {
  for (let look = 0; ; look++) {
    const more = held()
    for (const name of before) if (more.includes(name)) more.splice(more.indexOf(name), 1)
    if (more.length === 0 || look === LOOKS_BEFORE_LEAK) return more
    await new Promise(resolve => setTimeout(resolve, REST_MS))
  }
}

// A test may wait for what alone keeps no process: this does, until its parent has no file left.
process.channel?.ref()
let isLeaking = false
/** Loaded with the first file that has a browser: most workers of small runs never see one. */
let browser: typeof import('../e2e/chromium.ts') | null = null
let file = await next({ kind: 'ready' })
while (file !== null) {
  const path = resolve(ROOT, file)
  if (path.endsWith('.e2e.ts')) {
    browser ??= await import('../e2e/chromium.ts')
    await browser.keepBrowser()
  }
  const before = held()
  // Each file begins at the same moment, however long those before it took.
  if (process.env.TEST_ON) moveTo(momentOf(process.env.TEST_ON))
  await testFile(file, () => import(pathToFileURL(path).href))
  const open = await leftOver(before)
  isLeaking ||= open.length > 0
  file = await next({ kind: 'left', open })
}
await browser?.releaseBrowser()
process.disconnect()
// What was left open would keep it.
if (isLeaking) process.exit()
