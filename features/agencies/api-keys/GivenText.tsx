import type { ReactNode } from 'react'
import { Button } from '#web/controls/Button.tsx'
import { copyText } from '#web/controls/copy.ts'
import styles from './GivenText.module.css'

type Props = {
  /** What is shown, selected by a press of it, and copied. */
  text: string
  part?: string
  isMain?: boolean
  children: ReactNode
}

/** A secret, or a command with it, to be taken along by the button beside it. */
export function GivenText({ text, part, isMain = false, children }: Props) {
  return (
    <div className={styles.given}>
      <code className={styles.text} data-part={part}>
        {text}
      </code>
      <Button kind={isMain ? 'primary' : 'plain'} onClick={() => void copyText(text)}>
        {children}
      </Button>
    </div>
  )
}
