// Entry of the built server (dist/server/server.js): page and migrations lie beside its folder; nothing is built at start. It also starts
// itself for every export, every table that is read, the demo's data and each of several processes, and is then told so. Each way loads only
// what it needs, and keeps what V8 made of it, where the folder may be written.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { DEMO_CHILD, EXPORT_CHILD, OFFICE_PROCESS, SHEET_CHILD } from '#server/children.ts'

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
  case OFFICE_PROCESS:
    await serve(Number(process.argv[3]))
    break
  default:
    if (Number(process.env.PROCESSES) > 1) (await import('./processes.ts')).runProcesses()
    else await serve()
}

/** `nth` of several processes, or alone. */
async function serve(nth?: number): Promise<void> {
  ;(await import('./run.ts')).runOffice({
    root: dirname(dist),
    pages: async () => join(dist, 'web'),
    migrationsDir: join(dist, 'migrations'),
    nth,
    ready: flushCompileCache,
  })
}
