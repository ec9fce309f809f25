import type { ReactNode } from 'react'
import { look } from '../controls/look.ts'
import styles from './Figure.module.css'

type Props = {
  label: ReactNode
  value: ReactNode
  tone?: 'attention' | 'problem' | undefined
  /** What stands below it: <dd>s. */
  children?: ReactNode
}

/** One large figure of a <dl>. */
export function Figure({ label, value, tone, children }: Props) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className={`${styles.figureValue} ${look.number}`} data-tone={tone}>
        {value}
      </dd>
      {children}
    </div>
  )
}
