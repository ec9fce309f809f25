// Entry of the built server (dist/server.js): page and migrations lie beside it; nothing is built at start.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runOffice } from './run.ts'

const here = dirname(fileURLToPath(import.meta.url))
runOffice({
  root: dirname(here),
  pages: async () => join(here, 'web'),
  migrationsDir: join(here, 'migrations'),
})
