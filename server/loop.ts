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
 * starts it's to take.
 */
export function startLoop(
  { everyMs, afterMs = 0 }: { everyMs: number; afterMs?: number },
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

  const timer = setInterval(look, everyMs).unref()
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
      clearInterval(timer)
      for (const wait of soon) clearTimeout(wait)
      await atWork
    },
  }
}
