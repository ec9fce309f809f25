import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DatePicker, Form, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useEffect, useState } from 'react'
import { Choice, OrderDates } from '#features/services/OrderDates.tsx'
import { useFiltersInWords } from '#features/services/orderActions.tsx'
import '#features/services/services.css'
import type { PayChannelName } from '#kit/channels.ts'
import { PAY_CHANNELS } from '#kit/channels.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { FormDialog } from '#web/FormDialog.tsx'
import { Instant } from '#web/format.tsx'
import { type ActiveFilter, type ListColumn, ListPage } from '#web/ListPage.tsx'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import { type ListParams, useListParams } from '#web/useListParams.ts'
import type { payments } from './contract.ts'
import {
  CHANNEL_NAMES,
  RECONCILE_REFUSALS,
  RECONCILIATION_STATUSES,
  type ReconciliationStatus,
} from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

const KEY = ['payments', 'reconciliations'] as const

type Answer = Out<typeof payments.reconciliations>
type Row = Answer['rows'][number]
type Params = ListParams & { channel?: PayChannelName; from?: string; to?: string }

const TONES: Record<ReconciliationStatus, Tone> = { wanted: 'attention', done: 'done', failed: 'problem' }

/** Each day compared with the channels' bills. */
export default function PaymentBills() {
  const mayReconcile = usePermission('payments.reconcile')
  const [asking, setAsking] = useState(false)
  const watch = useWatch()
  return (
    <>
      <ListPage<Row, Params, Answer>
        title="对账"
        listKey="payments.bills"
        ownParams={['view']}
        main={
          mayReconcile && (
            <Button kind="primary" onClick={() => setAsking(true)}>
              发起对账
            </Button>
          )
        }
        queryKey={KEY}
        fetchPage={params => paymentsApi.reconciliations(params)}
        rowKey={row => row.id}
        columns={COLUMNS}
        filters={<Filters />}
        activeFilters={useActiveFilters()}
        emptyText="还没有对账记录，每天自动与支付渠道的前一日账单核对"
      />
      {asking && <ReconcileDialog onStarted={watch} onClose={() => setAsking(false)} />}
    </>
  )
}

const LOOK_EVERY_MS = 1_500
const LOOKS_MAX = 20

/** A comparison takes a moment: the list is read anew until it will have ended. */
function useWatch(): () => void {
  const queries = useQueryClient()
  const [looksLeft, setLooksLeft] = useState(0)
  useEffect(() => {
    if (looksLeft === 0) return
    const timer = setTimeout(() => {
      void queries.invalidateQueries({ queryKey: KEY })
      setLooksLeft(looksLeft - 1)
    }, LOOK_EVERY_MS)
    return () => clearTimeout(timer)
  }, [looksLeft, queries])
  return () => setLooksLeft(LOOKS_MAX)
}

function Filters() {
  const [params, setParams] = useListParams<Params>()
  return (
    <div className="order-filters">
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
  const { channel } = params
  return [
    ...(channel ? [{ key: 'channel', label: '支付渠道', text: CHANNEL_NAMES[channel] ?? channel }] : []),
    ...words.days,
  ]
}

type Values = { channel: PayChannelName; day: Dayjs | null }

function ReconcileDialog({ onStarted, onClose }: { onStarted: () => void; onClose: () => void }) {
  const queries = useQueryClient()
  const yesterday = dayjs(addDays(formatDay(new Date()), -1))
  return (
    <FormDialog<Values>
      title="发起对账"
      submitText="对账"
      initial={{ channel: 'wechat', day: yesterday }}
      refuse={({ day }) =>
        day === null || day.isAfter(yesterday, 'day')
          ? { field: 'day', message: RECONCILE_REFUSALS.DAY_OPEN }
          : null
      }
      onSubmit={async ({ channel, day }) => {
        await paymentsApi.reconcile({ channel, day: (day as Dayjs).format('YYYY-MM-DD') })
        toast.success('已开始对账，结果稍后显示')
        onStarted()
        await queries.invalidateQueries({ queryKey: ['payments'] })
      }}
      onClose={onClose}
    >
      <Form.Item name="channel" label="支付渠道">
        <Select options={PAY_CHANNELS.map(value => ({ value, label: CHANNEL_NAMES[value] }))} />
      </Form.Item>
      <Form.Item name="day" label="账单日期">
        <DatePicker maxDate={yesterday} allowClear={false} />
      </Form.Item>
    </FormDialog>
  )
}

function sum(count: number, fen: number): string {
  return `${formatCount(count)} 笔 / ${formatCents(fen)}`
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'day',
    title: '账单日期',
    width: 104,
    fixed: 'start',
    copy: row => row.day,
    render: row => <span className="number">{row.day}</span>,
    card: 'title',
  },
  { key: 'channel', title: '渠道', width: 72, render: row => CHANNEL_NAMES[row.channel], card: 'fact' },
  {
    key: 'status',
    title: '状态',
    width: 96,
    render: row => <StatusTag tone={TONES[row.status]}>{RECONCILIATION_STATUSES[row.status]}</StatusTag>,
    card: 'fact',
  },
  {
    key: 'billPayments',
    title: '渠道收款（元）',
    width: 160,
    align: 'right',
    render: row => <span className="number">{sum(row.billPayments, row.billFen)}</span>,
    card: 'hidden',
  },
  {
    key: 'ourPayments',
    title: '本方收款（元）',
    width: 160,
    align: 'right',
    render: row => <span className="number">{sum(row.ourPayments, row.ourFen)}</span>,
    card: 'hidden',
  },
  {
    key: 'billRefunds',
    title: '渠道退款（元）',
    width: 152,
    align: 'right',
    render: row => <span className="number">{sum(row.billRefunds, row.billRefundFen)}</span>,
    card: 'hidden',
  },
  {
    key: 'ourRefunds',
    title: '本方退款（元）',
    width: 152,
    align: 'right',
    render: row => <span className="number">{sum(row.ourRefunds, row.ourRefundFen)}</span>,
    card: 'hidden',
  },
  {
    key: 'differences',
    title: '差异',
    width: 128,
    render: row =>
      row.differences === 0 ? (
        '—'
      ) : (
        <Link to="." search={{ view: 'differences', reconciliationId: row.id } as never}>
          {formatCount(row.differences)} 笔{row.openDifferences > 0 && `，${row.openDifferences} 笔未处理`}
        </Link>
      ),
    card: 'fact',
  },
  {
    key: 'problem',
    title: '说明',
    width: 220,
    copy: row => row.problem,
    render: row => row.problem || '—',
    card: 'hidden',
  },
  {
    key: 'comparedAt',
    title: '对账时间',
    width: 160,
    render: row => (row.comparedAt ? <Instant at={row.comparedAt} /> : '—'),
    card: 'fact',
  },
]
