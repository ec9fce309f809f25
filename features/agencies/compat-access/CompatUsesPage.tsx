import { useMutation } from '@tanstack/react-query'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import type { CompatUse, compatAccess } from './contract.ts'
import { COMPAT_USES } from './fields.ts'

const compatApi = api<typeof compatAccess>('compatAccess')

/** Who still makes which of the documents' calls, so that the operator can close one day what nobody needs. */
export default function CompatUsesPage() {
  const mayClose = usePermission('compatAccess.setCall')
  const change = useMutation({
    mutationFn: ({ call, state }: CompatUse) => compatApi.setCall({ call, closed: state === 'open' }),
    onSuccess: async (_answer, { state }) => {
      toast.success(state === 'open' ? '已停用' : '已恢复')
      await reread()
    },
    onError: error => toast.error(messageOf(error)),
  })
  const ask = async (row: CompatUse) => {
    const sure =
      row.state === 'closed' ||
      (await confirm({
        title: `停用 ${row.call}？`,
        text: '所有旧程序都不能再调用此接口，会收到“此接口已停用”的提示',
        confirmText: '停用',
        danger: true,
      }))
    if (sure) change.mutate(row)
  }
  return (
    <List
      of={COMPAT_USES}
      from={compatApi.uses}
      rowActions={row =>
        mayClose
          ? [
              {
                key: 'setCall',
                label: row.state === 'open' ? '停用接口' : '恢复接口',
                danger: row.state === 'open',
                onClick: () => void ask(row),
              },
            ]
          : []
      }
      actionsWidth={112}
    />
  )
}
