// What demands add to pages of earlier features: a feedback becomes one.
import { useNavigate } from '@tanstack/react-router'
import { useFeedbackActions } from '#features/feedback/slots.tsx'
import { usePermission } from '#web/session.ts'
import { FORM_PATH } from './demandsApi.tsx'

export function fillSlots(): void {
  useFeedbackActions.fill(() => {
    const mayEdit = usePermission('demands.edit')
    const navigate = useNavigate()
    return ({ id }) =>
      mayEdit
        ? [
            {
              key: 'demand',
              label: '转为需求',
              onClick: () => void navigate({ to: FORM_PATH, search: { feedback: String(id) } } as never),
            },
          ]
        : []
  })
}
