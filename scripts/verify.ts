// npm run verify: everything that can be said about the sources without running the office. One line per check.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import settings from '../drizzle.config.ts'
import { keepOutput, type Outcome, ROOT } from './checks.ts'
import { drizzleKit } from './drizzle-kit.ts'
import { inWords, judgeFolder } from './migration-rules.ts'

/** `isQuick`: belongs to npm run check too. */
type Check = { name: string; isQuick?: true; run: () => Promise<Outcome> }

const program = (path: string, args: string[], env = process.env) =>
  keepOutput(process.execPath, [join(ROOT, 'node_modules', path), ...args], env)

/** What the tables say and the migrations do not: a generator run on a copy of the migrations must write nothing. */
async function pendingMigration(): Promise<Outcome> {
  const work = mkdtempSync(join(tmpdir(), 'partner-office-migrations-'))
  try {
    const out = join(work, 'migrations')
    cpSync(join(ROOT, 'migrations'), out, { recursive: true })
    const before = new Set(readdirSync(out))
    const config = join(work, 'drizzle.config.json')
    writeFileSync(config, JSON.stringify({ ...settings, out: relative(ROOT, out) }))
    const { command, args, env } = drizzleKit(['generate', `--config=${relative(ROOT, config)}`])
    const generated = await keepOutput(command, args, env)
    const written = readdirSync(out).filter(name => !before.has(name))
    if (!generated.ok || written.length === 0) return generated
    const pending = written.map(name => readFileSync(join(out, name), 'utf8')).join('\n')
    const output = `The tables have changed: run npm run migration -- --name what_changed\n${pending}`
    return { ...generated, ok: false, output }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What would stop people, or the program of before, while it runs. */
async function harmlessMigrations(): Promise<Outcome> {
  const found = judgeFolder(join(ROOT, 'migrations'))
  return { ok: found.length === 0, seconds: 0, output: found.map(inWords).join('\n') }
}

/** It collects its garbage once there is much of it, or little room: up to a fifth less processor time for a fifth more memory. */
const SPARINGLY: NodeJS.ProcessEnv = { ...process.env, GOGC: '400', GOMEMLIMIT: '3GiB' }

/**
 * What has been found of files that did not change since is kept, so that a second look takes seconds. Each further checker
 * works out the same types of the contract once more: one takes a third of the processor time of four.
 */
const types = (name: string, settings: string) =>
  program(
    'typescript/bin/tsc',
    [
      ...['-p', settings, '--incremental', '--checkers', '1'],
      ...['--tsBuildInfoFile', join(ROOT, `.cache/types-${name}.tsbuildinfo`)],
    ],
    SPARINGLY,
  )

const CHECKS: Check[] = [
  {
    name: 'types of the server',
    isQuick: true,
    run: () => types('server', 'tsconfig.json'),
  },
  {
    name: 'types of the page',
    isQuick: true,
    run: () => types('page', 'tsconfig.web.json'),
  },
  { name: 'format and lint', isQuick: true, run: () => program('@biomejs/biome/bin/biome', ['check', '.']) },
  { name: 'unused code and packages', run: () => program('knip/bin/knip.js', ['--no-progress']) },
  {
    name: 'who imports whom',
    run: () => keepOutput(process.execPath, ['--test', 'test/house/architecture.test.ts']),
  },
  { name: 'no pending migration', run: pendingMigration },
  { name: 'migrations that stop nobody', isQuick: true, run: harmlessMigrations },
  {
    name: 'lockfile for every platform',
    run: () => keepOutput(process.execPath, ['scripts/lockfile.mjs', '--check']),
  },
]

type VerifyOptions = {
  /** Those alone that belong to npm run check. */
  quick?: boolean
  /** How many checks run at a time. */
  atOnce?: number
  /** Called as soon as one of them fails. */
  failed?: () => void
}

/** Runs all checks, printing one line each and at the end what was wrong; answers whether all are well. */
export async function verify({
  quick = false,
  atOnce = 2,
  failed = () => undefined,
}: VerifyOptions = {}): Promise<boolean> {
  const waiting = CHECKS.filter(check => check.isQuick || !quick)
  const failures: string[] = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { ok, seconds, output } = await check.run()
      process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${seconds.toFixed(1).padStart(5)} s  ${check.name}\n`)
      if (ok) continue
      failures.push(`--- ${check.name}\n${output}`)
      failed()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const failure of failures) process.stdout.write(`\n${failure}\n`)
  return failures.length === 0
}

if (import.meta.main) process.exitCode = (await verify()) ? 0 : 1
