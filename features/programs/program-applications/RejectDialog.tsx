import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { REJECTION } from './fields.ts'
import { type ApplicationData, programApplicationsApi } from './programApplicationsApi.tsx'

type Props = { id: number; data: ApplicationData; onClose: () => void }

/** Why an application is rejected; its agent reads it. */
export default function RejectDialog({ id, data, onClose }: Props) {
  return (
    <FormDialog
      title={`驳回「${data.shopName}」的小程序申请？`}
      submitText="驳回"
      of={REJECTION}
      send={async ({ reason }) => {
        await programApplicationsApi
          .reject({ id, revision: data.revision, reason })
          .catch((error: unknown) => {
            readAgain('programApplications')
            throw error
          })
        toast.success('已驳回')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
