import { lazy } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { messageOf, saveFile } from '#web/client/api.ts'
import { idAsked, useNavigate, usePageSearch } from '#web/client/navigation.ts'
import { usePermission } from '#web/client/session.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Counts, CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import type { RowAction } from '#web/list/list-props.ts'
import { useListParams } from '#web/list/useListParams.ts'
import styles from './applications.module.css'
import { APPLICATIONS } from './fields.ts'
import { type ApplicationRow, programApplicationsApi } from './programApplicationsApi.tsx'
import { PROGRAM_APPLICATION_STATES } from './rules.ts'
import { useAgentChange } from './useAgentChange.tsx'
import { useRemoval } from './useRemoval.tsx'

const ApplicationDrawer = lazy(() => import('./ApplicationDrawer.tsx'))

/** D2 §2 16: applications for mini programs, decided over the list. `?id=` in its address opens one. */
export default function ApplicationsPage() {
  const [{ id: asked }, ask] = usePageSearch<'/admin/schedule/appApplication'>()
  const [params, setParams] = useListParams(APPLICATIONS)
  const navigate = useNavigate()
  const removal = useRemoval()
  const open = (id: number | undefined) => ask({ id })
  const opened = idAsked(asked)
  const mayDecide = usePermission('programApplications.decide')
  const mayEdit = usePermission('programApplications.edit')
  const mayRemove = usePermission('programApplications.remove')
  const mayTake = usePermission('documents.take')
  const agentChange = useAgentChange()
  const edit = ({ id, merchantId, kind }: ApplicationRow) =>
    kind === 'existing'
      ? navigate({ to: '/admin/schedule/existingApplet', search: { sv_wxapp_application_id: id } })
      : navigate({ to: '/admin/schedule/creationApplet', search: { user_id: merchantId } })
  const actionsOf = (row: ApplicationRow): RowAction[] => [
    {
      key: 'open',
      label: mayDecide && row.state === 'pending' ? '审核' : '查看',
      reads: true,
      onClick: () => open(row.id),
    },
    ...(mayEdit && isEditable(row, mayDecide)
      ? [{ key: 'edit', label: '修改', onClick: () => void edit(row) }]
      : []),
    ...(mayTake && row.kind === 'registration'
      ? [
          {
            key: 'zip',
            label: '下载',
            reads: true,
            onClick: () =>
              void saveFile(`/api/program-applications/${row.id}/zip`).catch((error: unknown) =>
                toast.error(messageOf(error)),
              ),
          },
        ]
      : []),
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
        of={APPLICATIONS}
        from={programApplicationsApi.list}
        cells={{ agentName: AGENT_CELL }}
        options={{ agentId: AGENT_OPTIONS }}
        main={
          <Permit permission="programApplications.edit">
            <span className={styles.main}>
              <Link className={buttonLook()} to="/admin/schedule/UpdateApplet">
                已有小程序
              </Link>
              <Link className={buttonLook('primary')} to="/admin/schedule/creationApplet">
                创建小程序
              </Link>
            </span>
          </Permit>
        }
        summary={({ counts, shopsCapped }) => (
          <CountsBar>
            <Counts
              label="各状态的申请"
              words={PROGRAM_APPLICATION_STATES}
              counts={counts}
              chosen={params.state}
              onChoose={state => setParams({ state })}
            />
            {shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
          </CountsBar>
        )}
        openKey={opened}
        onOpen={(row: ApplicationRow) => open(row.id)}
        rowActions={actionsOf}
        actionsWidth={136}
      />
      {opened !== null && (
        <Suspense>
          <ApplicationDrawer key={opened} id={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** What its form would not take anyhow has no way to it. */
function isEditable({ state, kind, deletedAt }: ApplicationRow, reviews: boolean): boolean {
  if (deletedAt !== null) return false
  return kind === 'existing' || state === 'draft' || state === 'rejected' || (state === 'pending' && reviews)
}
