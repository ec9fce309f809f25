import { api } from '#web/client/api.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { StaffRow, team } from './contract.ts'
import { NEW_PASSWORD } from './fields.ts'
import { LIMITS, refuseNewPassword, STAFF_REFUSALS } from './rules.ts'

const teamApi = api<typeof team>('team')

/** A new password for a person who forgot it. */
export default function PasswordDialog({ person, onClose }: { person: StaffRow; onClose: () => void }) {
  return (
    <FormDialog
      title={`重置密码：${person.name}`}
      submitText="重置密码"
      of={NEW_PASSWORD}
      refuse={({ password }) => {
        const code = refuseNewPassword(password, person.loginName)
        return code && { field: 'password', message: STAFF_REFUSALS[code] }
      }}
      send={async ({ password }) => {
        await teamApi.resetPassword({ id: person.id, password })
        toast.success('密码已重置，请告诉本人')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>重置后，{person.name}的全部设备会下线；用新密码登录后，须先改成自己的密码。</FormNote>
          <FormFields
            form={form}
            told={{ password: { autoComplete: 'new-password', maxLength: LIMITS.password } }}
          />
        </>
      )}
    </FormDialog>
  )
}
