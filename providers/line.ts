// The way out of a program that may have to stop while a service does not answer: what is under way is cut after a while, and
// nothing is begun any more.

const CUT_AFTER_MS = 3_000

export type Line = {
  /** Answers with the whole body in hand. */
  fetch: typeof fetch
  hangUp(cutAfterMs?: number): void
}

export function openLine(): Line {
  const underWay = new Set<AbortController>()
  let isHungUp = false
  return {
    async fetch(input, init) {
      // By its code whoever called knows that nothing has left, and may be sent later.
      if (isHungUp) throw Object.assign(new Error('this program is stopping'), { code: 'ECONNREFUSED' })
      const cut = new AbortController()
      const signal = init?.signal ? AbortSignal.any([init.signal, cut.signal]) : cut.signal
      underWay.add(cut)
      try {
        const response = await fetch(input, { ...init, signal })
        const body = await response.arrayBuffer()
        const { status, headers } = response
        return new Response(body.byteLength > 0 ? body : null, { status, headers })
      } finally {
        underWay.delete(cut)
      }
    },
    hangUp(cutAfterMs = CUT_AFTER_MS) {
      isHungUp = true
      const cutAll = () => {
        for (const cut of underWay) cut.abort(new Error('this program is stopping'))
      }
      setTimeout(cutAll, cutAfterMs).unref()
    },
  }
}
