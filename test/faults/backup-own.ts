// An own PostgreSQL from Debian's packages, with operate/pgbackrest: full backup, what changed, and the log; destroyed, restored twice.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '#scripts/checks.ts'
import { freePort } from '#test/free-port.ts'
import { fill, startLoad } from './backup-load.ts'
import {
  type Figures,
  judgeEnd,
  judgeMoment,
  npm,
  type Scene,
  seconds,
  soundness,
  startOffice,
} from './backup-scene.ts'
import { withClient } from './database-client.ts'
import { asDatabaseUser, databaseUserIds, postgresPrograms } from './postgres-packages.ts'
import { createOwners, signIn } from './scene.ts'

const AGENT = 500
const STANZA = '--stanza=partner-office'
const SETTLING_MS = 45_000
const UP_WITHIN_MS = 300_000
const read = (path: string) => readFileSync(join(ROOT, 'operate/pgbackrest', path), 'utf8')

function run(program: string, args: string[]): SpawnSyncReturns<string> {
  const [command = program, ...rest] = asDatabaseUser([program, ...args])
  return spawnSync(command, rest, { encoding: 'utf8', cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
}

function mustRun(program: string, args: string[]): string {
  const done = run(program, args)
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stdout}${done.stderr}`)
  return done.stdout
}

/** Folders that are the database's. */
function makeFolder(path: string): string {
  mkdirSync(path, { mode: 0o700 })
  const owner = databaseUserIds()
  if (owner) chownSync(path, owner.uid, owner.gid)
  return path
}

type Server = { data: string; port: number; url: string; stop(mode: 'fast' | 'immediate'): void }

async function startServer(
  scene: Scene,
  data: string,
  password: string,
  options: string[] = [],
): Promise<Server> {
  const bin = postgresPrograms() as string
  const port = await freePort()
  const sockets = join(scene.folder, 'sockets')
  const flags = [`-p ${port}`, `-k ${sockets}`, '-c listen_addresses=127.0.0.1', ...options].join(' ')
  mustRunQuiet(join(bin, 'pg_ctl'), [
    '-D',
    data,
    '-o',
    flags,
    '-l',
    join(sockets, 'log'),
    '-w',
    '-t',
    '300',
    'start',
  ])
  let isUp = true
  const stop = (mode: 'fast' | 'immediate') => {
    if (!isUp) return
    isUp = false
    run(join(bin, 'pg_ctl'), ['-D', data, '-m', mode, '-w', 'stop'])
  }
  scene.ends.push(() => stop('fast'))
  return { data, port, url: `postgres://partner_office:${password}@127.0.0.1:${port}/partner_office`, stop }
}

/** The server keeps what it is given open: nobody may wait for the end of that. */
function mustRunQuiet(program: string, args: string[]): void {
  const [command = program, ...rest] = asDatabaseUser([program, ...args])
  const done = spawnSync(command, rest, { cwd: '/', stdio: 'ignore' })
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${done.status}`)
}

/** Of the machine that is written of in operate/pgbackrest, this one's. */
function writeSettings(scene: Scene, data: string, port: number): string {
  const path = join(scene.folder, 'pgbackrest.conf')
  const repository = makeFolder(join(scene.folder, 'repository'))
  const log = makeFolder(join(scene.folder, 'log'))
  const written = read('pgbackrest.conf')
    .replace('/var/lib/pgbackrest', repository)
    .replace('change-me', randomBytes(36).toString('base64'))
    .replace('/var/log/pgbackrest', `${log}\nlock-path=${makeFolder(join(scene.folder, 'locks'))}`)
    .replace('/var/lib/postgresql/15/main', data)
    .replace('/var/run/postgresql', join(scene.folder, 'sockets'))
    .replace('pg1-port=5432', `pg1-port=${port}`)
  writeFileSync(path, written, { mode: 0o644 })
  return path
}

export async function ownIsRestored(scene: Scene): Promise<Figures> {
  const { folder, tell, megabytes } = scene
  const bin = postgresPrograms() as string
  chmodSync(folder, 0o755)
  makeFolder(join(folder, 'sockets'))
  const data = makeFolder(join(folder, 'main'))
  mustRun(join(bin, 'initdb'), ['-D', data, '-E', 'UTF8', '--auth-local=peer', '--auth-host=scram-sha-256'])
  const conf = join(folder, 'pgbackrest.conf')
  appendFileSync(join(data, 'postgresql.conf'), read('postgresql.conf').replace('/etc/pgbackrest.conf', conf))
  const password = randomBytes(16).toString('hex')
  const first = await startServer(scene, data, password)
  writeSettings(scene, data, first.port)
  const psql = (port: number, database: string, args: string[]) =>
    mustRun(join(bin, 'psql'), [
      '-q',
      '-h',
      join(folder, 'sockets'),
      '-p',
      String(port),
      '-d',
      database,
      ...args,
    ])
  psql(first.port, 'postgres', ['-c', `create role partner_office login createrole password '${password}'`])
  psql(first.port, 'postgres', ['-c', 'create database partner_office owner partner_office'])
  const pgbackrest = (args: string[]) => mustRun('pgbackrest', [`--config=${conf}`, STANZA, ...args])
  pgbackrest(['stanza-create'])
  pgbackrest(['check'])
  tell(true, 'own: pgBackRest takes the configuration, and the log of the database arrives')

  const settings = {
    DATABASE_URL: first.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    DATA_DIR: join(folder, 'data'),
    BACKUP_FOLDER: join(folder, 'vault'),
    BACKUP_KEY: randomBytes(32).toString('hex'),
  }
  mkdirSync(settings.DATA_DIR)
  const office = await startOffice(scene, settings)
  await withClient(first.url, client =>
    createOwners(client, { [AGENT]: '备份公司' }, [
      { agentId: 1, loginName: '10001' },
      { agentId: AGENT, loginName: '50001' },
    ]),
  )
  const size = await fill(first.url, megabytes)
  const load = await startLoad(first.url, AGENT, {
    url: office.url,
    cookie: await signIn(office.url, '50001'),
  })
  scene.ends.push(() => load.stop())

  const began = performance.now()
  pgbackrest(['--type=full', 'backup'])
  const backupSeconds = seconds(began)
  psql(first.port, 'partner_office', ['-f', join(ROOT, 'operate/pgbackrest/noted.sql')])
  const files = await npm('backup', settings)
  tell(files.status === 0, `own: full backup in ${backupSeconds} s, ${files.said}`)
  await pause(SETTLING_MS / 3)
  pgbackrest(['--type=incr', 'backup'])
  tell(true, 'own: a backup of what changed')
  const metrics = await (await fetch(`${office.url}/metrics`)).text()
  tell(/backup_age_seconds\{what="backup"\} \d/.test(metrics), 'own: the office knows when it was backed up')
  await pause(SETTLING_MS / 3)
  const moment = await load.moment()
  await pause(SETTLING_MS)
  await npm('backup', settings, ['--changes'])
  await pause(SETTLING_MS / 3)

  first.stop('immediate')
  const destroyedAt = Date.now()
  await load.stop()
  await office.kill('SIGKILL')
  rmSync(data, { recursive: true, force: true })
  rmSync(settings.DATA_DIR, { recursive: true, force: true })
  tell(true, `own: destroyed under ${load.posted.length} postings and ${load.pictures} pictures`)

  const second = await restored(scene, { conf, password, name: 'second', at: moment.at })
  await judgeMoment(scene, 'own', second.server.url, moment.postings)
  const back = { ...settings, DATABASE_URL: second.server.url, DATA_DIR: join(folder, 'data-second') }
  const checked = await npm('restore', back, ['--to', moment.at.toISOString()])
  tell(
    checked.status === 0,
    `own: ${soundness(checked.said)}${checked.status === 0 ? '' : `\n${checked.said}`}`,
  )
  second.server.stop('fast')

  const third = await restored(scene, { conf, password, name: 'third', at: null })
  const lost = await judgeEnd(scene, 'own', third.server.url, { posted: load.posted, destroyedAt })
  return {
    database_mb: Math.round(size / 1024 ** 2),
    postings: load.posted.length,
    pictures: load.pictures,
    backup_seconds: backupSeconds,
    restore_seconds: second.seconds,
    ...lost,
  }
}

async function restored(
  scene: Scene,
  { conf, password, name, at }: { conf: string; password: string; name: string; at: Date | null },
): Promise<{ server: Server; seconds: number }> {
  const began = performance.now()
  const data = makeFolder(join(scene.folder, name))
  const target = at?.toISOString().replace('T', ' ').replace('Z', '+00')
  mustRun('pgbackrest', [
    `--config=${conf}`,
    STANZA,
    `--pg1-path=${data}`,
    ...(target ? ['--type=time', `--target=${target}`, '--target-action=promote'] : []),
    'restore',
  ])
  // It is tried, and must not add to the log of the first.
  const server = await startServer(scene, data, password, ['-c archive_mode=off'])
  await withClient(server.url, async client => {
    for (const until = Date.now() + UP_WITHIN_MS; ; await pause(200)) {
      const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
      if (!rows[0]?.recovering) return
      if (Date.now() > until) throw new Error('the restored database does not take changes')
    }
  })
  return { server, seconds: seconds(began) }
}
