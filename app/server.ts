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
import { CLEANING } from './jobs.ts'
import { loadReferenceData } from './reference.ts'
import { downloadHandlers, router } from './router.ts'
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
}

export type App = { http: FastifyInstance; services: Services; stop(): Promise<void> }

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
  const services: Services = { env, database, secrets, walls, actorOf: cache.actorOf }
  let draining = false
  const http = await makeHttp({
    services,
    router,
    downloads: downloadHandlers,
    describe,
    isReady: () => readiness(services, draining),
  })
  problem = error => http.log.warn({ err: error }, 'database link')
  await options.pages?.(http)
  const jobs = options.jobs === false ? null : await startJobs(ownerUrl, CLEANING, onProblem)
  return {
    http,
    services,
    async stop() {
      draining = true
      // A connection that falls idle after its last answer would be waited for.
      const closing = setInterval(() => http.server.closeIdleConnections(), 100)
      await http.close()
      clearInterval(closing)
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
