// The database that the program brings: a whole backup by the command, changes by the office that runs; destroyed, restored twice.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
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
import { call } from './payments-killed.ts'

/** Beyond two looks of the office at what changed. */
const SETTLING_MS = 100_000
const LOGIN_NAME = '20001'

export async function embeddedIsRestored(scene: Scene): Promise<Figures> {
  const { folder, tell, megabytes } = scene
  const settings = {
    DATA_DIR: join(folder, 'data'),
    BACKUP_FOLDER: join(folder, 'vault'),
    BACKUP_KEY: randomBytes(32).toString('hex'),
  }
  const office = await startOffice(scene, settings)
  const note = (name: string) => readFileSync(join(settings.DATA_DIR, name), 'utf8').trim()
  const ownerUrl = `postgres://owner:${note('postgres-password')}@127.0.0.1:${note('postgres-port')}/postgres`
  const size = await fill(ownerUrl, megabytes)
  const agentId = await withClient(ownerUrl, async client => {
    const { rows } = await client.query<{ agent_id: string }>(
      'select agent_id from accounts where login_name = $1',
      [LOGIN_NAME],
    )
    return Number(rows[0]?.agent_id)
  })
  const pictures = await countPictures(ownerUrl)
  const load = await startLoad(ownerUrl, agentId, { url: office.url, cookie: await signIn(office.url) })
  scene.ends.push(() => load.stop())

  const began = performance.now()
  const made = await npm('backup', settings)
  const backupSeconds = seconds(began)
  tell(made.status === 0, `embedded: ${made.said.split('\n')[0]}`)
  await pause(SETTLING_MS / 5)
  const moment = await load.moment()
  await pause(SETTLING_MS)

  // First the program, which would start its database again.
  await office.kill('SIGKILL')
  process.kill(Number(note('postgres/postmaster.pid').split('\n')[0]), 'SIGQUIT')
  const destroyedAt = Date.now()
  await load.stop()
  await pause(1_000)
  rmSync(settings.DATA_DIR, { recursive: true, force: true, maxRetries: 10 })
  tell(true, `embedded: destroyed under ${load.posted.length} postings and ${load.pictures} pictures`)

  const before = performance.now()
  const second = { ...settings, DATA_DIR: join(folder, 'second') }
  const toMoment = await npm('restore', second, ['--to', moment.at.toISOString()])
  const restoreSeconds = seconds(before)
  tell(
    toMoment.status === 0,
    `embedded: ${soundness(toMoment.said)}${toMoment.status === 0 ? '' : `\n${toMoment.said}`}`,
  )
  await inFolder(second.DATA_DIR, url => judgeMoment(scene, 'embedded', url, moment.postings))

  const third = { ...settings, DATA_DIR: join(folder, 'third') }
  const toEnd = await npm('restore', third)
  tell(toEnd.status === 0, `embedded: ${soundness(toEnd.said)}${toEnd.status === 0 ? '' : `\n${toEnd.said}`}`)
  const lost = await inFolder(third.DATA_DIR, url =>
    judgeEnd(scene, 'embedded', url, { posted: load.posted, destroyedAt }),
  )
  return {
    database_mb: Math.round(size / 1024 ** 2),
    postings: load.posted.length,
    pictures: pictures + load.pictures,
    backup_seconds: backupSeconds,
    restore_seconds: restoreSeconds,
    ...lost,
  }
}

async function signIn(url: string): Promise<string> {
  const answer = await call(`${url}/api/session`, '', { loginName: LOGIN_NAME, password: DEMO_PASSWORD })
  return (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string
}

async function countPictures(url: string): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from files where purpose = 'logo'`,
    )
    return rows[0]?.count ?? 0
  })
}

async function inFolder<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  try {
    return await work(embedded.ownerUrl)
  } finally {
    await embedded.stop()
  }
}
