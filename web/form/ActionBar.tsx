import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './ActionBar.module.css'

type Place = { bar: HTMLElement | null; setBar: (bar: HTMLElement | null) => void }

const PlaceContext = createContext<Place | null>(null)

/** Around a dialog: what is found in its middle can stand among its actions. */
export function ActionPlace({ children }: { children: ReactNode }) {
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const place = useMemo(() => ({ bar, setBar }), [bar])
  return <PlaceContext value={place}>{children}</PlaceContext>
}

/** What can be done with a form or a dialog, at its foot: the way out first, what it is for last, at the right. */
export function ActionBar({ children }: { children: ReactNode }) {
  return (
    <div ref={useContext(PlaceContext)?.setBar} className={styles.bar}>
      {children}
    </div>
  )
}

/** What helps where the dialog cannot go on takes the place of its main action; without a dialog it stands where it is. */
export function Remedy({ children }: { children: ReactNode }) {
  const bar = useContext(PlaceContext)?.bar
  return bar ? createPortal(<div className={styles.remedy}>{children}</div>, bar) : children
}
