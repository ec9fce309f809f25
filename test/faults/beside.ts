// The program on a database that is there, as a process of its own beside a test's office, to be killed: loops and no pages.
import '../runner/day.ts'
import { openProviders } from '#app/providers.ts'
import { createApp } from '#app/server.ts'
import { readEnv } from '#server/env.ts'
import { clockAt } from '../clock.ts'

const env = readEnv(process.env)
const { providers } = await openProviders(env)
const app = await createApp({
  ...{ env, providers, ownerUrl: env.databaseUrl as string, secretKey: env.secretKey as string },
  ...{ isMigrated: true, clock: clockAt(undefined).clock, jobs: false, exports: false, loops: true },
})
await app.http.listen({ port: 0, host: '127.0.0.1' })
