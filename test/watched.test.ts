// operate/watch: each figure that an alert or the board names is told by /metrics, and each alert has its line in the runbook and its test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { ROOT } from '#scripts/checks.ts'
import { type Office, openOffice } from './app.ts'

const read = (path: string) => readFileSync(join(ROOT, 'operate', path), 'utf8')
const RULES = read('watch/rules.yml')
const alerts = [...RULES.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

type Board = { panels: { title: string; targets: { expr: string }[] }[] }
const { panels } = JSON.parse(read('watch/board.json')) as Board
/** From `expr:` to the next key of its rule. */
const expressions = [
  ...[...RULES.matchAll(/^ +expr: (?:>\n)?([\s\S]*?)\n +(?:for|labels):/gm)].map(([, expr = '']) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
]
/** Prometheus tells it of whatever it asks. */
const OF_PROMETHEUS = ['up']

/** Names of figures: what is neither a label, a word in quotes, a duration, a function nor an operator. */
const figuresIn = (expression: string) =>
  expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without) ?\([^)]*\)/g, ' ')
    .match(/\b[a-z_][a-z_0-9]*\b(?! *\()/g) ?? []

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

test('every figure that is watched is told', async () => {
  const { body } = await office.app.http.inject({ url: '/metrics' })
  const told = new Set([...body.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name))
  const watched = new Set(expressions.flatMap(figuresIn))
  assert.ok(watched.size > 10, [...watched].join())
  // A histogram with labels has lines once something was answered: it is by its type.
  const types = [...body.matchAll(/^# TYPE (\w+) histogram$/gm)].flatMap(([, name]) => [
    `${name}_bucket`,
    `${name}_count`,
  ])
  const unknown = [...watched].filter(
    name => !told.has(name) && !types.includes(name) && !OF_PROMETHEUS.includes(name),
  )
  assert.deepEqual(unknown, [])
})

test('every alert says what to do, and is tried', () => {
  assert.ok(alerts.length > 10)
  const runbook = read('RUNBOOK.md')
  const lines = [...runbook.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(lines, alerts)
  const tried = read('watch/rules.test.yml')
  for (const alert of alerts)
    assert.match(tried, new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n +- exp_labels`), alert)
})
