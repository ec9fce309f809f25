import { lazy, useState } from 'react'
import { NoticeButton } from '#features/office/notices/NoticeBell.tsx'
import { usePermission } from '#web/client/session.ts'
import { DotButton } from '#web/controls/DotButton.tsx'
import { IconBell } from '#web/controls/icons.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import type { BellPart } from './BellPanel.tsx'
import { useOverduePreview } from './useOverduePreview.tsx'

const BellPanel = lazy(() => import('./BellPanel.tsx'))

/** The bell with the number of expired shops (D1 §2) and the notices beside it: two parts of one panel. */
export function Bells({ enabled }: { enabled: boolean }) {
  const [part, setPart] = useState<BellPart | null>(null)
  const maySeeOverdue = usePermission('merchants.overdue')
  return (
    <>
      {maySeeOverdue && <OverdueButton enabled={enabled} onOpen={() => setPart('overdue')} />}
      <NoticeButton enabled={enabled} onOpen={() => setPart('notices')} />
      {part && (
        <Suspense>
          <BellPanel part={part} overdue={maySeeOverdue} onChange={setPart} onClose={() => setPart(null)} />
        </Suspense>
      )}
    </>
  )
}

function OverdueButton({ enabled, onOpen }: { enabled: boolean; onOpen: () => void }) {
  const total = useOverduePreview(enabled).data?.total ?? 0
  const label = total > 0 ? `过期商户 ${total} 家` : '过期商户'
  return <DotButton label={label} icon={<IconBell />} marked={total > 0} onClick={onOpen} />
}
