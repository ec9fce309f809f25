import { ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { usePhone } from '../usePhone.ts'

const PHONE = { token: { controlHeight: 44, fontSize: 16 } }

/** On a phone, controls big enough for a thumb, and text that the browser does not zoom into. */
export function TouchControls({ children }: { children: ReactNode }) {
  return <ConfigProvider theme={usePhone() ? PHONE : undefined}>{children}</ConfigProvider>
}
