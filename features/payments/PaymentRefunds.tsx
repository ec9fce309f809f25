import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, Labelled, OrderDates } from '#features/services/OrderDates.tsx'
import { useFiltersInWords } from '#features/services/orderActions.tsx'
import '#features/services/services.css'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/api.ts'
import { Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { payments } from './contract.ts'
import {
  CHANNEL_NAMES,
  REFUND_REASONS,
  REFUND_REFUSALS,
  REFUND_STATUSES,
  type RefundReason,
  type RefundStatus,
} from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Answer = Out<typeof payments.refunds>
type Row = Answer['rows'][number]
type Params = ListParams & {
  status?: RefundStatus
  reason?: RefundReason
  agentId?: number
  from?: string
  to?: string
}

const TONES: Record<RefundStatus, Tone> = {
  wanted: 'attention',
  processing: 'attention',
  done: 'done',
  failed: 'problem',
}

/** Refunds of second payments and of the operator. */
export default function PaymentRefunds() {
  const queries = useQueryClient()
  const mayRefund = usePermission('payments.refund')
  const retrying = useMutation({
    mutationFn: (id: number) => paymentsApi.retryRefund({ id }),
    onSuccess: () => {
      toast.info('已重新提交退款')
      void queries.invalidateQueries({ queryKey: ['payments'] })
    },
    onError: error => toast.warning(messageOf(error)),
  })
  return (
    <ListPage<Row, Params, Answer>
      title="退款"
      listKey="payments.refunds"
      ownParams={['view']}
      queryKey={['payments', 'refunds']}
      fetchPage={params => paymentsApi.refunds(params)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="退款单号 / 商户单号"
      filters={<Filters />}
      activeFilters={useActiveFilters()}
      emptyText="还没有退款。重复支付会自动退款，也可以在支付单详情中退款"
      actionsWidth={72}
      rowActions={
        mayRefund
          ? row => [
              {
                key: 'retry',
                label: '重试',
                disabled: row.status === 'failed' ? null : REFUND_REFUSALS.REFUND_NOT_FAILED,
                onClick: () => retrying.mutate(row.id),
              },
            ]
          : undefined
      }
    />
  )
}

function Filters() {
  const [params, setParams] = useListParams<Params>()
  return (
    <div className="order-filters">
      <Choice
        label="状态"
        names={REFUND_STATUSES}
        value={params.status}
        onChange={status => setParams({ status })}
      />
      <Choice
        label="原因"
        names={REFUND_REASONS}
        value={params.reason}
        onChange={reason => setParams({ reason })}
      />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
      <Labelled label="代理商">
        <AgentPicker value={params.agentId} onChange={agentId => setParams({ agentId })} />
      </Labelled>
    </div>
  )
}

function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<Params>()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const { status, reason } = params
  const filters: ActiveFilter[] = []
  if (status) filters.push({ key: 'status', label: '状态', text: REFUND_STATUSES[status] ?? status })
  if (reason) filters.push({ key: 'reason', label: '原因', text: REFUND_REASONS[reason] ?? reason })
  return [...filters, ...words.days, ...words.agent]
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'createdAt',
    title: '时间',
    width: 176,
    fixed: 'start',
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
  {
    key: 'agentName',
    title: '代理商',
    width: 248,
    copy: row => `${row.agentName}（${row.agentId}）`,
    render: row => `${row.agentName}（${row.agentId}）`,
    card: 'title',
  },
  { key: 'channel', title: '渠道', width: 72, render: row => CHANNEL_NAMES[row.channel], card: 'fact' },
  {
    key: 'amountFen',
    title: '金额（元）',
    width: 104,
    align: 'right',
    copy: row => formatCents(row.amountFen),
    render: row => <Money cents={row.amountFen} />,
    card: 'fact',
  },
  { key: 'reason', title: '原因', width: 88, render: row => REFUND_REASONS[row.reason], card: 'fact' },
  {
    key: 'status',
    title: '状态',
    width: 88,
    render: row => <StatusTag tone={TONES[row.status]}>{REFUND_STATUSES[row.status]}</StatusTag>,
    card: 'fact',
  },
  {
    key: 'providerWords',
    title: '渠道答复',
    width: 180,
    copy: row => row.providerWords,
    render: row => row.providerWords || '—',
    card: 'hidden',
  },
  {
    key: 'refundNo',
    title: '退款单号',
    width: 224,
    copy: row => row.refundNo,
    render: row => <span className="number">{row.refundNo}</span>,
    card: 'hidden',
  },
  {
    key: 'remark',
    title: '说明',
    width: 180,
    copy: row => row.remark,
    render: row => row.remark || '—',
    card: 'hidden',
  },
  {
    key: 'createdByName',
    title: '操作人',
    width: 88,
    copy: row => row.createdByName,
    render: row => row.createdByName,
    card: 'hidden',
  },
  {
    key: 'doneAt',
    title: '到账时间',
    width: 160,
    render: row => (row.doneAt ? <Instant at={row.doneAt} /> : '—'),
    card: 'hidden',
  },
]
