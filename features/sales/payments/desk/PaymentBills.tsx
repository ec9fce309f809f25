import { useEffect, useState } from 'react'
import { CHANNEL_NAMES, RECONCILE_REFUSALS } from '#features/sales/payments/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { toast } from '#web/controls/toast.ts'
import { Day } from '#web/form/dates/Day.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { optionsOf } from '#web/form/options.ts'
import { Select } from '#web/form/Select.tsx'
import { List } from '#web/list/List.tsx'
import type { paymentDesk } from './contract.ts'
import { PAYMENT_BILLS, RECONCILIATION } from './fields.ts'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Row = Out<typeof paymentDesk.reconciliations>['rows'][number]
type SumKey = 'billPayments' | 'ourPayments' | 'billRefunds' | 'ourRefunds'

/** Each day compared with the channels' bills. */
export default function PaymentBills() {
  const mayReconcile = usePermission('paymentDesk.reconcile')
  const [asking, setAsking] = useState(false)
  const watch = useWatch()
  return (
    <>
      <List
        of={PAYMENT_BILLS}
        from={paymentDeskApi.reconciliations}
        cells={CELLS}
        main={
          mayReconcile && (
            <Button kind="primary" onClick={() => setAsking(true)}>
              发起对账
            </Button>
          )
        }
      />
      {asking && <ReconcileDialog onStarted={watch} onClose={() => setAsking(false)} />}
    </>
  )
}

const LOOK_EVERY_MS = 1_500
const LOOKS_MAX = 20

/** A comparison takes a moment: the list is read anew until it will have ended. */
function useWatch(): () => void {
  const [looksLeft, setLooksLeft] = useState(0)
  useEffect(() => {
    if (looksLeft === 0) return
    const timer = setTimeout(() => {
      readAgain('paymentDesk.reconciliations')
      setLooksLeft(looksLeft - 1)
    }, LOOK_EVERY_MS)
    return () => clearTimeout(timer)
  }, [looksLeft])
  return () => setLooksLeft(LOOKS_MAX)
}

function ReconcileDialog({ onStarted, onClose }: { onStarted: () => void; onClose: () => void }) {
  const yesterday = addDays(formatDay(new Date()), -1)
  return (
    <FormDialog
      title="发起对账"
      submitText="对账"
      of={RECONCILIATION}
      known={{ channel: PAY_CHANNELS[0], day: yesterday }}
      refuse={({ day }) => (day > yesterday ? { field: 'day', message: RECONCILE_REFUSALS.DAY_OPEN } : null)}
      send={async asked => {
        await paymentDeskApi.reconcile(asked)
        toast.success('已开始对账，结果稍后显示')
        onStarted()
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <FormFields form={form}>
          {{
            channel: control => (
              <Select
                {...control}
                value={form.draft.channel ?? undefined}
                options={optionsOf(CHANNEL_NAMES)}
                onChange={channel => channel && form.change({ channel })}
              />
            ),
            day: control => (
              <Day
                {...control}
                value={form.draft.day}
                onChange={day => form.change({ day: day ?? yesterday })}
                last={yesterday}
                allowClear={false}
              />
            ),
          }}
        </FormFields>
      )}
    </FormDialog>
  )
}

/** How many, and their sum. */
function sumCell(payments: SumKey, fen: `${string}Fen` & keyof Row) {
  const text = (row: Row) => `${formatCount(row[payments])} 笔 / ${formatCents(row[fen])}`
  return { copy: text, render: text }
}

const CELLS = {
  billPayments: sumCell('billPayments', 'billFen'),
  ourPayments: sumCell('ourPayments', 'ourFen'),
  billRefunds: sumCell('billRefunds', 'billRefundFen'),
  ourRefunds: sumCell('ourRefunds', 'ourRefundFen'),
  differences: {
    copy: undefined,
    render: (row: Row) =>
      row.differences === 0 ? (
        '—'
      ) : (
        <Link to="/admin/operations/payments" search={{ view: 'differences', reconciliationId: row.id }}>
          {formatCount(row.differences)} 笔{row.openDifferences > 0 && `，${row.openDifferences} 笔未处理`}
        </Link>
      ),
  },
}
