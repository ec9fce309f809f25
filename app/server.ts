// Composition root: settings, database, operations, jobs, HTTP and pages become one running program.
import { statfs } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import type { CompatOptions } from '#compat/door.ts'
import { noteForeign, takeCall } from '#features/agencies/api-keys/server-door.ts'
import { COMPAT_TOKEN, countUses, isClosed, keyOfAct } from '#features/agencies/compat-access/server-door.ts'
import { isFactorFresh } from '#features/office/factors/server-standing.ts'
import { listOps } from '#kit/declare/op.ts'
import type { Providers } from '#kit/ports/providers.ts'
import { type Clock, SYSTEM_CLOCK } from '#server/clock.ts'
import type { Services } from '#server/ctx.ts'
import { type DatabaseWatch, watchDatabase, watchStandstill } from '#server/database-watch.ts'
import { openDatabase } from '#server/db.ts'
import type { Env } from '#server/env.ts'
import type { AsOwner, FeatureLoop } from '#server/feature.ts'
import { mostBytes } from '#server/files.ts'
import { makeHttp } from '#server/http.ts'
import { startJobs } from '#server/jobs.ts'
import { problemLog } from '#server/log.ts'
import { makeMetrics } from '#server/metrics.ts'
import { makeSettingsMemory } from '#server/office/settings.ts'
import { appUrlOf, migrateDatabase } from '#server/postgres/migrate.ts'
import type { ProcessLink } from '#server/process-link.ts'
import { type Realtime, startRealtime } from '#server/realtime/realtime.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStandby } from '#server/standby.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { watchWires } from '#server/wires.ts'
import { type ExportRunner, startExports } from './exports.ts'
import { JOBS } from './jobs.ts'
import {
  CONFIGURED_TABLES,
  callbackHandlers,
  contract,
  DISTRICTS,
  deedsOf,
  downloadHandlers,
  downloads,
  EDITED_TABLES,
  exportHandlers,
  FIGURES,
  FILE_PURPOSES,
  firstCallOf,
  INBOX,
  LOOPS,
  PAID,
  posRouter,
  reachOfKeys,
  realtimeHooks,
  router,
  SETTINGS,
  SETUP,
} from './joined.ts'
import { type Loops, startLoops } from './loops.ts'
import { NO_PROVIDERS } from './providers.ts'
import { loadReferenceData } from './reference.ts'
import { makeActorCache } from './sessions.ts'

export type AppOptions = {
  env: Env
  /** The database's owner, for migrations and jobs; the app itself connects as its own role. */
  ownerUrl: string
  secretKey: string
  /** Adds the page's routes; without it only the API is served. */
  pages?: (http: FastifyInstance, services: Services) => Promise<void>
  migrationsDir?: string
  /** The database stands as `migrateDatabase` leaves it: a test's, which is copied from one that does. */
  isMigrated?: boolean
  /** A test takes a wall away to show that the other holds. */
  walls?: Services['walls']
  jobs?: boolean
  /** Whether exports are made in the background; as `jobs` when absent. */
  exports?: boolean
  /** Whether payments are settled, messages sent and notices delivered; as `jobs` when absent. */
  loops?: boolean
  /** None when absent. */
  providers?: Providers
  /** The system's when absent. */
  clock?: Clock
  /** Of an office with several processes; alone when absent. */
  link?: ProcessLink | null
  /** How soon the database must answer for the program to be ready, in ms; within a second when absent. */
  readyWithinMs?: number
}

export type App = {
  http: FastifyInstance
  services: Services
  exports: ExportRunner | null
  stop(): Promise<void>
}

/** What requests in flight are given when the program stops. */
const ANSWERED_WITHIN_MS = 5_000
const CLOSE_LOOK_MS = 100
const LEAST_FREE_BYTES = 100 * 1024 * 1024

/** Migrates, connects and builds the program; the caller listens on `http`. */
export async function createApp(options: AppOptions): Promise<App> {
  const { env, ownerUrl } = options
  const secrets = makeSecrets(options.secretKey, env.fieldKeys)
  if (!options.isMigrated)
    await migrateDatabase({
      ownerUrl,
      appPassword: secrets.databasePassword,
      afterwards: loadReferenceData,
      folder: options.migrationsDir,
    })
  const url = appUrlOf(ownerUrl, secrets.databasePassword)
  let problem: (error: unknown) => void = error => process.stderr.write(`${String(error)}\n`)
  const onProblem = (error: unknown) => problem(error)
  const { poolSize, queryTimeoutMs } = env
  const { clock = SYSTEM_CLOCK } = options
  const pool = { poolSize, queryTimeoutMs, sqlPath: clock.sqlPath, onProblem }
  const database = openDatabase({ url, ...pool })
  const readUrl = env.databaseReadUrl && appUrlOf(env.databaseReadUrl, secrets.databasePassword)
  const standby = readUrl ? openStandby({ url, reads: database }, { url: readUrl, ...pool }) : null
  const watch = watchDatabase(url, options.readyWithinMs)
  const standstill = watchStandstill(watch, database, onProblem)
  const { link = null } = options
  const metrics = makeMetrics(database, FIGURES, onProblem, link)
  const walls = options.walls ?? { explicitScope: true, rowSecurity: true }
  let runner: ExportRunner | null = null
  let loops: Loops | null = null
  let realtime: Realtime | null = null
  const settings = makeSettingsMemory()
  const storage = openStorage(env)
  const cache = await makeActorCache({ database, env, clock }, url, {
    onProblem,
    onChange: () => realtime?.accessChanged(),
    heard: { ...heardBy(name => loops?.wake(name)), settings_changed: settings.forget },
  })
  const port = () => (http.server.address() as AddressInfo | null)?.port ?? env.port
  const services: Services = {
    env,
    clock,
    database,
    standby,
    storage,
    secrets,
    exports: exportHandlers,
    deedsOf,
    firstCallOf,
    reachOfKeys,
    exportQueued: () => (runner || !link ? runner?.wake() : link.wake(EXPORTS)),
    providers: options.providers ?? NO_PROVIDERS,
    paid: PAID,
    edited: EDITED_TABLES,
    configured: CONFIGURED_TABLES,
    districts: DISTRICTS,
    inbox: INBOX,
    setup: SETUP,
    settings: { declared: SETTINGS, memory: settings },
    baseUrl: () => env.publicUrl?.replace(/\/$/, '') ?? `http://${hostInUrl(env.host)}:${port()}`,
    wake: name => (link && !link.isFirst && !isOfEach(name) ? link.wake(name) : loops?.wake(name)),
    push: (accountIds, event, payload) => realtime?.push(accountIds, event, payload),
    connected: () => realtime?.connected() ?? [],
    count: metrics.count,
    onProblem,
    walls,
    actorOf: cache.actorOf,
    forgetActors: cache.forgetActors,
    keyOf: cache.keyOf,
    agentOf: cache.agentOf,
    takeCall: (actor, ip) => takeCall({ database }, actor, ip),
    noteForeign: (key, ip) => noteForeign(services, key, ip),
    isFactorFresh: (sessionId, by) => isFactorFresh({ database }, sessionId, by),
  }
  let draining = false
  // Its table is large, and most offices never answer it.
  const compat = env.compat ? await import('#compat/door.ts') : null
  const hub = env.compat ? (await import('#compat/hub.ts')).HUB : null
  const traces = env.traces
    ? (await import('#server/traces.ts')).startTraces({ ...env.traces, onProblem })
    : null
  const http = await makeHttp({
    services,
    traces,
    doors: [
      { prefix: '/api', router, describe: async () => (await descriptions()).describe() },
      {
        prefix: '/pos',
        router: posRouter,
        describe: async () => (await descriptions()).describePos(),
        forKeys: true,
      },
    ],
    downloads: downloadHandlers,
    files: FILE_PURPOSES,
    callbacks: callbackHandlers,
    tokenPaths: [...(compat?.COMPAT_PATHS ?? []), ...(hub ? [hub.negotiation] : [])],
    metrics,
    isReady: () => readiness(services, watch, draining),
  })
  compat?.addCompat(http, compatOptions(services))
  problem = problemLog(http.log)
  const wires = watchWires(http.server)
  await options.pages?.(http, services)
  const isFirst = link?.isFirst ?? true
  const jobs = options.jobs === false || !isFirst ? null : await startJobs(ownerUrl, JOBS, services)
  if (isFirst && (options.exports ?? options.jobs !== false))
    runner = startExports(
      services,
      { databaseUrl: url, readUrl, standby, secretKey: options.secretKey },
      onProblem,
    )
  realtime = await startRealtime(services, http, realtimeHooks(services), url, hub)
  if (options.loops ?? options.jobs !== false)
    loops = startLoops(services, ownerOf(ownerUrl, onProblem), isFirst)
  link?.hear({ wake: name => (name === EXPORTS ? runner?.wake() : loops?.wake(name)), figures: metrics.own })
  return {
    http,
    services,
    exports: runner,
    async stop() {
      draining = true
      const rested = loops?.stop()
      await realtime?.drain()
      // A connection that falls idle after its last answer would be waited for.
      const closing = setInterval(() => {
        http.server.closeIdleConnections()
        wires.cutUnused()
      }, CLOSE_LOOK_MS)
      // And so would whoever sends a request byte by byte.
      const cutting = setTimeout(() => wires.cutAll(), ANSWERED_WITHIN_MS)
      await http.close()
      // The server waits for those alone that it has accepted itself.
      await link?.emptied()
      clearInterval(closing)
      clearTimeout(cutting)
      await runner?.stop()
      await rested
      await realtime?.stop()
      await jobs?.stop()
      await traces?.stop()
      await cache.close()
      standstill.stop()
      await watch.close()
      await standby?.close()
      await database.close()
      storage.close()
    },
  }
}

/** Wakes the runner of exports, which is no loop of a feature. */
const EXPORTS = 'exports'
const isOfEach = (name: string) => (LOOPS as Readonly<Record<string, FeatureLoop>>)[name]?.ofEach === true

/** What the door of the documents' calls is given: it knows our operations by their names alone. */
function compatOptions(services: Services): CompatOptions {
  const count = countUses(services)
  return {
    operations: listOps(contract).map(({ name, method, path }) => ({ name, method, path: `/api${path}` })),
    files: Object.entries(downloads).flatMap(([feature, files]) =>
      Object.entries(files).map(([name, { download }]) => ({
        name: `${feature}.${name}`,
        method: 'GET',
        path: `/api${download.path}`,
      })),
    ),
    mostBytes: mostBytes(FILE_PURPOSES),
    isToken: text => COMPAT_TOKEN.test(text),
    stands: async (token, ip) =>
      ((await services.keyOf(token, ip))?.key?.until ?? 0) > services.clock.now().getTime(),
    isClosed: call => isClosed(services, call),
    actKey: digest => keyOfAct(services, digest),
    used(call, token, ip) {
      services
        .keyOf(token, ip)
        .then(actor => actor && count({ accountId: actor.accountId, agentId: actor.agentId, call, ip }))
        .catch(services.onProblem)
    },
  }
}

/** What makes them is loaded by whoever first asks for one. */
const descriptions = () => import('./openapi.ts')

const OWNER_WITHIN_MS = 10_000

/** Opens the owner's connection for each work, and no other keeps it. */
function ownerOf(connectionString: string, onProblem: (error: unknown) => void): AsOwner {
  return async work => {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: OWNER_WITHIN_MS,
      options: '-c timezone=UTC -c app.scope=all',
    })
    client.on('error', onProblem)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
}

/** The database's notifications that wake loops. */
function heardBy(wake: (name: string) => void): Record<string, () => void> {
  return Object.fromEntries(
    Object.entries(LOOPS).flatMap(([name, { heard }]) => (heard ? [[heard, () => wake(name)]] : [])),
  )
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

async function readiness(services: Services, watch: DatabaseWatch, draining: boolean) {
  const checks = { accepting: !draining, database: await watch.answers(), disk: false }
  const disk = await statfs(services.env.demo ? services.env.dataDir : '.').catch(() => null)
  checks.disk = disk === null || disk.bavail * disk.bsize > LEAST_FREE_BYTES
  return { ready: checks.accepting && checks.database && checks.disk, checks }
}
