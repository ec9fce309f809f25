import { lazy, Suspense, useState } from 'react'
import { SHOPS_CAPPED_TEXT } from '#features/orders/rules.ts'
import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { type ListColumn, ListPage, type RowAction } from '#web/list/ListPage.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { messages } from './contract.ts'
import { MessageStatusTag, SENT_COLUMNS, type SentRow } from './messageColumns.tsx'
import styles from './messages.module.css'
import { type AbnormalStatus, SETTLE_REFUSALS } from './rules.ts'
import { useResend } from './useResend.tsx'
import { type SentParams, useSentChips } from './useSentChips.tsx'

const messagesApi = api<typeof messages>('messages')
const SentFilters = lazy(() => import('./SentFilters.tsx'))
const SettleDialog = lazy(() => import('./SettleDialog.tsx'))

type Answer = Out<typeof messages.abnormal>
type Params = SentParams & { status?: AbnormalStatus }

/** What failed, came too late or is not known, over all agents, with how often each reason occurs (smsManageError, D3 §2). */
export default function AbnormalSmsPage() {
  const resend = useResend()
  const [settling, setSettling] = useState<SentRow | null>(null)
  return (
    <>
      <ListPage<SentRow, Params, Answer>
        title="异常短信"
        listKey="messages.abnormal"
        queryKey={['messages', 'abnormal']}
        fetchPage={({ sort: _sort, order: _order, errorCode, ...wanted }) =>
          messagesApi.abnormal({
            ...wanted,
            ...(errorCode === undefined ? {} : { errorCode: String(errorCode) }),
          })
        }
        rowKey={row => row.id}
        columns={COLUMNS}
        searchPlaceholder="完整的手机号 / 商户ID / 店铺名称"
        filters={<SentFilters abnormal />}
        activeFilters={useSentChips()}
        summary={answer => <Reasons answer={answer} />}
        emptyText="没有异常短信"
        rowActions={row => [settleAction(row, () => setSettling(row)), ...resend.actionsOf(row)]}
        actionsWidth={104}
        bulk={resend.bulk}
      />
      {resend.dialog}
      <Suspense>{settling && <SettleDialog row={settling} onClose={() => setSettling(null)} />}</Suspense>
    </>
  )
}

const { createdAt, phone, merchantId, shopName, text, kind, status, reason, submittedAt, agentName } =
  SENT_COLUMNS
/** Down to the agent they stand beside the actions at 1440 pixels; what is looked at less follows. */
const COLUMNS: readonly ListColumn<SentRow>[] = [
  { ...phone, fixed: 'start' },
  createdAt,
  status,
  { ...reason, width: 216 },
  kind,
  merchantId,
  shopName,
  { ...agentName, width: 168 },
  text,
  {
    key: 'errorCode',
    title: '错误码',
    width: 168,
    copy: row => row.errorCode,
    render: row => row.errorCode || '—',
  },
  submittedAt,
]

function settleAction(row: SentRow, onClick: () => void): RowAction {
  return {
    key: 'settle',
    label: '处理',
    disabled: row.status === 'unknown' ? null : SETTLE_REFUSALS.NOT_UNKNOWN,
    onClick,
  }
}

/** Each reason with its number; a press filters by it, another takes it out. */
function Reasons({ answer }: { answer: Answer }) {
  const [params, setParams] = useListParams<Params>()
  if (answer.reasons.length === 0) return null
  return (
    <div className={styles.sentReasons}>
      <ul aria-label="异常原因">
        {answer.reasons.map(({ errorCode, status, reason, messages }) => {
          const isChosen = String(params.errorCode ?? '') === errorCode && params.status === status
          return (
            <li key={`${status} ${errorCode}`}>
              <button
                type="button"
                aria-pressed={isChosen}
                data-tip={errorCode || undefined}
                onClick={() =>
                  setParams(
                    isChosen
                      ? { errorCode: undefined, status: undefined }
                      : { errorCode: errorCode || undefined, status },
                  )
                }
              >
                <MessageStatusTag status={status} />
                <span>{reason || errorCode || '未说明原因'}</span>
                <b>{formatCount(messages)}</b>
              </button>
            </li>
          )
        })}
      </ul>
      {answer.totalCapped && <span>按最近 {formatCount(answer.total)} 条统计</span>}
      {answer.shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
    </div>
  )
}
