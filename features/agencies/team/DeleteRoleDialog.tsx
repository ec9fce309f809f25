import { useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { buttonLook } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import type { RoleRow, team } from './contract.ts'
import { ROLE_REFUSALS } from './rules.ts'
import styles from './team.module.css'

const teamApi = api<typeof team>('team')

/** Deletes a role that nobody has; otherwise says who has it. */
export default function DeleteRoleDialog({ row: role, onClose }: { row: RoleRow; onClose: () => void }) {
  if (role.holders > 0) return <Held row={role} onClose={onClose} />
  return (
    <FormDialog
      title={`删除角色「${role.name}」？`}
      submitText="删除角色"
      danger
      of={{}}
      send={async () => {
        await teamApi.deleteRole({ id: role.id })
        toast.success('删除成功')
        await reread()
      }}
      onClose={onClose}
    >
      {() => <FormNote>没有员工使用该角色。删除后不能恢复，操作日志会保留它的权限。</FormNote>}
    </FormDialog>
  )
}

function Held({ row: role, onClose }: { row: RoleRow; onClose: () => void }) {
  const holders = useQuery(teamApi.holders.query({ id: role.id }))
  return (
    <Dialog
      title={`不能删除角色「${role.name}」`}
      onClose={onClose}
      footer={
        <>
          <CloseButton>关闭</CloseButton>
          <Permit permission="team.staff">
            <Link
              to="/admin/account/userControl"
              search={{ roleId: role.id }}
              className={buttonLook('primary')}
            >
              去更换角色
            </Link>
          </Permit>
        </>
      }
    >
      <DialogText>
        <p>{ROLE_REFUSALS.ROLE_HELD}：</p>
        <ul className={styles.names}>
          {holders.data?.rows.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </DialogText>
    </Dialog>
  )
}
