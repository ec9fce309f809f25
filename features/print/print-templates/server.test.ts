// Templates of a kind of the tests' own take the place of labels before the program is loaded, so they have processes of their own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

/** The program's modules as the suite loads them, and in the process itself. */
const LOADING = [
  '--test-isolation=none',
  `--import=${new URL('../../../scripts/quick-loading.ts', import.meta.url)}`,
]

for (const [name, what, passed] of [
  ['print-templates', 'drafts, publishing, history and restoring', 12],
  ['print-templates-live', 'whom versions are for, and what a shop gets of them', 11],
] as const)
  test(what, () => {
    const file = fileURLToPath(new URL(`../../../test/print/${name}.ts`, import.meta.url))
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env
    const args = ['--disable-warning=ExperimentalWarning', '--test', ...LOADING, '--test-reporter=spec', file]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    assert.equal(status, 0, `${stdout}${stderr}`)
    assert.match(stdout, new RegExp(`pass ${passed}\\b`))
  })
