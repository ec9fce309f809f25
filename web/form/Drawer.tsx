import type { ReactNode } from 'react'
import { Button } from '../controls/Button.tsx'
import { IconClose } from '../controls/icons.tsx'
import styles from './Drawer.module.css'
import { TurnButtons } from './Turns.tsx'
import { useTopLayer } from './useTopLayer.ts'

type Props = {
  title: string
  /** Room for two columns. */
  wide?: boolean
  onClose: () => void
  children: ReactNode
}

/** What was opened from a list, over it at the right, on the browser's own <dialog>. */
export function Drawer({ title, wide, onClose, children }: Props) {
  const layer = useTopLayer(onClose)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it, which the browser turns into `cancel`.
    <dialog
      {...layer}
      data-part="drawer"
      className={styles.drawer}
      data-wide={wide || undefined}
      aria-label={title}
      onClick={event => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className={styles.drawerBox}>
        <header className={styles.drawerHead}>
          <div className={styles.drawerTitle}>{title}</div>
          <TurnButtons />
          <Button kind="quiet" icon={<IconClose />} aria-label="关闭" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** What of a drawer scrolls. */
export function DrawerBody({ children }: { children: ReactNode }) {
  return <div className={styles.drawerBody}>{children}</div>
}
