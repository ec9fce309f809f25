import { createContext, type ReactNode } from 'react'
import { usePhone } from '../theme/usePhone.ts'

/** Whether text in a control is so large that a phone's browser does not zoom into it. */
export const TouchContext = createContext(false)

/** On a phone, controls with text that the browser does not zoom into. */
export function TouchControls({ children }: { children: ReactNode }) {
  return <TouchContext value={usePhone()}>{children}</TouchContext>
}
