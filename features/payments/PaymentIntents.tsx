import { agentColumn } from '#features/services/orderColumns.tsx'
import { formatCents, formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Copyable } from '#web/format.tsx'
import type { ListColumn } from '#web/list/ListPage.tsx'
import { moneyColumn, statusColumn, textColumn, timeColumn, wordColumn } from '#web/list/listColumns.tsx'
import type { ListParams } from '#web/list/useListParams.ts'
import { look } from '#web/look.ts'
import type { Tone } from '#web/StatusTag.tsx'
import type { payments } from './contract.ts'
import { type DayParams, PaymentList } from './PaymentList.tsx'
import {
  CHANNEL_NAMES,
  INTENT_STATUSES,
  type IntentStatus,
  type PaidAsset,
  REFUND_STATUSES,
} from './rules.ts'

const paymentsApi = api<typeof payments>('payments')

type Answer = Out<typeof payments.intents>
type Row = Answer['rows'][number]
type Params = ListParams &
  DayParams & {
    status?: IntentStatus
    asset?: PaidAsset
    channel?: keyof typeof CHANNEL_NAMES
    agentId?: number
  }

const ASSET_WORDS: Record<PaidAsset, string> = { sms: '短信', token: '代币' }
export const INTENT_TONES: Record<IntentStatus, Tone> = {
  waiting: 'attention',
  paid: 'done',
  expired: 'neutral',
  failed: 'problem',
}

/** Payments from outside, of all agents. */
export function PaymentIntents() {
  return (
    <PaymentList<Row, Params, Answer>
      title="支付单"
      listKey="payments.intents"
      fetchPage={params => paymentsApi.intents(params)}
      rowKey={row => row.id}
      columns={COLUMNS}
      searchPlaceholder="支付单号 / 订单号 / 渠道单号"
      choices={[
        { key: 'status', label: '状态', names: INTENT_STATUSES },
        { key: 'asset', label: '充值内容', names: ASSET_WORDS },
        { key: 'channel', label: '支付渠道', names: CHANNEL_NAMES },
      ]}
      byDays
      byAgent
      summary={totals => (
        <>
          <span>
            已支付 <b>{formatCents(totals.paidFen)}</b> 元
          </span>
          {totals.refundedFen > 0 && (
            <>
              <span>
                已退款 <b>{formatCents(totals.refundedFen)}</b> 元
              </span>
              <span>
                实收 <b>{formatCents(totals.paidFen - totals.refundedFen)}</b> 元
              </span>
            </>
          )}
          <span>
            笔数 <b>{formatCount(totals.total)}</b>
            {totals.totalCapped && ' 以上'}
          </span>
        </>
      )}
      emptyText="还没有支付单，代理商扫码充值后会显示在这里"
      paymentOf={row => row.id}
    />
  )
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'id',
    title: '支付单号',
    width: 108,
    fixed: 'start',
    opens: true,
    copy: row => row.id,
    render: row => <span className={look.number}>{row.id.slice(-8)}</span>,
  },
  timeColumn('createdAt', '下单时间', { card: 'fact' }),
  { ...agentColumn(), width: 248, card: 'title' },
  textColumn('subject', '内容', { width: 160, card: 'fact' }),
  moneyColumn('amountFen', '金额（元）', { card: 'fact' }),
  statusColumn('status', '状态', INTENT_STATUSES, INTENT_TONES),
  wordColumn('paidBy', '支付渠道', CHANNEL_NAMES),
  wordColumn('refundStatus', '退款', REFUND_STATUSES),
  timeColumn('paidAt', '支付时间'),
  textColumn('accountName', '下单人', { width: 96 }),
  {
    key: 'orderNo',
    title: '订单号',
    width: 108,
    copy: row => row.orderNo,
    render: row => <Copyable text={row.orderNo} shown={row.orderNo.slice(-8)} />,
  },
]
