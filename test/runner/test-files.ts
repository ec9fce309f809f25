// Which files hold the tests, and in which order they are begun.
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#scripts/checks.ts'

const FILES = ['{bridge,kit,server,features,providers,app,test,scripts}/**/*.test.ts', 'test/e2e/**/*.e2e.ts']

export const isBrowserTest = (file: string) => file.endsWith('.e2e.ts')

/** The long ones first, so that none is left alone at the end: browser tests, then by size. */
export function testFiles(): string[] {
  const files = globSync(FILES, { cwd: ROOT }).map(path => ({
    path,
    weight: (isBrowserTest(path) ? 1e9 : 0) + statSync(join(ROOT, path)).size,
  }))
  return files.toSorted((a, b) => b.weight - a.weight).map(({ path }) => path)
}
