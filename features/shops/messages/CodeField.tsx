import { useRef } from 'react'
import { look } from '#web/controls/look.ts'
import { SENDS } from '#web/form/FormElement.tsx'
import { CodeButton } from './CodeButton.tsx'
import styles from './messages.module.css'
import { type AskedPurpose, CODE_LIMITS } from './rules.ts'

type Props = {
  merchantId: number
  purpose: AskedPurpose
  /** Why no code can be sent to this shop, or null. */
  refusal?: string | null
  /** Where it is sent, for `identity`. */
  phone?: string
  /** Given by a form item, as are the next five. */
  value?: string
  onChange?: (code: string) => void
  id?: string
  onBlur?: () => void
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  'aria-required'?: boolean
}

/** A code of six digits and the button that has one sent (D1 §4, D2 §9). */
export function CodeField({ merchantId, purpose, refusal, phone, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.codeField}>
      <input
        {...SENDS}
        ref={input}
        className={`${look.input} ${look.number}`}
        id={field.id}
        aria-describedby={field['aria-describedby']}
        aria-invalid={field['aria-invalid']}
        aria-required={field['aria-required']}
        value={field.value ?? ''}
        onChange={event => field.onChange?.(event.target.value.replace(/\D/g, ''))}
        onBlur={field.onBlur}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_LIMITS.digits}
        placeholder={`${CODE_LIMITS.digits} 位数字`}
      />
      <CodeButton
        merchantId={merchantId}
        purpose={purpose}
        refusal={refusal}
        phone={phone}
        onSent={() => input.current?.focus()}
      />
    </div>
  )
}
