// Every key is said once: what binds it here is what the dialog of keys (?) lists.
import { useEffect, useRef } from 'react'

export type Key = {
  /** As the browser names it, letters small; `Ctrl+` stands for Ctrl or ⌘. */
  press: string
  does: string
  /** Absent where another part of the page hears it. */
  act?: (event: KeyboardEvent) => void
  /** Also where a dialog is open or a text is typed. */
  everywhere?: boolean
}
export type KeyGroup = { title: string; keys: readonly Key[] }

const groups: { current: KeyGroup }[] = []

/** Binds keys while the caller stands, and lists them. */
export function useKeys(title: string, keys: readonly Key[]): void {
  const latest = useRef<KeyGroup>({ title, keys })
  latest.current = { title, keys }
  useEffect(() => {
    const group = latest
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return
      const key = group.current.keys.find(one => one.act && isPressed(event, one.press))
      if (!key?.act || (!key.everywhere && isElsewhere(event))) return
      key.act(event)
    }
    groups.push(group)
    document.addEventListener('keydown', onKey, true)
    return () => {
      groups.splice(groups.indexOf(group), 1)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])
}

/** The keys that can be pressed where one is. */
export function keysNow(): KeyGroup[] {
  return groups.map(({ current }) => current).filter(({ keys }) => keys.length > 0)
}

export function isPressed(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  press: string,
) {
  const [last = '', ctrl] = press.split('+').reverse()
  const held = event.ctrlKey || event.metaKey
  return event.key.toLowerCase() === last.toLowerCase() && held === (ctrl === 'Ctrl') && !event.altKey
}

/** A key as it is written on a keyboard. */
export function keyNames(press: string): string[] {
  const names: Record<string, string> = {
    ArrowDown: '↓',
    ArrowUp: '↑',
    ArrowRight: '→',
    ' ': '空格',
    Enter: '回车',
    Escape: 'Esc',
  }
  return press.split('+').map(part => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
}

const TYPED = 'input, textarea, select, [contenteditable=true]'

/** An open menu; what is said in passing stays on the top layer and has no keys. */
const OPEN_MENU = ':popover-open:not([data-part=toasts])'

/** What is typed is text, and a dialog or an open menu has keys of its own. */
function isElsewhere({ target }: Event): boolean {
  if (target instanceof Element && target.closest(TYPED)) return true
  return document.querySelector(`dialog[open], ${OPEN_MENU}`) !== null
}

/** Only a drawer stands over the page, and nothing in it takes arrows or is being filled in. */
export function isReadingDrawer(event: Event): boolean {
  return isOverDrawer(event) && document.querySelector('dialog[open] form') === null
}

/** Only one drawer or dialog stands over the page, and nothing in it is typed in or being filled in. */
export function isReadingLayer({ target }: Event): boolean {
  if (document.querySelectorAll('dialog[open]').length !== 1) return false
  if (document.querySelector(`dialog[open] form, ${OPEN_MENU}`)) return false
  return !(target instanceof Element && target.closest(TYPED))
}

/** Only a drawer stands over the page, and what is pressed in is no text and takes no arrows; there may be a form beside. */
export function isOverDrawer({ target }: Event): boolean {
  const open = document.querySelectorAll('dialog[open]')
  if (open.length !== 1 || !open[0]?.matches('[data-part=drawer]')) return false
  if (document.querySelector(OPEN_MENU)) return false
  return !(
    target instanceof Element && target.closest(`${TYPED}, [role=tablist], [role=radiogroup], [role=listbox]`)
  )
}
