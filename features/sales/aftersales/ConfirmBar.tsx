import type { ReactNode } from 'react'
import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { type Asked, type Meant, typedOf } from '#kit/declare/form.ts'
import { refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormElement } from '#web/form/FormElement.tsx'
import type { FieldsOf, Form } from '#web/form/useForm.ts'
import { type FormOf, type NoMore, type OptionsOf, useFormOf } from '#web/form/useFormOf.ts'
import type { TOOL } from './fields.ts'
import { TOOL_REFUSALS, type ToolRefusal } from './rules.ts'
import { readShopsAgain } from './ToolPage.tsx'
import styles from './tools.module.css'

type Reasoned = Asked & typeof TOOL

type Tool<F extends Reasoned> = Pick<OptionsOf<F, NoMore>, 'of' | 'known' | 'refuse' | 'question'> & {
  send: (values: Meant<F>) => Promise<unknown>
  doneText: string
}

/** The form of a tool: its own fields and the reason, the question, and the change, sent once. */
export function useTool<F extends Reasoned>({ send, doneText, ...asked }: Tool<F>) {
  const form: FormOf<F> = useFormOf<F>({
    ...asked,
    send: async values => {
      await send(values)
      toast.success(doneText)
      const empty = typedOf(asked.of, asked.known ?? undefined)
      form.rebase(empty, empty)
    },
    onRefused: error => {
      const refusal = refusalOf(error)
      // The shop is shown anew, and this form with it.
      if (refusal?.code === 'STALE') toast.error(refusal.message)
      return readShopsAgain()
    },
  })
  return form
}

type Props = {
  form: FieldsOf<{ reason: string }> &
    Pick<Form<object>, 'busy' | 'message' | 'submit'> & { fields: Partial<typeof TOOL> }
  /** A verb: 延期, 关联. */
  submitText: string
  danger?: boolean
  /** Why it cannot be done at all now, as the button's tooltip. */
  refusal: ToolRefusal | null
  /** Fields before the reason. */
  children?: ReactNode
}

/** The end of every tool: the reason, and the button. */
export function ConfirmBar({ form, submitText, danger, refusal, children }: Props) {
  return (
    <FormElement
      className={styles.toolForm}
      onSubmit={() => {
        if (!refusal) void form.submit()
      }}
    >
      {children}
      {!refusal && (
        <div className={styles.toolReason}>
          <ReasonField of="tool" form={form} name="reason" />
        </div>
      )}
      <p className={styles.toolMessage} role="alert">
        {form.message}
      </p>
      <div className={styles.toolBar}>
        {refusal && <span className={styles.toolRefusal}>{TOOL_REFUSALS[refusal]}</span>}
        <Button
          type="submit"
          kind={danger ? 'danger' : 'primary'}
          busy={form.busy}
          disabled={refusal && TOOL_REFUSALS[refusal]}
        >
          {submitText}
        </Button>
      </div>
    </FormElement>
  )
}
