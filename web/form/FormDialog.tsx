import { type ReactNode, useState } from 'react'
import { Button } from '../controls/Button.tsx'
import type { Question } from '../controls/confirm.ts'
import { ActionBar } from './ActionBar.tsx'
import { CloseButton, Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import { useLeaveGuard } from './leave.ts'
import { type Broken, type Form, useForm } from './useForm.ts'

type Props<Values extends object> = {
  title: string
  /** A verb: 充值, 保存. */
  submitText: string
  /** The way out, where 取消 would read like what the dialog does. */
  cancelText?: string
  /** What it does cannot be taken back. */
  danger?: boolean
  width?: number
  initial: Values
  /** Broken rules in their order, or the first, before anything is sent. */
  refuse?: (values: Values) => readonly Broken[] | Broken | null
  /** What will happen, asked before it is sent. */
  question?: (values: Values) => Question
  /** Sends it; the key stays the same as long as the dialog is open. */
  onSubmit: (values: Values, idempotencyKey: string) => Promise<unknown>
  onClose: () => void
  /** So long its button stays locked once something was sent. */
  lockMs?: number
  /** After it was sent; unless told, the dialog closes. */
  onDone?: (values: Values) => unknown
  children: (form: Form<Values>) => ReactNode
}

/** A form in a dialog: refusals at their field, sent once, and a question before typed input is thrown away. */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const { title, submitText, width = 480, onClose } = props
  const [locked, setLocked] = useState(false)
  const form = useForm({
    initial: props.initial,
    judge: props.refuse,
    question: props.question,
    send: (values, key) => {
      if (props.lockMs !== undefined) {
        setLocked(true)
        setTimeout(() => setLocked(false), props.lockMs)
      }
      return props.onSubmit(values, key)
    },
    onDone: props.onDone ?? onClose,
  })
  useLeaveGuard(form.isUnsaved)
  return (
    <Dialog title={title} width={width} busy={form.busy} dirty={form.dirty} onClose={onClose}>
      <form
        noValidate
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          // A form around the place it was opened from is not meant.
          event.stopPropagation()
          if (!locked) void form.submit()
        }}
      >
        {props.children(form)}
        <p className={styles.message} role="alert">
          {form.message}
        </p>
        <ActionBar>
          <CloseButton>{props.cancelText}</CloseButton>
          <Button
            kind={props.danger ? 'danger' : 'primary'}
            type="submit"
            busy={form.busy}
            disabled={locked && '请稍候再提交'}
          >
            {submitText}
          </Button>
        </ActionBar>
      </form>
    </Dialog>
  )
}

/** What a form is about, above its fields. */
export function FormNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>
}
