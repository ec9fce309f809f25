// A batch on its way to paper, one after the other; what comes next, kit/print/batch/run.ts decides.
import { isUnderWay, type Run, type RunEvent, stepped } from '#kit/print/batch/run.ts'
import {
  type Calibration,
  DRAWN,
  FAILURES,
  type PrintLanguage,
  type Speech,
  UNCALIBRATED,
} from '#kit/print/bridge/bridge.ts'
import { messageOf } from '../client/api.ts'
import {
  cancelJob,
  checkTarget,
  connect,
  dropJob,
  type Followed,
  followJob,
  linkStore,
  type Step,
  sendJob,
} from './bridge-link.ts'
import { chosenDevices, DEVICE_UNREACHED, DeviceFailure } from './devices.ts'
import { printPdf, savePdf } from './transport.ts'

/** How a batch comes to paper, as it is kept. */
export type RunWay =
  | { kind: 'bridge'; target: string; name: string }
  | { kind: 'device'; key: string; name: string; language: PrintLanguage }
  | { kind: 'browser' | 'pdf'; name: string }

export type RunOf = {
  /** How many are printed, labels or sheets. */
  total: number
  way: RunWay
  /** The same for the same one of the same batch: by it the print program prints it once. */
  idOf: (at: number, attempt: number) => string
  nameOf: (at: number) => string
  /** What it can be made in. */
  languages: readonly PrintLanguage[]
  bytesOf: (
    at: number,
    language: PrintLanguage,
    calibration: Calibration,
    speech: Speech,
  ) => Promise<Uint8Array>
}

export type Runner = {
  run: () => Run
  /** Goes on, where there is something to go on with. */
  work: () => Promise<void>
  tell: (event: RunEvent) => void
  /** What is under way ends before it rests. */
  pause: () => void
  /** Ends it; what waits at a printer is called back. */
  stop: () => void
  /** Tries at once whatever is waited for. */
  retry: () => void
}

const OTHER_LANGUAGE = '这台打印机的设置改过，打不了这一批，请停止后重新选择打印机'

/** `keep` is told each time it has changed, before anything follows from that. */
export function makeRunner(of: RunOf, initial: Run, keep: (run: Run) => void): Runner {
  let run = initial
  let working = false
  /** What is under way at the print program, and how to give it up. */
  let current: { id: string; give: (ended: Followed | { state: 'given-up' }) => void } | null = null

  function tell(event: RunEvent): void {
    const next = stepped(run, event, of.total)
    if (next === run) return
    run = next
    keep(run)
  }

  function onStep(step: Step): void {
    if (step.state === 'waiting') tell({ type: 'waiting', reason: step.reason })
    else tell({ type: step.state })
    callBack()
  }

  /** What waits is not waited for where all ends. */
  function callBack(): void {
    if (run.state === 'stopping' && run.wait !== null && current) cancelJob(current.id)
  }

  async function awaited(id: string, asking: Promise<Followed>): Promise<boolean> {
    const given = Promise.withResolvers<Followed | { state: 'given-up' }>()
    current = { id, give: given.resolve }
    const ended = await Promise.race([asking, given.promise])
    current = null
    if (ended.state === 'done') tell({ type: 'done' })
    else if (ended.state === 'failed') tell({ type: 'failed', reason: ended.reason, detail: ended.detail })
    else if (ended.state === 'given-up') tell({ type: 'withheld' })
    else tell({ type: 'unknown' })
    return ended.state !== 'unknown'
  }

  /** Until the program is there; false where a person would not wait. */
  async function reached(): Promise<boolean> {
    if (linkStore.read().state === 'ready') return true
    const here = Promise.withResolvers<true>()
    const given = Promise.withResolvers<Followed | { state: 'given-up' }>()
    current = { id: '', give: given.resolve }
    const unsubscribe = linkStore.subscribe(() => {
      if (linkStore.read().state === 'ready') here.resolve(true)
    })
    const ended = await Promise.race([here.promise, given.promise])
    unsubscribe()
    current = null
    if (ended === true) return true
    if (ended.state === 'failed') tell({ type: 'failed', reason: ended.reason, detail: ended.detail })
    else tell({ type: 'withheld' })
    return false
  }

  /** `asks`: it may have been sent before. */
  async function byBridge(target: string, asks: boolean): Promise<void> {
    if (!(await reached())) return
    const at = run.printed
    const id = of.idOf(at, run.attempt)
    if (asks && ((await awaited(id, followJob(id, onStep))) || !isUnderWay(run))) return
    if (run.state !== 'running') return tell({ type: 'withheld' })
    const known = linkStore.read().desk?.targets.find(one => one.id === target)
    if (!known) return tell({ type: 'failed', reason: 'target-unknown', detail: '' })
    const { language, calibration, speech = DRAWN } = known
    if (!of.languages.includes(language)) return tell({ type: 'broken', said: OTHER_LANGUAGE, maybe: false })
    const data = await of.bytesOf(at, language, calibration, speech)
    // Meanwhile a person may have asked it to rest.
    if (run.state !== 'running') return tell({ type: 'withheld' })
    const job = { id, target, kind: 'label' as const, name: of.nameOf(at), copies: 1, data }
    await awaited(id, sendJob(job, onStep))
  }

  async function byDevice(key: string, language: PrintLanguage): Promise<void> {
    const device = (await chosenDevices()).find(one => one.key === key)
    if (!device) return tell({ type: 'broken', said: '找不到这台打印机，请接好后继续', maybe: false })
    const bytes = await of.bytesOf(run.printed, language, UNCALIBRATED, DRAWN)
    if (run.state !== 'running') return tell({ type: 'withheld' })
    tell({ type: 'printing' })
    try {
      await device.write(bytes)
    } catch (error) {
      if (!(error instanceof DeviceFailure)) throw error
      const { begun } = error
      return tell({ type: 'broken', said: begun ? FAILURES.broken : DEVICE_UNREACHED, maybe: begun })
    }
    tell({ type: 'done' })
  }

  async function byFile(open: (bytes: Uint8Array, name: string) => Promise<void> | void): Promise<void> {
    const bytes = await of.bytesOf(run.printed, 'pdf', UNCALIBRATED, DRAWN)
    if (run.state !== 'running') return tell({ type: 'withheld' })
    await open(bytes, of.nameOf(run.printed))
    tell({ type: 'done' })
  }

  async function printNext(asks: boolean): Promise<void> {
    const { way } = of
    try {
      if (way.kind === 'bridge') await byBridge(way.target, asks)
      else if (way.kind === 'device') await byDevice(way.key, way.language)
      else await byFile(way.kind === 'pdf' ? savePdf : printPdf)
    } catch (error) {
      // As where the server that draws a sheet is away: nothing was sent.
      tell({ type: 'broken', said: messageOf(error), maybe: false })
    }
  }

  async function work(): Promise<void> {
    if (working) return
    working = true
    let wasReady = false
    const unsubscribe = linkStore.subscribe(() => {
      const isReady = linkStore.read().state === 'ready'
      if (wasReady && !isReady) tell({ type: 'lost' })
      wasReady = isReady
    })
    try {
      for (let asks = true; isUnderWay(run); asks = false) await printNext(asks)
    } finally {
      unsubscribe()
      working = false
    }
  }

  /** Where the program is away nobody can call a job back: sent, it may be on paper. */
  function giveUp(): void {
    if (!current || linkStore.read().state === 'ready') return
    const sent = dropJob(current.id) || run.accepted || run.begun
    current.give(sent ? { state: 'failed', reason: 'interrupted', detail: '' } : { state: 'given-up' })
  }

  return {
    run: () => run,
    work,
    tell,
    pause() {
      tell({ type: 'pause' })
      if (!run.accepted) giveUp()
    },
    stop() {
      tell({ type: 'stop' })
      giveUp()
      callBack()
    },
    retry() {
      if (of.way.kind !== 'bridge') return
      if (linkStore.read().state !== 'ready') connect()
      else if (run.wait !== null) checkTarget(of.way.target)
    },
  }
}
