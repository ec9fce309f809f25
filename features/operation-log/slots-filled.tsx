import { lazy, useState } from 'react'
import * as slots from '#features/access/slots.tsx'
import { Suspense } from '#web/Suspense.tsx'
import { allows, useSession } from '#web/session.ts'

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
