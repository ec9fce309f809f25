// Tells the parent of a test worker what came of each test, in the order of the file.
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export type Told = {
  kind: 'result'
  nesting: number
  path: string[]
  isSuite: boolean
  outcome: 'passed' | 'failed' | 'skipped'
  /** What went wrong here; '' where only something inside failed. */
  error: string
}

const INSIDE = 'subtestsFailed'

function errorOf(error: Error & { failureType?: string }): string {
  return error.failureType === INSIDE ? '' : inspect(error.cause ?? error, { depth: 6 })
}

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = []
  for await (const { type, data } of source) {
    if (type === 'test:start') path.splice(data.nesting, path.length, data.name)
    if (type === 'test:diagnostic' && data.nesting > 0) yield `  ${data.message}\n`
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const skipped = (data.skip ?? data.todo ?? false) !== false
    const told: Told = {
      kind: 'result',
      nesting: data.nesting,
      path: path.slice(0, data.nesting + 1),
      isSuite: data.details.type === 'suite',
      outcome: type === 'test:fail' && data.todo === undefined ? 'failed' : skipped ? 'skipped' : 'passed',
      error: type === 'test:fail' ? errorOf(data.details.error) : '',
    }
    process.send?.(told)
  }
}
