// The one batch of an account in this browser, with the draft of the next: kept beside the print program that knows what is on
// paper (docs/decisions/0049). A page that is left goes on printing; one that is loaded anew offers to go on, once no other has it in hand.
import { useState, useSyncExternalStore } from 'react'
import type { BatchRow } from '#kit/print/batch/batch-rows.ts'
import { isOver, NEW_RUN, type Run, stepped } from '#kit/print/batch/run.ts'
import type { SheetSetup } from '#kit/print/batch/sheet.ts'
import { useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { makeRunner, type Runner } from '#web/print/print-run.ts'
import { type Batch, type Kept, runOf, type Template, totalOf } from './batch.tsx'

export type Draft = {
  template: Template | null
  rows: BatchRow[]
  way: string | null
  setup: SheetSetup
  start: number
}

const keysOf = (account: number) => ({
  batch: `label-batch:${account}`,
  run: `label-batch-run:${account}`,
  draft: `label-batch-draft:${account}`,
  shop: `label-batch-shop:${account}`,
})

/** How often one looks whether the page that prints is still there. */
const LOOK_EVERY_MS = 1_000

let account = 0
let kept: Kept | null = null
let runner: Runner | null = null
const listeners = new Set<() => void>()

function change(next: Kept | null): void {
  kept = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stored<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as T | null
  } catch {
    // Half written, or not ours: there is nothing to go on with.
    return null
  }
}

/** False where the browser has no room for it. */
function store(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** As another page has left it, or this one before it was loaded anew. */
function load(): void {
  const keys = keysOf(account)
  const batch = stored<Batch>(keys.batch)
  const run = batch && stored<{ of: string; run: Run }>(keys.run)
  if (!batch) {
    runner = null
    change(null)
    return
  }
  const known = run?.of === batch.id ? run.run : { ...NEW_RUN, state: 'paused' as const }
  use(batch, stepped(known, { type: 'reopened' }, totalOf(batch)))
  void lookElsewhere()
}

function use(batch: Batch, run: Run): void {
  runner = makeRunner(runOf(batch), run, next => {
    store(keysOf(account).run, { of: batch.id, run: next })
    change({ batch, run: next, elsewhere: false })
  })
  change({ batch, run, elsewhere: !holds && (kept?.elsewhere ?? false) })
}

function open(of: number): void {
  if (account === of) return
  runner?.pause()
  account = of
  load()
}

let holds = false
let lookingAgain: ReturnType<typeof setTimeout> | undefined

addEventListener('storage', ({ key }) => {
  const { run, batch } = keysOf(account)
  // What this page prints it knows better.
  if ((key === run || key === batch) && !holds) load()
})

/** Whether another page has the batch in hand; as long as it has, looked at again. */
async function lookElsewhere(): Promise<void> {
  clearTimeout(lookingAgain)
  const locks = await navigator.locks?.query()
  clearTimeout(lookingAgain)
  if (!kept || holds) return
  const isHeld = locks?.held?.some(({ name }) => name === lockName()) ?? false
  const elsewhere = isHeld && !isOver(kept.run)
  if (elsewhere !== kept.elsewhere) change({ ...kept, elsewhere })
  if (elsewhere) lookingAgain = setTimeout(() => void lookElsewhere(), LOOK_EVERY_MS)
}
const lockName = () => `label-batch:${account}`

/** Of the pages of a browser one has the batch in its hands; false: another one has. */
async function held(work: () => Promise<void> | void): Promise<boolean> {
  const hold = async () => {
    holds = true
    try {
      await work()
    } finally {
      holds = false
    }
    return true
  }
  // Without a secure address there are no locks; nor is there a print program.
  if (!navigator.locks) return hold()
  return navigator.locks.request(lockName(), { ifAvailable: true }, lock => (lock ? hold() : false))
}

/** Does it to the batch as it stands by now, and goes on with it. */
async function act(deed: (own: Runner) => void): Promise<void> {
  if (holds) {
    if (runner) deed(runner)
    return
  }
  const isOurs = await held(async () => {
    load()
    if (!runner) return
    deed(runner)
    await runner.work()
  })
  if (!isOurs) toast.warning('这一批正在另一个页面打印，请到那个页面操作')
}

/** Why a batch was not begun. */
export const NOT_BEGUN = {
  full: '浏览器没有空间保存这一批，中断后将无法继续，请减少行数或清理浏览器数据',
  taken: '另一个页面有一批没有打完，请先处理那一批',
} as const

export const batchDeeds = {
  /** Null: it has begun. One that could not be kept could not be resumed, and is not begun. */
  async begin(batch: Batch): Promise<keyof typeof NOT_BEGUN | null> {
    const begun = Promise.withResolvers<keyof typeof NOT_BEGUN | null>()
    const isOurs = await Promise.race([
      held(async () => {
        const keys = keysOf(account)
        if (stored(keys.batch)) return begun.resolve('taken')
        if (!store(keys.batch, batch) || !store(keys.run, { of: batch.id, run: NEW_RUN })) {
          localStorage.removeItem(keys.batch)
          return begun.resolve('full')
        }
        use(batch, NEW_RUN)
        begun.resolve(null)
        await runner?.work()
      }),
      begun.promise.then(() => true),
    ])
    if (!isOurs) return 'taken'
    const why = await begun.promise
    if (why === 'taken') load()
    return why
  },
  pause: () => runner?.pause(),
  resume: () =>
    act(own => {
      own.tell({ type: 'resume' })
      own.retry()
    }),
  retry: () => runner?.retry(),
  stop: () => act(own => own.stop()),
  answer: (wasPrinted: boolean) => act(own => own.tell({ type: wasPrinted ? 'wasPrinted' : 'notPrinted' })),
  /** It is over, or given up. */
  clear: () =>
    held(() => {
      const keys = keysOf(account)
      localStorage.removeItem(keys.batch)
      localStorage.removeItem(keys.run)
      runner = null
      change(null)
    }),
}

/** The batch that is under way or waits to be gone on with. */
export function useBatch(): Kept | null {
  const { accountId } = useSession()
  useState(() => open(accountId))
  return useSyncExternalStore(subscribe, () => kept)
}

export const draftOf = (of: number): Draft | null => stored<Draft>(keysOf(of).draft)
export function keepDraft(of: number, draft: Draft): void {
  store(keysOf(of).draft, draft)
}

/** The shop whose goods were chosen last. */
export const shopOf = (of: number): number | null => stored<number>(keysOf(of).shop)
export function keepShop(of: number, shop: number): void {
  store(keysOf(of).shop, shop)
}
