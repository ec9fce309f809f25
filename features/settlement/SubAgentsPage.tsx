import { lazy, Suspense, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import { Count, Instant, Money } from '#web/format.tsx'
import { type ListColumn, ListPage } from '#web/list/ListPage.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import { usePermission, useSession } from '#web/session.ts'
import type { settlement } from './contract.ts'
import { refuseReceiver, SETTLEMENT_REFUSALS } from './rules.ts'

const settlementApi = api<typeof settlement>('settlement')
const AllocateDialog = lazy(() => import('./AllocateDialog.tsx'))

type Row = Out<typeof settlement.subAgents>['rows'][number]

/** Agents below: level, balance, shops; prepaid tokens are handed down here. */
export default function SubAgentsPage() {
  const session = useSession()
  const mayAllocate = usePermission('settlement.allocate')
  const [receiver, setReceiver] = useState<Row | null>(null)
  return (
    <>
      <ListPage<Row>
        title="下级代理"
        listKey="settlement.subAgents"
        queryKey={['settlement', 'subAgents']}
        fetchPage={params => settlementApi.subAgents(params)}
        rowKey={row => row.id}
        columns={session.isVendorStaff ? [...COLUMNS, PARENT_COLUMN] : COLUMNS}
        searchPlaceholder="代理商ID / 名称"
        emptyText="还没有下级代理，由运营开通后会显示在这里"
        actionsWidth={80}
        rowActions={
          mayAllocate
            ? row => {
                const code = refuseReceiver(row)
                return [
                  {
                    key: 'allocate',
                    label: '划拨',
                    disabled: code && SETTLEMENT_REFUSALS[code],
                    onClick: () => setReceiver(row),
                  },
                ]
              }
            : undefined
        }
      />
      {receiver && (
        <Suspense>
          <AllocateDialog receiver={receiver} onClose={() => setReceiver(null)} />
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
    width: 232,
    copy: row => row.companyName,
    render: row => row.companyName,
    card: 'title',
  },
  { key: 'levelName', title: '代理等级', width: 104, render: row => row.levelName, card: 'fact' },
  {
    key: 'tokenCents',
    title: '余额（代币）',
    width: 128,
    align: 'right',
    copy: row => formatCents(row.tokenCents),
    render: row => <Money cents={row.tokenCents} />,
    card: 'fact',
  },
  {
    key: 'shops',
    title: '商户（家）',
    width: 104,
    align: 'right',
    render: row => <Count value={row.shops} />,
    card: 'fact',
  },
  {
    key: 'contactName',
    title: '联系人',
    width: 112,
    copy: row => row.contactName,
    render: row => row.contactName,
  },
  {
    key: 'enabled',
    title: '状态',
    width: 80,
    render: row =>
      row.enabled ? <StatusTag tone="done">正常</StatusTag> : <StatusTag tone="problem">停用</StatusTag>,
  },
  { key: 'createdAt', title: '创建时间', width: 168, render: row => <Instant at={row.createdAt} /> },
]

const PARENT_COLUMN: ListColumn<Row> = {
  key: 'parentName',
  title: '上级',
  width: 200,
  copy: row => row.parentName,
  render: row => row.parentName,
  card: 'fact',
}
