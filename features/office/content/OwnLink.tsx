import type { ReactNode } from 'react'
import { useNavigate } from '#web/client/navigation.ts'

/** A link to a page of ours by its whole address, as staff typed it. */
export function OwnLink({
  href,
  className,
  label,
  children,
}: {
  href: string
  className?: string
  /** For screen readers, where what it shows says too little. */
  label?: string
  children: ReactNode
}) {
  const navigate = useNavigate()
  return (
    <a
      href={href}
      className={className}
      aria-label={label}
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
