// Runs the tests of components beside those of the other files, in one process of Vitest, which reads the page's own Vite settings.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '#scripts/checks.ts'
import type { FileResult, TestRun } from './run-files.ts'

/** `child` is the process; it tells of each file as it ends. */
export function runComponents(
  files: string[],
  env: NodeJS.ProcessEnv,
  finished: (result: FileResult) => void,
): TestRun {
  const results: FileResult[] = []
  if (files.length === 0) return { done: Promise.resolve(results), stop: async () => undefined }
  const child = fork(join(ROOT, 'test/runner/components-child.ts'), files, { cwd: ROOT, env })
  child.on('message', told => {
    results.push(told as FileResult)
    finished(told as FileResult)
  })
  let stopped = false
  const exit = once(child, 'exit')
  const done = exit.then(([code, signal]) => {
    const known = new Set(results.map(({ file }) => file))
    const left = files.filter(file => !known.has(file))
    if (stopped || (code === 0 && left.length === 0)) return results
    const failures = [`Vitest ended with ${signal ?? code}${left.length > 0 ? ' before this file' : ''}.`]
    return [...results, { file: left[0] ?? 'vitest.config.ts', passed: 0, skipped: 0, seconds: 0, failures }]
  })
  return {
    done,
    async stop() {
      stopped = true
      child.kill('SIGKILL')
      await exit
    },
  }
}
