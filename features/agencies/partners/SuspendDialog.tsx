import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { partners } from './contract.ts'
import { SUSPENSION } from './fields.ts'

const partnersApi = api<typeof partners>('partners')

type Props = { agent: { id: number; companyName: string }; onClose: () => void }

/** Its people will see why, on every page. */
export default function SuspendDialog({ agent, onClose }: Props) {
  return (
    <FormDialog
      title={`暂停：${agent.companyName}`}
      submitText="暂停"
      of={SUSPENSION}
      send={async ({ reason }) => {
        await partnersApi.suspend({ id: agent.id, reason: reason.trim() })
        toast.success(`已暂停：${agent.companyName}`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            对方的人员仍可登录、查看和导出，但不能购买和修改；代币不会支出，在线续费和短信群发等待恢复后继续。
          </FormNote>
          <FormFields form={form} told={{ reason: { label: '原因' } }} />
        </>
      )}
    </FormDialog>
  )
}
