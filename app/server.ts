// Composition root: settings, database, operations, jobs, HTTP and pages become one running program.
import { statfs } from 'node:fs/promises'
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/ctx.ts'
import { openDatabase } from '#server/db.ts'
import type { Env } from '#server/env.ts'
import { makeHttp } from '#server/http.ts'
import { startJobs } from '#server/jobs.ts'
import { appUrlOf, migrateDatabase } from '#server/migrate.ts'
import { makeSecrets } from '#server/secrets.ts'
import { contract } from './contract.ts'
import { type ExportRunner, startExports } from './exports.ts'
import { FILE_PURPOSES } from './files.ts'
import { CLEANING, fileJobs } from './jobs.ts'
import { loadReferenceData } from './reference.ts'
import { downloadHandlers, exportHandlers, router } from './router.ts'
import { makeActorCache } from './sessions.ts'

export type AppOptions = {
  env: Env
  /** The database's owner, for migrations and jobs; the app itself connects as its own role. */
  ownerUrl: string
  secretKey: string
  /** Adds the page's routes; without it only the API is served. */
  pages?: (http: FastifyInstance) => Promise<void>
  migrationsDir?: string
  /** A test takes a wall away to show that the other holds. */
  walls?: Services['walls']
  jobs?: boolean
  /** Whether exports are made in the background; as `jobs` when absent. */
  exports?: boolean
}

export type App = {
  http: FastifyInstance
  services: Services
  exports: ExportRunner | null
  stop(): Promise<void>
}

const LEAST_FREE_BYTES = 100 * 1024 * 1024

/** Migrates, connects and builds the program; the caller listens on `http`. */
export async function createApp(options: AppOptions): Promise<App> {
  const { env, ownerUrl } = options
  const secrets = makeSecrets(options.secretKey)
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
  const database = openDatabase({ url, poolSize, queryTimeoutMs, onProblem })
  const walls = options.walls ?? { explicitScope: true, rowSecurity: true }
  const cache = await makeActorCache({ database, env }, url, onProblem)
  let runner: ExportRunner | null = null
  const services: Services = {
    env,
    database,
    secrets,
    exports: exportHandlers,
    exportQueued: () => runner?.wake(),
    walls,
    actorOf: cache.actorOf,
  }
  let draining = false
  const http = await makeHttp({
    services,
    router,
    downloads: downloadHandlers,
    files: FILE_PURPOSES,
    describe,
    isReady: () => readiness(services, draining),
  })
  problem = error => http.log.warn({ err: error }, 'database link')
  await options.pages?.(http)
  const jobs =
    options.jobs === false
      ? null
      : await startJobs(ownerUrl, [...CLEANING, ...fileJobs(env.dataDir)], onProblem)
  if (options.exports ?? options.jobs !== false)
    runner = startExports(services, { databaseUrl: url, secretKey: options.secretKey }, onProblem)
  return {
    http,
    services,
    exports: runner,
    async stop() {
      draining = true
      // A connection that falls idle after its last answer would be waited for.
      const closing = setInterval(() => http.server.closeIdleConnections(), 100)
      await http.close()
      clearInterval(closing)
      await runner?.stop()
      await jobs?.stop()
      await cache.close()
      await database.close()
    },
  }
}

async function readiness(services: Services, draining: boolean) {
  const checks = { accepting: !draining, database: false, disk: false }
  try {
    await services.database.pool.query('select 1')
    checks.database = true
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  const disk = await statfs(services.env.demo ? services.env.dataDir : '.').catch(() => null)
  checks.disk = disk === null || disk.bavail * disk.bsize > LEAST_FREE_BYTES
  return { ready: checks.accepting && checks.database && checks.disk, checks }
}

function describe(): Promise<object> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  return generator.generate(contract, {
    info: { title: 'Partner Office', version: '1' },
    servers: [{ url: '/api' }],
  })
}
