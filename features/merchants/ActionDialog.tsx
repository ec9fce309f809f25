import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { CloseButton, Dialog } from '#web/Dialog.tsx'
import { toast } from '#web/toast.ts'
import styles from './ActionDialog.module.css'
import type { DraftForm } from './FormField.tsx'

type Action = {
  busy: boolean
  dirty: boolean
  /** A refusal that belongs to no field. */
  message: string | null
  submit: () => void
}

/** Sends a short form that keeps its rules; a refusal stands at its field, or else below the form. */
export function useAction<D extends object>(
  form: DraftForm<D>,
  send: (draft: D) => Promise<unknown>,
  onDone: (draft: D) => unknown,
): Action {
  const [message, setMessage] = useState<string | null>(null)
  const sending = useMutation({
    mutationFn: send,
    onSuccess: (_answer, draft) => {
      toast.success('修改成功')
      return onDone(draft)
    },
    onError: error => {
      const refusal = refusalOf(error)
      if (refusal?.field) form.refuse({ field: refusal.field, message: refusal.message })
      else setMessage(messageOf(error))
    },
  })
  return {
    busy: sending.isPending,
    dirty: form.dirty,
    message,
    submit: () => {
      setMessage(null)
      if (form.passes()) sending.mutate(form.draft)
    },
  }
}

type Props = {
  title: string
  /** A verb: 修改, 重置. */
  submitText: string
  action: Action
  onClose: () => void
  children: ReactNode
}

/** A short form over a shop's details. It is the browser's own dialog, since the details may stand in one themselves. */
export function ActionDialog({ title, submitText, action, onClose, children }: Props) {
  return (
    <Dialog title={title} width={440} busy={action.busy} dirty={action.dirty} onClose={onClose}>
      <form
        noValidate
        className={styles.merchantAction}
        onSubmit={event => {
          event.preventDefault()
          if (!action.busy) action.submit()
        }}
      >
        {children}
        <p className={styles.merchantActionMessage} role="alert">
          {action.message}
        </p>
        <div className={styles.merchantActionBar}>
          <CloseButton />
          <Button kind="primary" type="submit" busy={action.busy}>
            {submitText}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
