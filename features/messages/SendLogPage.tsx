import { lazy } from 'react'
import { SHOPS_CAPPED_TEXT } from '#features/orders/rules.ts'
import { formatCount } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { useSession } from '#web/session.ts'
import type { messages } from './contract.ts'
import { SENT_COLUMNS, type SentRow } from './messageColumns.tsx'
import { useResend } from './useResend.tsx'
import { type SentParams, useSentChips } from './useSentChips.tsx'

const messagesApi = api<typeof messages>('messages')
const SentFilters = lazy(() => import('./SentFilters.tsx'))

type Answer = Out<typeof messages.log>

/** What was sent by SMS for one's own shops, and what of it can be sent again (D2 §2, screen 8). */
export default function SendLogPage() {
  const session = useSession()
  const resend = useResend()
  return (
    <>
      <ListPage<SentRow, SentParams, Answer>
        title="短信发送记录"
        listKey="messages.log"
        queryKey={['messages', 'log']}
        fetchPage={({ sort: _sort, order: _order, errorCode: _errorCode, ...wanted }) =>
          messagesApi.log(wanted)
        }
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, SENT_COLUMNS.agentName] : COLUMNS}
        searchPlaceholder="完整的手机号 / 商户ID / 店铺名称"
        filters={<SentFilters />}
        activeFilters={useSentChips()}
        summary={answer => <Totals answer={answer} />}
        exportHref={(params, shown) => exportAddress(params, shown)}
        exportPermission="messages.log"
        emptyText="还没有发送过短信，验证码、提醒和群发的短信会显示在这里"
        rowActions={session.permissions.includes('messages.resend') ? resend.actionsOf : undefined}
        actionsWidth={72}
        bulk={resend.bulk}
      />
      {resend.dialog}
    </>
  )
}

const { createdAt, phone, merchantId, shopName, text, kind, segments, status, reason } = SENT_COLUMNS
const { submittedAt, reportedAt, createdByName } = SENT_COLUMNS
/** Down to the reason they stand beside the actions at 1440 pixels; what is looked at less follows. */
const COLUMNS: readonly ListColumn<SentRow>[] = [
  { ...phone, fixed: 'start' },
  createdAt,
  merchantId,
  shopName,
  text,
  kind,
  segments,
  status,
  reason,
  submittedAt,
  reportedAt,
  createdByName,
]

/** The file names the mark of a message that was sent again as a column of its own. */
function exportAddress(params: SentParams, shown: readonly ListColumn<SentRow>[]): string {
  const { page: _page, size: _size, sort: _sort, order: _order, errorCode: _errorCode, ...filters } = params
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(filters)) if (value !== undefined) query.set(key, String(value))
  const keys = shown.flatMap(({ key }) => (key === 'status' ? ['status', 'isReissued'] : [key]))
  query.set('columns', keys.join(','))
  return `/api/messages/log.xlsx?${query}`
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
