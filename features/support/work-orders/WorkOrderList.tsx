import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { usePageSearch } from '#web/client/navigation.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { List } from '#web/list/List.tsx'
import { TalkTitle } from '#web/talk/TalkTitle.tsx'
import { DueCell } from './Due.tsx'
import { ALL_WORK_ORDERS, WORK_ORDERS } from './fields.ts'
import { AllStates, OwnStates } from './States.tsx'
import { type WorkOrderRow, workOrdersApi } from './workOrdersApi.tsx'

const WorkOrderDrawer = lazy(() => import('./WorkOrderDrawer.tsx'))
const NewDialog = lazy(() => import('./NewDialog.tsx'))

/** Work orders with what was said last; `?workOrder=` in the address opens one over the list. */
export function WorkOrderList({ which }: { which: 'own' | 'all' }) {
  const opened = useOpened()
  const [isNew, setIsNew] = useState(false)
  const { isVendorStaff } = useSession()
  const shared = {
    onOpen: opened.open,
    openKey: opened.id,
    rowActions: (row: WorkOrderRow) => [
      { key: 'details', label: '查看', reads: true, onClick: () => opened.open(row) },
    ],
    actionsWidth: 72,
  }
  const create = isVendorStaff ? null : (
    <Permit permission="workOrders.write">
      <Button kind="primary" onClick={() => setIsNew(true)}>
        新建工单
      </Button>
    </Permit>
  )
  return (
    <>
      {which === 'own' ? (
        <List
          of={WORK_ORDERS}
          from={workOrdersApi.list}
          cells={CELLS}
          main={create}
          summary={() => <OwnStates />}
          {...shared}
        />
      ) : (
        <List
          of={ALL_WORK_ORDERS}
          from={workOrdersApi.all}
          cells={{ ...CELLS, agentName: AGENT_CELL }}
          options={{ assigneeId: PEOPLE_OPTIONS, agentId: AGENT_OPTIONS }}
          summary={() => <AllStates />}
          {...shared}
        />
      )}
      <Suspense>
        {opened.id !== null && <WorkOrderDrawer key={opened.id} id={opened.id} onClose={opened.close} />}
        {isNew && <NewDialog onCreated={id => opened.open({ id })} onClose={() => setIsNew(false)} />}
      </Suspense>
    </>
  )
}

/** Which work order is open over the list, as the address says. */
function useOpened() {
  const [asked, ask] = usePageSearch<'/admin/help/workOrder' | '/admin/help/workOrderList'>()
  const go = (row: { id: number } | null) => ask({ workOrder: row?.id })
  const id = Number(asked.workOrder)
  return { id: Number.isSafeInteger(id) && id > 0 ? id : null, open: go, close: () => go(null) }
}

const PEOPLE_OPTIONS = {
  useRows: (enabled: boolean) => useQuery({ ...workOrdersApi.people.query(), enabled }).data?.rows,
}

const CELLS = {
  title: ({ title, unread }: WorkOrderRow) => <TalkTitle title={title} unread={unread} />,
  assigneeName: ({ assigneeName }: WorkOrderRow) =>
    assigneeName || <span className={look.quiet}>未分配</span>,
  pressingAt: ({ pressingAt }: WorkOrderRow) => <DueCell at={pressingAt} />,
}
