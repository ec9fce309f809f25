import type { ButtonHTMLAttributes, ReactNode } from 'react'
import './Button.css'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger' | 'link'
  icon?: ReactNode
  busy?: boolean
  /** Why it cannot be pressed now, shown as its tooltip; `true` without a reason. */
  disabled?: string | boolean | null
  tip?: string
}

/** A button that needs no component library: shell, lists, login. One that is refused stays focusable and says why. */
export function Button({
  kind = 'plain',
  icon,
  busy,
  disabled,
  tip,
  children,
  onClick,
  className,
  ...rest
}: Props) {
  const refused = Boolean(disabled) || busy === true
  const reason = typeof disabled === 'string' ? disabled : tip
  return (
    <button
      type="button"
      {...rest}
      className={`btn btn-${kind}${className ? ` ${className}` : ''}`}
      aria-disabled={refused || undefined}
      aria-busy={busy || undefined}
      data-tip={reason}
      data-icon={(icon !== undefined && children === undefined) || undefined}
      onClick={event => {
        if (refused) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy ? <span className="btn-busy" aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}
