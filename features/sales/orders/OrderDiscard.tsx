import { useMutation } from '@tanstack/react-query'
import { formatCents } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { confirm } from '#web/controls/confirm.ts'
import { toast } from '#web/controls/toast.ts'
import type { RowAction } from '#web/list/list-props.ts'
import type { orders } from './contract.ts'
import type { Row } from './orderCells.tsx'

const ordersApi = api<typeof orders>('orders')

/** Takes a quote of one's own agent away; a row that is no quote, or another agent's, has no such action. */
export function useDiscard(): { actionsOf: (row: Row) => RowAction[] } {
  const session = useSession()
  const discarding = useMutation({
    mutationFn: ({ orderNo }: Row) => ordersApi.discard({ orderNo }),
    onSuccess: () => toast.success('订单已作废'),
    onError: error => toast.error(messageOf(error)),
    // Also after a refusal: the order may have been paid meanwhile.
    onSettled: (_answer, error) => (error ? readAgain('orders') : reread()),
  })
  const ask = async (row: Row) => {
    if (discarding.isPending) return
    const agreed = await confirm({
      title: '作废该待支付订单？',
      text: `${[row.shopName, row.content].filter(Boolean).join(' ')}，${formatCents(row.totalCents)} 代币。订单尚未扣款，作废后不能恢复。`,
      confirmText: '作废订单',
      danger: true,
    })
    if (agreed) discarding.mutate(row)
  }
  return {
    actionsOf: row =>
      row.status === 'quoted' && row.agentId === session.agentId
        ? [{ key: 'discard', label: '作废', danger: true, onClick: () => void ask(row) }]
        : [],
  }
}
