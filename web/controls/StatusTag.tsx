import type { ReactNode } from 'react'
import styles from './StatusTag.module.css'

export type Tone = 'done' | 'attention' | 'problem' | 'neutral'

/** A status in a word: green is done, orange needs attention, red is a problem; nothing else is coloured. */
export function StatusTag({ tone, children, tip }: { tone: Tone; children: ReactNode; tip?: string }) {
  return (
    <span className={styles.tag} data-tone={tone} data-tip={tip}>
      {children}
    </span>
  )
}

/** A status among others of its kind: a tag where it is not as it should be, otherwise the word alone. */
export function StatusWord(status: { tone: Tone; children: ReactNode; tip?: string }) {
  if (status.tone === 'attention' || status.tone === 'problem') return <StatusTag {...status} />
  return (
    <span className={styles.word} data-tip={status.tip}>
      {status.children}
    </span>
  )
}
