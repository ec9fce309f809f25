// The real program on a fresh database, called over its real router without a network, as people with sessions.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createORPCClient, type ORPCError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import pg from 'pg'
import { contract } from '#app/contract.ts'
import { type App, type AppOptions, createApp } from '#app/server.ts'
import { verifyLedger } from '#features/ledger/verify.ts'
import { readEnv } from '#server/env.ts'
import { freshDatabase, TEST_SECRET } from './database.ts'

export type Client = ContractRouterClient<typeof contract, { key?: string }>

export type Office = {
  app: App
  ownerUrl: string
  /** The database as its owner: past row-level security, for making and looking. */
  owner: pg.Pool
  /** Calls operations with a session cookie, or as nobody. `key` in a call's context is its idempotency key. */
  as(cookie: string | null): Client
  /** The session cookie of an account. */
  login(loginName: string, password?: string): Promise<string>
  /** One line of figures; throws when the ledger is not sound. */
  verifyLedger(): Promise<string>
  stop(): Promise<void>
}

export const PASSWORD = 'secret-2026'

/** Starts the program on a database of its own. */
export async function openOffice(
  options: Partial<Pick<AppOptions, 'walls' | 'jobs' | 'exports'>> & {
    settings?: Record<string, string>
  } = {},
): Promise<Office> {
  const database = await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'partner-office-files-'))
  const env = readEnv({
    DATABASE_URL: database.ownerUrl,
    SECRET_KEY: TEST_SECRET,
    LOG_LEVEL: 'silent',
    LOGIN_FAILURES_MAX: '1000',
    DATA_DIR: dataDir,
    ...options.settings,
  })
  const app = await createApp({
    env,
    ownerUrl: database.ownerUrl,
    secretKey: TEST_SECRET,
    jobs: options.jobs ?? false,
    exports: options.exports ?? false,
    ...(options.walls ? { walls: options.walls } : {}),
  })
  await app.http.ready()
  const owner = new pg.Pool({
    connectionString: database.ownerUrl,
    max: 4,
    options: '-c timezone=UTC -c app.scope=all',
  })
  const as = (cookie: string | null) => clientOf(app, cookie)
  return {
    app,
    ownerUrl: database.ownerUrl,
    owner,
    as,
    async login(loginName, password = PASSWORD) {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/session',
        headers: { 'x-requested-with': 'partner-office' },
        payload: { loginName, password },
      })
      const cookie = answer.cookies[0]
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
      await app.stop()
      await owner.end()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function clientOf(app: App, cookie: string | null): Client {
  const link = new OpenAPILink<{ key?: string }>(contract, {
    url: 'http://127.0.0.1/api',
    headers: ({ context }) => ({
      'x-requested-with': 'partner-office',
      'idempotency-key': context.key ?? randomUUID(),
      ...(cookie ? { cookie } : {}),
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
