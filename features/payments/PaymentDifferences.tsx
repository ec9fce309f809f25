import { useQueryClient } from '@tanstack/react-query'
import { Checkbox, Form, Input } from 'antd'
import { useState } from 'react'
import '#features/services/services.css'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { FormDialog } from '#web/FormDialog.tsx'
import { Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { payments } from './contract.ts'
import { CHANNEL_NAMES, DIFFERENCE_KINDS, LIMITS, RECONCILE_REFUSALS } from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Row = Out<typeof payments.differences>['rows'][number]
type Params = ListParams & { reconciliationId?: number; open?: string }

/** What differs from the bills, until somebody notes what it was. */
export default function PaymentDifferences() {
  const mayResolve = usePermission('payments.reconcile')
  const [resolving, setResolving] = useState<Row | null>(null)
  const [params, setParams] = useListParams<Params>()
  const filters: ActiveFilter[] = []
  if (params.reconciliationId)
    filters.push({ key: 'reconciliationId', label: '对账', text: String(params.reconciliationId) })
  if (params.open === 'true') filters.push({ key: 'open', label: '状态', text: '未处理' })
  return (
    <>
      <ListPage<Row, Params>
        title="对账差异"
        listKey="payments.differences"
        ownParams={['view']}
        queryKey={['payments', 'differences']}
        fetchPage={({ open, ...wanted }) =>
          paymentsApi.differences({ ...wanted, ...(open === 'true' ? { open: true } : {}) })
        }
        rowKey={row => row.id}
        columns={COLUMNS}
        filters={
          <Checkbox
            checked={params.open === 'true'}
            onChange={event => setParams({ open: event.target.checked ? 'true' : undefined })}
          >
            只看未处理
          </Checkbox>
        }
        activeFilters={filters}
        emptyText="没有对账差异"
        actionsWidth={72}
        rowActions={
          mayResolve
            ? row => [
                {
                  key: 'resolve',
                  label: '处理',
                  disabled: row.resolvedAt ? '该差异已处理' : null,
                  onClick: () => setResolving(row),
                },
              ]
            : undefined
        }
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
      <Form.Item name="note" label={`处理说明（最多 ${LIMITS.noteMax} 字）`}>
        <Input.TextArea rows={4} maxLength={LIMITS.noteMax} aria-required="true" />
      </Form.Item>
    </FormDialog>
  )
}

const moneyOr = (fen: number | null) => (fen === null ? '—' : <Money cents={fen} />)

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'day',
    title: '账单日期',
    width: 104,
    fixed: 'start',
    copy: row => row.day,
    render: row => <span className="number">{row.day}</span>,
    card: 'fact',
  },
  { key: 'channel', title: '渠道', width: 72, render: row => CHANNEL_NAMES[row.channel], card: 'fact' },
  { key: 'kind', title: '差异', width: 128, render: row => DIFFERENCE_KINDS[row.kind], card: 'fact' },
  {
    key: 'isRefund',
    title: '类型',
    width: 64,
    render: row => (row.isRefund ? '退款' : '支付'),
    card: 'hidden',
  },
  {
    key: 'outTradeNo',
    title: '商户单号',
    width: 216,
    copy: row => row.outTradeNo,
    render: row => <span className="number">{row.outTradeNo}</span>,
    card: 'title',
  },
  {
    key: 'billFen',
    title: '渠道金额（元）',
    width: 120,
    align: 'right',
    copy: row => (row.billFen === null ? '' : formatCents(row.billFen)),
    render: row => moneyOr(row.billFen),
    card: 'fact',
  },
  {
    key: 'ourFen',
    title: '本方金额（元）',
    width: 120,
    align: 'right',
    copy: row => (row.ourFen === null ? '' : formatCents(row.ourFen)),
    render: row => moneyOr(row.ourFen),
    card: 'fact',
  },
  {
    key: 'transactionId',
    title: '渠道单号',
    width: 240,
    copy: row => row.transactionId,
    render: row => row.transactionId || '—',
    card: 'hidden',
  },
  {
    key: 'resolution',
    title: '处理说明',
    width: 220,
    copy: row => row.resolution,
    render: row => (row.resolvedAt ? `${row.resolution}（${row.resolvedByName}）` : '未处理'),
    card: 'fact',
  },
]
