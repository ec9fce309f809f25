import type { ReactNode } from 'react'
import styles from './Labelled.module.css'

/** A control that applies at once, under its small label. */
export function Labelled({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label className={styles.labelled} data-wide={wide || undefined}>
      <span className={styles.label}>{label}</span>
      {children}
    </label>
  )
}
