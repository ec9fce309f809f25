import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { useDrawer } from '#features/shops/merchants/ShopAddress.tsx'
import type { Out } from '#kit/declare/op.ts'
import { daysBetween, formatDay } from '#kit/time.ts'
import { usePermission } from '#web/client/session.ts'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Counts, CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import type { documents } from './contract.ts'
import { documentsApi } from './documentsApi.tsx'
import { DOCUMENTS } from './fields.ts'
import { DOCUMENT_USERS, mayEnd, WARN_DAYS } from './rules.ts'
import { usePapers } from './usePapers.tsx'

const MerchantDrawer = lazy(() => import('#features/shops/merchants/MerchantDrawer.tsx'))

type Answer = Out<typeof documents.list>
type Row = Answer['rows'][number]

/** The papers of all shops, what ends first in the beginning; a paper opens its shop over the list. */
export default function DocumentsPage() {
  const drawer = useDrawer()
  const papers = usePapers()
  const mayOpen = usePermission('merchants.details')
  return (
    <>
      <List
        of={DOCUMENTS}
        from={documentsApi.list}
        cells={CELLS}
        options={{ agentId: AGENT_OPTIONS }}
        summary={answer => <Soon answer={answer} />}
        openKey={drawer.id}
        onOpen={mayOpen ? row => drawer.open(row.merchantId) : undefined}
        rowActions={row => papers.actionsOf(row)}
        actionsWidth={176}
      />
      {papers.dialogs}
      <Suspense>{drawer.id !== null && <MerchantDrawer id={drawer.id} onClose={drawer.close} />}</Suspense>
    </>
  )
}

const SOON = { ended: '已到期', in15: '15 天内到期', in60: '60 天内到期' } as const

/** How many end soon, of those in use. */
function Soon({ answer: { soon, shopsCapped } }: { answer: Answer }) {
  const [params, setParams] = useListParams(DOCUMENTS)
  return (
    <CountsBar>
      <Counts
        label="即将到期"
        words={SOON}
        counts={soon}
        chosen={params.ends}
        onChoose={ends => setParams({ ends, state: undefined })}
      />
      {shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
    </CountsBar>
  )
}

const CELLS = {
  agentName: AGENT_CELL,
  expiresOn: {
    copy: (row: Row) => row.expiresOn ?? endless(row) ?? '',
    render: (row: Row) => row.expiresOn ?? <span className={look.quiet}>{endless(row) ?? '未填写'}</span>,
  },
  left: {
    copy: (row: Row) => leftText(row).text,
    render: (row: Row) => {
      const { text, tone } = leftText(row)
      return tone ? <StatusTag tone={tone}>{text}</StatusTag> : <span className={look.quiet}>{text}</span>
    },
  },
  usedBy: {
    copy: (row: Row) => usersOf(row),
    render: (row: Row) => usersOf(row) || <span className={look.quiet}>未使用</span>,
  },
}

/** What is said in place of a day; null: nobody has said one. */
function endless({ isLongTerm, kind }: Row): string | null {
  if (isLongTerm) return '长期有效'
  return mayEnd(kind) ? null : '不会到期'
}

const usersOf = ({ usedBy }: Row) => usedBy.map(user => DOCUMENT_USERS[user]).join('、')

function leftText(row: Row): { text: string; tone?: 'problem' | 'attention' } {
  if (row.expiresOn === null) return { text: '' }
  const days = daysBetween(`${formatDay(new Date())}T00:00:00+08:00`, `${row.expiresOn}T00:00:00+08:00`)
  if (row.state !== 'current') return { text: '' }
  if (days < 0) return { text: `已到期 ${-days} 天`, tone: 'problem' }
  if (days === 0) return { text: '今天到期', tone: 'problem' }
  return days <= WARN_DAYS[0] ? { text: `还有 ${days} 天`, tone: 'attention' } : { text: `还有 ${days} 天` }
}
