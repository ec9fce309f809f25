import { type ReactNode, useState } from 'react'
import styles from './FormField.module.css'

/** A field whose rule is broken, with the message for it. */
export type Broken = { field: string; message: string }

/** What a control needs to be named, described and marked as wrong. */
export type ControlProps = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'aria-required': boolean
  status: 'error' | undefined
  onBlur: () => void
}

type FieldProps = {
  label: string
  name: string
  form: GroupForm
  required?: boolean
  hint?: ReactNode
  wide?: boolean
  /** Why the field may not be changed; shown on hover and to screen readers. */
  lock?: string | null
  children: (control: ControlProps) => ReactNode
}

/** A label above its control, and below it the broken rule's message or a hint. */
export function FormField({ label, name, form, required, hint, wide, lock, children }: FieldProps) {
  const message = form.messageOf(name)
  const id = fieldId(name)
  const note = message ?? hint ?? lock
  return (
    <div
      data-part="field"
      className={styles.formField}
      data-wide={wide || undefined}
      data-broken={message !== null || undefined}
      data-tip={lock ?? undefined}
    >
      <label className={styles.formFieldLabel} htmlFor={id}>
        {label}
        {required && (
          <span className={styles.formFieldRequired} aria-hidden="true">
            *
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': message !== null,
        'aria-required': required === true,
        status: message === null ? undefined : 'error',
        onBlur: () => form.touch(name),
      })}
      <FieldNote id={id} message={message} hint={hint ?? lock} aside={hint === undefined && Boolean(lock)} />
    </div>
  )
}

type NoteProps = {
  id: string
  message: string | null
  hint?: ReactNode
  /** The hint stands in a tooltip too; only a phone, which has none, shows it. */
  aside?: boolean
}

/** The message or hint of a field; the line keeps its height, so that nothing jumps when a message comes. */
export function FieldNote({ id, message, hint, aside }: NoteProps) {
  return (
    <div
      id={`${id}-note`}
      className={styles.formFieldNote}
      data-broken={message !== null || undefined}
      aria-live="polite"
    >
      {message ?? (aside ? <span className={styles.formFieldAside}>{hint}</span> : hint)}
    </div>
  )
}

type GroupForm = Pick<DraftForm<never>, 'messageOf' | 'touch'>

/** What a group of choices needs to be found, described and marked as wrong. */
export function groupOf(form: GroupForm, name: string) {
  return {
    id: fieldId(name),
    invalid: form.messageOf(name) !== null,
    describedBy: `${fieldId(name)}-note`,
    onBlur: () => form.touch(name),
  }
}

/** The broken rule of a group of choices. */
export function GroupNote({ form, name }: { form: GroupForm; name: string }) {
  return <FieldNote id={fieldId(name)} message={form.messageOf(name)} />
}

type GroupProps = {
  label?: string
  /** Without the mark of a required field. */
  optional?: boolean
  children: ReactNode
}

/** A group of choices below its label. */
export function GroupField({ label, optional, children }: GroupProps) {
  return (
    <div data-part="field" className={styles.formField}>
      {label !== undefined && (
        <span className={styles.formFieldLabel}>
          {label}
          {!optional && (
            <span className={styles.formFieldRequired} aria-hidden="true">
              *
            </span>
          )}
        </span>
      )}
      {children}
    </div>
  )
}

/** Fields in two columns, one on a phone. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={styles.formGrid}>{children}</div>
}

export function FormSectionTitle({ children }: { children: ReactNode }) {
  return <h2 className={styles.formSectionTitle}>{children}</h2>
}

type SectionProps = {
  title: string
  /** Its parts stand below each other instead of in two columns. */
  plain?: boolean
  children: ReactNode
}

export function FormSection({ title, plain, children }: SectionProps) {
  return (
    <section className={styles.formSection}>
      <FormSectionTitle>{title}</FormSectionTitle>
      {plain ? children : <FormGrid>{children}</FormGrid>}
    </section>
  )
}

export function fieldId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`
}

/** Brings a field into view and puts the cursor there; for a group of choices, on its chosen or first one. */
export function focusField(name: string): void {
  const target = document.getElementById(fieldId(name))
  if (!target) return
  const control = target.matches('input,textarea,select,button')
    ? target
    : (target.querySelector<HTMLElement>('input:checked') ??
      target.querySelector<HTMLElement>('input,textarea,button'))
  target.scrollIntoView({ block: 'center', behavior: 'auto' })
  control?.focus({ preventScroll: true })
}

export type DraftForm<D> = {
  draft: D
  dirty: boolean
  change: (changed: Partial<D>) => void
  /** Takes a whole new draft as if a person had typed it. */
  replace: (draft: D) => void
  /** Takes other values as the unchanged ones, and a draft over them. */
  rebase: (base: D, draft: D) => void
  touch: (field: string) => void
  messageOf: (field: string) => string | null
  /** Shows every broken rule and focuses the first; true when there is none. */
  passes: () => boolean
  /** Shows the server's refusal at its field and focuses it. */
  refuse: (broken: Broken) => void
}

/** The state of one form: what was typed, what was left, what is wrong. `judge` lists broken rules in their order. */
export function useDraft<D extends object>(initial: D, judge: (draft: D) => Broken[]): DraftForm<D> {
  const [base, setBase] = useState(initial)
  const [draft, setDraft] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Broken | null>(null)
  const broken = judge(draft)
  const take = (next: D) => {
    setDraft(next)
    if (refused && valueAt(next, refused.field) !== valueAt(draft, refused.field)) setRefused(null)
  }
  return {
    draft,
    dirty: JSON.stringify(draft) !== JSON.stringify(base),
    change: changed => take({ ...draft, ...changed }),
    replace: take,
    rebase: (nextBase, nextDraft) => {
      setBase(nextBase)
      setDraft(nextDraft)
      setRefused(null)
    },
    touch: field => setTouched(fields => (fields.has(field) ? fields : new Set([...fields, field]))),
    messageOf: field => {
      if (refused?.field === field) return refused.message
      return touched.has(field) ? (broken.find(rule => rule.field === field)?.message ?? null) : null
    },
    passes: () => {
      setTouched(fields => new Set([...fields, ...broken.map(rule => rule.field)]))
      const first = broken[0]
      if (first) focusField(first.field)
      return first === undefined
    },
    refuse: next => {
      setRefused(next)
      focusField(next.field)
    },
  }
}

function valueAt(draft: object, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], draft)
}
