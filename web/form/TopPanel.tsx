import { type CSSProperties, type ReactNode, useState } from 'react'
import { Button } from '../controls/Button.tsx'
import { IconClose } from '../controls/icons.tsx'
import styles from './TopPanel.module.css'
import { useTopLayer } from './useTopLayer.ts'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** What a button of the top bar opens: below it at the right, on a phone the whole screen. */
export function TopPanel({ title, onClose, children }: Props) {
  const layer = useTopLayer(onClose)
  // A note may stand above the top bar.
  const [below] = useState(() => document.querySelector('header')?.getBoundingClientRect().bottom ?? 0)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it, which the browser turns into `cancel`.
    <dialog
      {...layer}
      className={styles.panel}
      aria-label={title}
      style={{ '--below': `${below}px` } as CSSProperties}
      onClick={event => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className={styles.panelBox}>
        <Button
          kind="quiet"
          icon={<IconClose />}
          aria-label="关闭"
          className={styles.panelClose}
          onClick={onClose}
        />
        {children}
      </div>
    </dialog>
  )
}

type PartProps = { children: ReactNode; foot: ReactNode }

/** One part of it: what scrolls, and the way to all of it. */
export function TopPanelPart({ children, foot }: PartProps) {
  return (
    <>
      <div className={styles.panelRows}>{children}</div>
      <div className={styles.panelFoot}>{foot}</div>
    </>
  )
}

/** Stands where there is nothing to list. */
export function TopPanelNone({ children }: { children: ReactNode }) {
  return <div className={styles.panelNone}>{children}</div>
}

/** One thing: what opens it, and what else can be done with it. */
export function TopPanelRow({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <li className={styles.panelRow}>
      {children}
      {action}
    </li>
  )
}

export const panelLook = {
  /** The part of a row that opens its thing. */
  opener: styles.panelOpener,
  /** A line that is cut where it does not fit. */
  line: styles.panelLine,
}
