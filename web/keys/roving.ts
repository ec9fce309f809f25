import type { KeyboardEvent } from 'react'

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

const toolsOf = (bar: Element) =>
  [...bar.querySelectorAll<HTMLElement>('button, a[href]')].filter(tool => tool.offsetParent !== null)

function choose(tools: readonly HTMLElement[], chosen: HTMLElement | undefined): void {
  for (const tool of tools) tool.tabIndex = tool === chosen ? 0 : -1
}

/** A toolbar that Tab enters once; arrows go on inside it. Its tools may come and go. */
export const roving = {
  ref: (bar: HTMLElement | null) => {
    if (!bar) return
    let frame = 0
    const rest = () => {
      const tools = toolsOf(bar)
      choose(tools, tools.find(tool => tool.getAttribute('tabindex') === '0') ?? tools[0])
    }
    // Which tools are seen is asked when the page is laid out anyway, not while it is put together; until then none that came is a stop.
    const restSoon = () => {
      for (const tool of bar.querySelectorAll<HTMLElement>('button, a[href]'))
        if (!tool.hasAttribute('tabindex')) tool.tabIndex = -1
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(rest)
    }
    restSoon()
    const coming = new MutationObserver(restSoon)
    coming.observe(bar, { childList: true, subtree: true })
    return () => {
      cancelAnimationFrame(frame)
      coming.disconnect()
    }
  },
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    const tools = toolsOf(event.currentTarget)
    const at = tools.indexOf(document.activeElement as HTMLElement)
    const next = at < 0 ? undefined : STEPS[event.key]?.(at, tools.length)
    if (next === undefined) return
    event.preventDefault()
    choose(tools, tools[next])
    tools[next]?.focus()
  },
}
