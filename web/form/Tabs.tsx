import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './Tabs.module.css'

type Tab = { key: string; label: string; content: ReactNode }
type Props = { tabs: readonly Tab[]; shown: string | undefined; onChange: (key: string) => void }

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Parts of a page of which one is seen; the others are not drawn. */
export function Tabs({ tabs, shown, onChange }: Props) {
  const id = useId()
  const at = Math.max(
    tabs.findIndex(({ key }) => key === shown),
    0,
  )
  const open = tabs[at]
  const list = useRef<HTMLDivElement>(null)
  // Where they are more than fit, the open one is brought to where it is seen.
  useEffect(() => {
    list.current?.querySelectorAll('[role="tab"]')[at]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [at])
  const step = ({ key, currentTarget }: KeyboardEvent) => {
    const next = (at + (STEPS[key] ?? 0) + tabs.length) % tabs.length
    const tab = tabs[next]
    if (!(key in STEPS) || !tab) return
    onChange(tab.key)
    currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" className={styles.tabs} onKeyDown={step}>
        {tabs.map(tab => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab === open}
            aria-controls={`${id}-panel`}
            tabIndex={tab === open ? 0 : -1}
            onClick={() => onChange(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {open && (
        <div key={open.key} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.key}`}>
          {open.content}
        </div>
      )}
    </>
  )
}
