import { useEffect, useState } from 'react'

/** So long nothing more is typed before a choice asks for what was. */
const PAUSE_MS = 250

/** What is typed into a choice that asks the server, once there is a pause: as it is searched for, and what takes each change. */
export function useTypedSearch(): [search: string, type: (typed: string) => void] {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [search, setTyped]
}
