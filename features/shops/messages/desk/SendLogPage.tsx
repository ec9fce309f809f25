import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { List } from '#web/list/List.tsx'
import type { messageDesk } from './contract.ts'
import { SENT_MESSAGES } from './fields.ts'
import { SENT_CELLS } from './messageCells.tsx'
import { useResend } from './useResend.tsx'

const messageDeskApi = api<typeof messageDesk>('messageDesk')

type Answer = Out<typeof messageDesk.log>

/** What was sent by SMS for one's own shops, and what of it can be sent again (D2 §2, screen 8). */
export default function SendLogPage() {
  const session = useSession()
  const resend = useResend()
  return (
    <>
      <List
        of={SENT_MESSAGES}
        from={messageDeskApi.log}
        cells={SENT_CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        summary={answer => <Totals answer={answer} />}
        rowActions={session.permissions.includes('messageDesk.resend') ? resend.actionsOf : undefined}
        actionsWidth={72}
        bulk={resend.bulk}
      />
      {resend.dialog}
    </>
  )
}

function Totals({ answer }: { answer: Answer }) {
  return (
    <>
      <span>
        短信 <b>{formatCount(answer.total)}</b> 条{answer.totalCapped && ' 以上'}
      </span>
      <span>
        计费条数 <b>{formatCount(answer.segments)}</b>
        {answer.totalCapped && `（最近 ${formatCount(answer.total)} 条）`}
      </span>
      {answer.shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
    </>
  )
}
