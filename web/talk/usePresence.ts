import { type UseQueryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { PRESENCE, presenceText } from '#kit/words/talk.ts'

type People = { people: readonly { name: string; typing: boolean }[] }
type Options = {
  /** One neither says that one is there nor hears of others. */
  silent: boolean
  say: (typing: boolean) => Promise<unknown>
  query: UseQueryOptions<People>
}

/** Who else looks at it, in a sentence; and tells them that one does, or types. */
export function usePresence({ silent, say, query }: Options): { text: string; type: () => void } {
  const { mutate } = useMutation({ mutationFn: say })
  useEffect(() => {
    if (silent) return
    mutate(false)
    const again = setInterval(() => {
      if (!document.hidden) mutate(false)
    }, PRESENCE.sayEveryMs)
    return () => clearInterval(again)
  }, [silent, mutate])
  const typedAt = useRef(0)
  const asked = useQuery({
    ...query,
    enabled: !silent,
    // Nothing tells that somebody has gone.
    refetchInterval: ({ state }) => {
      const now = state.data?.people ?? []
      return now.some(({ typing }) => typing) ? PRESENCE.typingEveryMs : PRESENCE.sayEveryMs
    },
  })
  return {
    text: presenceText(asked.data?.people ?? []),
    type: () => {
      const now = Date.now()
      if (silent || now - typedAt.current < PRESENCE.typingEveryMs) return
      typedAt.current = now
      mutate(true)
    },
  }
}

/** What the other side said counts as seen once it is shown. */
export function useMarkRead(isWanted: boolean, mark: () => Promise<unknown>): void {
  const { mutate } = useMutation({ mutationFn: mark })
  useEffect(() => {
    if (isWanted) mutate()
  }, [isWanted, mutate])
}
