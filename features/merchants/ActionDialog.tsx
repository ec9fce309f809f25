import type { ReactNode } from 'react'
import { Button } from '#web/Button.tsx'
import { confirm } from '#web/confirm.ts'
import { Dialog } from '#web/Dialog.tsx'
import './ActionDialog.css'
import './merchants.css'

type Props = {
  title: string
  /** A verb: 修改, 重置. */
  submitText: string
  busy: boolean
  dirty: boolean
  /** A refusal that belongs to no field. */
  message: string | null
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A short form over a shop's details. It is the browser's own dialog, since the details may stand in one themselves. */
export function ActionDialog({
  title,
  submitText,
  busy,
  dirty,
  message,
  onSubmit,
  onClose,
  children,
}: Props) {
  const close = async () => {
    if (busy) return
    const leave = { title: '放弃已填写的内容？', confirmText: '放弃', cancelText: '继续填写', danger: true }
    if (!dirty || (await confirm(leave))) onClose()
  }
  return (
    <Dialog title={title} width={440} onClose={() => void close()}>
      <form
        noValidate
        className="merchant-action"
        onSubmit={event => {
          event.preventDefault()
          if (!busy) onSubmit()
        }}
      >
        {children}
        <p className="merchant-action-message" role="alert">
          {message}
        </p>
        <div className="merchant-action-bar">
          <Button disabled={busy} onClick={() => void close()}>
            取消
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {submitText}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
