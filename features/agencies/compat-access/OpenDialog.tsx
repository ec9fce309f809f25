import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { compatAccess } from './contract.ts'
import { OPENING } from './fields.ts'
import { WARNING } from './rules.ts'

const compatApi = api<typeof compatAccess>('compatAccess')

/** Opens it with the password, whose MD5 is kept from then on. */
export default function OpenDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title="开通旧接口"
      submitText="开通"
      of={OPENING}
      send={async ({ password, days }) => {
        await compatApi.open({ password, days })
        toast.success('已开通旧接口')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>{WARNING}</FormNote>
          <FormFields form={form} told={{ password: { autoComplete: 'current-password' } }} />
        </>
      )}
    </FormDialog>
  )
}
