import { type ReactNode, Suspense as ReactSuspense, useLayoutEffect } from 'react'
import { begin } from '../client/ready.ts'

/** React's; the page is not ready while something stands for what is still loaded. */
export function Suspense({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  return <ReactSuspense fallback={<Awaiting>{fallback}</Awaiting>}>{children}</ReactSuspense>
}

function Awaiting({ children }: { children: ReactNode }) {
  useLayoutEffect(begin, [])
  return children
}
