import { lazy, useState } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { paymentDesk } from './contract.ts'
import { PAYMENT_DIFFERENCES } from './fields.ts'
import { useOpenedPayment } from './useOpenedPayment.tsx'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')
const ResolveDialog = lazy(() => import('./ResolveDialog.tsx'))

type Row = Out<typeof paymentDesk.differences>['rows'][number]

/** Chosen by a link of the bill alone. */
const THE_BILL = { useName: (id: number | undefined) => (id === undefined ? undefined : '所选账单') }

const kindOf = (row: Row) => (row.isRefund ? '退款' : '支付')
const CELLS = {
  isRefund: { copy: kindOf, render: kindOf },
  resolution: (row: Row) => (row.resolvedAt ? `${row.resolution}（${row.resolvedByName}）` : '未处理'),
}

/** What differs from the bills, until somebody notes what it was. */
export default function PaymentDifferences() {
  const mayResolve = usePermission('paymentDesk.reconcile')
  const [resolving, setResolving] = useState<Row | null>(null)
  const payment = useOpenedPayment()
  const resolveAction = (row: Row) => ({
    key: 'resolve',
    label: '处理',
    disabled: row.resolvedAt ? '该差异已处理' : null,
    onClick: () => setResolving(row),
  })
  return (
    <>
      <List
        of={PAYMENT_DIFFERENCES}
        from={paymentDeskApi.differences}
        cells={CELLS}
        options={{ reconciliationId: THE_BILL }}
        actionsWidth={128}
        rowActions={row => [payment.actionOf(row.intentId), ...(mayResolve ? [resolveAction(row)] : [])]}
      />
      {payment.dialog}
      <Suspense>
        {resolving && (
          <ResolveDialog
            id={resolving.id}
            outTradeNo={resolving.outTradeNo}
            seen={resolving.resolution}
            onClose={() => setResolving(null)}
          />
        )}
      </Suspense>
    </>
  )
}
