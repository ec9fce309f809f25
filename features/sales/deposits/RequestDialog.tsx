import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { formatCents } from '#kit/money.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { DepositData } from './contract.ts'
import styles from './deposits.module.css'
import { depositsApi } from './depositsApi.tsx'
import { REQUEST } from './fields.ts'
import { outcomeText, REQUEST_KINDS, refusePart, STEP_REFUSALS } from './rules.ts'

type Props = { deposit: DepositData; onClose: () => void }

/** Asks to give back or keep some of a deposit; another decides. An agent asks to give back alone. */
export default function RequestDialog({ deposit, onClose }: Props) {
  const { id, heldFen, shopName } = deposit
  const { isVendorStaff } = useSession()
  return (
    <FormDialog
      title={isVendorStaff ? '退还或扣留押金' : '申请退还押金'}
      submitText="提交审批"
      of={REQUEST}
      refuse={({ amountFen }) => {
        const code = refusePart(amountFen, heldFen)
        return code && { field: 'amountFen', message: STEP_REFUSALS[code] }
      }}
      question={({ kind, amountFen, reason }) => ({
        title: `申请${REQUEST_KINDS[kind]} ${formatCents(amountFen ?? 0)} 元？`,
        text: `${outcomeText(kind, amountFen ?? 0, heldFen)}。原因：${reason}。由另一人审批后生效。`,
        confirmText: '确认提交',
        danger: kind === 'keep',
      })}
      send={async (values, idempotencyKey) => {
        await depositsApi.request({ ...values, id, heldFen }, { idempotencyKey }).catch((error: unknown) => {
          readAgain('deposits')
          throw error
        })
        toast.success('已提交，等待另一人审批')
        await reread()
      }}
      onClose={onClose}
    >
      {form => {
        const { kind, amountFen } = form.meant()
        const isPossible = refusePart(amountFen, heldFen) === null
        return (
          <>
            <FormNote>
              {shopName}，押金余额 {formatCents(heldFen)} 元。
            </FormNote>
            <FormFields form={form} only={isVendorStaff ? ['kind', 'amountFen'] : ['amountFen']} />
            <div className={styles.outcome}>
              <p aria-live="polite">{isPossible ? `${outcomeText(kind, amountFen ?? 0, heldFen)}。` : ''}</p>
              {amountFen !== heldFen && (
                <Button kind="link" onClick={() => form.change({ amountFen: formatCents(heldFen) })}>
                  填入全部余额
                </Button>
              )}
            </div>
            <ReasonField form={form} name="reason" of={null} />
          </>
        )
      }}
    </FormDialog>
  )
}
