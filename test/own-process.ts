// Test files that change the program before it is loaded: each is run in a process of its own, whose modules load as the suite's do.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LOADING = `--import=${new URL('../scripts/quick-loading.ts', import.meta.url)}`

/** Runs a file of this folder by its path in it. */
export function runOnItsOwn(path: string): { status: number | null; said: string } {
  const file = fileURLToPath(new URL(path, import.meta.url))
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const flags = ['--disable-warning=ExperimentalWarning', LOADING]
  const args = [...flags, '--test', '--test-isolation=none', '--test-reporter=spec', file]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}
