import { useQuery } from '@tanstack/react-query'
import { formatCents, parseCents } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { settlement } from './contract.ts'
import { UNDO_APPROVAL } from './fields.ts'
import { refuseApprovalAmount, SETTLEMENT_REFUSALS } from './rules.ts'
import styles from './settlement.module.css'

const settlementApi = api<typeof settlement>('settlement')

/** Above which amount an undo waits for a second person. */
export default function UndoSettingsDialog({ onClose }: { onClose: () => void }) {
  const queryKey = ['settlement', 'undoSettings']
  const settings = useQuery({ queryKey, queryFn: () => settlementApi.undoSettings(), gcTime: 0 })
  if (!settings.data)
    return (
      <Dialog title="撤销审批设置" width={480} onClose={onClose}>
        <div
          className={`${styles.undoBody} ${styles.undoWait}`}
          role={settings.isError ? 'alert' : undefined}
        >
          <p>{settings.isError ? messageOf(settings.error) : '加载中'}</p>
          {settings.isError && <Button onClick={() => void settings.refetch()}>重试</Button>}
        </div>
      </Dialog>
    )
  const { approvalCents } = settings.data
  return (
    <FormDialog
      title="撤销审批设置"
      submitText="保存"
      of={UNDO_APPROVAL}
      known={{
        needed: approvalCents === null ? 'never' : 'above',
        approval: approvalCents === null ? '' : formatCents(approvalCents),
      }}
      refuse={values => {
        const code = values.needed === 'above' && refuseApprovalAmount(parseCents(values.approval) ?? -1)
        return code ? { field: 'approval', message: SETTLEMENT_REFUSALS[code] } : null
      }}
      send={async values => {
        await settlementApi.setUndoSettings({
          approvalCents: values.needed === 'above' ? parseCents(values.approval) : null,
        })
        toast.success('保存成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['needed']} />
          {form.draft.needed === 'above' && (
            <FormFields
              form={form}
              only={['approval']}
              told={{ approval: { required: true, unit: '代币' } }}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
