import { useRef } from 'react'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import styles from './refusals.module.css'

type Props<F extends string, Code extends string, Answer> = {
  title: string
  /** What becomes of the reasons. */
  note: string
  submitText: string
  /** Those that were asked for, in the order of their form. */
  fields: readonly F[]
  labels: Readonly<Record<F, string>>
  max: number
  refuse: (reasons: Record<F, string>) => Code | null
  refusals: Readonly<Record<Code, string>>
  send: (reasons: Record<F, string>) => Promise<Answer>
  /** What is said once it was taken. */
  done: (answer: Answer) => { text: string; isWarning?: boolean }
  /** Whose rows are read again where it was refused. */
  of: string
  onClose: () => void
}

/** Why something is sent back, field by field; its form opens with each beside its field. */
export function ReasonsDialog<F extends string, Code extends string, Answer>(props: Props<F, Code, Answer>) {
  const { fields, labels, max, onClose } = props
  type Draft = Record<`reasons.${F}`, string>
  const reasonsOf = (draft: Draft) =>
    Object.fromEntries(fields.map(field => [field, draft[`reasons.${field}`]])) as Record<F, string>
  const said = useRef<ReturnType<typeof props.done>>(undefined)
  // No fields: it asks once for each that was asked for, which what is sent back says.
  const form = useForm<Draft>({
    initial: Object.fromEntries(fields.map(field => [`reasons.${field}`, ''])) as Draft,
    judge: draft => {
      const code = props.refuse(reasonsOf(draft))
      const long = fields.find(field => [...draft[`reasons.${field}`]].length > max)
      return code && { field: `reasons.${long ?? 'other'}`, message: props.refusals[code] }
    },
    send: async draft => {
      said.current = props.done(await props.send(reasonsOf(draft)))
    },
    onRefused: () => {
      readAgain(props.of)
      return false
    },
    onDone: async () => {
      if (said.current) toast[said.current.isWarning ? 'warning' : 'success'](said.current.text)
      await reread()
      onClose()
    },
  })
  return (
    <Dialog title={props.title} width={640} busy={form.busy} dirty={form.dirty} onClose={onClose}>
      <FormElement className={styles.form} onSubmit={() => void form.submit()}>
        <p className={look.quiet}>{props.note}</p>
        <div className={styles.pair}>
          {fields.map(field => (
            <TextField
              key={field}
              form={form}
              name={`reasons.${field}`}
              label={labels[field]}
              maxLength={max}
            />
          ))}
        </div>
        <div className={styles.foot}>
          <p className={styles.message} role="alert">
            {form.message}
          </p>
          <ActionBar>
            <CloseButton />
            <Button kind="primary" type="submit" busy={form.busy}>
              {props.submitText}
            </Button>
          </ActionBar>
        </div>
      </FormElement>
    </Dialog>
  )
}
