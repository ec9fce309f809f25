import { useState } from 'react'
import { Button } from '#web/controls/Button.tsx'
import styles from './notices.module.css'
import type { Folded } from './rules.ts'

type Line = Folded & { id: number; title: string }

/** Which things' notices are shown each, by their newest, and what says how many they are and unfolds them. */
export function useUnfolded() {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  return {
    ids,
    toggleOf: ({ id, title, others }: Line) => {
      if (others === 0) return null
      const text = ids.has(id) ? '收起' : `共 ${others + 1} 条`
      return (
        <Button
          kind="quiet"
          className={styles.noticeFold}
          aria-expanded={ids.has(id)}
          aria-label={`${title}，${text}`}
          onClick={event => {
            event.stopPropagation()
            const next = new Set(ids)
            if (!next.delete(id)) next.add(id)
            setIds(next)
          }}
        >
          {text}
        </Button>
      )
    },
  }
}
