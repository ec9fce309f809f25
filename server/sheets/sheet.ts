// Reading a table that somebody brings: in a program of its own with little memory and little time, so that nothing in the file can hold
// up or fill this one, one table of an agency at a time.
import { fork } from 'node:child_process'
import { type SheetRefusal, sheetNotes } from '#kit/words/sheet.ts'
import { childProgram, SHEET_CHILD } from '../children.ts'
import { Refusal } from '../refuse.ts'
import { sheetRoom } from '../rooms.ts'
import type { SheetAnswer, SheetLimits, SheetLine, SheetOrder, SheetProblem } from './sheet-order.ts'

export type { SheetLine } from './sheet-order.ts'

/** A file of the largest size that is read needs about 300 MB of objects. */
const CHILD_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512']

const CHILD = childProgram(SHEET_CHILD)

export function readSheet({ bytes, limits, heads }: SheetOrder): Promise<SheetAnswer> {
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
  child.send({ bytes, limits, heads } satisfies SheetOrder, error => error && resolve({ problem: 'broken' }))
  return promise.finally(() => {
    clearTimeout(late)
    child.kill('SIGKILL')
  })
}

const CODES: Record<SheetProblem, SheetRefusal> = {
  empty: 'FILE_EMPTY',
  hidden: 'FILE_HIDDEN',
  'no-table': 'FILE_NO_TABLE',
  locked: 'FILE_LOCKED',
  broken: 'FILE_BROKEN',
  swollen: 'FILE_SWOLLEN',
  slow: 'FILE_SLOW',
  columns: 'FILE_COLUMNS',
  rows: 'FILE_ROWS',
  busy: 'FILE_BUSY',
}

type Brought = {
  /** Whose turn it is. */
  agentId: number
  /** Base64. */
  file: string
  limits: SheetLimits & { fileBytes: number }
  /** Those that are known, as `headKey` compares them. */
  heads: Iterable<string>
  words: Record<SheetRefusal, string>
}

/** The lines of a file, and what is told of it. What is wrong with it is refused in `words`, at the field `file`. */
export async function readBrought(brought: Brought): Promise<{ lines: SheetLine[]; notes: string[] }> {
  const { agentId, limits, words } = brought
  const refuseWith = (code: SheetRefusal): never => {
    throw new Refusal(code, words[code], { field: 'file' })
  }
  const bytes = Buffer.from(brought.file, 'base64')
  if (bytes.length === 0) refuseWith('FILE_EMPTY')
  if (bytes.length > limits.fileBytes) refuseWith('FILE_TOO_LARGE')
  const order = { bytes, limits, heads: [...brought.heads] }
  const answer = (await sheetRoom.tryRun(agentId, () => readSheet(order))) ?? { problem: 'busy' as const }
  return 'problem' in answer
    ? refuseWith(CODES[answer.problem])
    : { lines: answer.lines, notes: sheetNotes(answer.told) }
}
