import { type ComponentProps, lazy } from 'react'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { AgentPicker } from './AgentPicker.tsx'

const Picker = lazy(async () => ({ default: (await import('./AgentPicker.tsx')).AgentPicker }))

/** One agent, found by number or name, above what is read first: an empty field stands until its code has come. */
export function LaterAgentPicker(props: ComponentProps<typeof AgentPicker>) {
  return (
    <Suspense fallback={<span className={look.input} role="status" aria-label="加载中" />}>
      <Picker {...props} />
    </Suspense>
  )
}
