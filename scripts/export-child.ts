// The program of one export, run from its sources by app/exports.ts; the built server is its own.
import { runExportChild } from '#app/export-child.ts'

runExportChild()
