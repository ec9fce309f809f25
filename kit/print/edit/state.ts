// Owns the state of the designer: a draft with its history, and what is selected. Pure.

import type { LabelItem } from '#kit/print/label.ts'
import { added, type Draft } from './draft.ts'
import { changed, type History, redone, undone } from './history.ts'

export type EditState = { history: History<Draft>; selected: readonly string[] }

export type EditAction =
  /** `key` names what is typed in, so that letters that follow each other are one step. */
  | { do: 'change'; make: (draft: Draft) => Draft; key?: string; at?: number }
  | { do: 'add'; items: readonly LabelItem[] }
  | { do: 'select'; ids: readonly string[] }
  | { do: 'undo' }
  | { do: 'redo' }

const standing = (state: EditState): EditState => {
  const there = new Set(state.history.now.label.items.map(({ id }) => id))
  const selected = state.selected.filter(id => there.has(id))
  return selected.length === state.selected.length ? state : { ...state, selected }
}

export function edited(state: EditState, action: EditAction): EditState {
  const { history } = state
  switch (action.do) {
    case 'change': {
      const next = changed(history, action.make(history.now), { key: action.key, at: action.at })
      return next === history ? state : standing({ ...state, history: next })
    }
    case 'add': {
      const next = changed(history, added(history.now, action.items))
      return standing({ history: next, selected: action.items.map(({ id }) => id) })
    }
    case 'select':
      return { ...state, selected: action.ids }
    case 'undo':
      return standing({ ...state, history: undone(history) })
    case 'redo':
      return standing({ ...state, history: redone(history) })
  }
}
