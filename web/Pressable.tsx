import type { HTMLAttributes, ReactNode } from 'react'

type Action = {
  onClick?: () => void
  href?: string
  /** Why it would be refused: it stays in reach and says so. */
  disabled?: string | null
  danger?: boolean
}

type Props = Omit<HTMLAttributes<HTMLElement>, 'onClick'> & {
  action: Action
  /** In place of the action's own. */
  onClick?: () => void
  children: ReactNode
}

/** What does an action of a row or a menu: a link where the action is one, otherwise a button. */
export function Pressable({ action, onClick = action.onClick, ...rest }: Props) {
  const { href, disabled, danger } = action
  const common = { ...rest, 'data-danger': danger || undefined }
  if (href !== undefined && !disabled) return <a {...common} href={href} onClick={onClick} />
  return (
    <button
      type="button"
      {...common}
      aria-disabled={Boolean(disabled) || undefined}
      data-tip={disabled ?? undefined}
      onClick={() => {
        if (!disabled) onClick?.()
      }}
    />
  )
}
