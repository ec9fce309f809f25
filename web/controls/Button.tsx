import type { ButtonHTMLAttributes, HTMLAttributes, ReactNode } from 'react'
import { useReadOnly } from '../shell/OwnAffairs.tsx'
import styles from './Button.module.css'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger' | 'link'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  kind?: Kind
  icon?: ReactNode
  busy?: boolean
  /** Why it cannot be pressed now, shown as its tooltip; `true` without a reason. */
  disabled?: string | boolean | null
  tip?: string
  /** It changes something, as primary and dangerous ones do unless told: refused while one looks through another's account or the agency is suspended. */
  changes?: boolean
}

/** The same look for a link. */
export function buttonLook(kind: Kind = 'plain'): string {
  return `${styles.btn} ${KINDS[kind]}`
}

const KINDS = {
  primary: styles.btnPrimary,
  plain: styles.btnPlain,
  quiet: styles.btnQuiet,
  danger: styles.btnDanger,
  link: styles.btnLink,
}

/** A button that needs no component library: shell, lists, login. One that is refused stays focusable and says why. */
export function Button({
  kind = 'plain',
  icon,
  busy,
  disabled,
  tip,
  changes = kind === 'primary' || kind === 'danger',
  children,
  onClick,
  className,
  ...rest
}: Props) {
  const readOnly = useReadOnly()
  const refusal = (changes && readOnly) || disabled
  const refused = Boolean(refusal) || busy === true
  const reason = typeof refusal === 'string' ? refusal : tip
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonLook(kind)}${className ? ` ${className}` : ''}`}
      data-kind={kind}
      aria-disabled={refused || undefined}
      aria-busy={busy || undefined}
      data-tip={reason}
      data-icon={(icon !== undefined && children === undefined) || undefined}
      onClick={event => {
        if (refused) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy ? <BusySign /> : icon}
      {children}
    </button>
  )
}

/** What turns in a button whose press is on its way. */
export function BusySign() {
  return <span className={styles.btnBusy} aria-hidden="true" />
}

type PressableAction = {
  onClick?: () => void
  href?: string
  /** Why it would be refused: it stays in reach and says so. */
  disabled?: string | null
  danger?: boolean
}

type PressableProps = Omit<HTMLAttributes<HTMLElement>, 'onClick'> & {
  action: PressableAction
  /** In place of the action's own. */
  onClick?: () => void
  children: ReactNode
}

/** What does an action of a row or a menu: a link where the action is one, otherwise a button. */
export function Pressable({ action, onClick = action.onClick, ...rest }: PressableProps) {
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
