// npm run check: what can be said about a change in 90 seconds. Types, lint, rules, and the tests that the change can reach, nearest first.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { testsToCheck } from '#test/runner/reach.ts'
import { sayFigures } from '#test/runner/run-files.ts'
import { runSuite, stopSuite } from '#test/runner/suite.ts'
import { testFiles } from '#test/runner/test-files.ts'
import { ROOT } from './checks.ts'
import { verify } from './verify.ts'

const LAST_BEGIN_MS = 70_000
const END_MS = 86_000

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

const lines = (text: string | null) => (text ?? '').split('\n').filter(line => line !== '')

/** Where the change begins: the revision given, or where this branch left the main one, or the commit before. */
function baseOf(given: string | undefined): string {
  if (given !== undefined) {
    const found = git('merge-base', given, 'HEAD')
    if (!found) throw new Error(`There is no revision ${given}.`)
    return found
  }
  const left = git('merge-base', 'origin/main', 'HEAD')
  if (left && left !== git('rev-parse', 'HEAD')) return left
  return git('rev-parse', 'HEAD~1') ?? 'HEAD'
}

function changedSince(base: string): string[] {
  const tracked = lines(git('-c', 'core.quotePath=false', 'diff', '--name-only', '--no-renames', base))
  return [...tracked, ...lines(git('ls-files', '--others', '--exclude-standard'))]
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { base: { type: 'string' } } })
  const base = baseOf(values.base)
  const changed = changedSince(base)
  const files = testsToCheck(changed, testFiles())
  process.stdout.write(`${changed.length} files changed since ${base.slice(0, 10)}\n`)
  if (!(await verify({ quick: true }))) return false
  const cut = setTimeout(() => void stopSuite(), END_MS - performance.now())
  const results = await runSuite(files, { isOver: () => performance.now() > LAST_BEGIN_MS })
  clearTimeout(cut)
  const done = new Set(results.map(({ file }) => file))
  const left = files.filter(file => !done.has(file))
  const ok = sayFigures(results)
  if (left.length > 0)
    process.stdout.write(`\nLeft for npm test, though reached (${left.length}):\n  ${left.join('\n  ')}\n`)
  return ok
}

let ok = false
try {
  ok = await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
} finally {
  await stopSuite()
}
process.exitCode = ok ? 0 : 1
