import type { ReactNode } from 'react'

/** What a choice opens, whose lists come and go: whoever has no mouse can scroll each of them. */
export function KeyScroll({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <div
      id={id}
      ref={box => {
        if (!box) return
        const reach = () => {
          for (const list of box.querySelectorAll('ul')) list.tabIndex = 0
        }
        reach()
        const coming = new MutationObserver(reach)
        coming.observe(box, { childList: true, subtree: true })
        return () => coming.disconnect()
      }}
    >
      {children}
    </div>
  )
}
