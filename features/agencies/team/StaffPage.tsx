import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { FACTOR_REFUSALS } from '#features/office/factors/rules.ts'
import { REFUSALS as VIEW_REFUSALS } from '#features/office/view-as/rules.ts'
import { startView } from '#features/office/view-as/viewing.tsx'
import { api } from '#web/client/api.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Count } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Switch } from '#web/form/Check.tsx'
import { List } from '#web/list/List.tsx'
import type { StaffRow, team } from './contract.ts'
import { STAFF } from './fields.ts'
import { Portrait } from './Portrait.tsx'
import { endSessions, resetFactors } from './personDeeds.tsx'
import { refuseTouch, STAFF_REFUSALS, type StaffDeed } from './rules.ts'
import styles from './team.module.css'
import { useSwitch } from './useSwitch.tsx'

const teamApi = api<typeof team>('team')
const PersonDialog = lazy(() => import('./PersonDialog.tsx'))
const EndDialog = lazy(() => import('./EndDialog.tsx'))
const PasswordDialog = lazy(() => import('./PasswordDialog.tsx'))

type Open = { what: 'add' } | { what: 'edit' | 'delete' | 'disable' | 'handOver' | 'password'; row: StaffRow }

/** The people of one's agency: who they are, what role they have, whether they can sign in. */
export default function StaffPage() {
  const mayEdit = usePermission('team.editStaff')
  const mayEnd = usePermission('team.endStaff')
  const maySecure = usePermission('team.secureStaff')
  const mayView = usePermission('viewAs.staff')
  const { accountId, userType } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const turn = useSwitch<StaffRow>(({ id, enabled }) => teamApi.switchPerson({ id, enabled: !enabled }))
  const history = useHistory()
  const close = () => setOpen(null)
  const refused = (deed: StaffDeed, row: StaffRow) => {
    const code = refuseTouch(deed, { accountId, isOwner: userType === 0 }, row)
    return code && STAFF_REFUSALS[code]
  }
  const add = mayEdit && (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新增员工
    </Button>
  )
  const turned = (row: StaffRow) => {
    // Whoever looks after shops is asked first who takes over.
    if (row.enabled && row.shops > 0) setOpen({ what: 'disable', row })
    else turn(row)
  }
  return (
    <>
      <List
        of={STAFF}
        from={teamApi.staff}
        options={OPTIONS}
        cells={{
          name: {
            copy: ({ name }: StaffRow) => name,
            render: ({ name, portraitId }: StaffRow) => (
              <span className={styles.person}>
                <Portrait portraitId={portraitId} name={name} />
                {name}
              </span>
            ),
          },
          roleName: ({ isOwner, roleName }: StaffRow) =>
            isOwner ? '负责人' : (roleName ?? <span className={look.quiet}>未分配</span>),
          shops: ShopsCell,
          enabled: row => (
            <Switch
              checked={row.enabled}
              aria-label={`启用员工 ${row.name}`}
              disabled={mayEnd ? refused('end', row) : '您没有操作权限!'}
              onChange={() => turned(row)}
            />
          ),
        }}
        main={add || undefined}
        emptyAction={add || undefined}
        onOpen={mayEdit ? row => !refused('edit', row) && setOpen({ what: 'edit', row }) : undefined}
        rowActions={row => [
          ...(mayEdit
            ? [
                {
                  key: 'edit',
                  label: '编辑',
                  disabled: refused('edit', row),
                  onClick: () => setOpen({ what: 'edit', row }),
                },
              ]
            : []),
          ...(maySecure
            ? [
                {
                  key: 'password',
                  label: '重置密码',
                  disabled: refused('secure', row),
                  onClick: () => setOpen({ what: 'password', row }),
                },
                {
                  key: 'factors',
                  label: '重置二次验证',
                  disabled: refused('secure', row) ?? (row.hasFactor ? undefined : FACTOR_REFUSALS.NO_FACTOR),
                  onClick: () => void resetFactors(row),
                },
                {
                  key: 'sessions',
                  label: '下线设备',
                  disabled: refused('secure', row),
                  onClick: () => void endSessions(row),
                },
              ]
            : []),
          ...(mayEdit
            ? [
                {
                  key: 'handOver',
                  label: '移交商户',
                  disabled: row.shops === 0 ? '该员工没有负责的商户' : refused('edit', row),
                  onClick: () => setOpen({ what: 'handOver', row }),
                },
              ]
            : []),
          // Of the agency's own account alone, whatever a role holds.
          ...(mayView && userType === 0
            ? [
                {
                  key: 'view',
                  label: '以其身份查看',
                  disabled: row.id === accountId ? VIEW_REFUSALS.VIEW_SELF : undefined,
                  onClick: () => void startView('staff', row),
                },
              ]
            : []),
          ...history.actionsOf({ kind: 'account', id: row.id, name: row.name }),
          ...(mayEnd
            ? [
                {
                  key: 'delete',
                  label: '删除',
                  danger: true,
                  disabled: refused('end', row),
                  onClick: () => setOpen({ what: 'delete', row }),
                },
              ]
            : []),
        ]}
        actionsWidth={176}
      />
      {history.drawer}
      <Suspense>
        {open?.what === 'add' && <PersonDialog person={null} onClose={close} />}
        {open?.what === 'edit' && <PersonDialog person={open.row} onClose={close} />}
        {open?.what === 'password' && <PasswordDialog person={open.row} onClose={close} />}
        {(open?.what === 'delete' || open?.what === 'disable' || open?.what === 'handOver') && (
          <EndDialog what={open.what} person={open.row} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

const OPTIONS = {
  roleId: {
    useRows: (wanted: boolean) => useQuery({ ...teamApi.roleOptions.query(), enabled: wanted }).data?.rows,
  },
}

/** Leads to the shops that it counts, for those who may see them. */
function ShopsCell({ id, shops }: StaffRow) {
  const maySee = usePermission('merchants.list')
  if (shops === 0 || !maySee) return <Count value={shops} />
  return (
    <Link to="/admin/merchant/myMerchant" search={{ managerId: id }} className={look.inText}>
      <Count value={shops} />
    </Link>
  )
}
