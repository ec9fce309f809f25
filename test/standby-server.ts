// A standby of a test's own database server: PostgreSQL's, which follows it by streaming.
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { endServer } from '#server/postgres/embedded-postgres-cluster.ts'
import { findBinaries, findLauncher } from '#server/postgres/embedded-postgres-launch.ts'
import { freePort } from '#test/free-port.ts'
import { until } from './patience.ts'

export type StandbyServer = {
  /** The owner's address of a database there. */
  urlOf(database: string): string
  /** From here on it takes in nothing, until it is told to go on. */
  pause(): Promise<void>
  goOn(): Promise<void>
  stop(): Promise<void>
}

export async function startStandby(primaryUrl: string): Promise<StandbyServer> {
  const primary = new pg.Client({ connectionString: primaryUrl })
  await primary.connect()
  const shown = async (name: string) =>
    (await primary.query(`select current_setting('${name}') as value`)).rows[0].value as string
  const source = await shown('data_directory')
  const primaryPort = await shown('port')
  const connections = await shown('max_connections')
  const { username, password } = new URL(primaryUrl)
  const folder = mkdtempSync(join(tmpdir(), 'partner-office-standby-'))
  const cluster = join(folder, 'postgres')
  await primary.query(`select pg_backup_start('standby', true)`)
  cpSync(source, cluster, {
    recursive: true,
    filter: path => !/postmaster\.(pid|opts)$|\.s\.PGSQL/.test(path),
  })
  const { rows } = await primary.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
  await primary.end()
  writeFileSync(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '')
  writeFileSync(join(cluster, 'standby.signal'), '')
  const port = await freePort()
  const launcher = findLauncher(findBinaries(), cluster)
  const settings = {
    port,
    max_connections: connections,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    hot_standby_feedback: 'on',
    fsync: 'off',
    primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${username} password=${password}`,
  }
  const child = launcher.spawn(
    'postgres',
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { cwd: '/', stdio: 'ignore' },
  )
  const urlOf = (database: string) => `postgres://${username}:${password}@127.0.0.1:${port}/${database}`
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    try {
      await client.connect()
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const answers = () =>
    ask('select 1').then(
      () => true,
      () => false,
    )
  await until(answers, 'the standby does not answer', 30_000)
  return {
    urlOf,
    pause: () => ask('select pg_wal_replay_pause()'),
    goOn: () => ask('select pg_wal_replay_resume()'),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        await endServer(child.pid as number)
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
