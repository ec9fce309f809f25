import { useState } from 'react'
import { LIMITS, RECONCILE_REFUSALS } from '#features/payments/rules.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { List } from '#web/list/List.tsx'
import { reread } from '#web/reread.ts'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { paymentDesk } from './contract.ts'
import { PAYMENT_DIFFERENCES } from './fields.ts'
import { useOpenedPayment } from './useOpenedPayment.tsx'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

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
      {resolving && <ResolveDialog row={resolving} onClose={() => setResolving(null)} />}
    </>
  )
}

function ResolveDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  return (
    <FormDialog<{ note: string }>
      title={`处理差异：${row.outTradeNo}`}
      submitText="标记已处理"
      initial={{ note: '' }}
      refuse={({ note }) => {
        const length = [...note.trim()].length
        if (length === 0) return { field: 'note', message: RECONCILE_REFUSALS.NOTE_REQUIRED }
        return length > LIMITS.noteMax ? { field: 'note', message: RECONCILE_REFUSALS.NOTE_TOO_LONG } : null
      }}
      onSubmit={async ({ note }) => {
        await paymentDeskApi.resolveDifference({ id: row.id, note })
        toast.success('已处理')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {' '}
          <TextField
            form={form}
            name="note"
            label={`处理说明（最多 ${LIMITS.noteMax} 字）`}
            rows={4}
            maxLength={LIMITS.noteMax}
            required
          />
        </>
      )}
    </FormDialog>
  )
}
