// npm run bench -- start: how long the built server takes until it is ready and what it takes of memory at rest, beside a bare server that is
// started in turns with it, so that both meet the same machine; all of npm start; and what a start loads, by weight.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readEnv } from '#server/env.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { bundledServer } from '../scripts/build-server.ts'
import { secretKeyOf } from '../scripts/secret-key.ts'
import { buildAll, type Memory, memoryOf, startBuilt, startProgram, treeOf } from './built.ts'
import { bundle, ROOT } from './child.ts'

const ROUNDS = 5
const REST_MS = 10_000
const HEAVIEST = 10
/** In seconds and MB. */
const GOALS = { ready: 0.5, rest: 120, all: 250 }

type Figures = { ready: number; cpu: number; rest: Memory }
type Env = Record<string, string>

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

export async function measureStart(): Promise<void> {
  const dataDir = join(ROOT, 'data/bench-start')
  await buildAll(say)
  await bundle(['bare'])
  const demo = { DATA_DIR: dataDir, DATABASE_URL: '', PORT: '0' }
  // The first start makes the demo's data, and keeps what was compiled.
  await (await startBuilt(demo)).stop()
  const { bare, office } = await inTurns(dataDir)
  const line = (name: string, figure: (of: Figures) => number, goal?: number) => {
    const [ours, theirs] = [figure(office), figure(bare)]
    const mark = goal !== undefined && ours > goal ? '!' : ' '
    const told = goal === undefined ? '' : `goal ${goal}`
    say(
      `${mark} ${name.padEnd(28)} ${short(ours)} ${short(theirs)} ${short(ours / theirs)}  ${told}`.trimEnd(),
    )
  }
  say(`${' '.repeat(30)} ${'office'.padStart(8)} ${'bare'.padStart(8)} ${'ratio'.padStart(8)}`)
  line('ready, s', ({ ready }) => ready, GOALS.ready)
  line('of the processors, s', ({ cpu }) => cpu)
  line('resident at rest, MB', ({ rest }) => rest.resident)
  line('its share at rest, MB', ({ rest }) => rest.share, GOALS.rest)
  const all = await allOfNpmStart(demo)
  const isOver = all > GOALS.all || office.rest.share > GOALS.rest
  say(
    `${all > GOALS.all ? '!' : ' '} ${'all of npm start, MB'.padEnd(28)} ${short(all)}${' '.repeat(20)}goal ${GOALS.all}`,
  )
  await sayHeaviest()
  if (isOver) process.exitCode = 1
}

const short = (value: number) => value.toFixed(value < 10 ? 2 : 0).padStart(8)

/** Medians of both on one database that runs already. */
async function inTurns(dataDir: string): Promise<{ bare: Figures; office: Figures }> {
  const database = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const env = {
    DATABASE_URL: database.ownerUrl,
    SECRET_KEY: secretKeyOf(readEnv({ DATA_DIR: dataDir })),
    DATA_DIR: dataDir,
    PORT: '0',
  }
  const startBare = (with_: Env) =>
    startProgram(process.execPath, [join(ROOT, '.cache/bench/bare.js')], with_)
  const found = { bare: [] as Figures[], office: [] as Figures[] }
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const [side, start] of [
        ['bare', startBare],
        ['office', startBuilt],
      ] as const) {
        const running = await start(env)
        // Memory does not differ from start to start as time does.
        const isLast = round === ROUNDS - 1
        if (isLast) await pause(REST_MS)
        const rest = memoryOf(running.pid)
        found[side].push({ ready: running.readyMs / 1_000, cpu: running.cpuMs / 1_000, rest })
        await running.stop()
      }
  } finally {
    await database.stop()
  }
  return { bare: medianOf(found.bare), office: medianOf(found.office) }
}

function medianOf(all: readonly Figures[]): Figures {
  const middle = (of: (one: Figures) => number) =>
    all.map(of).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
  const { rest } = all.at(-1) as Figures
  return { ready: middle(({ ready }) => ready), cpu: middle(({ cpu }) => cpu), rest }
}

/** npm, the program and its database, each with its share. */
async function allOfNpmStart(env: Env): Promise<number> {
  const running = await startProgram('npm', ['start'], env)
  try {
    await pause(2 * REST_MS)
    return treeOf(running.pid).reduce((sum, { pid }) => sum + (memoryOf(pid).share || 0), 0)
  } finally {
    await running.stop()
  }
}

/** Packages and rooms of ours by the text that a start must read. */
async function sayHeaviest(): Promise<void> {
  const { bundled, options } = await bundledServer(ROOT)
  const { output } = await bundled.generate(options)
  await bundled.close()
  const parts = new Map(
    output.flatMap(part => (part.type === 'chunk' ? [[part.fileName, part] as const] : [])),
  )
  const loaded = new Set(
    [...parts.values()].flatMap(({ name, fileName }) => (name === 'run' ? [fileName] : [])),
  )
  for (const fileName of loaded)
    for (const more of parts.get(fileName)?.imports ?? []) if (parts.has(more)) loaded.add(more)
  const weights = new Map<string, number>()
  for (const fileName of loaded)
    for (const [path, { renderedLength }] of Object.entries(parts.get(fileName)?.modules ?? {})) {
      const name = nameOf(path)
      weights.set(name, (weights.get(name) ?? 0) + renderedLength)
    }
  const sum = [...weights.values()].reduce((all, one) => all + one, 0)
  say(`A start reads ${(sum / 1_024).toFixed(0)} KB. The heaviest of it, in KB:`)
  for (const [name, bytes] of [...weights].toSorted(([, a], [, b]) => b - a).slice(0, HEAVIEST))
    say(`  ${(bytes / 1_024).toFixed(0).padStart(6)} ${name}`)
}

function nameOf(path: string): string {
  const [, inPackage] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return inPackage ?? path.replace(ROOT, '').split('/').slice(0, 2).join('/')
}
