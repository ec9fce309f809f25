// The real program on a fresh database, called over its real router without a network, as people with sessions.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createORPCClient, type ORPCError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import pg from 'pg'
import { contract } from '#app/joined.ts'
import { type App, type AppOptions, createApp } from '#app/server.ts'
import { verifyLedger } from '#features/money/ledger/verify.ts'
import { readEnv } from '#server/env.ts'
import { clockAt } from './clock.ts'
import { freshDatabase, TEST_SECRET } from './database.ts'
import { sentAs } from './walk.ts'

export type Client = ContractRouterClient<typeof contract, { key?: string }>

export type Office = {
  app: App
  /** Where it listens, if it was told to. */
  url: string
  ownerUrl: string
  /** The database as its owner: past row-level security, for making and looking. */
  owner: pg.Pool
  /** Calls operations with a session cookie, an API key (Bearer …), or as nobody. `key` in a call's context is its idempotency key. */
  as(cookie: string | null): Client
  /** The session cookie of an account. All sign in with one browser, but for those who say that theirs is another. */
  login(loginName: string, password?: string, browser?: 'another'): Promise<string>
  /** One line of figures; throws when the ledger is not sound. */
  verifyLedger(): Promise<string>
  stop(): Promise<void>
  /** Stops, and leaves what was made to be copied: see `copyOf`. */
  freeze(): Promise<Frozen>
}

/** What an office has made, while nobody works with it. */
export type Frozen = { database: string; dataDir: string; drop(): Promise<void> }

export const PASSWORD = 'secret-2026'
/** Longer than an office has it: how many wait for one row, and not how busy the machine is, says whether they are served. */
const QUERY_MS = 60_000

/** Starts the program on a database of its own. */
export async function openOffice(
  options: Partial<Pick<AppOptions, 'walls' | 'jobs' | 'exports' | 'loops' | 'providers'>> & {
    settings?: Record<string, string>
    /** Its day, as `clockAt` takes it. */
    on?: string
    /** Listens on a port of its own, for callbacks and sockets: see `url`. */
    listen?: boolean
    /** Begins with all that another has made; files are kept in one place for both. */
    copyOf?: Frozen
    /** Begins with today's demo data. */
    demo?: boolean
    /** On another database server than that of the run: a `startTestServer`. */
    server?: string
  } = {},
): Promise<Office> {
  const { copyOf, demo } = options
  const { clock, clockMs } = clockAt(options.on)
  const database = await freshDatabase({
    demo,
    copyOf: copyOf?.database,
    clockMs,
    ...(options.server ? { server: options.server } : {}),
  })
  const dataDir = copyOf?.dataDir ?? mkdtempSync(join(tmpdir(), 'partner-office-files-'))
  const env = readEnv({
    DATABASE_URL: database.ownerUrl,
    SECRET_KEY: TEST_SECRET,
    LOG_LEVEL: 'silent',
    LOGIN_FAILURES_MAX: '1000',
    QUERY_TIMEOUT_MS: String(QUERY_MS),
    // What steps back waits for minutes beside other tests.
    EXPORT_NICENESS: '0',
    DATA_DIR: dataDir,
    ...options.settings,
  })
  const app = await createApp({
    env,
    ownerUrl: database.ownerUrl,
    isMigrated: true,
    secretKey: TEST_SECRET,
    jobs: options.jobs ?? false,
    exports: options.exports ?? false,
    ...(options.walls ? { walls: options.walls } : {}),
    clock,
    readyWithinMs: QUERY_MS,
    ...(options.providers ? { providers: options.providers } : {}),
    loops: options.loops ?? false,
  })
  await app.http.ready()
  if (options.listen) await app.http.listen({ port: 0, host: '127.0.0.1' })
  const owner = new pg.Pool({
    connectionString: database.ownerUrl,
    max: 4,
    options: '-c timezone=UTC -c app.scope=all',
  })
  const as = (cookie: string | null) => clientOf(app, cookie)
  // All sign in with one browser, so that none is told of a new one.
  let device = ''
  const close = async () => {
    await app.stop()
    await owner.end()
  }
  const drop = async () => {
    await database.drop()
    if (!copyOf) rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    app,
    url: app.services.baseUrl(),
    ownerUrl: database.ownerUrl,
    owner,
    as,
    async login(loginName, password = PASSWORD, browser) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/session',
        headers: { 'x-requested-with': 'partner-office', cookie: browser === 'another' ? '' : device },
        payload: { loginName, password },
      })
      const [cookie, known] = answer.cookies
      if (known && !browser) device = `${known.name}=${known.value}`
      if (!cookie) throw new Error(`login of ${loginName} answered ${answer.statusCode} ${answer.body}`)
      return `${cookie.name}=${cookie.value}`
    },
    async verifyLedger() {
      const client = await owner.connect()
      try {
        const check = await verifyLedger(client)
        if (!check.sound) throw new Error(check.line)
        return check.line
      } finally {
        client.release()
      }
    },
    async stop() {
      await close()
      await drop()
    },
    async freeze() {
      await close()
      return { database: database.name, dataDir, drop }
    },
  }
}

export type Beside = { app: App; url: string; stop(): Promise<void> }

/** Another instance on the same database, listening on a port of its own. Stopped before the office is. */
export async function openBeside(
  office: Office,
  options: Partial<Pick<AppOptions, 'jobs' | 'loops' | 'providers'>> & {
    /** Of its own when absent. */
    port?: number
    /** Reads at this standby. */
    readUrl?: string
  } = {},
): Promise<Beside> {
  const app = await createApp({
    env: { ...office.app.services.env, databaseReadUrl: options.readUrl },
    clock: office.app.services.clock,
    ownerUrl: office.ownerUrl,
    secretKey: TEST_SECRET,
    jobs: options.jobs ?? false,
    exports: false,
    loops: options.loops ?? false,
    ...(options.providers ? { providers: options.providers } : {}),
  })
  await app.http.ready()
  await app.http.listen({ port: options.port ?? 0, host: '127.0.0.1' })
  return { app, url: app.services.baseUrl(), stop: () => app.stop() }
}

function clientOf(app: App, cookie: string | null): Client {
  const link = new OpenAPILink<{ key?: string }>(contract, {
    url: 'http://127.0.0.1/api',
    headers: ({ context }) => ({
      'idempotency-key': context.key ?? randomUUID(),
      ...sentAs(cookie),
    }),
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const payload = request.body ? await request.text() : undefined
      const answer = await app.http.inject({
        method: request.method as 'GET',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(payload === undefined ? {} : { payload }),
      })
      const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      )
      return new Response([204, 304].includes(answer.statusCode) ? null : answer.rawPayload, {
        status: answer.statusCode,
        headers,
      })
    },
  })
  return createORPCClient(link) as Client
}

/** The code that a call is refused with, or "accepted". */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'accepted'
  } catch (error) {
    return (error as ORPCError<string, unknown>).code ?? String(error)
  }
}
