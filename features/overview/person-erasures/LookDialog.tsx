import { formatDay } from '#kit/time.ts'
import { reread } from '#web/client/reread.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { erasuresApi } from './erasuresApi.tsx'
import { LOOKED_FOR } from './fields.ts'
import { LOOK_REFUSALS, refuseLook } from './rules.ts'

type Props = { onLooked: (id: number) => void; onClose: () => void }

/** Whom to look for. What is found is shown next, and nothing of it is changed. */
export default function LookDialog({ onLooked, onClose }: Props) {
  return (
    <FormDialog
      title="查找个人信息"
      submitText="查找"
      of={LOOKED_FOR}
      refuse={keys => {
        const broken = refuseLook({ ...keys, idNumber: keys.idNumber.toUpperCase() }, formatDay(new Date()))
        return broken && { field: broken.field, message: LOOK_REFUSALS[broken.code] }
      }}
      send={async keys => {
        const { id } = await erasuresApi.look(keys)
        await reread()
        onLooked(id)
      }}
      onDone={() => undefined}
      onClose={onClose}
    />
  )
}
