import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { ADVICE } from './fields.ts'
import { type Cause, refusalsApi } from './refusalsApi.tsx'

/** How what is refused is mended, for whoever mends it. */
export default function AdviceDialog({ cause, onClose }: { cause: Cause; onClose: () => void }) {
  return (
    <FormDialog
      title="更正建议"
      submitText="保存"
      of={ADVICE}
      known={{ advice: cause.advice }}
      send={async ({ advice }) => {
        await refusalsApi
          .advise({ id: cause.id, revision: cause.revision, advice })
          .catch((error: unknown) => {
            readAgain('refusals')
            throw error
          })
        toast.success('已保存')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
