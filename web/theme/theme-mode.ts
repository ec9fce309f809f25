// Owns the choice light, dark or system: remembered in this browser, set on <html> before the first paint by app/web-boot.ts.
import { useSyncExternalStore } from 'react'
import type { Mode } from './theme.ts'

export type ThemeChoice = Mode | 'system'

const KEY = 'theme'
const listeners = new Set<() => void>()
const systemDark = matchMedia('(prefers-color-scheme: dark)')
systemDark.addEventListener('change', tell)
addEventListener('storage', event => {
  if (event.key !== KEY) return
  apply(readChoice())
  tell()
})

function tell(): void {
  for (const listener of listeners) listener()
}

function readChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function apply(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  // The bars of the system around the page.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { mode } = meta.dataset
    meta.media = choice === 'system' ? `(prefers-color-scheme: ${mode})` : mode === choice ? 'all' : 'not all'
  }
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, choice)
  apply(choice)
  tell()
}

/** As the page looks now. */
export function shownMode(): Mode {
  const choice = readChoice()
  if (choice !== 'system') return choice
  return systemDark.matches ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, readChoice)
}

/** What is shown now, after asking the system. */
export function useThemeMode(): Mode {
  return useSyncExternalStore(subscribe, shownMode)
}
