// When the page stands: nothing that it asked for is on its way, and what came has been drawn. It says so on its root element, where
// `data-ready` is the address that it stands at. Tests wait for that and for nothing else; the shell asks for what can wait then.
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'

let busy = 0
/** Counts what happens, so that only the last to happen is waited out. */
let turn = 0
const waiting = new Set<() => void>()

/** The page is not ready until what this answers is called; a second call of that does nothing. */
export function begin(): () => void {
  busy += 1
  turn += 1
  delete document.documentElement.dataset.ready
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    busy -= 1
    settle()
  }
}

/** The page is not ready before this is done, well or not; answers the same. */
export function busyWhile<T>(work: Promise<T>): Promise<T> {
  const end = begin()
  work.then(end, end)
  return work
}

/** Does it after a pause, in which the page is not ready; what it answers calls it off. */
export function afterPause(act: () => void, ms: number): () => void {
  const end = begin()
  const timer = setTimeout(() => {
    act()
    end()
  }, ms)
  return () => {
    clearTimeout(timer)
    end()
  }
}

/** Tells once of the page being ready but for what is begun because of this; what it answers calls it off. */
export function onceReady(tell: () => void): () => void {
  waiting.add(tell)
  if (busy === 0) settle()
  return () => waiting.delete(tell)
}

let asked = 0
let lookAgain: () => void = () => undefined

/** What waits for a person is not on its way: a question that is asked again once this was answered. */
export function whileAsked<T>(answer: Promise<T>): Promise<T> {
  const count = (by: number) => {
    asked += by
    lookAgain()
  }
  count(1)
  const over = () => count(-1)
  answer.then(over, over)
  return answer
}

/** What the client asks, also between a question that failed and the same once more. */
export function watchQueries(queries: QueryClient): void {
  let end: (() => void) | undefined
  lookAgain = () => {
    const asks = asked === 0 && queries.isFetching() > 0
    if (asks) end ??= begin()
    else if (end) {
      end()
      end = undefined
    }
  }
  queries.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated' || type === 'removed') lookAgain()
  })
}

/** From a change of the address until its page is drawn. */
export function watchRouter(router: AnyRouter): void {
  let end: (() => void) | undefined
  router.subscribe('onBeforeNavigate', () => {
    end ??= begin()
  })
  router.subscribe('onResolved', () => {
    end?.()
    end = undefined
  })
}

/** What was answered is drawn in the next tasks, and what hangs on its size in the frame after: both may ask again. */
function settle(): void {
  if (busy > 0) return
  turn += 1
  const now = turn
  const then = (next: () => void) => () => {
    if (now === turn) next()
  }
  const task = (next: () => void) => setTimeout(then(next))
  task(() => frame(then(() => frame(then(() => task(stand))))))
}

function stand(): void {
  const coming = [...document.querySelectorAll('img')].filter(
    ({ complete, loading }) => !complete && loading !== 'lazy',
  )
  if (coming.length > 0) {
    const now = turn
    void Promise.allSettled(coming.map(picture => picture.decode())).then(() => {
      if (now === turn) settle()
    })
  } else if (waiting.size > 0) {
    const told = [...waiting]
    waiting.clear()
    for (const tell of told) tell()
    settle()
  } else document.documentElement.dataset.ready = location.pathname + location.search
}

/** A page that nobody looks at has no frames. */
function frame(then: () => void): void {
  if (document.hidden) setTimeout(then)
  else requestAnimationFrame(then)
}
