import { useEffect, useState } from 'react'
import { cleanSearch } from '#kit/words/cleaned.ts'
import { afterPause } from '../../client/ready.ts'

/** So long nothing more is typed before a choice asks for what was. */
const PAUSE_MS = 250

/** What is typed into a choice that asks the server, once there is a pause: as it is searched for, and what takes each change. */
export function useTypedSearch(): [search: string, type: (typed: string) => void] {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const wanted = cleanSearch(typed)
    return wanted === search ? undefined : afterPause(() => setSearch(wanted), PAUSE_MS)
  }, [typed, search])
  return [search, setTyped]
}
