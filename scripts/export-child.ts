// The program of one export, run from its sources by app/exports.ts; the built server is its own. Tests that start many of them have it
// bundled before, as that is.
import './quick-loading.ts'

type Program = typeof import('#app/export-child.ts')

const bundled = process.env.BUNDLED_EXPORT_CHILD
const { runExportChild }: Program = await import(bundled ?? '#app/export-child.ts')
runExportChild()
