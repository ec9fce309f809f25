import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { Button } from './Button.tsx'
import { confirmDiscard } from './confirm.ts'
import styles from './Dialog.module.css'
import { IconClose } from './icons.tsx'

type Props = {
  title: string
  children?: ReactNode
  footer?: ReactNode
  onClose: () => void
  role?: 'dialog' | 'alertdialog'
  width?: number
  /** Without a visible head; the title names it for screen readers. */
  bare?: boolean
  /** It works: nothing closes it. */
  busy?: boolean
  /** Whether closing loses something, which is asked first. Unless told, text that was typed is lost. */
  dirty?: boolean
}

/** A modal on the browser's own <dialog>: focus stays inside, Esc closes, the page behind is inert. */
export function Dialog({
  title,
  children,
  footer,
  onClose,
  role = 'dialog',
  width = 416,
  bare,
  busy = false,
  dirty,
}: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const texts = useRef(new Map<TextField, string>())
  const pressedAside = useRef(false)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const close = async () => {
    if (busy) return
    if (!(dirty ?? isTyped(texts.current)) || (await confirmDiscard())) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it, which the browser turns into `cancel`.
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={bare ? undefined : id}
      aria-label={bare ? title : undefined}
      className={styles.dialog}
      data-bare={bare || undefined}
      style={{ width }}
      onFocus={({ target }) => {
        // A form that stands in this dialog, or a dialog over it, knows its own fields.
        if (!isTextField(target) || target.closest('dialog, .ant-modal') !== dialog.current) return
        if (!texts.current.has(target)) texts.current.set(target, target.value)
      }}
      onCancel={event => {
        // React tells of a dialog inside this one too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        void close()
      }}
      onClose={event => {
        if (event.target !== event.currentTarget) return
        // A second Esc closes it past `cancel`.
        dialog.current?.showModal()
        void close()
      }}
      onPointerDown={event => {
        pressedAside.current = event.target === event.currentTarget
      }}
      onClick={event => {
        // Text that is marked to beyond the edge is no click beside it. Of a double click that opened the dialog the
        // second lands here; and a question is answered, not brushed away.
        const isAside = event.target === event.currentTarget && pressedAside.current && event.detail < 2
        if (isAside && role === 'dialog') void close()
      }}
    >
      <ClosingContext value={{ busy, close: () => void close() }}>
        <div>
          {!bare && (
            <div className={styles.dialogHead}>
              <h2 id={id}>{title}</h2>
              <Button kind="quiet" icon={<IconClose />} aria-label="关闭" onClick={() => void close()} />
            </div>
          )}
          {children}
          {footer && <div className={styles.dialogFoot}>{footer}</div>}
        </div>
      </ClosingContext>
    </dialog>
  )
}

const ClosingContext = createContext<{ busy: boolean; close: () => void }>({
  busy: false,
  close: () => undefined,
})

/** What a dialog says before anything else. */
export function DialogText({ children }: { children: ReactNode }) {
  return <div className={styles.dialogText}>{children}</div>
}

/** A way out of the dialog it stands in, with the same question as Esc. */
export function CloseButton({ children = '取消' }: { children?: ReactNode }) {
  const { busy, close } = useContext(ClosingContext)
  return (
    <Button disabled={busy} onClick={close}>
      {children}
    </Button>
  )
}

type TextField = HTMLInputElement | HTMLTextAreaElement

const NO_TEXT = ['checkbox', 'radio', 'range', 'file']

function isTextField(target: EventTarget): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !NO_TEXT.includes(target.type)
}

/** Whether a field that still stands holds another text than when it was entered first. */
function isTyped(texts: ReadonlyMap<TextField, string>): boolean {
  return [...texts].some(([field, before]) => field.isConnected && field.value !== before)
}
