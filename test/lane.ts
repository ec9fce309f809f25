// What of the suite waits for the long lane (npm test -- --all): rows of a table beyond those that hold its rule, runs beyond a few, and
// browser tests of what another test holds.
import test, { type TestContext } from 'node:test'

/** In the long lane. */
export const IS_ALL = process.env.TEST_ALL === '1'

/** All rows in the long lane, else so many of them, spread evenly from the first to the last. */
export function sampled<Row>(rows: readonly Row[], count: number, all = IS_ALL): Row[] {
  if (all || rows.length <= count) return [...rows]
  if (count === 1) return rows.slice(0, 1)
  const step = (rows.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, at) => rows[Math.round(at * step)] as Row)
}

/** How often a test with made-up input is run: `many` times in the long lane. */
export function times(few: number, many: number, all = IS_ALL): number {
  return all ? many : few
}

/**
 * A test of the long lane alone. `heldBy`: the test files, by their paths, that hold the same rule in `npm test`: a lower level, or a way
 * through that passes it.
 */
export function exhaustive(
  name: string,
  heldBy: readonly string[],
  body: (context: TestContext) => void | Promise<void>,
): void {
  if (heldBy.length === 0)
    throw new Error(`"${name}" is held by nothing else: it is no test of the long lane.`)
  if (IS_ALL) test(name, body)
}
