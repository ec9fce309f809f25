import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { moneyColumn, statusColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import type { ListParams } from '#web/list/useListParams.ts'
import type { Tone } from '#web/StatusTag.tsx'
import { toast } from '#web/toast.ts'
import type { payments } from './contract.ts'
import { type DayParams, NO_PAYMENT, PaymentList } from './PaymentList.tsx'
import { CHANNEL_NAMES, EVENT_KINDS, EVENT_STATUSES, type EventStatus } from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Answer = Out<typeof payments.events>
type Row = Answer['rows'][number]
type Params = ListParams & DayParams & { status?: EventStatus; channel?: keyof typeof CHANNEL_NAMES }

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
    <PaymentList<Row, Params, Answer>
      title="渠道通知"
      listKey="payments.events"
      fetchPage={params => paymentsApi.events(params)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="通知编号 / 商户单号"
      choices={[
        { key: 'status', label: '状态', names: EVENT_STATUSES },
        { key: 'channel', label: '支付渠道', names: CHANNEL_NAMES },
      ]}
      byDays
      emptyText="还没有收到支付渠道的通知"
      paymentOf={row => row.intentId}
      actionsWidth={156}
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

/** A callback that fits nothing says so. */
const problemOf = (row: Row) => (row.status === 'unmatched' ? NO_PAYMENT : row.problem)

const COLUMNS: ListColumn<Row>[] = [
  timeColumn('receivedAt', '收到时间', { width: 176, fixed: 'start', card: 'fact' }),
  wordColumn('channel', '渠道', CHANNEL_NAMES, { width: 72, card: 'fact' }),
  wordColumn('kind', '类型', EVENT_KINDS, { width: 64 }),
  textColumn('outTradeNo', '商户单号', { width: 216, card: 'title' }),
  moneyColumn('amountFen', '金额（元）', { card: 'fact' }),
  textColumn('providerState', '渠道状态', { width: 128 }),
  statusColumn('status', '处理', EVENT_STATUSES, TONES),
  {
    ...textColumn('problem', '问题', { width: 220, card: 'fact' }),
    copy: problemOf,
    render: row => problemOf(row) || '—',
  },
  { key: 'times', title: '次数', width: 56, align: 'right', render: row => row.times },
  textColumn('eventId', '通知编号', { width: 240 }),
]
