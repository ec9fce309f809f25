import type { AcquirerName } from '#kit/ports/acquirers.ts'
import { reread } from '#web/client/reread.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { acquirerApi } from './acquirerApi.tsx'
import { BEGINNING } from './fields.ts'

type Props = { onBegun: (id: number) => void; onClose: () => void }

/** Which shop is brought in to which acquirer; what is known of the shop is there at once. */
export default function BeginDialog({ onBegun, onClose }: Props) {
  return (
    <FormDialog
      title="新建进件"
      submitText="开始填写"
      of={BEGINNING}
      send={async ({ account, channel }) => {
        const { id } = await acquirerApi.begin({ account, channel: channel as AcquirerName })
        await reread()
        onBegun(id)
      }}
      onClose={onClose}
    />
  )
}
