import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import type { NamedRole, RoleRow, team } from './contract.ts'
import { ROLE } from './fields.ts'
import { brokenRole, ROLE_REFUSALS } from './rules.ts'

const teamApi = api<typeof team>('team')

type Props = {
  row: RoleRow | null
  onClose: () => void
  /** A new role can do nothing yet: what comes next is its rights. */
  onAdded?: (role: NamedRole) => void
}

/** The name and description of a role. */
export default function RoleDialog({ row: role, onClose, onAdded }: Props) {
  let added: NamedRole | null = null
  return (
    <FormDialog
      title={role ? `编辑角色：${role.name}` : '新增角色'}
      submitText={role || !onAdded ? '保存' : '保存，下一步设置权限'}
      of={ROLE}
      known={role}
      refuse={form => brokenRole(form).map(({ field, code }) => ({ field, message: ROLE_REFUSALS[code] }))}
      send={async form => {
        if (role) await teamApi.editRole({ id: role.id, ...form })
        else added = { id: (await teamApi.addRole(form)).id, name: form.name.trim() }
        toast.success(role ? '修改成功' : '新增成功')
        await reread()
      }}
      onDone={() => {
        if (added && onAdded) onAdded(added)
        else onClose()
      }}
      onClose={onClose}
    />
  )
}
