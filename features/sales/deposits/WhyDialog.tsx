import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { WHY } from './fields.ts'

type Props = {
  title: string
  submitText: string
  danger?: boolean
  note: string
  done: string
  send: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Why a deposit is called off, or a request turned down. */
export default function WhyDialog({ title, submitText, danger, note, done, send, onClose }: Props) {
  return (
    <FormDialog
      title={title}
      submitText={submitText}
      cancelText="返回"
      danger={danger}
      of={WHY}
      send={async ({ reason }) => {
        await send(reason).catch((error: unknown) => {
          readAgain('deposits')
          throw error
        })
        toast.success(done)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>{note}</FormNote>
          <ReasonField form={form} name="reason" of={null} />
        </>
      )}
    </FormDialog>
  )
}
