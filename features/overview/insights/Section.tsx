import type { ReactNode } from 'react'
import { look } from '#web/controls/look.ts'
import styles from './Section.module.css'

type Props = { label: string; title: ReactNode; heading?: 'h2' | 'h3'; children: ReactNode }

/** A part of a page or dialog under its title. */
export function Section({ label, title, heading: Heading = 'h2', children }: Props) {
  return (
    <section className={styles.section} aria-label={label}>
      <Heading className={look.sectionTitle}>{title}</Heading>
      {children}
    </section>
  )
}

type SelectProps<Value extends string | number> = {
  label: string
  /** What stands for all of them, which is undefined. */
  all: string
  options: readonly { value: Value; text: string }[]
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}

/** Within a title: which of several its part tells of. */
export function TitleSelect<Value extends string | number>({
  label,
  all,
  options,
  value: chosen,
  onChange,
}: SelectProps<Value>) {
  return (
    <select
      className={look.select}
      aria-label={label}
      value={chosen ?? ''}
      onChange={({ target }) => onChange(options.find(({ value }) => String(value) === target.value)?.value)}
    >
      <option value="">{all}</option>
      {options.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
