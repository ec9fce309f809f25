import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OrderLink } from '#features/money/ledger/useOpenOrder.tsx'
import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import {
  ATTEMPT_STATUSES,
  CHANNEL_NAMES,
  EVENT_KINDS,
  EVENT_STATUSES,
  INTENT_STATUSES,
  REFUND_REASONS,
  REFUND_STATUSES,
} from '#features/sales/payments/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import type { paymentDesk } from './contract.ts'
import { INTENT_TONES, REFUND } from './fields.ts'
import styles from './operator.module.css'

const paymentDeskApi = api<typeof paymentDesk>('paymentDesk')

type Details = Out<typeof paymentDesk.intent>

/** A payment with what the channels said of it; asking again and refunding. */
export default function PaymentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const mayRefund = usePermission('paymentDesk.refund')
  const [refunding, setRefunding] = useState(false)
  const details = useQuery({
    ...paymentDeskApi.intent.query({ id }),
    refetchInterval: 3_000,
  })
  const asking = useMutation({
    mutationFn: () => paymentDeskApi.ask({ id }),
    onSuccess: ({ attempts }) =>
      attempts > 0
        ? toast.info('已向支付渠道查询，结果稍后更新')
        : toast.warning('该支付单没有可查询的渠道订单'),
    onError: error => toast.warning(messageOf(error)),
  })
  const refusal = details.data?.refundRefusal
  return (
    <Dialog
      title="支付单详情"
      width={920}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button changes busy={asking.isPending} onClick={() => asking.mutate()}>
            重新查询
          </Button>
          {mayRefund && (
            <Button
              kind="danger"
              disabled={details.data ? (refusal?.message ?? null) : true}
              onClick={() => setRefunding(true)}
            >
              退款
            </Button>
          )}
        </>
      }
    >
      {details.isError ? (
        <LoadFailure error={details.error} onRetry={() => void details.refetch()} />
      ) : details.data ? (
        <Facts details={details.data} />
      ) : (
        <LoadingLines lines={10} />
      )}
      {refunding && details.data && (
        <RefundDialog id={id} amountFen={details.data.intent.amountFen} onClose={() => setRefunding(false)} />
      )}
    </Dialog>
  )
}

function Facts({ details }: { details: Details }) {
  const { intent, attempts, events, refunds } = details
  const facts: [string, React.ReactNode][] = [
    ['支付单号', intent.id],
    ['订单号', <OrderLink key="order" orderNo={intent.orderNo} />],
    ['代理商', `${intent.agentName}（${intent.agentId}）`],
    ['收款方', intent.payeeName ?? '厂商'],
    ['下单人', intent.accountName],
    ['内容', intent.subject],
    ['金额', `¥${formatCents(intent.amountFen)}`],
    [
      '状态',
      <StatusTag key="status" tone={INTENT_TONES[intent.status]}>
        {INTENT_STATUSES[intent.status]}
      </StatusTag>,
    ],
    ['下单时间', formatInstant(intent.createdAt)],
    ['失效时间', formatInstant(intent.expiresAt)],
    ['支付时间', intent.paidAt ? formatInstant(intent.paidAt) : '—'],
    ['支付渠道', intent.paidBy ? CHANNEL_NAMES[intent.paidBy] : '—'],
    ['退款', intent.refundStatus ? REFUND_STATUSES[intent.refundStatus] : '—'],
  ]
  return (
    <div className={styles.paymentDetails}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Table
        title="渠道订单"
        empty="付款人还没有打开付款码"
        heads={['渠道', '商户单号', '渠道单号', '状态', '渠道答复', '更新时间']}
        rows={attempts.map(row => [
          CHANNEL_NAMES[row.channel],
          row.outTradeNo,
          row.transactionId ?? '—',
          ATTEMPT_STATUSES[row.status],
          row.providerWords || '—',
          formatInstant(row.updatedAt),
        ])}
      />
      <Table
        title="渠道通知"
        empty="没有收到通知"
        heads={['渠道', '类型', '渠道状态', '处理', '次数', '收到时间']}
        rows={events.map(row => [
          CHANNEL_NAMES[row.channel],
          EVENT_KINDS[row.kind],
          row.providerState,
          row.problem ? `${EVENT_STATUSES[row.status]}：${row.problem}` : EVENT_STATUSES[row.status],
          String(row.times),
          formatInstant(row.receivedAt),
        ])}
      />
      <Table
        title="退款"
        empty="没有退款"
        heads={['原因', '金额（元）', '状态', '退款单号', '操作人', '时间']}
        rows={refunds.map(row => [
          row.remark ? `${REFUND_REASONS[row.reason]}：${row.remark}` : REFUND_REASONS[row.reason],
          formatCents(row.amountFen),
          row.status === 'failed'
            ? `${REFUND_STATUSES.failed}：${row.providerWords}`
            : REFUND_STATUSES[row.status],
          row.refundNo,
          row.createdByName,
          formatInstant(row.createdAt),
        ])}
      />
    </div>
  )
}

type TableProps = { title: string; empty: string; heads: string[]; rows: string[][] }

function Table({ title, empty, heads, rows }: TableProps) {
  return (
    <section>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className={look.quiet}>{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
        <section className={styles.paymentTable} aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {heads.map(head => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.join(' ')}>
                  {row.map((cell, place) => (
                    <td key={heads[place]} data-head={heads[place]}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}

type RefundProps = { id: string; amountFen: number; onClose: () => void }

function RefundDialog({ id, amountFen, onClose }: RefundProps) {
  return (
    <FormDialog
      title="退款"
      submitText="退款"
      danger
      of={REFUND}
      question={() => ({
        title: `退款 ¥${formatCents(amountFen)}？`,
        text: '充值的额度将从代理商余额中扣回，款项原路退回付款人。退款后不能撤销。',
        confirmText: '确认退款',
        danger: true,
      })}
      send={async ({ reason }, idempotencyKey) => {
        await paymentDeskApi.refund({ id, reason }, { idempotencyKey })
        toast.success('退款已提交')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <ReasonField
            form={form}
            name="reason"
            of="refund"
            label={`${REFUND.reason.label}（最多 ${REFUND.reason.max} 字）`}
          />
        </>
      )}
    </FormDialog>
  )
}
