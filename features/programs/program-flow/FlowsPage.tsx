import { useMutation } from '@tanstack/react-query'
import { lazy, useEffect, useRef } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { useAgentChange } from '#features/programs/program-applications/useAgentChange.tsx'
import { useRemoval } from '#features/programs/program-applications/useRemoval.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { messageOf } from '#web/client/api.ts'
import { idAsked, usePageSearch } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { FLOWS } from './fields.ts'
import styles from './flow.module.css'
import { type FlowRow, programFlowApi } from './programFlowApi.tsx'
import { useFlowStep } from './useFlowStep.tsx'

const FlowDrawer = lazy(() => import('./FlowDrawer.tsx'))

/** D2 §2 21: mini programs on their way, each with its one next step. `?id=` in its address opens one; an owner's authorisation comes back here. */
export default function FlowsPage() {
  const [{ id: asked, until, key, auth_code: authCode }, ask] = usePageSearch<'/admin/schedule/AppletFlow'>()
  const opened = idAsked(asked)
  const open = (id: number | undefined) => ask({ id })
  const removal = useRemoval()
  const { take } = useFlowStep()
  const mayEdit = usePermission('programFlow.edit')
  const mayRemove = usePermission('programApplications.remove')
  const agentChange = useAgentChange()
  const back = useMutation({
    mutationFn: (input: { id: number; until: number; key: string; authCode: string }) =>
      programFlowApi.returned(input),
    onSuccess: () => {
      toast.success('已收到授权，正在核实')
      return reread()
    },
    onError: error => toast.error(messageOf(error)),
    onSettled: () => ask({ until: undefined, key: undefined, auth_code: undefined }, { replace: true }),
  })
  const sent = useRef('')
  useEffect(() => {
    if (opened === null || !authCode || sent.current === authCode) return
    sent.current = authCode
    back.mutate({ id: opened, until: Number(until), key: key ?? '', authCode })
  }, [opened, until, key, authCode, back.mutate])
  const actionsOf = (row: FlowRow): RowAction[] => [
    ...stepOf(row, mayEdit, take),
    { key: 'open', label: '查看进度', reads: true, onClick: () => open(row.id) },
    ...agentChange(row),
    ...(!mayRemove
      ? []
      : row.deletedAt === null
        ? [{ key: 'remove', label: '删除', danger: true, onClick: () => void removal.remove(row) }]
        : [{ key: 'restore', label: '恢复', onClick: () => removal.restore(row) }]),
  ]
  return (
    <>
      <List
        of={FLOWS}
        from={programFlowApi.list}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        main={
          <Permit permission="programApplications.edit">
            <span className={styles.steps}>
              <Link className={buttonLook()} to="/admin/schedule/UpdateApplet">
                已有小程序
              </Link>
              <Link className={buttonLook('primary')} to="/admin/schedule/creationApplet">
                创建小程序
              </Link>
            </span>
          </Permit>
        }
        summary={({ shopsCapped }) => shopsCapped && <CountsBar>{SHOPS_CAPPED_TEXT}</CountsBar>}
        openKey={opened}
        onOpen={(row: FlowRow) => open(row.id)}
        rowActions={actionsOf}
        actionsWidth={224}
      />
      {opened !== null && (
        <Suspense>
          <FlowDrawer key={opened} id={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function stepOf(
  { id, action, label, deletedAt }: FlowRow,
  mayEdit: boolean,
  take: ReturnType<typeof useFlowStep>['take'],
): RowAction[] {
  if (action === null || deletedAt !== null || !mayEdit) return []
  return [{ key: 'step', label, onClick: () => take(id, action) }]
}
