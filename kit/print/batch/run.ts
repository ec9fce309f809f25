// How a batch goes on paper: what is surely printed, what nobody knows, and what comes next. Pure. What it prints one
// after the other is a label or a sheet; nothing is begun before the one before it has ended.
import { FAILURES, type Failure, MAYBE_PRINTED, WAITS, type Wait } from '../bridge/bridge.ts'

/** `unsure`: one may be on paper or not, and a person says which. `halted`: nothing of it was printed, and why. */
export type RunState =
  | 'running'
  | 'pausing'
  | 'stopping'
  | 'paused'
  | 'halted'
  | 'unsure'
  | 'stopped'
  | 'done'
export type Run = {
  state: RunState
  /** The first so many are surely printed. */
  printed: number
  /** Of the next one; another after one that was surely not printed, or that a person wants again. */
  attempt: number
  /** The next one was taken by the print program. */
  accepted: boolean
  /** Something of it may have left for the printer. */
  begun: boolean
  wait: Wait | null
  /** Why it stands. */
  said: string
}

export type RunEvent =
  | { type: 'accepted' | 'printing' | 'done' | 'unknown' }
  | { type: 'waiting'; reason: Wait }
  | { type: 'failed'; reason: Failure; detail: string }
  /** It could not be made, or not be sent; `maybe`: some of it has left. */
  | { type: 'broken'; said: string; maybe: boolean }
  /** Asked to rest before it was sent. */
  | { type: 'withheld' }
  /** Nobody hears of it for a while: the print program is away, or the page is loaded anew. */
  | { type: 'lost' | 'reopened' }
  /** Said by a person. */
  | { type: 'pause' | 'resume' | 'stop' | 'wasPrinted' | 'notPrinted' }

export const NEW_RUN: Run = {
  ...{ state: 'running', printed: 0, attempt: 0, accepted: false, begun: false, wait: null, said: '' },
}

/** Whether something is under way. */
export const isUnderWay = ({ state }: Run): boolean =>
  state === 'running' || state === 'pausing' || state === 'stopping'
export const isOver = ({ state }: Run): boolean => state === 'done' || state === 'stopped'

const LOST = '打印程序查不到这一张的记录，可能已经打出，请核对'
const NEXT = { accepted: false, begun: false, wait: null } as const

/** Where it comes to rest when what was under way has ended. */
function restOf({ state }: Run): RunState {
  return state === 'pausing' ? 'paused' : state === 'stopping' ? 'stopped' : 'running'
}

function printedOne(run: Run, total: number, state: RunState): Run {
  const printed = run.printed + 1
  return { ...run, ...NEXT, said: '', printed, attempt: 0, state: printed >= total ? 'done' : state }
}

function failed(run: Run, reason: Failure, detail: string): Run {
  const said = detail && reason === 'printer' ? `${FAILURES[reason]}（${detail}）` : FAILURES[reason]
  const surelyNot = !MAYBE_PRINTED.includes(reason) && reason !== 'id-reused'
  const untouched = reason === 'cancelled' && run.accepted && !run.begun
  if (!surelyNot && !untouched) return { ...run, state: 'unsure', wait: null, said }
  const next = { ...run, ...NEXT, attempt: run.attempt + 1 }
  return run.state === 'stopping'
    ? { ...next, state: 'stopped', said: '' }
    : { ...next, state: 'halted', said }
}

/** `total`: how many there are to print. An event that does not fit changes nothing. */
export function stepped(run: Run, event: RunEvent, total: number): Run {
  switch (event.type) {
    case 'accepted':
      return isUnderWay(run) ? { ...run, accepted: true, begun: false, wait: null } : run
    case 'printing':
      return isUnderWay(run) ? { ...run, accepted: true, begun: true, wait: null } : run
    case 'waiting':
      if (!isUnderWay(run)) return run
      return { ...run, accepted: true, begun: event.reason === 'stalled', wait: event.reason }
    case 'done':
      return isUnderWay(run) ? printedOne(run, total, restOf(run)) : run
    case 'failed':
      return isUnderWay(run) ? failed(run, event.reason, event.detail) : run
    case 'unknown':
      // Asked after: one that was never taken is sent now, and one that was taken must be known.
      if (!isUnderWay(run)) return run
      return run.accepted ? { ...run, wait: null, state: 'unsure', said: LOST } : { ...run, begun: false }
    case 'broken':
      if (!isUnderWay(run)) return run
      return { ...run, wait: null, state: event.maybe ? 'unsure' : 'halted', said: event.said }
    case 'withheld': {
      const state = restOf(run)
      return state === 'running' || !isUnderWay(run) ? run : { ...run, state, wait: null }
    }
    case 'pause':
      return run.state === 'running' ? { ...run, state: 'pausing' } : run
    case 'resume':
      return ['paused', 'halted', 'pausing'].includes(run.state)
        ? { ...run, state: 'running', said: '' }
        : run
    case 'stop':
      if (run.state === 'paused' || run.state === 'halted')
        return { ...run, state: run.accepted || run.begun ? 'stopping' : 'stopped' }
      return run.state === 'running' || run.state === 'pausing' ? { ...run, state: 'stopping' } : run
    case 'wasPrinted':
      return run.state === 'unsure' ? printedOne(run, total, 'running') : run
    case 'notPrinted':
      if (run.state !== 'unsure') return run
      return { ...run, ...NEXT, said: '', attempt: run.attempt + 1, state: 'running' }
    case 'lost':
      return isUnderWay(run) ? { ...run, begun: run.accepted, wait: null } : run
    case 'reopened':
      // The next one may have been sent, and nobody has heard of it.
      return isUnderWay(run) ? { ...run, state: 'paused', wait: null, begun: true } : run
  }
}

/** What a waiting printer is said to do. */
export const waitWords = ({ wait }: Run): string => (wait === null ? '' : WAITS[wait])

/** A batch's copies, one after the other: the row and the copy (from 0) at a place. */
export function copyAt(copies: readonly number[], at: number): { row: number; copy: number } {
  let before = 0
  for (const [row, count] of copies.entries()) {
    if (at < before + count) return { row, copy: at - before }
    before += count
  }
  throw new RangeError(`no label ${at}`)
}

/** Of the labels from `from` to `to`, how many of each row; rows without any are left out. */
export function sliceOf(
  copies: readonly number[],
  from: number,
  to: number,
): { row: number; copies: number }[] {
  let before = 0
  return copies.flatMap((count, row) => {
    const taken = Math.max(0, Math.min(to, before + count) - Math.max(from, before))
    before += count
    return taken > 0 ? [{ row, copies: taken }] : []
  })
}
