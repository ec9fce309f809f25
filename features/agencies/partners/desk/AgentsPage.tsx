import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { REGION_OPTIONS } from '#features/office/regions/RegionOptions.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { discountText } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import type { partnerDesk } from './contract.ts'
import { PARTNERS } from './fields.ts'
import { usePartnerActions } from './usePartnerActions.tsx'

const deskApi = api<typeof partnerDesk>('partnerDesk')
const TakeOnDialog = lazy(() => import('#features/agencies/partners/TakeOnDialog.tsx'))

type Row = Out<typeof partnerDesk.list>['rows'][number]

/** The vendor's partners: what they hold, sell and owe, and what is done with one. */
export default function AgentsPage() {
  const navigate = useNavigate()
  const mayView = usePermission('partnerDesk.view')
  const mayManage = usePermission('partners.manage')
  const [adding, setAdding] = useState(false)
  const { actionsOf, dialogs } = usePartnerActions()
  const open = (row: Row) => ({
    key: 'details',
    label: '查看',
    reads: true,
    onClick: () => void navigate({ to: '/admin/operations/agents/$id', params: { id: String(row.id) } }),
  })
  return (
    <>
      <List
        of={PARTNERS}
        from={deskApi.list}
        cells={CELLS}
        options={OPTIONS}
        main={
          mayManage ? (
            <Button kind="primary" onClick={() => setAdding(true)}>
              新增合作伙伴
            </Button>
          ) : undefined
        }
        summary={mayView ? () => <Link to="/admin/operations/agentTree">按上下级查看</Link> : undefined}
        actionsWidth={128}
        rowActions={row => {
          const actions = actionsOf(row)
          const isQuick = ({ key }: RowAction) => key === 'credit'
          return [
            ...(mayView ? [open(row)] : []),
            ...actions.filter(isQuick),
            ...actions.filter(action => !isQuick(action)),
          ]
        }}
      />
      {adding && (
        <Suspense>
          <TakeOnDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {dialogs}
    </>
  )
}

const OPTIONS = {
  levelId: {
    useRows: (wanted: boolean) => useQuery({ ...deskApi.levels.query(), enabled: wanted }).data?.rows,
  },
  parentId: AGENT_OPTIONS,
  regionCode: REGION_OPTIONS,
}

const PAYS = (row: Row) => (row.payEnabled ? '已开通收款' : '未开通收款')

const CELLS = {
  companyName: {
    copy: (row: Row) => row.companyName,
    render: (row: Row) => <AgentLink id={row.id}>{row.companyName}</AgentLink>,
  },
  discountBasisPoints: {
    copy: (row: Row) => discountText(row.discountBasisPoints),
    render: (row: Row) => discountText(row.discountBasisPoints),
  },
  boughtOn: (row: Row) => row.boughtOn ?? '从未购买',
  payEnabled: { copy: PAYS, render: PAYS },
}
