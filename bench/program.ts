// The program under measurement: everything but the pages, on a port of its own. It also starts itself for an export
// and for a table that is read.
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { runExportChild } from '#app/export-child.ts'
import { createApp } from '#app/server.ts'
import { EXPORT_CHILD, SHEET_CHILD } from '#server/children.ts'
import { readEnv } from '#server/env.ts'
import { runSheetChild } from '#server/sheets/sheet-child.ts'

async function serve(): Promise<void> {
  const env = readEnv(process.env)
  const app = await createApp({
    env,
    ownerUrl: env.databaseUrl as string,
    secretKey: env.secretKey as string,
    migrationsDir: join(process.cwd(), 'migrations'),
  })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  process.send?.({ port })
  const stop = () => void app.stop().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('disconnect', stop)
}

if (process.argv[2] === EXPORT_CHILD) runExportChild()
else if (process.argv[2] === SHEET_CHILD) runSheetChild()
else await serve()
