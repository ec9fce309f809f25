import { useEffect, useState } from 'react'
import { onceReady } from '#web/client/ready.ts'

/** True once the page's own first requests have been answered; what stands in the header waits for them. */
export function useCalm(): boolean {
  const [calm, setCalm] = useState(false)
  useEffect(() => onceReady(() => setCalm(true)), [])
  return calm
}
