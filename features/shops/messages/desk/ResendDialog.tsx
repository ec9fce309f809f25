import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MissingPay } from '#features/money/ledger/slots.tsx'
import { RESEND_REFUSALS } from '#features/shops/messages/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api, newKey, refusalOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import type { messageDesk } from './contract.ts'
import type { SentRow } from './messageCells.tsx'
import { reasonsText, SendingQuestion, SendingResults } from './SendingDialogs.tsx'

const messageDeskApi = api<typeof messageDesk>('messageDesk')

type Results = Out<typeof messageDesk.resend>
type Props = { rows: readonly SentRow[]; onSent: () => void; onClose: () => void }

/** Asks with the number and the cost, then tells the result of each message. */
export default function ResendDialog({ rows, onSent, onClose }: Props) {
  const session = useSession()
  const [key, setKey] = useState(newKey)
  const resend = useMutation({
    mutationFn: () => messageDeskApi.resend({ ids: rows.map(({ id }) => id) }, { idempotencyKey: key }),
    onSuccess: () => {
      onSent()
      return reread()
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
  const short = refusalOf(resend.error)?.data
  // The credit of a shop or of another agent nobody here can top up.
  const isOwn = able.every(({ payer, agentId }) => payer !== 'agent' || agentId === session.agentId)
  const missing = isOwn && short?.owner === 'agent' ? Number(short.missing) : 0
  const reasons = rows.map(({ resendRefusal }) => resendRefusal && RESEND_REFUSALS[resendRefusal])
  return (
    <SendingQuestion
      title="重发短信"
      sendText={`重发 ${formatCount(able.length)} 条`}
      disabled={able.length === 0 ? RESEND_REFUSALS.NONE_RESENDABLE : null}
      sending={resend}
      onSend={() => resend.mutate()}
      onClose={onClose}
      help={
        <MissingPay
          asset="sms"
          missing={missing}
          purpose="重发"
          onPaid={resend.reset}
          onEnough={() => resend.mutate()}
        />
      }
    >
      <p>
        将 <b>{formatCount(able.length)}</b> 条发送失败的短信重新发送，每条只能重发一次。
        {pieces > 0 && (
          <>
            从您的短信余额扣除约 <b>{formatCount(pieces)}</b> 条，发送失败的会退回。
          </>
        )}
      </p>
      {able.length < rows.length && (
        <p className={look.quiet}>
          另有 {formatCount(rows.length - able.length)} 条不会重发：{reasonsText(reasons, '条')}。
        </p>
      )}
    </SendingQuestion>
  )
}

function ResendResults({ results, onClose }: { results: Results; onClose: () => void }) {
  const left = results.rows.length - results.queued
  return (
    <SendingResults
      title="重发结果"
      summary={
        <>
          {formatCount(results.queued)} 条已加入发件箱，等待发送
          {left > 0 && `；${formatCount(left)} 条未重发`}。
        </>
      }
      label="每条短信的结果"
      head="手机号"
      rows={results.rows}
      shown={({ id, phone, refusal }) => ({
        key: id,
        of: <span className={look.number}>{phone}</span>,
        refusal: refusal && RESEND_REFUSALS[refusal],
      })}
      onClose={onClose}
    />
  )
}
