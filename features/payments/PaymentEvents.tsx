import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Choice, OrderDates } from '#features/services/OrderDates.tsx'
import { useFiltersInWords } from '#features/services/orderActions.tsx'
import '#features/services/services.css'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/api.ts'
import { Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { toast } from '#web/toast.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { payments } from './contract.ts'
import { CHANNEL_NAMES, EVENT_STATUSES, type EventStatus } from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Answer = Out<typeof payments.events>
type Row = Answer['rows'][number]
type Params = ListParams & {
  status?: EventStatus
  channel?: keyof typeof CHANNEL_NAMES
  from?: string
  to?: string
}

const TONES: Record<EventStatus, Tone> = {
  kept: 'attention',
  done: 'done',
  unmatched: 'problem',
  refused: 'problem',
}

/** It is processed in the background. */
const LOOK_AGAIN_MS = 1_500

/** Callbacks as they came; what fits no payment can be looked at again. */
export default function PaymentEvents() {
  const queries = useQueryClient()
  const retrying = useMutation({
    mutationFn: (id: number) => paymentsApi.retryEvent({ id }),
    onSuccess: () => {
      toast.info('已重新处理，结果稍后显示')
      const look = () => void queries.invalidateQueries({ queryKey: ['payments'] })
      look()
      setTimeout(look, LOOK_AGAIN_MS)
    },
    onError: error => toast.warning(messageOf(error)),
  })
  return (
    <ListPage<Row, Params, Answer>
      title="渠道通知"
      listKey="payments.events"
      ownParams={['view']}
      queryKey={['payments', 'events']}
      fetchPage={params => paymentsApi.events(params)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="通知编号 / 商户单号"
      filters={<Filters />}
      activeFilters={useActiveFilters()}
      emptyText="还没有收到支付渠道的通知"
      actionsWidth={96}
      rowActions={row => [
        {
          key: 'retry',
          label: '重新处理',
          disabled: row.status === 'unmatched' || row.status === 'refused' ? null : '该通知已处理，无需重试',
          onClick: () => retrying.mutate(row.id),
        },
      ]}
    />
  )
}

function Filters() {
  const [params, setParams] = useListParams<Params>()
  return (
    <div className="order-filters">
      <Choice
        label="状态"
        names={EVENT_STATUSES}
        value={params.status}
        onChange={status => setParams({ status })}
      />
      <Choice
        label="支付渠道"
        names={CHANNEL_NAMES}
        value={params.channel}
        onChange={channel => setParams({ channel })}
      />
      <OrderDates from={params.from} to={params.to} onChange={setParams} />
    </div>
  )
}

function useActiveFilters(): ActiveFilter[] {
  const [params, setParams] = useListParams<Params>()
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const { status, channel } = params
  const filters: ActiveFilter[] = []
  if (status) filters.push({ key: 'status', label: '状态', text: EVENT_STATUSES[status] ?? status })
  if (channel) filters.push({ key: 'channel', label: '支付渠道', text: CHANNEL_NAMES[channel] ?? channel })
  return [...filters, ...words.days]
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'receivedAt',
    title: '收到时间',
    width: 176,
    fixed: 'start',
    copy: row => formatInstant(row.receivedAt),
    render: row => <Instant at={row.receivedAt} />,
    card: 'fact',
  },
  { key: 'channel', title: '渠道', width: 72, render: row => CHANNEL_NAMES[row.channel], card: 'fact' },
  {
    key: 'kind',
    title: '类型',
    width: 64,
    render: row => (row.kind === 'refund' ? '退款' : '支付'),
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
    key: 'amountFen',
    title: '金额（元）',
    width: 104,
    align: 'right',
    copy: row => (row.amountFen === null ? '' : formatCents(row.amountFen)),
    render: row => (row.amountFen === null ? '—' : <Money cents={row.amountFen} />),
    card: 'fact',
  },
  {
    key: 'providerState',
    title: '渠道状态',
    width: 128,
    copy: row => row.providerState,
    render: row => row.providerState,
    card: 'hidden',
  },
  {
    key: 'status',
    title: '处理',
    width: 88,
    render: row => <StatusTag tone={TONES[row.status]}>{EVENT_STATUSES[row.status]}</StatusTag>,
    card: 'fact',
  },
  {
    key: 'problem',
    title: '问题',
    width: 220,
    copy: row => row.problem,
    render: row => row.problem || '—',
    card: 'fact',
  },
  { key: 'times', title: '次数', width: 56, align: 'right', render: row => row.times, card: 'hidden' },
  {
    key: 'eventId',
    title: '通知编号',
    width: 240,
    copy: row => row.eventId,
    render: row => row.eventId,
    card: 'hidden',
  },
]
