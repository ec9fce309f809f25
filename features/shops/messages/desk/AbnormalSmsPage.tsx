import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { SETTLE_REFUSALS } from '#features/shops/messages/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { roving } from '#web/keys/roving.ts'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { useListParams } from '#web/list/useListParams.ts'
import type { messageDesk } from './contract.ts'
import { ABNORMAL_MESSAGES } from './fields.ts'
import styles from './message-desk.module.css'
import { MessageStatusTag, SENT_CELLS, type SentRow } from './messageCells.tsx'
import { useResend } from './useResend.tsx'

const messageDeskApi = api<typeof messageDesk>('messageDesk')
const SettleDialog = lazy(() => import('./SettleDialog.tsx'))

type Answer = Out<typeof messageDesk.abnormal>

/** What failed, came too late or is not known, over all agents, with how often each reason occurs (smsManageError, D3 §2). */
export default function AbnormalSmsPage() {
  const resend = useResend()
  const [settling, setSettling] = useState<SentRow | null>(null)
  return (
    <>
      <List
        of={ABNORMAL_MESSAGES}
        from={messageDeskApi.abnormal}
        cells={SENT_CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        summary={answer => <Reasons answer={answer} />}
        rowActions={row => [settleAction(row, () => setSettling(row)), ...resend.actionsOf(row)]}
        actionsWidth={104}
        bulk={resend.bulk}
      />
      {resend.dialog}
      <Suspense>{settling && <SettleDialog row={settling} onClose={() => setSettling(null)} />}</Suspense>
    </>
  )
}

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
  const [params, setParams] = useListParams(ABNORMAL_MESSAGES)
  if (answer.reasons.length === 0) return null
  return (
    <div className={styles.sentReasons}>
      <ul {...roving} aria-label="异常原因">
        {answer.reasons.map(({ errorCode, status, reason, messages }) => {
          const isChosen = (params.errorCode ?? '') === errorCode && params.status === status
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
