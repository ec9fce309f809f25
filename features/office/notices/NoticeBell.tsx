import { useQuery } from '@tanstack/react-query'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { useViewOnly } from '#web/client/session.ts'
import { DotButton } from '#web/controls/DotButton.tsx'
import { IconMessage } from '#web/controls/icons.tsx'
import { toast } from '#web/controls/toast.ts'
import { dismissNotice, dismissNotices } from '#web/shell/notice-cards.ts'
import type { notices } from './contract.ts'
import { UNREAD_COUNTED } from './rules.ts'

const noticesApi = api<typeof notices>('notices')

export const NOTICES_PATH = '/admin/account/notices'

export function useUnread(enabled = true) {
  return useQuery({ ...noticesApi.unread.query(), enabled, staleTime: 60_000 })
}

/** Marks one notice as read, all about the same thing, or all; true when it was done. */
export function useReadNotices() {
  const viewOnly = useViewOnly()
  return async (which: { traceId: string | null; ofThing?: boolean }): Promise<boolean> => {
    // What somebody else looks at is not read by the one it is for.
    if (viewOnly) return false
    try {
      await noticesApi.read(which)
    } catch (error) {
      toast.error(messageOf(error))
      return false
    }
    if (which.traceId === null) dismissNotices()
    else dismissNotice(which.traceId)
    await reread()
    return true
  }
}

/** The top bar's button for the notices, which says how many were not read. */
export function NoticeButton({ enabled, onOpen }: { enabled: boolean; onOpen: () => void }) {
  const count = useUnread(enabled).data?.count ?? 0
  const shown = count >= UNREAD_COUNTED ? `${UNREAD_COUNTED - 1}+` : String(count)
  const label = count > 0 ? `消息，${shown} 条未读` : '消息'
  return <DotButton label={label} icon={<IconMessage />} marked={count > 0} onClick={onOpen} />
}
