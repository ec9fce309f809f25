import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { programFlowApi } from './programFlowApi.tsx'
import type { NextStep } from './rules.ts'

export type Action = NonNullable<NextStep['action']>

/** Takes the step of a flow: leads to the form, has the platform asked, or to where the owner authorises. */
export function useFlowStep(): { take: (id: number, action: Action) => void; isBusy: boolean } {
  const navigate = useNavigate()
  const step = useMutation({
    mutationFn: async ({ id, action }: { id: number; action: Exclude<Action, 'create'> }) => {
      if (action === 'authorize') {
        location.assign((await programFlowApi.authorizeLink({ id })).url)
        return
      }
      await (action === 'look' ? programFlowApi.look({ id }) : programFlowApi.verify({ id }))
      toast.success(action === 'look' ? '正在查询' : '正在核实')
      await reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('programFlow')
    },
  })
  return {
    take: (id, action) =>
      action === 'create'
        ? void navigate({ to: '/admin/schedule/determineApplet', search: { sv_wxapp_application_id: id } })
        : step.mutate({ id, action }),
    isBusy: step.isPending,
  }
}
