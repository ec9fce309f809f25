import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import type { RowAction } from '#web/list/list-props.ts'

type Row = { merchantId: number; deletedAt: string | null }

/** Of a row: staff give its shop to another agent where all that goes along is seen; the mini program goes with it. */
export function useAgentChange(): (row: Row) => RowAction[] {
  const navigate = useNavigate()
  const mayMove = usePermission('aftersales.provider')
  return ({ merchantId, deletedAt }) =>
    mayMove && deletedAt === null
      ? [
          {
            key: 'agent',
            label: '更换代理商',
            reads: true,
            onClick: () =>
              void navigate({
                to: '/admin/tool/merchantsToAdjust',
                search: { search: String(merchantId) },
              }),
          },
        ]
      : []
}
