// Which tests a change can reach, the nearest first: by the imports of all files, and by the pages that a browser test opens.
import { dirname } from 'node:path'
import { ROUTE_PAGES } from '#app/route-pages.ts'
import { SOURCES } from '#test/house/sources.ts'
import { isBrowserTest } from './test-files.ts'

const HEAVY = ['test/database.ts', 'server/postgres/embedded-postgres.ts', 'node:child_process']
const ROUTES = 'app/route-pages.ts'
const OFFICE = 'test/e2e/browser.ts'
/** Around every page. */
const FRAME = /^app\/[^/]+\.tsx$/
/** What no import names: it stands for the file that reads it. */
const READ_BY: [folder: string, reader: string][] = [
  ['migrations/', 'server/postgres/migrate.ts'],
  ['docs/CHANGING.md', 'test/house/changing.test.ts'],
]
/** A change of these can reach everything. */
const GROUND = /^(package(-lock)?\.json|vite(st)?\.config\.ts|tsconfig.*\.json|index\.html)$/

/** What each file needs to run. A page is loaded by its address, which no import shows. */
function readNeeds(): Map<string, string[]> {
  const needs = new Map(
    SOURCES.map(({ path, imports }) => [
      path,
      imports.filter(({ isType }) => !isType).map(({ target }) => target),
    ]),
  )
  for (const { path, text } of SOURCES.filter(({ path }) => path.startsWith('test/e2e/'))) {
    const opensAll = needs.get(path)?.includes(ROUTES)
    const opened = ROUTE_PAGES.filter(page => opensAll || text.includes(page.path))
    needs.get(path)?.push(...opened.map(({ file }) => file))
  }
  needs.get(OFFICE)?.push(...SOURCES.map(({ path }) => path).filter(path => FRAME.test(path)))
  return needs
}

/** Steps from the given files to all that is connected with them. */
function stepsFrom(start: string[], edges: Map<string, string[]>): Map<string, number> {
  const steps = new Map(start.map(path => [path, 0]))
  const queue = [...start]
  for (const path of queue)
    for (const other of edges.get(path) ?? [])
      if (!steps.has(other)) {
        steps.set(other, (steps.get(path) as number) + 1)
        queue.push(other)
      }
  return steps
}

function turned(edges: Map<string, string[]>): Map<string, string[]> {
  const back = new Map<string, string[]>()
  for (const [path, others] of edges)
    for (const other of others) back.set(other, [...(back.get(other) ?? []), path])
  return back
}

/** Needs neither database nor browser nor a process of its own: quick enough to run whatever has changed. */
function isPure(file: string, needs: Map<string, string[]>): boolean {
  const reached = stepsFrom([file], needs)
  return !HEAVY.some(path => reached.has(path))
}

/**
 * All that are quick, then those that the change can reach: those beside a changed file, then the nearer the earlier,
 * a browser test after others as near.
 */
export function testsToCheck(changed: string[], tests: string[]): string[] {
  const needs = readNeeds()
  // By its name: an older tree, over which this file is laid (test/seeded/run.ts), has no word for a component test.
  const quick = tests.filter(file => !file.endsWith('.test.tsx') && isPure(file, needs))
  const others = tests.filter(file => !quick.includes(file))
  return [...quick, ...nearest(changed, others, needs)]
}

/** Those that the change can reach, the nearest first. */
export const nearestTests = (changed: string[], tests: string[]) => nearest(changed, tests, readNeeds())

function nearest(changed: string[], tests: string[], needs: Map<string, string[]>): string[] {
  const start = changed.map(path => READ_BY.find(([folder]) => path.startsWith(folder))?.[1] ?? path)
  const steps = stepsFrom(start, turned(needs))
  const folders = new Set(start.map(path => dirname(path)))
  const isGround = changed.some(path => GROUND.test(path))
  const distance = (file: string) => {
    const far = steps.get(file) ?? (isGround ? needs.size : Number.POSITIVE_INFINITY)
    const isBeside = far !== Number.POSITIVE_INFINITY && folders.has(dirname(file))
    return (isBeside ? Math.min(far, 1) : far) + (isBrowserTest(file) ? 0.5 : 0)
  }
  return tests
    .map(file => ({ file, distance: distance(file) }))
    .filter(({ distance }) => Number.isFinite(distance))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ file }) => file)
}
