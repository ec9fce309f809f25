import type { ReactNode } from 'react'
import { ReasonText } from '#features/office/reference-data/ReasonText.tsx'
import { refusalOf } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import type { Question } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { FormElement } from '#web/form/FormElement.tsx'
import { type Broken, type FieldsOf, type Form, useForm } from '#web/form/useForm.ts'
import { LIMITS, refuseReason, TOOL_REFUSALS, type ToolRefusal } from './rules.ts'
import { readShopsAgain } from './ToolPage.tsx'
import styles from './tools.module.css'

type Reasoned<D> = D & { reason: string }

type Tool<D> = {
  /** What is typed or chosen before the reason. */
  initial: D
  /** What is wrong with it. */
  judge?: (draft: D) => Broken | null
  question: (draft: D) => Question
  send: (draft: Reasoned<D>) => Promise<unknown>
  doneText: string
}

/** The form of a tool: its own fields and the reason, the question, and the change, sent once. */
export function useTool<D extends object>({ initial, judge, question, send, doneText }: Tool<D>) {
  const empty = { ...initial, reason: '' }
  const form: Form<Reasoned<D>> = useForm<Reasoned<D>>({
    initial: empty,
    judge: draft => judge?.(draft) ?? brokenReason(draft.reason),
    question,
    send: async draft => {
      await send({ ...draft, reason: draft.reason.trim() })
      toast.success(doneText)
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

/** What is wrong with the reason of a tool. */
export function brokenReason(reason: string): Broken | null {
  const code = refuseReason(reason)
  return code && { field: 'reason', message: TOOL_REFUSALS[code] }
}

/** Why it is done. */
export function ReasonField({ form }: { form: FieldsOf<{ reason: string }> }) {
  const max = LIMITS.reason
  return (
    <ReasonText
      of="tool"
      form={form}
      name="reason"
      label="操作原因"
      required
      rows={2}
      count={max}
      maxLength={max}
    />
  )
}

type Props = {
  form: FieldsOf<{ reason: string }> & Pick<Form<object>, 'busy' | 'message' | 'submit'>
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
          <ReasonField form={form} />
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
