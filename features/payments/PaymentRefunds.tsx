import { useMutation, useQueryClient } from '@tanstack/react-query'
import { agentColumn } from '#features/services/orderColumns.tsx'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { moneyColumn, statusColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import type { ListParams } from '#web/list/useListParams.ts'
import type { Tone } from '#web/StatusTag.tsx'
import { usePermission } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { payments } from './contract.ts'
import { type DayParams, PaymentList } from './PaymentList.tsx'
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
type Params = ListParams & DayParams & { status?: RefundStatus; reason?: RefundReason; agentId?: number }

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
  const retryAction = (row: Row) => ({
    key: 'retry',
    label: '重试',
    disabled: row.status === 'failed' ? null : REFUND_REFUSALS.REFUND_NOT_FAILED,
    onClick: () => retrying.mutate(row.id),
  })
  return (
    <PaymentList<Row, Params, Answer>
      title="退款"
      listKey="payments.refunds"
      fetchPage={params => paymentsApi.refunds(params)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="退款单号 / 商户单号"
      choices={[
        { key: 'status', label: '状态', names: REFUND_STATUSES },
        { key: 'reason', label: '原因', names: REFUND_REASONS },
      ]}
      byDays
      byAgent
      emptyText="还没有退款。重复支付会自动退款，也可以在支付单详情中退款"
      paymentOf={row => row.intentId}
      actionsWidth={128}
      rowActions={row => (mayRefund ? [retryAction(row)] : [])}
    />
  )
}

const COLUMNS: ListColumn<Row>[] = [
  timeColumn('createdAt', '时间', { width: 176, fixed: 'start', card: 'fact' }),
  { ...agentColumn(), width: 248, card: 'title' },
  wordColumn('channel', '渠道', CHANNEL_NAMES, { width: 72, card: 'fact' }),
  moneyColumn('amountFen', '金额（元）', { card: 'fact' }),
  wordColumn('reason', '原因', REFUND_REASONS, { card: 'fact' }),
  statusColumn('status', '状态', REFUND_STATUSES, TONES),
  textColumn('providerWords', '渠道答复', { width: 220, card: 'fact' }),
  textColumn('refundNo', '退款单号', { width: 224 }),
  textColumn('remark', '说明', { width: 180 }),
  textColumn('createdByName', '操作人', { width: 88 }),
  timeColumn('doneAt', '到账时间'),
]
