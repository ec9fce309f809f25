// What the open pages are about, by path: their tabs carry it, also after a reload.
import { useEffect, useSyncExternalStore } from 'react'

const KEY = 'tab-names'

let names = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Readonly<Record<string, string>>
const listeners = new Set<() => void>()

/** Names what the page at this address is about, once it is known: a shop. */
export function useTabName(name: string | undefined): void {
  useEffect(() => {
    const { [location.pathname]: known, ...others } = names
    if (known === name) return
    names = name ? { ...others, [location.pathname]: name } : others
    sessionStorage.setItem(KEY, JSON.stringify(names))
    for (const listener of listeners) listener()
  }, [name])
}

export function useTabNames(): Readonly<Record<string, string>> {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => names,
  )
}
