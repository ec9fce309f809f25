import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { formatInstant } from '#kit/time.ts'
import { Copyable, Count, Instant, Phone } from '#web/format.tsx'
import type { ListColumn, RowAction } from '#web/list/ListPage.tsx'
import { look } from '#web/look.ts'
import { StatusTag, type Tone } from '#web/StatusTag.tsx'
import type { messages } from './contract.ts'
import styles from './messages.module.css'
import {
  MESSAGE_KINDS,
  MESSAGE_STATUSES,
  type MessageStatus,
  PAYERS,
  RESEND_REFUSALS,
  segmentsDue,
} from './rules.ts'

export type SentRow = Out<typeof messages.log>['rows'][number]

const TONES: Record<MessageStatus, Tone> = {
  queued: 'neutral',
  sending: 'neutral',
  submitted: 'neutral',
  delivered: 'done',
  failed: 'problem',
  unknown: 'attention',
  expired: 'attention',
  cancelled: 'neutral',
}

export function MessageStatusTag({ status, tip }: { status: MessageStatus; tip?: string }) {
  return (
    <StatusTag tone={TONES[status]} tip={tip}>
      {MESSAGE_STATUSES[status]}
    </StatusTag>
  )
}

/** The columns of what was sent, by their keys; the pages choose among them. */
export const SENT_COLUMNS = {
  createdAt: {
    key: 'createdAt',
    title: '时间',
    width: 156,
    copy: row => formatInstant(row.createdAt),
    render: row => <Instant at={row.createdAt} />,
    card: 'fact',
  },
  phone: {
    key: 'phone',
    title: '手机号',
    width: 112,
    copy: row => row.phone,
    render: row => <Phone number={row.phone} />,
    card: 'title',
  },
  merchantId: {
    key: 'merchantId',
    title: '商户ID',
    width: 80,
    copy: row => String(row.merchantId ?? ''),
    render: row => <span className={look.number}>{row.merchantId ?? '—'}</span>,
  },
  shopName: {
    key: 'shopName',
    title: '店铺名称',
    width: 120,
    copy: row => row.shopName ?? '',
    render: row => row.shopName ?? '—',
    card: 'fact',
  },
  text: {
    key: 'text',
    title: '短信内容',
    width: 200,
    copy: row => row.text,
    render: row => <Copyable text={row.text} />,
  },
  kind: {
    key: 'kind',
    title: '类型',
    width: 80,
    render: row => MESSAGE_KINDS[row.kind],
    card: 'fact',
  },
  segments: {
    key: 'segments',
    title: '计费条数',
    width: 72,
    align: 'right',
    copy: row => String(segmentsDue(row)),
    render: row => (
      <span data-tip={`超过70字的短信按多条折算；由${PAYERS[row.payer]}支付 ${formatCount(row.charged)} 条`}>
        <Count value={segmentsDue(row)} />
      </span>
    ),
  },
  status: {
    key: 'status',
    title: '状态',
    width: 132,
    render: row => (
      <span className={styles.sentState}>
        <MessageStatusTag status={row.status} />
        {row.resentAs !== null && <StatusTag tone="neutral">已重发</StatusTag>}
        {row.resendOf !== null && <span className={look.quiet}>重发</span>}
      </span>
    ),
    card: 'fact',
  },
  reason: {
    key: 'reason',
    title: '失败原因',
    width: 144,
    copy: row => [row.reason, row.errorCode].filter(Boolean).join(' '),
    render: row =>
      row.reason || row.errorCode ? (
        <span data-tip={row.errorCode || undefined}>{row.reason || row.errorCode}</span>
      ) : (
        '—'
      ),
    card: 'fact',
  },
  submittedAt: {
    key: 'submittedAt',
    title: '提交时间',
    width: 156,
    copy: row => (row.submittedAt ? formatInstant(row.submittedAt) : ''),
    render: row => <Instant at={row.submittedAt} />,
  },
  reportedAt: {
    key: 'reportedAt',
    title: '回执时间',
    width: 156,
    copy: row => (row.reportedAt ? formatInstant(row.reportedAt) : ''),
    render: row => <Instant at={row.reportedAt} />,
  },
  createdByName: {
    key: 'createdByName',
    title: '提交人',
    width: 88,
    copy: row => row.createdByName,
    render: row => row.createdByName || '—',
  },
  agentName: {
    key: 'agentName',
    title: '代理商',
    width: 200,
    copy: row => `${row.agentName}（${row.agentId}）`,
    render: row => `${row.agentName}（${row.agentId}）`,
  },
} satisfies Record<string, ListColumn<SentRow>>

/** One message's way to be sent again; disabled with its reason. */
export function resendAction(row: SentRow, onClick: () => void): RowAction {
  return {
    key: 'resend',
    label: '重发',
    disabled: row.resendRefusal && RESEND_REFUSALS[row.resendRefusal],
    onClick,
  }
}
