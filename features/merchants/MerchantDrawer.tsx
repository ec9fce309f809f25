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
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
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

/** Esc in an open choice closes the choice only. */
function keepOpenForPopup(event: KeyboardEvent): void {
  const isOpen = (event.target as Element).getAttribute('aria-expanded') === 'true'
  if (event.key === 'Escape' && isOpen) event.preventDefault()
}
