import { ConfigProvider, theme } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import 'dayjs/locale/zh-cn'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { antTokens } from './theme.ts'
import { useThemeMode } from './theme-mode.ts'

dayjs.locale('zh-cn')

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

/** Ant Design in our colours, sizes and language. */
export function AntTheme({ children }: { children: ReactNode }) {
  const mode = useThemeMode()
  return (
    <ConfigProvider
      locale={zhCN}
      csp={{ nonce }}
      wave={{ disabled: true }}
      button={{ autoInsertSpace: false }}
      theme={{
        algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
        token: antTokens(mode),
        components: { Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' } },
      }}
    >
      {children}
    </ConfigProvider>
  )
}
