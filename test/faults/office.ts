// The program as a process of its own, to be killed: no pages, the embedded database, everything else as in production.
// Only here a switch gives every request a new idempotency key, which takes the check away: such a run must fail.
import { randomUUID } from 'node:crypto'
import { openProviders } from '#app/providers.ts'
import { createApp } from '#app/server.ts'
import { readEnv } from '#server/env.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded-postgres.ts'
import { isAlive } from '#server/process-lock.ts'

const WATCH_MS = 50

const env = readEnv(process.env)
const embedded = await startEmbeddedPostgres({
  dataDir: env.dataDir,
  log: line => void process.stderr.write(`${line}\n`),
})
const outside = await openProviders(env)
const app = await createApp({
  env,
  providers: outside.providers,
  ownerUrl: embedded.ownerUrl,
  secretKey: env.secretKey as string,
  async pages(http) {
    if (process.env.WITHOUT_IDEMPOTENCY !== 'true') return
    http.addHook('onRequest', async request => {
      if (request.headers['idempotency-key']) request.headers['idempotency-key'] = randomUUID()
    })
  },
})
await app.http.listen({ port: env.port, host: env.host })

let reviving: Promise<void> | null = null
const watch = setInterval(() => {
  if (reviving || isAlive(embedded.pid)) return
  reviving = embedded
    .ensureRunning()
    .catch((error: Error) => void process.stderr.write(`${error.message}\n`))
    .finally(() => {
      reviving = null
    })
}, WATCH_MS)

process.once('SIGTERM', async () => {
  clearInterval(watch)
  await app.stop()
  await outside.stop()
  await embedded.stop()
  process.exit(0)
})
