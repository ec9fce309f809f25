// The program that reads one table, run from its sources by server/documents/sheet.ts; the built server is its own.
import { runSheetChild } from '#server/documents/sheet-child.ts'

runSheetChild()
