// Draws what the login opens besides its own form; with it comes what React needs for that.
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/** What it answers takes it away again. */
export function openPart(host: HTMLElement, part: ReactNode): () => void {
  const root = createRoot(host)
  root.render(part)
  return () => root.unmount()
}
