import { useUnread } from '#features/office/notices/NoticeBell.tsx'
import { NoticeInbox } from '#features/office/notices/NoticeInbox.tsx'
import { UNREAD_COUNTED } from '#features/office/notices/rules.ts'
import { Tabs } from '#web/form/Tabs.tsx'
import { TopPanel } from '#web/form/TopPanel.tsx'
import { OverdueInbox } from './OverdueInbox.tsx'
import { useOverduePreview } from './useOverduePreview.tsx'

export type BellPart = 'overdue' | 'notices'

type Props = { part: BellPart; overdue: boolean; onChange: (part: BellPart) => void; onClose: () => void }

/** Expired shops and the newest notices, each a tab (D1 §2). */
export default function BellPanel({ part, overdue, onChange, onClose }: Props) {
  const expired = useOverduePreview(overdue).data?.total ?? 0
  const unread = useUnread().data?.count ?? 0
  const notices = {
    key: 'notices',
    label: named('消息', unread, UNREAD_COUNTED - 1),
    content: <NoticeInbox onClose={onClose} />,
  }
  const shops = {
    key: 'overdue',
    label: named('过期商户', expired),
    content: <OverdueInbox onClose={onClose} />,
  }
  return (
    <TopPanel title="提醒" onClose={onClose}>
      <Tabs
        tabs={overdue ? [shops, notices] : [notices]}
        shown={part}
        onChange={key => onChange(key as BellPart)}
      />
    </TopPanel>
  )
}

/** No number where there is nothing. */
function named(name: string, count: number, most = Number.POSITIVE_INFINITY): string {
  if (count === 0) return name
  return `${name} ${count > most ? `${most}+` : count}`
}
