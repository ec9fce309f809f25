import type { FocusEvent, KeyboardEvent } from 'react'

type Step = (at: number, count: number) => number
type Steps = Readonly<Record<string, Step>>

const NEXT: Step = (at, count) => (at + 1) % count
const BEFORE: Step = (at, count) => (at - 1 + count) % count
const ENDS: Steps = { Home: () => 0, End: (_at, count) => count - 1 }
const ACROSS: Steps = { ArrowRight: NEXT, ArrowLeft: BEFORE, ...ENDS }
const DOWN: Steps = { ArrowDown: NEXT, ArrowUp: BEFORE, ...ENDS }

/** What arrows reach; beside one of them may stand a smaller one (`data-aside`), which belongs to it. */
const TOOLS = ':is(button, a[href]):not([data-aside])'

/** Within another one, which has its tools among its own. */
const isInner = (bar: Element) => bar.parentElement?.closest('[data-roving]') !== null

const toolsOf = (bar: Element) =>
  [...bar.querySelectorAll<HTMLElement>(TOOLS)].filter(tool => tool.offsetParent !== null)

function choose(tools: readonly HTMLElement[], chosen: HTMLElement | undefined): void {
  for (const tool of tools) tool.tabIndex = tool === chosen ? 0 : -1
}

/** The one that is a stop: as before, else where one is, else the first. */
function rest(bar: Element): void {
  const tools = toolsOf(bar)
  const isStop = (tool: HTMLElement) => tool.getAttribute('tabindex') === '0'
  choose(tools, tools.find(isStop) ?? tools.find(tool => tool.hasAttribute('aria-current')) ?? tools[0])
}

function watch(bar: HTMLElement | null) {
  if (!bar || isInner(bar)) return
  let frame = 0
  // Which tools are seen is asked when the page is laid out anyway, not while it is put together; until then none that came is a stop.
  const restSoon = () => {
    for (const tool of bar.querySelectorAll<HTMLElement>(TOOLS))
      if (!tool.hasAttribute('tabindex')) tool.tabIndex = -1
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => rest(bar))
  }
  restSoon()
  const coming = new MutationObserver(restSoon)
  coming.observe(bar, { childList: true, subtree: true })
  const showing = new ResizeObserver(restSoon)
  showing.observe(bar)
  return () => {
    cancelAnimationFrame(frame)
    coming.disconnect()
    showing.disconnect()
  }
}

function onFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  if (isInner(currentTarget)) return
  const tools = toolsOf(currentTarget)
  if (tools.includes(target)) choose(tools, target)
}

/** Whether the key led on to another of the tools. */
function step(event: KeyboardEvent<HTMLElement>, steps: Steps): boolean {
  if (isInner(event.currentTarget)) return false
  const tools = toolsOf(event.currentTarget)
  const at = tools.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? undefined : steps[event.key]?.(at, tools.length)
  if (next === undefined) return false
  event.preventDefault()
  tools[next]?.focus()
  return true
}

/** A toolbar that Tab enters once; arrows go on inside it. Its tools may come and go. */
export const roving = {
  'data-roving': true,
  ref: watch,
  onFocus,
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    step(event, ACROSS)
  },
}

/** A list of links, some in groups that fold, that Tab enters once: up and down along it, right and left into a group or to what stands beside. */
export const rovingDown = {
  'data-roving': true,
  ref: watch,
  onFocus,
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (step(event, DOWN)) return
    const active = document.activeElement as HTMLElement
    const row = active.closest('li')
    if (event.key === 'ArrowRight') {
      if (active.getAttribute('aria-expanded') === 'false') active.click()
      else row?.querySelector<HTMLElement>(':scope > [data-aside]')?.focus()
    } else if (event.key === 'ArrowLeft') {
      if (active.getAttribute('aria-expanded') === 'true') active.click()
      else {
        const own = active.matches('[data-aside]') ? row : row?.parentElement?.closest('li')
        own?.querySelector<HTMLElement>(TOOLS)?.focus()
      }
    } else return
    event.preventDefault()
  },
}
