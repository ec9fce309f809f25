import type { ReactNode } from 'react'

export type Tone = 'done' | 'attention' | 'problem' | 'neutral'

/** A status in a word: green is done, orange needs attention, red is a problem; nothing else is coloured. */
export function StatusTag({ tone, children, tip }: { tone: Tone; children: ReactNode; tip?: string }) {
  return (
    <span className="tag" data-tone={tone} data-tip={tip}>
      {children}
    </span>
  )
}
