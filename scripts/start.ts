// npm start: builds the page if needed, starts the database, migrates, creates demo data, listens, and stops in order.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDemoData, DEMO_ACCOUNTS, DEMO_PASSWORD } from '#app/demo.ts'
import { addPages } from '#app/pages.ts'
import { type App, createApp } from '#app/server.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { type Env, readEnv } from '#server/env.ts'
import { buildPageIfNeeded } from './build-page.ts'

const STOP_WITHIN_MS = 10_000
const ROOT = fileURLToPath(new URL('..', import.meta.url))

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The secret that keys are derived from: given, or made once and kept beside the embedded database. */
function secretKeyOf(env: Env): string {
  if (env.secretKey) return env.secretKey
  const file = join(env.dataDir, 'secret-key')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

async function main(): Promise<void> {
  const env = readEnv({ ...process.env, DATA_DIR: resolve(ROOT, process.env.DATA_DIR || './data') })
  const pagesDir = await buildPageIfNeeded(ROOT, say)
  let embedded: EmbeddedPostgres | null = null
  if (env.demo) {
    mkdirSync(env.dataDir, { recursive: true })
    embedded = await startEmbeddedPostgres({ dataDir: env.dataDir, log: say })
  }
  const ownerUrl = embedded ? embedded.ownerUrl : (env.databaseUrl as string)
  const app = await createApp({
    env,
    ownerUrl,
    secretKey: secretKeyOf(env),
    pages: http => addPages(http, { dir: pagesDir, demo: env.demo }),
  })
  if (env.demo && (await createDemoData(ownerUrl))) say('Demo data created')
  stopOnSignal(app, embedded)
  await app.http.listen({ port: env.port, host: env.host })
  const { port } = app.http.server.address() as AddressInfo
  say(`Partner Office ready at http://${env.host}:${port}`)
  if (env.demo)
    say(
      `Demo accounts (password ${DEMO_PASSWORD}): ${DEMO_ACCOUNTS.map(([name, text]) => `${name} ${text}`).join(', ')}`,
    )
}

function stopOnSignal(app: App, embedded: EmbeddedPostgres | null): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    await app.stop()
    await embedded?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      stop().catch(error => {
        process.stderr.write(`${String(error)}\n`)
        process.exit(1)
      })
    })
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
