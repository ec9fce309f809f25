// Work that waits in the database and is looked for again and again: by every instance, each taking what no other has.

export type Loop = {
  /** Looks soon: whoever left the work may not have committed yet. */
  wake(): void
  stop(): Promise<void>
}

/** `work` does a part and answers whether more waits; its failure is told and tried again at the next look. */
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

  function look(): void {
    if (stopping) return
    if (atWork) {
      again = true
      return
    }
    again = false
    atWork = workThrough()
      .catch(onProblem)
      .finally(() => {
        atWork = null
      })
  }

  const timer = setInterval(look, everyMs).unref()
  look()
  return {
    wake() {
      if (stopping) return
      const wait = setTimeout(() => {
        soon.delete(wait)
        look()
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
