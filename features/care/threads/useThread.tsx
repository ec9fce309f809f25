import { useViewOnly } from '#web/client/session.ts'
import * as talk from '#web/talk/usePresence.ts'
import { type ShownThread, threadsApi } from './threadsApi.tsx'

export function usePresence({ id, kind }: ShownThread): { text: string; type: () => void } {
  const viewOnly = useViewOnly()
  return talk.usePresence({
    silent: viewOnly !== null || kind === 'older',
    say: typing => threadsApi.here({ id, typing }),
    query: threadsApi.presence.query({ id }),
  })
}

/** What the shop said counts as seen once it is shown. */
export function useMarkRead({ id, unread }: ShownThread): void {
  const viewOnly = useViewOnly()
  talk.useMarkRead(unread && viewOnly === null, () => threadsApi.read({ id }))
}
