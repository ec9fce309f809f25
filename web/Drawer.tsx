import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from './Button.tsx'
import styles from './Drawer.module.css'
import { IconClose } from './icons.tsx'

type Props = {
  title: string
  /** Room for two columns. */
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

/** What was opened from a list, over it at the right, on the browser's own <dialog>. */
export function Drawer({ title, wide, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.drawer}
      data-wide={wide || undefined}
      aria-label={title}
      onKeyDown={keepOpenForPopup}
      onCancel={event => {
        // React tells of a dialog inside this one too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClose={event => {
        if (event.target !== event.currentTarget) return
        // A second Esc closes it past `cancel`; whether it may close is for the address to decide.
        dialog.current?.showModal()
        onClose()
      }}
      onClick={event => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className={styles.drawerBox}>
        <header>
          <div className={styles.drawerTitle}>{title}</div>
          <Button kind="quiet" icon={<IconClose />} aria-label="关闭" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** What of a drawer scrolls. */
export function DrawerBody({ children }: { children: ReactNode }) {
  return <div className={styles.drawerBody}>{children}</div>
}

/** Esc in an open choice, or in a form over the drawer, closes that only. */
function keepOpenForPopup(event: KeyboardEvent): void {
  const target = event.target as Element
  const isOpen = target.getAttribute('aria-expanded') === 'true' || target.closest('.ant-modal-root') !== null
  if (event.key === 'Escape' && isOpen) event.preventDefault()
}
