import { lazy, useState } from 'react'
import * as slots from '#features/office/access/slots.tsx'
import { allows, useSession } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'

const HistoryDrawer = lazy(() => import('./HistoryDrawer.tsx'))

export function fillSlots(): void {
  slots.useHistory.fill(() => {
    const session = useSession()
    const [shown, show] = useState<slots.HistoryOf | null>(null)
    return {
      actionsOf: of =>
        allows(session, 'operationLog.list')
          ? [{ key: 'history', label: '操作记录', reads: true, onClick: () => show(of) }]
          : [],
      drawer: shown && (
        <Suspense>
          <HistoryDrawer of={shown} onClose={() => show(null)} />
        </Suspense>
      ),
    }
  })
}
