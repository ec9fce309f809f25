import { lazy, Suspense, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Count, discountText, Instant, Money, Phone } from '#web/format.tsx'
import { type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import { usePermission } from '#web/session.ts'
import type { agents } from './contract.ts'

const agentsApi = api<typeof agents>('agents')
const CreditDialog = lazy(() => import('#features/ledger/CreditDialog.tsx'))

type Row = Out<typeof agents.list>['rows'][number]

/** The vendor's view of its agents: level, discount, balances; prepaid tokens enter here. */
export default function AgentsPage() {
  const mayCredit = usePermission('ledger.credit')
  const [credited, setCredited] = useState<Row | null>(null)
  return (
    <>
      <ListPage<Row>
        title="代理商"
        listKey="agents.list"
        queryKey={['agents', 'list']}
        fetchPage={params => agentsApi.list(params)}
        rowKey={row => row.id}
        columns={COLUMNS}
        searchPlaceholder="代理商ID / 名称"
        emptyText="还没有代理商"
        actionsWidth={80}
        rowActions={
          mayCredit ? row => [{ key: 'credit', label: '充值', onClick: () => setCredited(row) }] : undefined
        }
      />
      {credited && (
        <Suspense>
          <CreditDialog agent={credited} onClose={() => setCredited(null)} />
        </Suspense>
      )}
    </>
  )
}

const COLUMNS: ListColumn<Row>[] = [
  {
    key: 'id',
    title: 'ID',
    width: 88,
    fixed: 'start',
    copy: row => String(row.id),
    render: row => row.id,
  },
  {
    key: 'companyName',
    title: '代理商',
    width: 208,
    copy: row => row.companyName,
    render: row => row.companyName,
    card: 'title',
  },
  { key: 'levelName', title: '等级', width: 96, render: row => row.levelName, card: 'fact' },
  {
    key: 'discount',
    title: '折扣',
    width: 80,
    render: row => discountText(row.discountBasisPoints),
  },
  {
    key: 'tokens',
    title: '余额（代币）',
    width: 128,
    align: 'right',
    copy: row => formatCents(row.tokenBalanceCents),
    render: row => <Money cents={row.tokenBalanceCents} />,
    card: 'fact',
  },
  {
    key: 'sms',
    title: '短信余额（条）',
    width: 120,
    align: 'right',
    copy: row => String(row.smsBalance),
    render: row => <Count value={row.smsBalance} />,
    card: 'fact',
  },
  {
    key: 'merchants',
    title: '商户（家）',
    width: 96,
    align: 'right',
    render: row => <Count value={row.merchantCount} />,
    card: 'fact',
  },
  {
    key: 'contactName',
    title: '联系人',
    width: 96,
    copy: row => row.contactName,
    render: row => row.contactName,
  },
  {
    key: 'mobile',
    title: '手机',
    width: 120,
    copy: row => row.mobile,
    render: row => <Phone number={row.mobile} />,
  },
  { key: 'parentName', title: '上级', width: 120, render: row => row.parentName ?? '—' },
  {
    key: 'enabled',
    title: '状态',
    width: 72,
    render: row =>
      row.enabled ? <StatusTag tone="done">正常</StatusTag> : <StatusTag tone="problem">停用</StatusTag>,
  },
  { key: 'createdAt', title: '创建时间', width: 168, render: row => <Instant at={row.createdAt} /> },
]
