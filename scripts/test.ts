// npm test: verify, then every test of the project on one private database server, in a real Chromium. Ends with the runner's figures.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { startTestServer, type TestServer } from '#test/database.ts'
import { buildPageIfNeeded } from './build-page.ts'
import { ROOT } from './checks.ts'
import { verify } from './verify.ts'

const FILES = ['{kit,server,features,providers,app,test,scripts}/**/*.test.ts', 'test/e2e/*.e2e.ts']
const BROWSERS = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']
const PACKAGES = ['chromium', 'fonts-noto-cjk']
/** A file that hangs must not hang the run; the longest takes a few minutes. */
const FILE_TIMEOUT_MS = 900_000

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function findBrowser(): string | null {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (!isProgram(given)) throw new Error(`CHROMIUM_PATH names ${given}, which is no program.`)
    return given
  }
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = ['/usr/bin', ...folders].flatMap(folder => BROWSERS.map(name => join(folder, name)))
  return candidates.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

/** A Chromium of this machine; on Debian, as root, it is installed with a font that has the page's characters. */
function needBrowser(): string {
  const found = findBrowser()
  if (found) return found
  const advice = `The browser tests need Chromium. Install it (Debian: apt-get install ${PACKAGES.join(' ')}), or set CHROMIUM_PATH.`
  if (!existsSync('/etc/debian_version') || process.geteuid?.() !== 0) throw new Error(advice)
  say(`Installing ${PACKAGES.join(' and ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PACKAGES]]) {
    const { status } = spawnSync('apt-get', ['-q', ...args], { env, stdio: 'inherit' })
    if (status !== 0) throw new Error(`apt-get ${args[0]} failed. ${advice}`)
  }
  const installed = findBrowser()
  if (!installed) throw new Error(advice)
  return installed
}

let server: Promise<TestServer> | null = null
let runner: ChildProcess | null = null
let stopped: Promise<void> | null = null

/** Ends what was started: the runner first, then the database with its files. */
function stop(): Promise<void> {
  stopped ??= (async () => {
    if (runner && runner.exitCode === null && runner.signalCode === null) {
      const ended = new Promise(resolve => runner?.once('exit', resolve))
      runner.kill('SIGTERM')
      await ended
    }
    const started = await server?.catch(() => null)
    await started?.stop()
  })()
  return stopped
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop().finally(() => process.exit(130)))

async function main(): Promise<boolean> {
  const browser = needBrowser()
  if (!(await verify())) return false
  await buildPageIfNeeded(ROOT, say)
  server = startTestServer()
  const { ownerUrl } = await server
  if (stopped) return false
  const files = globSync(FILES, { cwd: ROOT }).sort()
  const args = ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=2']
  args.push(`--test-timeout=${FILE_TIMEOUT_MS}`, '--test-reporter=spec')
  const env = { ...process.env, TEST_DATABASE_SERVER: ownerUrl, CHROMIUM_PATH: browser }
  const child = spawn(process.execPath, [...args, ...files], { cwd: ROOT, env, stdio: 'inherit' })
  runner = child
  return new Promise(resolve => child.once('exit', status => resolve(status === 0)))
}

let ok = false
try {
  ok = await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
} finally {
  await stop()
}
process.exitCode = ok ? 0 : 1
