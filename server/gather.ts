// Many small things that happen at once become few batches: one statement each instead of one per thing.

export type Gathering<T> = {
  add(item: T): void
  /** Hands over what is left, and takes nothing more. */
  stop(): Promise<void>
}

/** One batch at a time, of at most `most`; what comes meanwhile waits. A failed batch is told and not tried again. */
export function gather<T>(
  { afterMs, most }: { afterMs: number; most: number },
  work: (batch: T[]) => Promise<void>,
  onProblem: (error: unknown) => void,
): Gathering<T> {
  let waiting: T[] = []
  let timer: NodeJS.Timeout | null = null
  let atWork: Promise<void> | null = null
  let stopped = false

  async function handOver(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      await work(batch).catch(onProblem)
    }
    // At once, or what comes before a promise has told would be left lying.
    atWork = null
  }

  function start(): void {
    if (timer) clearTimeout(timer)
    timer = null
    if (!atWork && waiting.length > 0) atWork = handOver()
  }

  return {
    add(item) {
      if (stopped) return
      waiting.push(item)
      if (!atWork) timer ??= setTimeout(start, afterMs).unref()
    },
    async stop() {
      stopped = true
      start()
      await atWork
    },
  }
}
