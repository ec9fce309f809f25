/**
 * What every npm script goes through: `node scripts/bootstrap.mjs <command> [args…]`.
 * Installs the dependencies where they are missing, finds Node 24 among them, and runs the command's file with it.
 * Plain JavaScript without dependencies, since it runs first, on any Node from 20 on.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NEEDED_MAJOR = 24
const LOCK_WITHOUT_HOLDER_MS = 5_000
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.partner-office-lock')
/** A Node that is here before the dependencies are. */
const early = join(root, '.cache', 'node')

const SERVER = 'dist/server/server.js'
const COMMANDS = {
  start: SERVER,
  serve: SERVER,
  build: 'scripts/build.ts',
  dev: 'scripts/dev.ts',
  test: 'scripts/test.ts',
  check: 'scripts/check.ts',
  verify: 'scripts/verify.ts',
  seed: 'scripts/seed.ts',
  bench: 'bench/run.ts',
  faults: 'test/faults/run.ts',
  attack: 'test/attack/run.ts',
  migration: 'scripts/migration.ts',
  'create-operator': 'scripts/create-operator.ts',
  'ledger:verify': 'scripts/ledger-verify.ts',
  'log:verify': 'scripts/log-verify.ts',
  'ledger:archive': 'scripts/ledger-archive.ts',
  'log:search': 'scripts/log-search.ts',
  'keys:rotate': 'scripts/keys-rotate.ts',
  backup: 'scripts/backup.ts',
  restore: 'scripts/restore.ts',
  'agency:export': 'scripts/agency-export.ts',
  'person:erase': 'scripts/person-erase.ts',
  doctor: 'scripts/doctor.ts',
  bridge: 'bridge/main.ts',
  'bridge:pack': 'scripts/bridge-pack.ts',
  'compat:document': 'scripts/compat-document.ts',
  'keeping:document': 'scripts/keeping-document.ts',
}
/** What is done first, by a program that ends. */
const BEFORE = { start: 'scripts/start.ts' }
/** A small young generation: an export's short-lived rows would otherwise grow it past what a file may cost. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16']
/**
 * V8 keeps a young generation of three times the first figure, and lets the old one grow by as many percent of what lives in it before it
 * looks for garbage: by 300 where nothing is said and the machine is large.
 */
const SERVER_FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=50',
]

/**
 * glibc: hashing a password takes 16 MB in a thread's arena for a tenth of a second. Once such a piece was given back, larger ones come out
 * of arenas, too, and stay there: unless the limits are said, which then do not move.
 */
const SERVER_ENV = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
/** Before a program that is loaded from its sources. */
const QUICK = `--import=${pathToFileURL(join(root, 'scripts', 'quick-loading.ts'))}`
/** What a machine needs that only runs a finished build; there the development packages may be missing. */
const WITHOUT_DEVELOPMENT = [
  ...[
    'serve',
    'create-operator',
    'ledger:verify',
    'ledger:archive',
    'log:verify',
    'log:search',
    'keys:rotate',
    'doctor',
    'bridge',
  ],
  ...['backup', 'restore', 'agency:export', 'person:erase'],
]

async function main() {
  const [command = '', ...given] = process.argv.slice(2)
  const file = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : null
  if (!file) return complain(`Commands: ${Object.keys(COMMANDS).join(', ')}.`, 2)
  const { args, settings } = withSettings(given)
  const missing = settings.find(path => !existsSync(path))
  if (missing) return complain(`There is no file ${missing} with settings.`, 2)
  const needsDevelopment = !WITHOUT_DEVELOPMENT.includes(command)
  if (!isInstalled(needsDevelopment)) {
    const status = await installOnce(needsDevelopment)
    if (status !== 0) return complain('The dependencies could not be installed; see above.', status)
  }
  if (command === 'serve' && !existsSync(join(root, file)))
    return complain('There is nothing built yet: run "npm run build" first.', 1)
  const node = findNode()
  if (!node)
    return complain(
      `Node ${NEEDED_MAJOR} or later is needed, and this is Node ${process.versions.node}. The one among the ` +
        `dependencies for ${process.platform}-${process.arch} was not installed: install Node ${NEEDED_MAJOR} yourself.`,
      1,
    )
  const before = Object.hasOwn(BEFORE, command) ? BEFORE[command] : null
  const status = before ? await run(node, argumentsFor(before, [])) : 0
  const env = file === SERVER ? { ...SERVER_ENV, ...process.env } : process.env
  const read = settings.map(path => `--env-file=${path}`)
  process.exitCode = status === 0 ? await become(node, [...read, ...argumentsFor(file, args)], env) : status
}

/** Files with settings, which every command takes; what the environment says itself goes before them. */
function withSettings(given) {
  const settings = []
  const args = []
  for (let at = 0; at < given.length; at++) {
    const [, inOne] = /^--env-file(?:=(.*))?$/s.exec(given[at]) ?? [null, null]
    if (inOne === null) args.push(given[at])
    else settings.push(resolve(process.env.INIT_CWD ?? process.cwd(), inOne ?? given[++at] ?? ''))
  }
  return { args, settings }
}

function argumentsFor(file, args) {
  const flags = file.endsWith('.ts') ? [...FLAGS, QUICK] : SERVER_FLAGS
  return [...flags, join(root, file), ...args]
}

function complain(sentence, status) {
  console.error(sentence)
  process.exitCode = status
}

function findNode() {
  const own = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(own)) return own
  return Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR ? process.execPath : null
}

/** The platform belongs to it: a folder of packages copied from another machine does not run here. */
function stampOf(lockText) {
  return createHash('sha256').update(`${process.platform}-${process.arch}\n`).update(lockText).digest('hex')
}

function isInstalled(needsDevelopment) {
  // npm writes this list last, so an installation that was cut short does not have it.
  const listFile = join(modules, '.package-lock.json')
  if (!existsSync(listFile)) return false
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8').trim() === stampOf(lockText)) return true
  const present = JSON.parse(readFileSync(listFile, 'utf8')).packages
  return Object.entries(JSON.parse(lockText).packages).every(([path, wanted]) => {
    if (path === '' || (wanted.dev && !needsDevelopment)) return true
    const found = present[path]
    return found ? found.version === wanted.version && existsSync(join(root, path)) : !isForHere(wanted)
  })
}

/** npm may leave out what is optional; what is made for this very machine is missed all the same. */
function isForHere(wanted) {
  if (!wanted.optional && !wanted.devOptional) return true
  const isForThisMachine = wanted.os?.includes(process.platform) && wanted.cpu?.includes(process.arch)
  return Boolean(isForThisMachine && (!wanted.libc || wanted.libc.includes(libc())))
}

/** An npm on a Node that is too old for such a package leaves it out without a word. */
function libc() {
  process.report.excludeNetwork = true
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

async function installOnce(needsDevelopment) {
  const lock = join(root, '.cache', 'install.lock')
  mkdirSync(dirname(lock), { recursive: true })
  let told = false
  while (!takeLock(lock)) {
    if (!told) console.log('Another start is installing the dependencies; waiting for it.')
    told = true
    await sleep(200)
  }
  try {
    if (isInstalled(needsDevelopment)) return 0
    console.log('Installing the dependencies (npm ci).')
    const [program, ...before] = await npmOnNeededNode()
    const status = await run(program, [...before, 'ci', '--include=dev', '--include=optional'])
    if (status === 0 && isInstalled(true))
      writeFileSync(stampFile, `${stampOf(readFileSync(join(root, 'package-lock.json'), 'utf8'))}\n`)
    return status
  } finally {
    rmSync(early, { recursive: true, force: true })
    rmSync(lock, { force: true })
  }
}

/**
 * Some of the dependencies ask for a later Node than may be here, and npm judges that by the Node that runs it: the one among them comes
 * first, alone and by the lockfile, and runs npm for the others.
 */
async function npmOnNeededNode() {
  const command = npmCommand()
  const name = `node-${process.platform}-${process.arch}`
  const path = `node_modules/${name}`
  const { lockfileVersion, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const locked = packages[path]
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR || command.length === 1 || !locked)
    return command
  rmSync(early, { recursive: true, force: true })
  mkdirSync(early, { recursive: true })
  const alone = { name: 'node-alone', version: '1.0.0', dependencies: { [name]: locked.version } }
  const { version, resolved, integrity } = locked
  writeFileSync(join(early, 'package.json'), JSON.stringify(alone))
  const lock = {
    ...alone,
    lockfileVersion,
    packages: { '': alone, [path]: { version, resolved, integrity } },
  }
  writeFileSync(join(early, 'package-lock.json'), JSON.stringify(lock))
  const status = await run(
    command[0],
    [command[1], 'ci', '--loglevel=error', '--no-fund', '--no-audit'],
    early,
  )
  const node = join(early, path, 'bin', 'node')
  return status === 0 && existsSync(node) ? [node, command[1]] : command
}

function npmCommand() {
  const running = process.env.npm_execpath ?? ''
  // Another package manager may have started us; only npm reads our lockfile.
  return basename(running) === 'npm-cli.js' ? [process.execPath, running] : ['npm']
}

function takeLock(lock) {
  const own = `${process.pid} ${startOf(process.pid)}`
  try {
    writeFileSync(lock, own, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const held = existsSync(lock) ? readFileSync(lock, 'utf8') : own
  const [pid, started] = held.split(' ')
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  const isDead = held ? !isAlive(Number(pid)) || startOf(pid) !== started : age > LOCK_WITHOUT_HOLDER_MS
  if (isDead) rmSync(lock, { force: true })
  return false
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Since when the process runs, to know it from a later one of the same pid; '' where the system does not say. */
function startOf(pid) {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return ''
  const stat = readFileSync(path, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

/** The program takes our place, where the system can do that: nothing of us stays in memory beside it. Elsewhere it runs below us. */
async function become(program, args, env) {
  if (!process.execve || process.platform === 'win32') return run(program, args, root, env)
  // It would tell of itself as experimental.
  process.removeAllListeners('warning')
  process.chdir(root)
  process.execve(program, [program, ...args], env)
}

/** Runs a program in our place: its terminal is ours, our signals are its. Resolves with its exit status. */
function run(program, args, cwd = root, env = process.env) {
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
  const forwarded = new Set()
  const forward = signal => {
    // Ctrl-C reaches the child by itself; a second one from us would look like "at once".
    if (forwarded.has(signal) || (signal === 'SIGINT' && isInForeground())) return
    forwarded.add(signal)
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  return new Promise(resolve => {
    const end = status => {
      for (const signal of signals) process.off(signal, forward)
      resolve(status)
    }
    child.once('error', error => {
      console.error(`${program} could not be run: ${error.message}`)
      end(127)
    })
    child.once('exit', (status, signal) => end(signal ? 128 + constants.signals[signal] : status))
  })
}

/** Whether the terminal's Ctrl-C goes to our process group, and so to the child too. */
function isInForeground() {
  if (!existsSync('/proc/self/stat')) return Boolean(process.stdin.isTTY || process.stdout.isTTY)
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [group, foregroundGroup] = [fields[2], fields[5]]
  return group === foregroundGroup
}

await main()
