import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { DOCUMENT_CELLS } from '#features/money/ledger/documentCells.tsx'
import { OrderLink, useOpenOrder } from '#features/money/ledger/useOpenOrder.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { List } from '#web/list/List.tsx'
import { CappedNotes, RowCount, Sum } from '#web/list/ListTotals.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { RenewalRow, shopPages } from './contract.ts'
import { ONLINE_RENEWALS } from './fields.ts'
import { RENEWAL_REFUSALS, refuseRefund, refuseRetry } from './rules.ts'

const shopPagesApi = api<typeof shopPages>('shopPages')
const RefundDialog = lazy(() => import('./RefundDialog.tsx'))

type Answer = Out<typeof shopPages.renewals>

/** What shops paid online, and what became of it. */
export default function OnlineRenewalsPage() {
  const order = useOpenOrder()
  const mayRefund = usePermission('shopPages.refund')
  const [refunding, setRefunding] = useState<RenewalRow | null>(null)
  const retry = useMutation({
    mutationFn: ({ orderNo }: RenewalRow) => shopPagesApi.retry({ orderNo }),
    onSuccess: () => toast.success('正在重试，稍后刷新查看结果'),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('shopPages') : reread()),
  })
  const actionsOf = (row: RenewalRow): RowAction[] => {
    const retryRefusal = refuseRetry(row.state)
    // Whether a renewal that was carried out has been undone, the server knows.
    const refundRefusal = row.state === 'renewed' ? null : refuseRefund({ state: row.state, isUndone: false })
    return [
      { key: 'details', label: '详情', reads: true, onClick: () => order.open(row.orderNo) },
      {
        key: 'retry',
        label: '重试',
        disabled: retryRefusal && RENEWAL_REFUSALS[retryRefusal],
        onClick: () => retry.mutate(row),
      },
      ...(mayRefund
        ? [
            {
              key: 'refund',
              label: '退款',
              danger: true,
              disabled: refundRefusal && RENEWAL_REFUSALS[refundRefusal],
              onClick: () => setRefunding(row),
            },
          ]
        : []),
    ]
  }
  return (
    <>
      <List
        of={ONLINE_RENEWALS}
        from={shopPagesApi.renewals}
        {...order.rows}
        cells={CELLS}
        options={OPTIONS}
        summary={totals => <Totals totals={totals} />}
        rowActions={actionsOf}
        actionsWidth={152}
      />
      {refunding && (
        <Suspense>
          <RefundDialog row={refunding} onClose={() => setRefunding(null)} />
        </Suspense>
      )}
    </>
  )
}

function Totals({ totals }: { totals: Answer }) {
  return (
    <>
      <RowCount totals={totals} label="订单" />
      <Sum label="实收" value={formatCents(totals.paidFen)} unit="元" />
      <Sum label="已退款" value={formatCents(totals.refundedFen)} unit="元" />
      <CappedNotes totals={totals} summed="金额" missing={totals.shopsCapped && SHOPS_CAPPED_TEXT} />
    </>
  )
}

const CELLS = {
  orderNo: DOCUMENT_CELLS.orderNo,
  versionOrderNo: {
    copy: (row: RenewalRow) => row.versionOrderNo ?? '',
    render: (row: RenewalRow) =>
      row.versionOrderNo === null ? '—' : <OrderLink orderNo={row.versionOrderNo} />,
  },
}
const OPTIONS = { agentId: AGENT_OPTIONS }
