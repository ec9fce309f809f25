import { useSyncExternalStore } from 'react'

const phone = matchMedia('(max-width: 640px)')

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}

export const isPhone = () => phone.matches

/** Whether the screen is as narrow as a phone's: tables become cards, forms one column. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches)
}
