import type { ReactNode } from 'react'
import { IconMoon, IconSun, IconSystem } from '../controls/icons.tsx'
import type { ThemeChoice } from '../theme/theme-mode.ts'

export const THEMES: readonly { choice: ThemeChoice; name: string; icon: ReactNode }[] = [
  { choice: 'light', name: '浅色', icon: <IconSun /> },
  { choice: 'dark', name: '深色', icon: <IconMoon /> },
  { choice: 'system', name: '跟随系统', icon: <IconSystem /> },
]
