// Entry of the built server (dist/server/server.js): page and migrations lie beside its folder; nothing is built at start. It also starts
// itself for every export, every table that is read and the demo's data, and is then told so. Each way loads only what it needs, and
// keeps what V8 made of it, where the folder may be written.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { DEMO_CHILD, EXPORT_CHILD, SHEET_CHILD } from '#server/children.ts'

const here = import.meta.dirname
const dist = dirname(here)
enableCompileCache(join(here, 'compiled'))

switch (process.argv[2]) {
  case EXPORT_CHILD:
    ;(await import('#app/export-child.ts')).runExportChild()
    break
  case SHEET_CHILD:
    ;(await import('#server/sheets/sheet-child.ts')).runSheetChild()
    break
  case DEMO_CHILD:
    ;(await import('#app/demo-child.ts')).runDemoChild()
    break
  default:
    ;(await import('./run.ts')).runOffice({
      root: dirname(dist),
      pages: async () => join(dist, 'web'),
      migrationsDir: join(dist, 'migrations'),
      ready: flushCompileCache,
    })
}
