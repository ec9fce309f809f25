import type { ReactNode } from 'react'
import { useNavigate } from '#web/client/navigation.ts'

/** A link to a page of ours by its whole address, as staff typed it. */
export function OwnLink({
  href,
  className,
  children,
}: {
  href: string
  className?: string
  children: ReactNode
}) {
  const navigate = useNavigate()
  return (
    <a
      href={href}
      className={className}
      draggable={false}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        void navigate({ href })
      }}
    >
      {children}
    </a>
  )
}
