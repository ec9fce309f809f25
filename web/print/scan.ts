// Reads codes back from the very bitmap that is printed, in a thread of its own that is started where something is scanned.

import type { Read } from '#kit/print/scanned.ts'
import type { Bitmap } from '#kit/print/scene.ts'
import type { ScanAnswer, ScanAsked } from './scan-worker.ts'

type Waiting = { resolve: (reads: Read[]) => void; reject: (failure: Error) => void }

const waiting = new Map<number, Waiting>()
let worker: Worker | null = null
let asked = 0

function startWorker(): Worker {
  const started = new Worker(new URL('./scan-worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<ScanAnswer>) => {
    const { resolve, reject } = waiting.get(data.id) ?? {}
    waiting.delete(data.id)
    if ('reads' in data) resolve?.(data.reads)
    else reject?.(new Error(data.failed))
  })
  started.addEventListener('error', () => {
    // It could not be fetched, or died: the next scan starts another.
    worker = null
    for (const { reject } of waiting.values()) reject(new Error('the reader of codes does not run'))
    waiting.clear()
  })
  return started
}

/** Every code that is found. */
export function scanBitmap(bitmap: Bitmap): Promise<Read[]> {
  worker ??= startWorker()
  const ask: ScanAsked = { id: ++asked, bitmap }
  const { promise, resolve, reject } = Promise.withResolvers<Read[]>()
  waiting.set(ask.id, { resolve, reject })
  worker.postMessage(ask)
  return promise
}
