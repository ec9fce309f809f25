// What npm run doctor looks at, each in words of what to do: the machine, the settings' file, the database, disks, where files are kept,
// outside services, and the office's own address as others see it.
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import pg from 'pg'
import { addressesOf } from '#app/providers-addresses.ts'
import { BACKUP_LIMITS } from '#features/overview/setup/rules.ts'
import { readBackupAges } from '#features/overview/setup/server-backups.ts'
import { newestWhole } from '#server/backup/backup.ts'
import { openVault } from '#server/backup/vault.ts'
import type { Backup, Env } from '#server/env.ts'
import { judgeProxies, PROBE_HEADER, PROBE_PATH, type Probed, probeTicket } from '#server/probe.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { wholeOf } from '#server/storage/storage.ts'

/** `fail`: the office cannot work so, or is open to somebody; `warn`: it will not for long, or cannot be told from here. */
export type Finding = { level: 'ok' | 'warn' | 'fail'; about: string; words: string }
type Level = Finding['level']

const NODE_MAJOR = 24
const POSTGRES_LEAST = 150_000
const MB = 1024 ** 2
const DISK = { failBytes: 512 * MB, warnBytes: 4096 * MB }
const CLOCK_MS = { warn: 1_000, fail: 30_000 }
const CERTIFICATE_DAYS = { warn: 21, fail: 3 }
const DAY_MS = 86_400_000
const CHANGES_SECONDS = 300
const SECRET_NAMES = /SECRET|KEY|PASSWORD|TOKEN|DATABASE_URL/
const RIGHTS = 'database rights'
/** Of a range that documents use: nobody has it. */
const FORGED = '203.0.113.7'

const finding = (level: Level, about: string, words: string): Finding => ({ level, about, words })

export function checkNode(version = process.versions.node): Finding {
  const isNew = Number(version.split('.')[0]) >= NODE_MAJOR
  return finding(
    isNew ? 'ok' : 'fail',
    'Node',
    isNew ? version : `${version} is too old: ${NODE_MAJOR} or later is needed`,
  )
}

/** Who may read the file with the settings, a group of the office's own being none; nothing where they come from elsewhere. */
export function checkSettingsFile(path: string | undefined): Finding[] {
  if (path === undefined) return []
  const { mode } = statSync(path)
  const isOpen = process.platform !== 'win32' && (mode & 0o007) !== 0 && holdsSecrets(path)
  return [
    isOpen
      ? finding('warn', 'settings', `${path} holds secrets and everybody may read it: chmod o= ${path}`)
      : finding('ok', 'settings', path),
  ]
}

const holdsSecrets = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .some(line => /^\s*[A-Z]/.test(line) && SECRET_NAMES.test(line.split('=', 1)[0] ?? ''))

const clientOf = (url: string) =>
  new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 })

export async function checkDatabase(url: string, env: Env, migrations: string): Promise<Finding[]> {
  const client = clientOf(url)
  try {
    await client.connect()
  } catch (error) {
    return [finding('fail', 'database', `does not let us in: ${wordsOf(error)}. Look at DATABASE_URL`)]
  }
  try {
    const server = await aboutServer(client, env)
    // Who may not look at it is told that alone.
    const isLetIn = server.every(({ level, about }) => level === 'ok' || about !== RIGHTS)
    return [...server, ...(isLetIn ? await aboutSchema(client, migrations) : [])]
  } finally {
    await client.end()
  }
}

const BEHIND_MS = 4_000
const LOOK_AGAIN_MS = 100

/** Whether DATABASE_READ_URL leads to a standby of DATABASE_URL that follows it closely enough to be read at. */
export async function checkStandby(url: string, readUrl: string): Promise<Finding> {
  const [primary, standby] = [clientOf(url), clientOf(readUrl)]
  try {
    await Promise.all([primary.connect(), standby.connect()])
    const { rows } = await primary.query<{ position: string }>(
      'select pg_current_wal_insert_lsn() as position',
    )
    for (const until = performance.now() + BEHIND_MS; performance.now() < until; await pause(LOOK_AGAIN_MS)) {
      const { rows: found } = await standby.query<{ holds: boolean | null; feedback: string }>(
        `select pg_last_wal_replay_lsn() >= $1::pg_lsn as holds, current_setting('hot_standby_feedback') as feedback
           where pg_is_in_recovery()`,
        [rows[0]?.position],
      )
      const [state] = found
      if (!state)
        return finding('fail', 'standby', 'DATABASE_READ_URL leads to a database that is no standby')
      if (!state.holds) continue
      return state.feedback === 'on'
        ? finding('ok', 'standby', 'follows the primary')
        : finding('warn', 'standby', 'follows, but cuts long files off: set hot_standby_feedback = on there')
    }
    return finding(
      'warn',
      'standby',
      `is more than ${BEHIND_MS / 1_000} s behind: everything is read at the primary meanwhile`,
    )
  } catch (error) {
    return finding('fail', 'standby', `cannot be asked: ${wordsOf(error)}. Look at DATABASE_READ_URL`)
  } finally {
    await Promise.allSettled([primary.end(), standby.end()])
  }
}

type ServerRow = {
  version: number
  shown: string
  makes_roles: boolean
  owns: boolean
  most: number
  is_standby: boolean
  size: string
  synchronous: string
  fsync: string
}

async function aboutServer(client: pg.Client, env: Env): Promise<Finding[]> {
  const { rows } = await client.query<ServerRow>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as shown,
       (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as makes_roles,
       (select pg_has_role(datdba, 'usage') from pg_database where datname = current_database()) as owns,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       pg_is_in_recovery() as is_standby, pg_size_pretty(pg_database_size(current_database())) as size,
       current_setting('synchronous_commit') as synchronous, current_setting('fsync') as fsync`,
  )
  const [row] = rows as [ServerRow]
  const begun = Date.now()
  const { rows: times } = await client.query<{ ms: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  const apartMs = Math.round(Math.abs((times[0]?.ms ?? 0) - (begun + Date.now()) / 2))
  const wanted = env.processes * (env.poolSize + 2)
  return [
    row.version >= POSTGRES_LEAST
      ? finding('ok', 'database', `PostgreSQL ${row.shown}, ${row.size}`)
      : finding('fail', 'database', `PostgreSQL ${row.shown} is too old: 15 or later is needed`),
    row.makes_roles && row.owns
      ? finding('ok', RIGHTS, 'owns the database and makes roles')
      : finding(
          'fail',
          RIGHTS,
          `the user of DATABASE_URL ${row.owns ? 'may not make roles (alter role … createrole)' : 'does not own the database (alter database … owner to …)'}`,
        ),
    ...(row.is_standby
      ? [
          finding(
            'fail',
            'database',
            'is a standby, which takes no changes: DATABASE_URL must name the primary',
          ),
        ]
      : []),
    row.most >= wanted
      ? finding('ok', 'connections', `${row.most} are let in, an instance takes up to ${wanted}`)
      : finding(
          'fail',
          'connections',
          `only ${row.most} are let in, an instance takes up to ${wanted}: raise max_connections or lower POOL_SIZE`,
        ),
    row.fsync === 'off' || row.synchronous === 'off'
      ? finding('fail', 'durability', 'fsync or synchronous_commit is off: what was answered can be lost')
      : finding('ok', 'durability', `synchronous_commit ${row.synchronous}`),
    judged(apartMs, CLOCK_MS, level =>
      finding(
        level,
        'clock',
        level === 'ok'
          ? 'this machine and the database agree'
          : `this machine and the database are ${apartMs} ms apart: let both follow a time server`,
      ),
    ),
  ]
}

async function aboutSchema(client: pg.Client, migrations: string): Promise<Finding[]> {
  const journal = JSON.parse(readFileSync(join(migrations, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number }[]
  }
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!rows[0]?.there) return [finding('ok', 'schema', 'is empty: the first start makes it')]
  const { rows: applied } = await client.query<{ last: string; count: number }>(
    'select max(created_at) as last, count(*)::int as count from drizzle.__drizzle_migrations',
  )
  const last = Number(applied[0]?.last ?? 0)
  const pending = journal.entries.filter(({ when }) => when > last).length
  const newest = journal.entries.at(-1)?.when ?? 0
  if (last > newest)
    return [
      (await oldestProgram(client)) > newest
        ? finding('fail', 'schema', 'is of a later release than this program: start that one')
        : finding('warn', 'schema', 'is of a later release, which took nothing away that this program reads'),
    ]
  return [
    finding(
      'ok',
      'schema',
      pending === 0 ? `${applied[0]?.count} migrations` : `${pending} migrations are made at the next start`,
    ),
  ]
}

/** The newest migration that a program must know to run on this database; 0: any may. */
async function oldestProgram(client: pg.Client): Promise<number> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('drizzle.oldest_programs') is not null as there`,
  )
  if (!tables[0]?.there) return 0
  const { rows } = await client.query<{ oldest: string | null }>(
    'select max(made_at) as oldest from drizzle.oldest_programs',
  )
  return Number(rows[0]?.oldest ?? 0)
}

export function checkDisk(folder: string): Finding {
  const there = existingAbove(folder)
  const { bavail, bsize } = statfsSync(there)
  const free = bavail * bsize
  const text = `${Math.round(free / MB)} MB free for ${folder}`
  if (free < DISK.failBytes) return finding('fail', 'disk', `only ${text}: make room now`)
  return free < DISK.warnBytes ? finding('warn', 'disk', `only ${text}`) : finding('ok', 'disk', text)
}

/** A folder that is made at the first start has its parent's disk. */
function existingAbove(folder: string): string {
  const path = resolve(folder)
  return existsSync(path) ? path : existingAbove(join(path, '..'))
}

const PROBE_KEY = 'files/setup/doctor'

export async function checkStorage(env: Env): Promise<Finding> {
  const home = env.bucket ? `bucket ${env.bucket.name}` : env.dataDir
  try {
    const storage = openStorage(env)
    const written = `${process.pid} ${Date.now()}`
    await storage.put(PROBE_KEY, Buffer.from(written))
    const read = await wholeOf(storage, PROBE_KEY)
    await storage.delete(PROBE_KEY)
    if (String(read) === written) return finding('ok', 'files', `${home} keeps what is written`)
    return finding('fail', 'files', `${home} gives back something else than was written`)
  } catch (error) {
    return finding('fail', 'files', `${home} keeps nothing: ${wordsOf(error)}`)
  }
}

/** Whether backups have a place that answers, how old the last is, and whether anybody has restored one. */
export async function checkBackups(env: Env, url: string): Promise<Finding[]> {
  if (!env.backup)
    return [
      finding(
        'warn',
        'backups',
        'have no place: set BACKUP_FOLDER or BACKUP_S3_…, and BACKUP_KEY (docs/OPERATING.md, "Backups")',
      ),
    ]
  return [await checkBackupPlace(env.backup), ...(await checkBackupAges(url))]
}

async function checkBackupPlace(backup: Backup): Promise<Finding> {
  const { bucket, dataDir } = backup.home
  const home = bucket ? `bucket ${bucket.name}` : dataDir
  const vault = openVault(backup)
  try {
    const newest = await newestWhole(vault)
    if (!newest) return finding('warn', 'backups', `${home} holds no whole backup: npm run backup`)
    return finding('ok', 'backups', `${home} holds ${newest.name}, which opens with BACKUP_KEY`)
  } catch (error) {
    return finding('fail', 'backups', `${home} does not give them: ${wordsOf(error)}`)
  } finally {
    vault.close()
  }
}

async function checkBackupAges(url: string): Promise<Finding[]> {
  const client = clientOf(url)
  try {
    await client.connect()
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('service_checks') is not null as there`,
    )
    if (!rows[0]?.there) return []
    const { backup, changes, restore } = await readBackupAges(client)
    return [
      aged('last backup', backup, BACKUP_LIMITS.backup, 'make one each night: npm run backup'),
      aged(
        'kept changes',
        changes,
        CHANGES_SECONDS,
        'the office keeps them while it runs, PostgreSQL by archive_mode',
      ),
      aged('last restore tried', restore, BACKUP_LIMITS.restore, 'try one each month: npm run restore'),
    ]
  } catch (error) {
    return [finding('warn', 'last backup', `cannot be told: ${wordsOf(error)}`)]
  } finally {
    await client.end()
  }
}

function aged(about: string, seconds: number, most: number, remedy: string): Finding {
  if (seconds === Number.POSITIVE_INFINITY) return finding('warn', about, `never: ${remedy}`)
  const days = seconds / (DAY_MS / 1_000)
  const ago = days >= 2 ? `${Math.floor(days)} days ago` : `${Math.floor(seconds / 60)} minutes ago`
  return seconds > most ? finding('warn', about, `${ago}: ${remedy}`) : finding('ok', about, ago)
}

/** Whether each configured service answers at all, and until when its certificate is good. */
export async function checkServices({ outside, bucket }: Env, withinMs: number): Promise<Finding[]> {
  const addresses = { ...addressesOf(outside), ...(bucket && { STORAGE_S3_ENDPOINT: bucket.endpoint }) }
  if (Object.keys(addresses).length === 0) return [finding('warn', 'services', 'none is configured')]
  return Promise.all(
    Object.entries(addresses).map(async ([setting, address]) => {
      const { origin } = new URL(address)
      const answer = await ask(origin, withinMs)
      if ('problem' in answer)
        return finding('fail', setting, `${origin} is not reached from here: ${answer.problem}`)
      return aboutCertificate(setting, `${origin} answers`, answer)
    }),
  )
}

/** What the office says under the address that people use; its instances must run for that. */
export async function checkAddress(env: Env, secretKey: string, withinMs: number): Promise<Finding[]> {
  const about = 'PUBLIC_URL'
  const url = env.publicUrl ?? `http://${env.host}:${env.port}`
  const ready = await ask(new URL('/readyz', url).href, withinMs)
  if ('problem' in ready)
    return [
      finding(
        'warn',
        about,
        `nothing answers at ${url} (${ready.problem}): start the office, then ask again`,
      ),
    ]
  const findings = [
    ready.status === 200
      ? aboutCertificate(about, `${url} is ready`, ready)
      : finding('fail', about, `${url} answers ${ready.status} to /readyz: ${ready.body.slice(0, 200)}`),
  ]
  const ticket = probeTicket(makeSecrets(secretKey, env.fieldKeys), new Date())
  const headers = { [PROBE_HEADER]: ticket, 'x-forwarded-for': FORGED }
  const seen = await ask(new URL(PROBE_PATH, url).href, withinMs, headers)
  if ('problem' in seen || seen.status !== 200)
    return [...findings, finding('fail', about, `what answers at ${url} is no office with this SECRET_KEY`)]
  return [...findings, ...aboutProxies(JSON.parse(seen.body) as Probed, env, url)]
}

function aboutProxies(seen: Probed, env: Env, url: string): Finding[] {
  const about = 'TRUST_PROXY'
  const { kind, proxies } = judgeProxies(seen, { forged: FORGED, believed: env.trustProxy })
  const { host } = new URL(url)
  return [
    {
      right: finding('ok', about, `we are seen as ${seen.address}, through ${proxies} proxies`),
      tooMany: finding(
        'fail',
        about,
        `is ${env.trustProxy}, and ${proxies} proxies stand in front: whoever calls can name any address as its own. Set it to ${proxies}`,
      ),
      tooFew: finding(
        'fail',
        about,
        `is ${env.trustProxy}, and ${proxies} proxies stand in front: all callers are seen as ${seen.address}. Set it to ${proxies}`,
      ),
    }[kind],
    seen.host === host
      ? finding('ok', 'host', `${host} comes through`)
      : finding(
          'fail',
          'host',
          `the proxy passes on ${seen.host} in place of ${host}: let it keep the host asked for`,
        ),
  ]
}

function aboutCertificate(about: string, words: string, { validTo }: Answer): Finding {
  if (validTo === null) return finding('ok', about, words)
  const days = Math.floor((validTo.getTime() - Date.now()) / DAY_MS)
  return judged(-days, { warn: -CERTIFICATE_DAYS.warn, fail: -CERTIFICATE_DAYS.fail }, level =>
    finding(level, about, `${words}; its certificate ends in ${days} days`),
  )
}

function judged(
  value: number,
  { warn, fail }: { warn: number; fail: number },
  say: (level: Level) => Finding,
) {
  return say(value >= fail ? 'fail' : value >= warn ? 'warn' : 'ok')
}

type Answer = { status: number; body: string; validTo: Date | null }
const BODY_MOST = 64 * 1024

/** What answers there, whichever status it has; what kept it from answering otherwise. */
function ask(
  url: string,
  withinMs: number,
  headers: Record<string, string> = {},
): Promise<Answer | { problem: string }> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise(resolve => {
    const call = request(url, { headers, signal: AbortSignal.timeout(withinMs), agent: false }, answer => {
      const { socket } = answer as unknown as { socket: TLSSocket }
      const ends = socket.getPeerCertificate?.().valid_to
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        if (body.length < BODY_MOST) body += piece
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body, validTo: ends ? new Date(ends) : null }),
      )
      answer.on('error', error => resolve({ problem: wordsOf(error) }))
    })
    call.on('error', error => resolve({ problem: wordsOf(error) }))
    call.end()
  })
}

function wordsOf(error: unknown): string {
  const { code, message, name } = error as { code?: string; message?: string; name?: string }
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time'
  return message || code || String(error)
}
