// Entry of the built server (dist/server.js): page and migrations lie beside it; nothing is built at start. It also starts
// itself for every export and every table that is read, and is then told so.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runExportChild } from '#app/export-child.ts'
import { EXPORT_CHILD } from '#app/exports.ts'
import { SHEET_CHILD } from '#server/sheets/sheet.ts'
import { runSheetChild } from '#server/sheets/sheet-child.ts'
import { runOffice } from './run.ts'

const here = dirname(fileURLToPath(import.meta.url))
if (process.argv[2] === EXPORT_CHILD) runExportChild()
else if (process.argv[2] === SHEET_CHILD) runSheetChild()
else
  runOffice({
    root: dirname(here),
    pages: async () => join(here, 'web'),
    migrationsDir: join(here, 'migrations'),
  })
