import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useViewOnly } from '#web/session.ts'
import { PRESENCE } from './rules.ts'
import { type ShownThread, threadsApi } from './threadsApi.tsx'

/** Who else looks at the thread, in a sentence; and tells them that one does, or types. */
export function usePresence({ id, kind }: ShownThread): { text: string; type: () => void } {
  const viewOnly = useViewOnly()
  const silent = viewOnly !== null || kind === 'older'
  const { mutate } = useMutation({
    mutationFn: (typing: boolean) => threadsApi.here({ id, typing }),
  })
  useEffect(() => {
    if (silent) return
    mutate(false)
    const again = setInterval(() => {
      if (!document.hidden) mutate(false)
    }, PRESENCE.sayEveryMs)
    return () => clearInterval(again)
  }, [silent, mutate])
  const typedAt = useRef(0)
  const people =
    useQuery({
      ...threadsApi.presence.query({ id }),
      enabled: !silent,
      // Nothing tells that somebody has gone.
      refetchInterval: ({ state }) => {
        const now = state.data?.people ?? []
        return now.some(({ typing }) => typing) ? PRESENCE.typingEveryMs : PRESENCE.sayEveryMs
      },
    }).data?.people ?? []
  return {
    text: presenceText(people),
    type: () => {
      const now = Date.now()
      if (silent || now - typedAt.current < PRESENCE.typingEveryMs) return
      typedAt.current = now
      mutate(true)
    },
  }
}

function presenceText(people: readonly { name: string; typing: boolean }[]): string {
  const named = (some: typeof people) => some.map(({ name }) => name).join('、')
  const typing = people.filter(one => one.typing)
  if (typing.length > 0) return `${named(typing)} 正在回复…`
  return people.length > 0 ? `${named(people)} 也在查看` : ''
}

/** What the shop said counts as seen once it is shown. */
export function useMarkRead({ id, unread }: ShownThread): void {
  const viewOnly = useViewOnly()
  const { mutate } = useMutation({ mutationFn: () => threadsApi.read({ id }) })
  useEffect(() => {
    if (unread && viewOnly === null) mutate()
  }, [unread, viewOnly, mutate])
}
