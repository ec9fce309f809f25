// The programs that this one starts beside itself, each for one piece of work. Built, they are this program, which is told what to be; among
// the sources each has a file of its own.
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const EXPORT_CHILD = 'export-child'
export const SHEET_CHILD = 'sheet-child'
export const DEMO_CHILD = 'demo-child'
/** One of several that an office is made of: it does not end, and is known by its number. */
export const OFFICE_PROCESS = 'office-process'
type Child = typeof EXPORT_CHILD | typeof SHEET_CHILD | typeof DEMO_CHILD

const SELF = fileURLToPath(import.meta.url)

export function childProgram(name: Child): { file: string; args: string[] } {
  return SELF.endsWith('.ts')
    ? { file: join(dirname(SELF), `../scripts/${name}.ts`), args: [] }
    : { file: process.argv[1] as string, args: [name] }
}

/** Steps back behind everybody else. On Linux a priority is each thread's own, and some have been started before this code. */
export function comeLast(niceness: number): void {
  setPriority(niceness)
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness)
}
