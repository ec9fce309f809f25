import { useQuery } from '@tanstack/react-query'
import { formatCents, parseCents } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { settlement } from './contract.ts'
import { refuseApprovalAmount, SETTLEMENT_REFUSALS } from './rules.ts'
import styles from './settlement.module.css'

const settlementApi = api<typeof settlement>('settlement')

type Values = { needed: 'never' | 'above'; approval: string }

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
    <FormDialog<Values>
      title="撤销审批设置"
      submitText="保存"
      initial={{
        needed: approvalCents === null ? 'never' : 'above',
        approval: approvalCents === null ? '' : formatCents(approvalCents),
      }}
      refuse={values => {
        const code = values.needed === 'above' && refuseApprovalAmount(parseCents(values.approval) ?? -1)
        return code ? { field: 'approval', message: SETTLEMENT_REFUSALS[code] } : null
      }}
      onSubmit={async values => {
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
          <ChoiceField
            form={form}
            name="needed"
            label="撤销订单"
            look="lines"
            options={[
              { value: 'never', label: '不需要审批' },
              { value: 'above', label: '退回金额超过限额时，由另一人审批' },
            ]}
          />
          {form.draft.needed === 'above' && (
            <TextField
              form={form}
              name="approval"
              label="审批限额"
              hint="等于限额时不需要审批"
              inputMode="decimal"
              unit="代币"
              maxLength={16}
              required
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
