import { useMemo, useState } from 'react'
import type { Guide } from '#kit/print/edit/snap.ts'

export type Guides = {
  all: readonly Guide[]
  /** One in place of another; without `old` a new one, without `next` it is removed. */
  put: (old: Guide | null, next: Guide | null) => void
}

const GUIDES_MAX = 40

const areSame = (a: Guide, b: Guide | null) => a.axis === b?.axis && a.at === b.at

const isGuide = (value: unknown): value is Guide =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y'].includes((value as Guide).axis) &&
  Number.isFinite((value as Guide).at)

/** Guides of one's own. They are nothing of the label: a tab keeps them for a template. */
export function useGuides(place: string): Guides {
  const key = `label-guides:${place}`
  const [all, setAll] = useState(() => keptAt(key))
  return useMemo(
    () => ({
      all,
      put: (old, next) => {
        const others = all.filter(one => !areSame(one, old))
        if (next && others.some(one => areSame(one, next))) next = null
        // In its place, so that whoever moves it by keys keeps hold of it.
        const at = all.findIndex(one => areSame(one, old))
        const after = next ? others.toSpliced(at < 0 ? others.length : at, 0, next) : others
        keepAt(key, after.slice(0, GUIDES_MAX))
        setAll(after.slice(0, GUIDES_MAX))
      },
    }),
    [all, key],
  )
}

function keptAt(key: string): readonly Guide[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isGuide).slice(0, GUIDES_MAX) : []
  } catch {
    return []
  }
}

function keepAt(key: string, guides: readonly Guide[]): void {
  try {
    if (guides.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(guides))
  } catch {
    // A browser that keeps nothing: they stand until the page is left.
  }
}
