import { PASSWORD_HINT } from '#features/agencies/sign-in/rules.ts'
import { api } from '#web/client/api.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { team } from './contract.ts'
import { LIMITS, refuseNewPassword, STAFF_REFUSALS } from './rules.ts'
import type { StaffRow } from './StaffPage.tsx'

const teamApi = api<typeof team>('team')

/** A new password for a person who forgot it. */
export default function PasswordDialog({ person, onClose }: { person: StaffRow; onClose: () => void }) {
  return (
    <FormDialog
      title={`重置密码：${person.name}`}
      submitText="重置密码"
      initial={{ password: '' }}
      refuse={({ password }) => {
        const code = refuseNewPassword(password, person.loginName)
        return code && { field: 'password', message: STAFF_REFUSALS[code] }
      }}
      onSubmit={async ({ password }) => {
        await teamApi.resetPassword({ id: person.id, password })
        toast.success('密码已重置，请告诉本人')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>重置后，{person.name}的全部设备会下线；用新密码登录后，须先改成自己的密码。</FormNote>
          <TextField
            form={form}
            name="password"
            label="新密码"
            hint={PASSWORD_HINT}
            type="password"
            autoComplete="new-password"
            maxLength={LIMITS.password}
            required
          />
        </>
      )}
    </FormDialog>
  )
}
