import { ConfigProvider, theme } from 'antd'
import zhCN from 'antd/es/locale/zh_CN'
import 'dayjs/locale/zh-cn'
import dayjs from 'dayjs'
import { type ReactNode, useContext } from 'react'
import { TouchContext } from '../form/TouchControls.tsx'
import { antTokens, dangerButton } from './theme.ts'
import { useThemeMode } from './theme-mode.ts'
import { usePhone } from './usePhone.ts'

dayjs.locale('zh-cn')

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

const createElement = document.createElement.bind(document)
/** Ant Design's scroll lock makes style elements without the nonce, which the page's policy refuses. */
document.createElement = ((name: string, options?: ElementCreationOptions) => {
  const element = createElement(name, options)
  if (nonce && element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}) as typeof document.createElement

/** Without their own names the year and month of a panel are called what they show. */
const DAY_WORDS = { yearSelect: '', monthSelect: '', decadeSelect: '' }
const LOCALE = {
  ...zhCN,
  DatePicker: zhCN.DatePicker && {
    ...zhCN.DatePicker,
    lang: { ...zhCN.DatePicker.lang, ...DAY_WORDS },
  },
}

// Our style sheet cuts animations to nothing then, and Ant Design waits for their end: a closed choice would stay half open.
const STILL = matchMedia('(prefers-reduced-motion: reduce)').matches

/** Inside a <dialog> choices open in it, since the rest of the page is inert. */
function containerOf(trigger?: HTMLElement): HTMLElement {
  return trigger?.closest('dialog') ?? document.body
}

/** Ant Design in our colours, sizes and language, around each of its controls: pages without one do without its code. */
export function AntTheme({ children }: { children: ReactNode }) {
  const mode = useThemeMode()
  const phone = usePhone()
  const touch = useContext(TouchContext)
  return (
    <ConfigProvider
      locale={LOCALE}
      csp={{ nonce }}
      getPopupContainer={containerOf}
      wave={{ disabled: true }}
      button={{ autoInsertSpace: false }}
      theme={{
        algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
        token: { ...antTokens(mode, phone), ...(touch && { fontSize: 16 }), motion: !STILL },
        // Controls of one look share its variables.
        cssVar: { key: touch ? 'ant-touch' : 'ant' },
        components: {
          Button: {
            primaryShadow: 'none',
            defaultShadow: 'none',
            dangerShadow: 'none',
            ...dangerButton(mode),
          },
          // A day of the next month can be chosen, and read.
          DatePicker: { colorTextDisabled: 'var(--faint)' },
          Tabs: {
            itemSelectedColor: 'var(--accent)',
            itemHoverColor: 'var(--accent)',
            inkBarColor: 'var(--accent)',
          },
        },
      }}
    >
      {children}
    </ConfigProvider>
  )
}
