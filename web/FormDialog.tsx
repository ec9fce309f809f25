import { Form, type FormInstance, Modal } from 'antd'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { messageOf, newKey, refusalOf } from './api.ts'
import { confirm, confirmDiscard, type Question } from './confirm.ts'
import styles from './FormDialog.module.css'

export type FieldRefusal = { field: string; message: string }

type Props<Values extends object> = {
  title: string
  /** A verb: 充值, 保存. */
  submitText: string
  /** The way out, where 取消 would read like what the dialog does. */
  cancelText?: string
  /** What it does cannot be taken back. */
  danger?: boolean
  initial: Values
  /** The first broken rule, before anything is sent. */
  refuse?: (values: Values) => FieldRefusal | null
  /** What will happen, asked before it is sent. */
  question?: (values: Values) => Question
  /** Sends it; the key stays the same as long as the dialog is open. */
  onSubmit: (values: Values, idempotencyKey: string) => Promise<void>
  onClose: () => void
  /** Ant Design form items whose names are the values' keys. */
  children: ReactNode | ((form: FormInstance<Values>) => ReactNode)
}

/** A form in a dialog: refusals at their field, sent once, and a question before typed input is thrown away. */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const { title, submitText, initial, onClose } = props
  const [form] = Form.useForm<Values>()
  const [key] = useState(newKey)
  // Looked up once it stands: a dialog that it takes the place of is still there while it is first drawn.
  const [container, setContainer] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => setContainer(topLayer()), [])
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const isDirty = () => JSON.stringify(form.getFieldsValue(true)) !== JSON.stringify(initial)
  useBeforeUnload(isDirty)
  const close = async () => {
    if (busy) return
    if (!isDirty() || (await confirmDiscard())) onClose()
  }
  const show = (refusal: FieldRefusal) => {
    form.setFields([{ name: refusal.field as never, errors: [refusal.message] }])
    form.focusField(refusal.field as never)
  }
  const submit = async () => {
    if (busy) return
    const values = form.getFieldsValue(true) as Values
    const broken = props.refuse?.(values)
    if (broken) return show(broken)
    if (props.question && !(await confirm(props.question(values)))) return
    setBusy(true)
    setMessage(null)
    try {
      await props.onSubmit(values, key)
      onClose()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal?.field && refusal.field in values) show({ field: refusal.field, message: refusal.message })
      else setMessage(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (!container) return null
  return (
    <Modal
      open
      title={title}
      width={480}
      okText={submitText}
      cancelText={props.cancelText ?? '取消'}
      okButtonProps={{ danger: props.danger }}
      confirmLoading={busy}
      onOk={() => void submit()}
      onCancel={event => {
        if ((event as unknown) instanceof KeyboardEvent) {
          // Esc, told for the whole page: it is meant for what stands above, and must not answer the question asked here.
          if (topLayer() !== container) return
          event.preventDefault()
        }
        void close()
      }}
      mask={{ closable: false }}
      keyboard={!busy}
      getContainer={container}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        className={styles.formDialog}
        onFinish={() => void submit()}
        onValuesChange={changed => {
          for (const name of Object.keys(changed)) form.setFields([{ name: name as never, errors: [] }])
        }}
      >
        {typeof props.children === 'function' ? props.children(form) : props.children}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
      <p className={styles.formDialogMessage} role="alert">
        {message}
      </p>
    </Modal>
  )
}

/** Over a <dialog> that is open the form must stand in it, since the rest of the page is inert. */
function topLayer(): HTMLElement {
  return [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body
}

function useBeforeUnload(isDirty: () => boolean): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  })
}
