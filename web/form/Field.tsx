import type { ReactNode } from 'react'
import styles from './Field.module.css'
import type { Form } from './useForm.ts'
import { UnreadContext } from './useUnread.ts'

/** What a control needs to be named, described and marked as wrong. */
export type ControlProps = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'aria-required': boolean
  onBlur: () => void
}

type FieldForm = Pick<Form<never>, 'messageOf' | 'touch' | 'unread' | 'idOf'>

/** How a field stands in its form. */
export type FieldProps = {
  /** Not where the section's title says it. */
  label?: string
  required?: boolean
  hint?: ReactNode
  wide?: boolean
  /** Why the field may not be changed; shown on hover and to screen readers. */
  lock?: string | null
}

type Props = FieldProps & {
  name: string
  form: FieldForm
  /** A group of controls, which the label names but does not belong to one of. */
  group?: boolean
  children: (control: ControlProps) => ReactNode
}

/** A label above its control, and below it the broken rule's message or a hint. */
export function Field({ label, name, form, required, hint, wide, lock, group, children }: Props) {
  const message = form.messageOf(name)
  const id = form.idOf(name)
  const note = message ?? hint ?? lock
  const Label = group ? 'span' : 'label'
  return (
    <div
      data-part="field"
      className={styles.field}
      data-wide={wide || undefined}
      data-tip={lock ?? undefined}
    >
      {label !== undefined && (
        <Label className={styles.label} htmlFor={group ? undefined : id}>
          {label}
          {required && (
            <span className={styles.required} data-required aria-hidden="true">
              *
            </span>
          )}
        </Label>
      )}
      <UnreadContext value={told => form.unread(name, told)}>
        {children({
          id,
          'aria-describedby': note ? `${id}-note` : undefined,
          'aria-invalid': message !== null,
          'aria-required': required === true,
          onBlur: () => form.touch(name),
        })}
      </UnreadContext>
      {/* The line keeps its height, so that nothing jumps when a message comes. */}
      <div
        id={`${id}-note`}
        className={styles.note}
        data-broken={message !== null || undefined}
        aria-live="polite"
      >
        {message ?? (hint === undefined && lock ? <span className={styles.aside}>{lock}</span> : hint)}
      </div>
    </div>
  )
}

type SectionProps = {
  title: string
  /** Without the columns of fields. */
  plain?: boolean
  children: ReactNode
}

/** Fields that belong together, under a title. */
export function FormSection({ title, plain, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <SectionTitle>{title}</SectionTitle>
      {plain ? children : <FormGrid>{children}</FormGrid>}
    </section>
  )
}

/** Above fields that belong together, or the column beside them. */
export function SectionTitle({ children }: { children: ReactNode }) {
  return <h2 className={styles.title}>{children}</h2>
}

/** Short fields side by side. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>
}
