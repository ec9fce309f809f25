// The program that reads one table, run from its sources by server/children.ts; the built server is its own.
import './quick-loading.ts'

const { runSheetChild } = await import('#server/sheets/sheet-child.ts')
runSheetChild()
