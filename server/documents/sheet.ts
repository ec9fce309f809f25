// Reading a table that somebody brings: in a program of its own with little memory and little time, so that nothing in the file can hold
// up or fill this one.
import { fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SheetRefusal } from '#kit/words/sheet.ts'
import { Refusal } from '../refuse.ts'

export type SheetLimits = {
  /** Lines, heads included, and columns. */
  rows: number
  columns: number
  /** Characters of a cell that are kept. */
  cell: number
  /** Bytes that a workbook may be unpacked, by what its directory says and by what comes out. */
  unpackedBytes: number
  readMs: number
}
export type SheetProblem = 'no-table' | 'locked' | 'broken' | 'swollen' | 'slow' | 'columns' | 'rows'
/** `lines` counts as a spreadsheet does, from 1; blank lines are left out. */
export type SheetLine = { line: number; cells: string[] }
export type SheetAnswer = { lines: SheetLine[] } | { problem: SheetProblem }
export type SheetOrder = { bytes: Uint8Array; limits: SheetLimits }

export const SHEET_CHILD = 'sheet-child'
/** A file of the largest size that is read needs about 300 MB of objects. */
const CHILD_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512']

const SELF = fileURLToPath(import.meta.url)
/** The built server is one file that is told what to be; beside its sources the child has a file of its own. */
const CHILD = SELF.endsWith('.ts')
  ? { file: join(dirname(SELF), '../../scripts/sheet-child.ts'), args: [] }
  : { file: SELF, args: [SHEET_CHILD] }

/** The lines of an Excel workbook's first sheet, or of a text with separators in UTF-8, UTF-16 or GB18030. */
export function readSheet(bytes: Uint8Array, limits: SheetLimits): Promise<SheetAnswer> {
  const { promise, resolve } = Promise.withResolvers<SheetAnswer>()
  const child = fork(CHILD.file, CHILD.args, {
    execArgv: CHILD_FLAGS,
    serialization: 'advanced',
    // What V8 says when its memory is used up is nobody's concern.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const late = setTimeout(() => {
    resolve({ problem: 'slow' })
    child.kill('SIGKILL')
  }, limits.readMs)
  child.once('message', answer => resolve(answer as SheetAnswer))
  // It died of what it read.
  child.once('error', () => resolve({ problem: 'swollen' }))
  child.once('exit', () => resolve({ problem: 'swollen' }))
  child.send({ bytes, limits } satisfies SheetOrder, error => error && resolve({ problem: 'broken' }))
  return promise.finally(() => {
    clearTimeout(late)
    child.kill('SIGKILL')
  })
}

const CODES: Record<SheetProblem, SheetRefusal> = {
  'no-table': 'FILE_NO_TABLE',
  locked: 'FILE_LOCKED',
  broken: 'FILE_BROKEN',
  swollen: 'FILE_SWOLLEN',
  slow: 'FILE_SLOW',
  columns: 'FILE_COLUMNS',
  rows: 'FILE_ROWS',
}

/** The lines of a file that came as base64. What is wrong with it is refused in these words, at the field `file`. */
export async function readBrought(
  base64: string,
  limits: SheetLimits & { fileBytes: number },
  words: Record<SheetRefusal, string>,
): Promise<SheetLine[]> {
  const refuseWith = (code: SheetRefusal): never => {
    throw new Refusal(code, words[code], { field: 'file' })
  }
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0) refuseWith('FILE_EMPTY')
  if (bytes.length > limits.fileBytes) refuseWith('FILE_TOO_LARGE')
  const answer = await readSheet(bytes, limits)
  return 'problem' in answer ? refuseWith(CODES[answer.problem]) : answer.lines
}
