// What npm start and the built server share: database, migrations, demo data, listening, and stopping in order.
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { DEMO_ACCOUNTS, type DemoOrder, haveDemoMade } from '#app/demo-made.ts'
import { addPages } from '#app/pages.ts'
import { type OpenedProviders, openProviders } from '#app/providers.ts'
import { type App, createApp } from '#app/server.ts'
import { DEMO_PASSWORD } from '#features/office/access/sample.ts'
import type { Pos } from '#providers/pos/program.ts'
import { type Env, readEnv } from '#server/env.ts'
import { messageForTerminal } from '#server/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { openProcessLink, ownChannel, type ProcessLink } from '#server/process-link.ts'
import { isAlive } from '#server/process-lock.ts'
import { secretKeyOf } from './secret-key.ts'
import { givenSocket, tellServiceManager } from './service-manager.ts'

const STOP_WITHIN_MS = 10_000
const WATCH_EVERY_MS = 250

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const toTerminal = (error: unknown) => void process.stderr.write(`${messageForTerminal(error)}\n`)

const leave = () => process.exit(1)

export type RunOptions = {
  /** The folder that a relative DATA_DIR starts from. */
  root: string
  /** The folder of the built page. */
  pages(): Promise<string>
  migrationsDir?: string
  /** Which of the processes of the office it is, where there are several. */
  nth?: number | undefined
  /** It listens. */
  ready?: () => void
}

/** Runs the office until a signal ends it. A start that fails says why in words and exits with 1. */
export function runOffice(options: RunOptions): void {
  start(options).catch((error: unknown) => {
    toTerminal(error)
    process.exit(1)
  })
}

async function start(options: RunOptions): Promise<void> {
  const env = readEnv({ ...process.env, DATA_DIR: resolve(options.root, process.env.DATA_DIR || './data') })
  const dir = await options.pages()
  let embedded: EmbeddedPostgres | null = null
  if (env.demo) {
    mkdirSync(env.dataDir, { recursive: true })
    embedded = await startEmbeddedPostgres({ dataDir: env.dataDir, log: say })
  }
  try {
    const { migrationsDir, nth } = options
    const link = nth === undefined ? null : openProcessLink(nth, ownChannel(toTerminal), toTerminal)
    // One of several does not outlive the one that started it; once it is open it stops in order.
    process.once('disconnect', leave)
    await open(env, { dir, embedded, migrationsDir, link })
    process.off('disconnect', leave)
    options.ready?.()
  } catch (error) {
    await embedded?.stop()
    throw inWords(error, env)
  }
}

type Opening = {
  dir: string
  embedded: EmbeddedPostgres | null
  migrationsDir: string | undefined
  link: ProcessLink | null
}

async function open(env: Env, { dir, embedded, migrationsDir, link }: Opening): Promise<void> {
  const ownerUrl = embedded ? embedded.ownerUrl : (env.databaseUrl as string)
  const outside = await openProviders(env)
  const secretKey = secretKeyOf(env)
  const app = await createApp({
    env,
    providers: outside.providers,
    ownerUrl,
    secretKey,
    migrationsDir,
    link,
    pages: (http, services) =>
      addPages(http, services, {
        dir,
        demo: env.demo,
        helpLine: env.helpLine,
        foreign: outside.providers.captchaSite.origins,
      }),
  })
  if (env.demo) await openDemo(app, outside, { env, ownerUrl, secretKey })
  const watch = embedded && watchOver(embedded)
  const backups = embedded && env.backup ? await followBackups(app, ownerUrl) : null
  const around: Around = { outside, embedded, watch, backups, manager: null, pos: null }
  stopOnSignal(app, around)
  try {
    if (link) await app.http.ready()
    else await listen(app, env)
  } catch (error) {
    await app.stop()
    await outside.stop()
    throw error
  }
  outside.listening(app.services.baseUrl())
  if (link) {
    link.ready(app.http.server)
    return
  }
  around.manager = tellServiceManager(toTerminal)
  const { port } = app.http.server.address() as AddressInfo
  say(`Partner Office ready at http://${env.host}:${port}`)
  if (env.demo)
    say(
      `Demo accounts (password ${DEMO_PASSWORD}): ${DEMO_ACCOUNTS.map(([name, text]) => `${name} ${text}`).join(', ')}`,
    )
  if (env.demo && outside.simulators) {
    const { startDemoPos } = await import('#app/demo-pos.ts')
    around.pos = await startDemoPos(app.services, `http://127.0.0.1:${port}`)
    say(
      around.pos
        ? `Demo point-of-sale system at ${around.pos.url}`
        : 'The demo point-of-sale system is not started: its port is in use, perhaps by another Partner Office',
    )
  }
}

/** On a socket that is listened on already, where one was given. */
async function listen({ http }: App, { port, host }: Env): Promise<void> {
  const fd = givenSocket()
  if (fd === null) {
    await http.listen({ port, host })
    return
  }
  await http.ready()
  http.server.listen({ fd })
  await once(http.server, 'listening')
}

/** Its data where there are none, and what the simulators must know of them. */
async function openDemo({ services }: App, { simulators }: OpenedProviders, order: DemoOrder): Promise<void> {
  const isMade = await haveDemoMade(order)
  if (simulators && isMade) {
    const { openDemoAccounts } = await import('#features/money/payment-settings/demo.ts')
    await openDemoAccounts(services, simulators.own)
    const { openDemoClearings } = await import('#features/care/table-clearing/demo.ts')
    await openDemoClearings(services)
  }
  if (isMade) say('Demo data created')
  if (simulators) {
    const { rememberOwnPayments } = await import('#features/sales/payments/demo.ts')
    await rememberOwnPayments(services, simulators.payUrls)
  }
}

/** A port that is taken, said as a person would. */
function inWords(error: unknown, env: Env): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error
  const text = `Port ${env.port} of ${env.host} is in use, perhaps by another Partner Office. Stop it, or set PORT.`
  return new Error(text, { cause: error })
}

/** Starts the embedded server again when it has died; requests meanwhile are told that the office is busy. */
function watchOver(embedded: EmbeddedPostgres): NodeJS.Timeout {
  let starting = false
  return setInterval(() => {
    if (starting || isAlive(embedded.pid)) return
    starting = true
    embedded
      .ensureRunning()
      .catch(toTerminal)
      .finally(() => {
        starting = false
      })
  }, WATCH_EVERY_MS).unref()
}

/** What is added to the database between two backups is kept while the office runs. */
async function followBackups({ services }: App, ownerUrl: string): Promise<{ stop(): Promise<void> }> {
  const { followChanges } = await import('#server/backup/follow.ts')
  const { noteBackup } = await import('#features/overview/setup/server-backups.ts')
  return followChanges(ownerUrl, services, (owner, upTo) => noteBackup(owner, 'changes', upTo))
}

type Around = {
  outside: OpenedProviders
  embedded: EmbeddedPostgres | null
  watch: NodeJS.Timeout | null
  backups: { stop(): Promise<void> } | null
  /** Once it listens. */
  manager: ReturnType<typeof tellServiceManager> | null
  /** Once it listens. */
  pos: Pos | null
}

function stopOnSignal(app: App, around: Around): void {
  const { outside, embedded, watch } = around
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    if (watch) clearInterval(watch)
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    around.manager?.stop()
    outside.hangUp()
    await around.pos?.stop()
    await around.backups?.stop()
    await app.stop()
    await outside.stop()
    await embedded?.stop()
    process.exit(0)
  }
  const stopNow = () =>
    void stop().catch(error => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopNow)
  process.once('disconnect', stopNow)
}
