import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './Button.tsx'
import { IconClose } from './icons.tsx'
import './Dialog.css'

type Props = {
  title: string
  children?: ReactNode
  footer?: ReactNode
  onClose: () => void
  role?: 'dialog' | 'alertdialog'
  width?: number
  /** Without a visible head; the title names it for screen readers. */
  bare?: boolean
}

/** A modal on the browser's own <dialog>: focus stays inside, Esc closes, the page behind is inert. */
export function Dialog({ title, children, footer, onClose, role = 'dialog', width = 416, bare }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it, which the browser turns into `cancel`.
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      className="dialog"
      data-bare={bare || undefined}
      style={{ width }}
      onCancel={event => {
        // React tells of a dialog inside this one too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        // Of a double click that opened it the second lands here; and a question is answered, not brushed away.
        const isAside = event.target === event.currentTarget && event.detail < 2
        if (isAside && role === 'dialog') onClose()
      }}
    >
      <div className="dialog-box">
        {!bare && (
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            <Button kind="quiet" icon={<IconClose />} aria-label="关闭" onClick={onClose} />
          </div>
        )}
        {children}
        {footer && <div className="dialog-foot">{footer}</div>}
      </div>
    </dialog>
  )
}
