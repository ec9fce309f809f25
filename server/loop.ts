// Work that waits in the database and is looked for again and again: by every instance, each taking what no other has.

export type Loop = {
  /** Looks soon: whoever left the work may not have committed yet. */
  wake(): void
  /** Looks now, and resolves when what it found is done. */
  look(): Promise<void>
  stop(): Promise<void>
}

/**
 * `work` does a part and answers whether more waits; its failure is told and tried again at the next look. The first look is whoever
 * starts it's to take. `phase`, from 0 to 1, is where in `everyMs` it looks: loops of one pace that all looked at the same moment would need a
 * connection each, and keep them.
 */
export function startLoop(
  { everyMs, afterMs = 0, phase = 0 }: { everyMs: number; afterMs?: number; phase?: number },
  work: () => Promise<boolean>,
  onProblem: (error: unknown) => void,
): Loop {
  let atWork: Promise<void> | null = null
  let again = false
  let stopping = false
  const soon = new Set<NodeJS.Timeout>()

  async function workThrough(): Promise<void> {
    while (!stopping && ((await work()) || again)) again = false
  }

  async function look(): Promise<void> {
    if (stopping) return
    if (atWork) {
      again = true
      return atWork
    }
    again = false
    atWork = workThrough()
      .catch(onProblem)
      .finally(() => {
        atWork = null
      })
    return atWork
  }

  const startedMs = performance.now()
  let timer = lookLater()

  /** Measured from the start, so that looks which came late together do not stay together. */
  function lookLater(): NodeJS.Timeout {
    const passedMs = performance.now() - startedMs - phase * everyMs
    return setTimeout(
      () => {
        timer = lookLater()
        void look()
      },
      untilNext(passedMs, everyMs),
    ).unref()
  }

  return {
    look,
    wake() {
      if (stopping) return
      const wait = setTimeout(() => {
        soon.delete(wait)
        void look()
      }, afterMs)
      soon.add(wait.unref())
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      for (const wait of soon) clearTimeout(wait)
      await atWork
    },
  }
}

/** From then to the next whole number of `everyMs`; a moment before one counts as that one. */
export function untilNext(passedMs: number, everyMs: number): number {
  const leftMs = everyMs - (((passedMs % everyMs) + everyMs) % everyMs)
  return leftMs < everyMs / 10 ? leftMs + everyMs : leftMs
}
