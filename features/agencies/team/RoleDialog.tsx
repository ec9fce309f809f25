import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { GroupFields } from '#web/form/FormFields.tsx'
import type { team } from './contract.ts'
import { ROLE_FIELDS } from './fields.ts'
import type { NamedRole, RoleRow } from './RolesPage.tsx'
import { brokenRole, ROLE_REFUSALS, type RoleForm } from './rules.ts'

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
    <FormDialog<RoleForm>
      title={role ? `编辑角色：${role.name}` : '新增角色'}
      submitText={role || !onAdded ? '保存' : '保存，下一步设置权限'}
      initial={{ name: role?.name ?? '', remark: role?.remark ?? '' }}
      refuse={form => brokenRole(form).map(({ field, code }) => ({ field, message: ROLE_REFUSALS[code] }))}
      onSubmit={async form => {
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
    >
      {form => <GroupFields fields={ROLE_FIELDS} group="role" form={form} />}
    </FormDialog>
  )
}
