import { type ReactNode, useState } from 'react'
import type { Asked } from '#kit/declare/form.ts'
import { Button } from '../controls/Button.tsx'
import { CloseButton, Dialog } from './Dialog.tsx'
import { type Drawing, drawn, FormBody } from './Form.tsx'
import styles from './FormDialog.module.css'
import { useLeaveGuard } from './leave.ts'
import type { Form } from './useForm.ts'
import { type NoMore, type OptionsOf, useFormOf } from './useFormOf.ts'

type Frame = {
  title: string
  /** A verb: 充值, 保存. */
  submitText: string
  /** The way out, where 取消 would read like what the dialog does. */
  cancelText?: string
  /** What it does cannot be taken back. */
  danger?: boolean
  width?: number
  onClose: () => void
  /** So long its button stays locked once something was sent. */
  lockMs?: number
}

type Props<F extends Asked, More extends object> = Frame & OptionsOf<F, More> & Drawing<F, More>

/**
 * A form in a dialog, made of the fields that it asks for: refusals at their field, sent once, and a question before typed input is
 * thrown away. Once it was sent the dialog closes, unless told what else happens.
 */
export function FormDialog<F extends Asked, More extends object = NoMore>(props: Props<F, More>) {
  const lock = useLock(props.lockMs)
  const form = useFormOf<F, More>({
    ...props,
    send: (values, key) => {
      lock.begin()
      return props.send(values, key)
    },
    onDone: props.onDone ?? props.onClose,
  })
  return (
    <FormFrame {...props} form={form} isLocked={lock.isLocked}>
      {drawn(form, props as Drawing<F, More>)}
    </FormFrame>
  )
}

function useLock(lockMs: number | undefined) {
  const [isLocked, setLocked] = useState(false)
  const begin = () => {
    if (lockMs === undefined) return
    setLocked(true)
    setTimeout(() => setLocked(false), lockMs)
  }
  return { isLocked, begin }
}

type FrameProps = Frame & {
  form: Pick<Form<never>, 'busy' | 'dirty' | 'submit' | 'message' | 'isUnsaved'>
  isLocked: boolean
  children: ReactNode
}

function FormFrame({ title, submitText, cancelText, danger, width = 480, onClose, ...rest }: FrameProps) {
  const { form, isLocked, children } = rest
  useLeaveGuard(form.isUnsaved)
  return (
    <Dialog title={title} width={width} busy={form.busy} dirty={form.dirty} onClose={onClose}>
      <FormBody
        form={form}
        isLocked={isLocked}
        className={styles.form}
        actions={
          <>
            <CloseButton>{cancelText}</CloseButton>
            <Button
              kind={danger ? 'danger' : 'primary'}
              type="submit"
              busy={form.busy}
              disabled={isLocked && '请稍候再提交'}
            >
              {submitText}
            </Button>
          </>
        }
      >
        {children}
      </FormBody>
    </Dialog>
  )
}

/** What a form is about, above its fields. */
export function FormNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>
}
