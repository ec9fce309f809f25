import { useEffect, useState } from 'react'
import { busyWhile } from '../client/ready.ts'

export type Initials = (text: string) => string

/** Whether what is typed means a page or an action: by its name, by the first letters of how that is read, or by another word. */
export function isMeant(
  { name, words }: { name: string; words?: readonly string[] | undefined },
  typed: string,
  initialsOf: Initials,
): boolean {
  const wanted = typed.toLowerCase()
  return [name, initialsOf(name), ...(words ?? [])].some(known => known.toLowerCase().includes(wanted))
}

const NOT_YET: Initials = () => ''

/** Fetched once somebody types: a page is whole without them. */
export function useInitials(isTyping: boolean): Initials {
  const [known, setKnown] = useState({ initialsOf: NOT_YET })
  useEffect(() => {
    let current = true
    if (isTyping)
      void busyWhile(import('#kit/words/pinyin.ts')).then(
        ({ initialsOf }) => current && setKnown({ initialsOf }),
      )
    return () => {
      current = false
    }
  }, [isTyping])
  return known.initialsOf
}
