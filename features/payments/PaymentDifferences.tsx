import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { moneyColumn, textColumn, wordColumn } from '#web/list/listColumns.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { payments } from './contract.ts'
import { PaymentList } from './PaymentList.tsx'
import { CHANNEL_NAMES, DIFFERENCE_KINDS, LIMITS, RECONCILE_REFUSALS } from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Answer = Out<typeof payments.differences>
type Row = Answer['rows'][number]
type Params = ListParams & { reconciliationId?: number; open?: string }

const OPEN_WORDS = { true: '未处理', false: '已处理' }
const KINDS = { true: '退款', false: '支付' }

/** What differs from the bills, until somebody notes what it was. */
export default function PaymentDifferences() {
  const mayResolve = usePermission('payments.reconcile')
  const [resolving, setResolving] = useState<Row | null>(null)
  const [{ reconciliationId }] = useListParams<Params>()
  const resolveAction = (row: Row) => ({
    key: 'resolve',
    label: '处理',
    disabled: row.resolvedAt ? '该差异已处理' : null,
    onClick: () => setResolving(row),
  })
  return (
    <>
      <PaymentList<Row, Params, Answer>
        title="对账差异"
        listKey="payments.differences"
        fetchPage={({ open, ...wanted }) =>
          paymentsApi.differences({ ...wanted, ...(open ? { open: open === 'true' } : {}) })
        }
        rowKey={row => row.id}
        columns={COLUMNS}
        choices={[{ key: 'open', label: '状态', names: OPEN_WORDS }]}
        activeFilters={reconciliationId ? [{ key: 'reconciliationId', label: '对账', text: '所选账单' }] : []}
        emptyText="没有对账差异"
        paymentOf={row => row.intentId}
        actionsWidth={128}
        rowActions={row => (mayResolve ? [resolveAction(row)] : [])}
      />
      {resolving && <ResolveDialog row={resolving} onClose={() => setResolving(null)} />}
    </>
  )
}

function ResolveDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const queries = useQueryClient()
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
        await paymentsApi.resolveDifference({ id: row.id, note })
        toast.success('已处理')
        await queries.invalidateQueries({ queryKey: ['payments'] })
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

const COLUMNS: ListColumn<Row>[] = [
  textColumn('day', '账单日期', { width: 108, fixed: 'start', card: 'fact' }),
  wordColumn('channel', '渠道', CHANNEL_NAMES, { width: 64, card: 'fact' }),
  wordColumn('kind', '差异', DIFFERENCE_KINDS, { width: 120, card: 'fact' }),
  { key: 'isRefund', title: '类型', width: 64, render: row => KINDS[`${row.isRefund}`] },
  textColumn('outTradeNo', '商户单号', { width: 216, card: 'title' }),
  moneyColumn('billFen', '渠道金额（元）', { width: 120, card: 'fact' }),
  moneyColumn('ourFen', '本方金额（元）', { width: 120, card: 'fact' }),
  {
    key: 'resolution',
    title: '处理说明',
    width: 220,
    copy: row => row.resolution,
    render: row => (row.resolvedAt ? `${row.resolution}（${row.resolvedByName}）` : '未处理'),
    card: 'fact',
  },
  textColumn('transactionId', '渠道单号', { width: 240 }),
]
