import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ReasonField } from '#features/settlement/ReasonField.tsx'
import { refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { confirm, type Question } from '#web/confirm.ts'
import { toast } from '#web/toast.ts'
import { LIMITS, refuseReason, TOOL_REFUSALS, type ToolRefusal } from './rules.ts'
import { useRefresh } from './ToolPage.tsx'
import styles from './tools.module.css'

type Props = {
  /** A verb: 延期, 关联. */
  submitText: string
  danger?: boolean
  /** Why it cannot be done at all now, as the button's tooltip. */
  refusal: ToolRefusal | null
  /** What is wrong with what was typed above, asked when the button is pressed; it shows its own message. */
  check?: () => boolean
  question: () => Question
  send: (reason: string) => Promise<unknown>
  doneText: string
  /** Fields before the reason. */
  children?: ReactNode
}

/** The end of every tool: the reason, the question, and the change, pressed once. */
export function ConfirmBar(props: Props) {
  const id = useId()
  const refresh = useRefresh()
  const [reason, setReason] = useState('')
  const [message, setMessage] = useState<string | null>(null)
  const change = useMutation({
    mutationFn: () => props.send(reason.trim()),
    onSuccess: () => {
      toast.success(props.doneText)
      setReason('')
    },
    onError: error => {
      const refusal = refusalOf(error)
      // The shop is shown anew, and this form with it.
      if (refusal?.code === 'STALE') toast.error(refusal.message)
    },
    // Also after a refusal: what is shown may be older than what refused it.
    onSettled: refresh,
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (change.isPending || props.refusal) return
    if (props.check && !props.check()) return
    const code = refuseReason(reason)
    setMessage(code && TOOL_REFUSALS[code])
    if (code) return document.getElementById(id)?.focus()
    if (await confirm(props.question())) change.mutate()
  }
  return (
    <form className={styles.toolForm} onSubmit={event => void submit(event)} noValidate>
      {props.children}
      {!props.refusal && (
        <div className={styles.toolReason}>
          <ReasonField
            id={id}
            label="操作原因"
            max={LIMITS.reason}
            required
            value={reason}
            message={message}
            onChange={text => {
              setReason(text)
              setMessage(null)
            }}
          />
        </div>
      )}
      <p className={styles.toolMessage} role="alert">
        {change.isError && (refusalOf(change.error)?.message ?? '操作失败')}
      </p>
      <div className={styles.toolBar}>
        {props.refusal && <span className={styles.toolRefusal}>{TOOL_REFUSALS[props.refusal]}</span>}
        <Button
          type="submit"
          kind={props.danger ? 'danger' : 'primary'}
          busy={change.isPending}
          disabled={props.refusal && TOOL_REFUSALS[props.refusal]}
        >
          {props.submitText}
        </Button>
      </div>
    </form>
  )
}
