// What the shell is given, for it and its parts.

import type { ReactNode } from 'react'
import type { MenuItem } from '../client/session.ts'
import type { PhonePlace } from './PhoneBar.tsx'

export type ShellPage = {
  path: string
  title: string
  words?: readonly string[]
  group?: string
  /** Path of the page it is reached from. */
  under?: string
}

/** Pages that the account marked with a star, by path. */
export type Favourites = { paths: readonly string[]; set: (paths: readonly string[]) => void }

/** What the palette searches besides pages. */
export type Finder = {
  name: string
  hint: string
  /** Texts that may name one of them; absent: all. */
  asks?: (text: string) => boolean
  ask: (text: string) => Promise<FoundThing[]>
}

export type FoundThing = { key: string; label: string; hint: string; href: string }

export type PaletteAction = {
  key: string
  label: string
  hint: string
  words: readonly string[]
  run: () => void
}

export type Palette = { finders: readonly Finder[]; actions: readonly PaletteAction[] }

export type ShellProps = {
  pages: readonly ShellPage[]
  homePath: string
  /** What of the pages the account's menu shows. */
  menu: readonly MenuItem[]
  favourites: Favourites
  /** By the menu entry's key. */
  menuIcons: Readonly<Record<string, ReactNode>>
  /** How much waits behind entries of the menu, by path. */
  waiting: Readonly<Record<string, number>>
  /** Beside the name of the page at this path. */
  helpOf: (path: string) => ReactNode
  /** Right side of the header, before the theme and the account. */
  tools: ReactNode
  loadPalette: () => Promise<Palette>
  onNear: (path: string) => void
  /** What the account's menu at the top leads to. */
  ownPages: readonly ShellPage[]
  /** What one's own sheet on a phone leads to. */
  accountPages: readonly ShellPage[]
  /** What a phone's bar leads to. */
  places: readonly PhonePlace[]
  /** The balance, as one's own sheet shows it. */
  balance: ReactNode
  onSignOut: () => void
  /** Back from another's account to one's own. */
  onEndView: () => void
  /** What comes in while one works. */
  notices: ReactNode
  children: ReactNode
}
