import { type KeyboardEvent, useRef, useState } from 'react'
import { cleanLine } from '#kit/words/cleaned.ts'
import { useViewOnly } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import styles from './EditableCell.module.css'

type Props = {
  /** What is edited, for screen readers: 备注 of which shop. */
  label: string
  value: string
  placeholder: string
  /** Why it cannot be edited now. */
  lock: string | null
  /** The broken rule's message, or null. */
  refuse: (text: string) => string | null
  save: (text: string) => void
}

/** Text that is edited where it stands: Enter or leaving saves, Esc gives up. */
export function EditableCell({ label, value, placeholder, lock, refuse, save }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const closing = useRef(false)
  const viewOnly = useViewOnly()
  if (typed === null) {
    const start = () => {
      closing.current = false
      setTyped(value)
    }
    return <ShownText label={label} value={value} lock={viewOnly ?? lock} onStart={start} />
  }
  const close = () => {
    closing.current = true
    setTyped(null)
  }
  const finish = () => {
    if (closing.current) return
    const text = cleanLine(typed)
    if (text === value) return close()
    const message = refuse(text)
    if (message !== null) return toast.warning(message)
    close()
    save(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') finish()
    if (event.key !== 'Escape') return
    // The same key would close the drawer around it.
    event.preventDefault()
    close()
  }
  return (
    <input
      className={styles.editableInput}
      aria-label={label}
      aria-invalid={refuse(cleanLine(typed)) !== null && cleanLine(typed) !== value}
      value={typed}
      placeholder={placeholder}
      // The person has just asked to type here.
      ref={input => input?.focus()}
      onChange={event => setTyped(event.target.value)}
      onKeyDown={onKeyDown}
      onDoubleClick={event => event.stopPropagation()}
      onClick={event => event.stopPropagation()}
      onBlur={finish}
    />
  )
}

type ShownProps = Pick<Props, 'label' | 'value' | 'lock'> & { onStart: () => void }

function ShownText({ label, value, lock, onStart }: ShownProps) {
  return (
    <span className={styles.editable}>
      <span className={styles.editableText} data-tip-cut>
        {value}
      </span>
      <button
        type="button"
        className={styles.editableStart}
        aria-label={`编辑${label}`}
        aria-disabled={lock !== null}
        data-tip={lock ?? undefined}
        onClick={() => {
          if (lock === null) onStart()
        }}
      >
        <svg
          viewBox="0 0 16 16"
          width="14"
          height="14"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
          aria-hidden="true"
        >
          <path d="m10.8 2.8 2.4 2.4L5.6 12.8l-3 .6.6-3z" />
        </svg>
      </button>
    </span>
  )
}
