// The program of one export, run from its sources by app/exports.ts; the built server is its own.
import './quick-loading.ts'

const { runExportChild } = await import('#app/export-child.ts')
runExportChild()
