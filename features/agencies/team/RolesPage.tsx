import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { api } from '#web/client/api.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Count } from '#web/controls/format.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { Switch } from '#web/form/Check.tsx'
import { List } from '#web/list/List.tsx'
import type { NamedRole, RoleRow, team } from './contract.ts'
import { ROLES } from './fields.ts'
import { ROLE_REFUSALS } from './rules.ts'
import { useSwitch } from './useSwitch.tsx'

const teamApi = api<typeof team>('team')
const RoleDialog = lazy(() => import('./RoleDialog.tsx'))
const RightsDialog = lazy(() => import('./RightsDialog.tsx'))
const DeleteRoleDialog = lazy(() => import('./DeleteRoleDialog.tsx'))

type Open =
  | { what: 'add' }
  | { what: 'edit'; row: RoleRow }
  | { what: 'rights'; row: NamedRole; isNew?: boolean; isLocked?: string | null }
  | { what: 'delete'; row: RoleRow }

/** The roles of one's agency: what their people see and may do. */
export default function RolesPage() {
  const mayEdit = usePermission('team.editRoles')
  const mayGrant = usePermission('team.grant')
  const maySeeStaff = usePermission('team.staff')
  const { userType } = useSession()
  const [open, setOpen] = useState<Open | null>(null)
  const turn = useSwitch<RoleRow>(({ id, enabled }) => teamApi.switchRole({ id, enabled: !enabled }))
  const history = useHistory()
  const close = () => setOpen(null)
  const refused = (row: RoleRow, ends: boolean) => {
    if (ends && row.isOwn) return ROLE_REFUSALS.ROLE_OWN
    return row.isBeyond && userType === 1 ? ROLE_REFUSALS.ROLE_BEYOND : null
  }
  const add = mayEdit && (
    <Button kind="primary" onClick={() => setOpen({ what: 'add' })}>
      新增角色
    </Button>
  )
  const rights = (row: RoleRow) =>
    setOpen({ what: 'rights', row, isLocked: mayGrant ? refused(row, false) : '您只能查看角色的权限' })
  return (
    <>
      <List
        of={ROLES}
        from={teamApi.roles}
        cells={{
          enabled: row => (
            <Switch
              checked={row.enabled}
              aria-label={`启用角色 ${row.name}`}
              disabled={mayEdit ? refused(row, row.enabled) : '您没有操作权限!'}
              onChange={() => turn(row)}
            />
          ),
          holders: ({ id, holders }: RoleRow) =>
            holders > 0 && maySeeStaff ? (
              <Link to="/admin/account/userControl" search={{ roleId: id }} className={look.inText}>
                <Count value={holders} />
              </Link>
            ) : (
              <Count value={holders} />
            ),
        }}
        main={add || undefined}
        emptyAction={add || undefined}
        onOpen={rights}
        rowActions={row => [
          { key: 'rights', label: mayGrant ? '设置权限' : '查看权限', onClick: () => rights(row) },
          ...(mayEdit
            ? [
                {
                  key: 'edit',
                  label: '编辑',
                  disabled: refused(row, false),
                  onClick: () => setOpen({ what: 'edit', row }),
                },
                {
                  key: 'delete',
                  label: '删除',
                  danger: true,
                  disabled: refused(row, true),
                  onClick: () => setOpen({ what: 'delete', row }),
                },
              ]
            : []),
          ...history.actionsOf({ kind: 'role', id: row.id, name: row.name }),
        ]}
        actionsWidth={144}
      />
      {history.drawer}
      <Suspense>
        {open?.what === 'add' && (
          <RoleDialog
            row={null}
            onClose={close}
            onAdded={row => setOpen(mayGrant ? { what: 'rights', row, isNew: true } : null)}
          />
        )}
        {open?.what === 'edit' && <RoleDialog row={open.row} onClose={close} />}
        {open?.what === 'rights' && (
          <RightsDialog
            row={open.row}
            isNew={open.isNew ?? false}
            lock={open.isLocked ?? null}
            onClose={close}
          />
        )}
        {open?.what === 'delete' && <DeleteRoleDialog row={open.row} onClose={close} />}
      </Suspense>
    </>
  )
}
