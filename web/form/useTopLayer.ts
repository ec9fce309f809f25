import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react'

/** The list or calendar of a control in the dialog. */
const OPEN_CHOICE =
  ':is(.ant-select-dropdown, .ant-picker-dropdown):not(.ant-select-dropdown-hidden, .ant-picker-dropdown-hidden)'

/** What a <dialog> over the page needs: shown while it stands, left as `close` allows, the focus given back. */
export function useTopLayer(close: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    ref.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // React tells of a dialog inside this one too.
  const isOwn = (event: SyntheticEvent) => event.target === event.currentTarget
  return {
    ref,
    onKeyDown: (event: KeyboardEvent) => {
      const isHeld = event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement
      // Esc in an open choice closes that only; an Enter that is held down presses nothing that came since.
      if (isHeld || (event.key === 'Escape' && event.currentTarget.querySelector(OPEN_CHOICE)))
        event.preventDefault()
    },
    onCancel: (event: SyntheticEvent) => {
      // A second Esc cannot be stopped: it is answered once, by `close`.
      if (!isOwn(event) || !event.nativeEvent.cancelable) return
      event.preventDefault()
      close()
    },
    onClose: (event: SyntheticEvent) => {
      if (!isOwn(event)) return
      // Closed past `cancel`; whether it may is not for the key to decide.
      ref.current?.showModal()
      close()
    },
  }
}
