// What demands add to pages of earlier features: a feedback or a thread becomes one.

import { lazy } from 'react'
import { useFeedbackActions } from '#features/care/feedback/slots.tsx'
import { ThreadExtras } from '#features/care/threads/slots.tsx'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { FORM_PATH } from './rules.ts'

const ThreadDemands = lazy(() => import('./ThreadDemands.tsx'))

export function fillSlots(): void {
  ThreadExtras.fill(({ thread }) => {
    const mayRead = usePermission('demands.list')
    if (!mayRead) return null
    return (
      <Suspense>
        <ThreadDemands threadId={thread.id} />
      </Suspense>
    )
  })
  useFeedbackActions.fill(() => {
    const mayEdit = usePermission('demands.edit')
    const navigate = useNavigate()
    return ({ id }) =>
      mayEdit
        ? [
            {
              key: 'demand',
              label: '转为需求',
              onClick: () => void navigate({ to: FORM_PATH, search: { feedback: id } }),
            },
          ]
        : []
  })
}
