import type { ReactNode } from 'react'

type Props = {
  id?: string
  /** A day or an entry of a list was pressed. */
  onPick?: () => void
  children: ReactNode
}

/** What a choice opens, whose lists come and go: whoever has no mouse can scroll each of them. */
export function KeyScroll({ id, onPick, children }: Props) {
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
        const press = ({ target }: Event) => {
          if (target instanceof Element && target.closest('td,li')) onPick?.()
        }
        box.addEventListener('click', press)
        return () => {
          coming.disconnect()
          box.removeEventListener('click', press)
        }
      }}
    >
      {children}
    </div>
  )
}
