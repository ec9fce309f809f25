import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { type Draft, isDraft } from '#kit/print/edit/draft.ts'
import { begun, historyOf, textOf } from '#kit/print/edit/history.ts'
import { edited } from '#kit/print/edit/state.ts'
import type { LabelItem } from '#kit/print/label.ts'

/** Characters of a history that a browser keeps for a tab; it has room for about five million. */
const KEPT_MAX = 1_000_000
const KEEP_AFTER_MS = 250

export type Editor = {
  draft: Draft
  selected: readonly string[]
  canUndo: boolean
  canRedo: boolean
  /** Steps that were not saved came back with a reload. */
  cameBack: boolean
  change: (make: (draft: Draft) => Draft, key?: string) => void
  /** Puts them in front and selects them. */
  add: (items: readonly LabelItem[]) => void
  select: (ids: readonly string[]) => void
  undo: () => void
  redo: () => void
  /** What is said aloud. */
  say: (words: string) => void
  said: string
  isUnsaved: () => boolean
  /** Nothing of it is brought back any more. */
  forget: () => void
}

/** `place` tells the template and the revision whose steps are kept through a reload. */
export function useEditor(initial: Draft, place: string): Editor {
  const key = `label-steps:${place}`
  const [cameBack] = useState(() => keptAt(key) !== null && key)
  const [state, act] = useReducer(edited, null, () => ({
    history: keptAt(key) ?? begun(initial),
    selected: [],
  }))
  const [said, say] = useState('')
  const { history } = state
  const latest = useRef(history)
  latest.current = history
  const left = useRef(false)
  useEffect(() => {
    if (history.past.length === 0 && history.future.length === 0) return
    const keep = () => {
      if (!left.current) keepAt(key, textOf(latest.current, KEPT_MAX))
    }
    const timer = setTimeout(keep, KEEP_AFTER_MS)
    addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', keep)
    }
  }, [key, history])
  // After a save that one stays at, the steps go on under the new revision.
  const before = useRef(key)
  useEffect(() => {
    if (before.current !== key) keepAt(before.current, null)
    before.current = key
  }, [key])
  const base = useMemo(() => JSON.stringify(initial), [initial])
  const acts = useMemo(
    () => ({
      change: (make: (draft: Draft) => Draft, changeKey?: string) =>
        act({ do: 'change', make, key: changeKey, at: Date.now() }),
      add: (items: readonly LabelItem[]) => act({ do: 'add', items }),
      select: (ids: readonly string[]) => act({ do: 'select', ids }),
      undo: () => act({ do: 'undo' }),
      redo: () => act({ do: 'redo' }),
      say,
      isUnsaved: () => !left.current && JSON.stringify(latest.current.now) !== base,
      forget: () => {
        left.current = true
        keepAt(key, null)
      },
    }),
    [base, key],
  )
  return {
    ...acts,
    draft: history.now,
    selected: state.selected,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    cameBack: cameBack === key,
    said,
  }
}

function keptAt(key: string) {
  try {
    return historyOf(sessionStorage.getItem(key), isDraft)
  } catch {
    return null
  }
}

function keepAt(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // A browser that keeps nothing, or is full: undo still works until the page is left.
  }
}
