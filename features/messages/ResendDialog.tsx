import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MissingPay } from '#features/payments/MissingPay.tsx'
import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api, messageOf, newKey, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import { useSession } from '#web/session.ts'
import type { messages } from './contract.ts'
import type { SentRow } from './messageColumns.tsx'
import { RESEND_REFUSALS, type ResendRefusal } from './rules.ts'

const messagesApi = api<typeof messages>('messages')

type Results = Out<typeof messages.resend>
type Props = { rows: readonly SentRow[]; onSent: () => void; onClose: () => void }

/** Asks with the number and the cost, then tells the result of each message. */
export default function ResendDialog({ rows, onSent, onClose }: Props) {
  const queries = useQueryClient()
  const session = useSession()
  const [key, setKey] = useState(newKey)
  const resend = useMutation({
    mutationFn: () => messagesApi.resend({ ids: rows.map(({ id }) => id) }, { idempotencyKey: key }),
    onSuccess: () => {
      onSent()
      return Promise.all([['messages'], ['ledger']].map(queryKey => queries.invalidateQueries({ queryKey })))
    },
    onError: error => {
      if (refusalOf(error)) setKey(newKey())
    },
  })
  if (resend.data) return <ResendResults results={resend.data} onClose={onClose} />
  const able = rows.filter(row => row.resendRefusal === null)
  const pieces = able
    .filter(({ payer, agentId }) => payer === 'agent' && agentId === session.agentId)
    .reduce((sum, { segments }) => sum + segments, 0)
  const missing = Number(refusalOf(resend.error)?.data?.missing ?? 0)
  return (
    <Dialog
      title="重发短信"
      width={520}
      onClose={resend.isPending ? () => undefined : onClose}
      footer={
        <>
          <Button disabled={resend.isPending} onClick={onClose}>
            取消
          </Button>
          <Button
            kind="primary"
            autoFocus
            busy={resend.isPending}
            disabled={able.length === 0 ? RESEND_REFUSALS.NONE_RESENDABLE : null}
            onClick={() => resend.mutate()}
          >
            {`重发 ${formatCount(able.length)} 条`}
          </Button>
        </>
      }
    >
      <div className="reminder-body">
        <p>
          将 <b>{formatCount(able.length)}</b> 条发送失败的短信重新发送，每条只能重发一次。
          {pieces > 0 && (
            <>
              从您的短信余额扣除约 <b>{formatCount(pieces)}</b> 条，发送失败的会退回。
            </>
          )}
        </p>
        {able.length < rows.length && (
          <p className="quiet-text">
            另有 {formatCount(rows.length - able.length)} 条不会重发：{reasonsOf(rows)}。
          </p>
        )}
        {resend.isError && (
          <p className="reminder-failed" role="alert">
            {messageOf(resend.error)}
          </p>
        )}
        <MissingPay
          asset="sms"
          missing={missing}
          purpose="重发"
          onPaid={resend.reset}
          onEnough={() => resend.mutate()}
        />
      </div>
    </Dialog>
  )
}

/** Each reason in the rule's own words, with how many it holds back. */
function reasonsOf(rows: readonly { resendRefusal: ResendRefusal | null }[]): string {
  const counts = new Map<ResendRefusal, number>()
  for (const { resendRefusal } of rows)
    if (resendRefusal) counts.set(resendRefusal, (counts.get(resendRefusal) ?? 0) + 1)
  return [...counts].map(([refusal, count]) => `${RESEND_REFUSALS[refusal]}（${count} 条）`).join('、')
}

function ResendResults({ results, onClose }: { results: Results; onClose: () => void }) {
  const left = results.rows.length - results.queued
  return (
    <Dialog
      title="重发结果"
      width={520}
      onClose={onClose}
      footer={
        <Button kind="primary" autoFocus onClick={onClose}>
          完成
        </Button>
      }
    >
      <div className="reminder-body">
        <p role="status">
          {formatCount(results.queued)} 条已加入发件箱，等待发送
          {left > 0 && `；${formatCount(left)} 条未重发`}。
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
        <section className="reminder-results" tabIndex={0} aria-label="每条短信的结果">
          <table>
            <thead>
              <tr>
                <th scope="col">手机号</th>
                <th scope="col">结果</th>
              </tr>
            </thead>
            <tbody>
              {results.rows.map(row => (
                <tr key={row.id}>
                  <td className="number">{row.phone}</td>
                  <td>
                    {row.refusal === null ? (
                      <StatusTag tone="neutral">待发送</StatusTag>
                    ) : (
                      <StatusTag tone="problem">{RESEND_REFUSALS[row.refusal]}</StatusTag>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </Dialog>
  )
}
