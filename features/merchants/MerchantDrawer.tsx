import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '#web/Button.tsx'
import { IconClose } from '#web/icons.tsx'
import { MerchantDetails } from './MerchantDetails.tsx'

/** The details over the list they were opened from, on the browser's own <dialog>. */
export default function MerchantDrawer({ id, onClose }: { id: number; onClose: () => void }) {
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
      className="merchant-drawer"
      aria-label="商户详情"
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
      <div className="merchant-drawer-box">
        <header>
          <div className="merchant-drawer-title">商户详情</div>
          <Button kind="quiet" icon={<IconClose />} aria-label="关闭" onClick={onClose} />
        </header>
        <div className="merchant-drawer-body">
          <MerchantDetails key={id} id={id} />
        </div>
      </div>
    </dialog>
  )
}

/** Esc in an open choice, or in a form over the drawer, closes that only. */
function keepOpenForPopup(event: KeyboardEvent): void {
  const target = event.target as Element
  const isOpen = target.getAttribute('aria-expanded') === 'true' || target.closest('.ant-modal-root') !== null
  if (event.key === 'Escape' && isOpen) event.preventDefault()
}
