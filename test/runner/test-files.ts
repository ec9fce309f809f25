// Which files hold the tests, in which lane, and in which order they are begun.
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '#scripts/checks.ts'

const FILES = [
  '{bridge,compat,kit,server,features,providers,app,test,scripts}/**/*.test.ts',
  '{app,features,web}/**/*.test.tsx',
  'test/e2e/**/*.e2e.ts',
]
/** Of the last runs on this machine. */
const KEPT = '.cache/test-times.json'
/** Where this machine knows nothing yet: rough, and of some machine. */
const ROUGH = 'test/runner/times.json'

/** Seconds by file. */
export type Times = Record<string, number>

export const isBrowserTest = (file: string) => file.endsWith('.e2e.ts')
export const isComponentTest = (file: string) => file.endsWith('.test.tsx')

/** Exhaustive rather than needed: `npm test -- --all` runs it. */
export const isOfLongLane = (file: string) => /\.all\.(test|e2e)\.ts$/.test(file)

/** The longest first, so that none is left alone at the end. */
export function testFiles({ all = false } = {}): string[] {
  const files = globSync(FILES, { cwd: ROOT }).filter(file => all || !isOfLongLane(file))
  const size = new Map(files.map(file => [file, statSync(join(ROOT, file)).size]))
  return inOrder(size, { ...readTimes(ROUGH), ...readTimes(KEPT) })
}

/** By their times; a file without one takes as long for its size as others of its kind do. */
export function inOrder(size: Map<string, number>, times: Times): string[] {
  const rateOf = (isBrowser: boolean) => {
    const known = [...size].filter(([file]) => file in times && isBrowserTest(file) === isBrowser)
    const seconds = known.reduce((sum, [file]) => sum + (times[file] ?? 0), 0)
    const bytes = known.reduce((sum, [, one]) => sum + one, 0)
    // Where nothing is known: browser tests before all others.
    return bytes > 0 ? seconds / bytes : isBrowser ? 1 : 1e-6
  }
  const rates = { browser: rateOf(true), other: rateOf(false) }
  const weightOf = (file: string) =>
    times[file] ?? (size.get(file) ?? 0) * rates[isBrowserTest(file) ? 'browser' : 'other']
  return [...size.keys()].toSorted((a, b) => weightOf(b) - weightOf(a) || (a < b ? -1 : 1))
}

/** Those whose path is, or has a part, as `wanted` says. Throws an Error in words where one of them fits no test. */
export function filesNamed(wanted: readonly string[], files: readonly string[]): string[] {
  const parts = wanted.map(one => one.replace(/^\.\//, '').replace(`${ROOT}`, ''))
  for (const [at, part] of parts.entries())
    if (part === '' || !files.some(file => file.includes(part)))
      throw new Error(
        `No test file has "${wanted[at]}" in its path. Test files end in .test.ts, of components in .test.tsx, with a browser in .e2e.ts.`,
      )
  return files.filter(file =>
    parts.some(part => (files.includes(part) ? file === part : file.includes(part))),
  )
}

/** For the next runs on this machine. */
export function keepTimes(times: Times): void {
  writeTimes(KEPT, { ...readTimes(KEPT), ...times })
}

/** For machines that have run nothing yet: in whole seconds. Files that are gone are left out. */
export function keepRoughTimes(): void {
  const known = { ...readTimes(ROUGH), ...readTimes(KEPT) }
  const rough = Object.entries(known)
    .filter(([file]) => existsSync(join(ROOT, file)))
    .map(([file, seconds]) => [file, Math.round(seconds)] as const)
  writeTimes(ROUGH, Object.fromEntries(rough.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

function readTimes(path: string): Times {
  const full = join(ROOT, path)
  return existsSync(full) ? (JSON.parse(readFileSync(full, 'utf8')) as Times) : {}
}

function writeTimes(path: string, times: Times): void {
  const full = join(ROOT, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, `${JSON.stringify(times, null, 2)}\n`)
}
