import { lazy, Suspense, useState } from 'react'
import { AgentPicker } from '#features/agents/AgentPicker.tsx'
import { Choice, Labelled, OrderDates } from '#features/services/OrderDates.tsx'
import { useFiltersInWords } from '#features/services/orderActions.tsx'
import '#features/services/services.css'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Copyable, Instant, Money } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { payments } from './contract.ts'
import {
  CHANNEL_NAMES,
  INTENT_STATUSES,
  type IntentStatus,
  type PaidAsset,
  REFUND_STATUSES,
} from './rules.ts'

const paymentsApi = api<typeof payments>('payments')
const PaymentDialog = lazy(() => import('./PaymentDialog.tsx'))

type Answer = Out<typeof payments.intents>
type Row = Answer['rows'][number]
type Params = ListParams & {
  status?: IntentStatus
  asset?: PaidAsset
  channel?: keyof typeof CHANNEL_NAMES
  agentId?: number
  from?: string
  to?: string
}

export const ASSET_WORDS: Record<PaidAsset, string> = { sms: '短信', token: '代币' }
export const INTENT_TONES: Record<IntentStatus, Tone> = {
  waiting: 'attention',
  paid: 'done',
  expired: 'neutral',
  failed: 'problem',
}

/** Payments from outside, of all agents. */
export function PaymentIntents() {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <>
      <ListPage<Row, Params, Answer>
        title="支付单"
        listKey="payments.intents"
        ownParams={['view']}
        queryKey={['payments', 'intents']}
        fetchPage={params => paymentsApi.intents(params)}
        rowKey={row => row.id}
        columns={COLUMNS}
        searchPlaceholder="支付单号 / 订单号 / 渠道单号"
        filters={<Filters />}
        activeFilters={useActiveFilters()}
        summary={totals => (
          <>
            <span>
              实收 <b>{formatCents(totals.paidFen)}</b> 元
            </span>
            <span>
              笔数 <b>{formatCount(totals.total)}</b>
              {totals.totalCapped && ' 以上'}
            </span>
          </>
        )}
        emptyText="还没有支付单，代理商扫码充值后会显示在这里"
        onOpen={row => setOpen(row.id)}
        openKey={open}
      />
      <Suspense>{open !== null && <PaymentDialog id={open} onClose={() => setOpen(null)} />}</Suspense>
    </>
  )
}

function Filters() {
  const [params, setParams] = useListParams<Params>()
  return (
    <div className="order-filters">
      <Choice
        label="状态"
        names={INTENT_STATUSES}
        value={params.status}
        onChange={status => setParams({ status })}
      />
      <Choice
        label="充值内容"
        names={ASSET_WORDS}
        value={params.asset}
        onChange={asset => setParams({ asset })}
      />
      <Choice
        label="支付渠道"
        names={CHANNEL_NAMES}
        value={params.channel}
        onChange={channel => setParams({ channel })}
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
  const { status, asset, channel } = params
  const filters: ActiveFilter[] = []
  if (status) filters.push({ key: 'status', label: '状态', text: INTENT_STATUSES[status] ?? status })
  if (asset) filters.push({ key: 'asset', label: '充值内容', text: ASSET_WORDS[asset] ?? asset })
  if (channel) filters.push({ key: 'channel', label: '支付渠道', text: CHANNEL_NAMES[channel] ?? channel })
  return [...filters, ...words.days, ...words.agent]
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'id',
    title: '支付单号',
    width: 108,
    fixed: 'start',
    opens: true,
    copy: row => row.id,
    render: row => <span className="number">{row.id.slice(-8)}</span>,
    card: 'hidden',
  },
  {
    key: 'createdAt',
    title: '下单时间',
    width: 160,
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
  {
    key: 'subject',
    title: '内容',
    width: 160,
    copy: row => row.subject,
    render: row => row.subject,
    card: 'fact',
  },
  {
    key: 'amountFen',
    title: '金额（元）',
    width: 104,
    align: 'right',
    copy: row => formatCents(row.amountFen),
    render: row => <Money cents={row.amountFen} />,
    card: 'fact',
  },
  {
    key: 'status',
    title: '状态',
    width: 88,
    render: row => <StatusTag tone={INTENT_TONES[row.status]}>{INTENT_STATUSES[row.status]}</StatusTag>,
    card: 'fact',
  },
  {
    key: 'paidBy',
    title: '支付渠道',
    width: 84,
    render: row => (row.paidBy ? CHANNEL_NAMES[row.paidBy] : '—'),
    card: 'hidden',
  },
  {
    key: 'refundStatus',
    title: '退款',
    width: 84,
    render: row => (row.refundStatus ? REFUND_STATUSES[row.refundStatus] : '—'),
    card: 'hidden',
  },
  {
    key: 'paidAt',
    title: '支付时间',
    width: 160,
    render: row => (row.paidAt ? <Instant at={row.paidAt} /> : '—'),
    card: 'hidden',
  },
  {
    key: 'accountName',
    title: '下单人',
    width: 96,
    copy: row => row.accountName,
    render: row => row.accountName,
    card: 'hidden',
  },
  {
    key: 'orderNo',
    title: '订单号',
    width: 108,
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-8)} />,
    card: 'hidden',
  },
]
