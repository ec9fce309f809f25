// What a table-driven test takes of its rows: all of them in the long lane (npm test -- --all), else enough to hold its rule.
const IS_ALL = process.env.TEST_ALL === '1'

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
