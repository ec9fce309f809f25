import { useQuery } from '@tanstack/react-query'
import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { SETTLEMENT_REFUSALS } from '#features/sales/settlement/rules.ts'
import { UndoPreviews } from '#features/sales/settlement/UndoPreviews.tsx'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { useFormOf } from '#web/form/useFormOf.ts'
import type { aftersales } from './contract.ts'
import { TOOL } from './fields.ts'
import { Notes, readShopsAgain } from './ToolPage.tsx'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')

type Preview = NonNullable<Out<typeof aftersales.cancelPreview>['preview']>

/** What cancelling gives back and takes away, and why it is done; the button that names the act is the question. */
export function CancelDialog({ orderNo, onClose }: { orderNo: string; onClose: () => void }) {
  const asked = useQuery({
    ...toolsApi.cancelPreview.query({ orderNo }),
    // Always as it is now: the shop may have used what the order brought.
    gcTime: 0,
    staleTime: 0,
  })
  const form = useFormOf({
    of: TOOL,
    send: async ({ reason }, idempotencyKey) => {
      const { state } = await toolsApi.cancel({ orderNo, reason }, { idempotencyKey })
      toast.success(state === 'pending' ? '撤销申请已提交，等待审批' : '撤销成功！')
    },
    onDone: onClose,
    onRefused: readShopsAgain,
  })
  const preview = asked.data?.preview ?? null
  const refusal = asked.data ? refusalIn(preview) : null
  return (
    <Dialog
      title="撤销订单"
      width={560}
      busy={form.busy}
      dirty={form.dirty}
      onClose={onClose}
      footer={
        <>
          <CloseButton>返回</CloseButton>
          <Button
            kind="danger"
            busy={form.busy}
            disabled={asked.data ? refusal : true}
            onClick={() => void form.submit()}
          >
            {preview?.needsApproval ? '提交撤销申请' : '撤销订单'}
          </Button>
        </>
      }
    >
      <div className={styles.toolDialog}>
        {asked.isError ? (
          <LoadFailure error={asked.error} onRetry={() => void asked.refetch()} />
        ) : !asked.data ? (
          <LoadingLines lines={5} />
        ) : (
          <>
            {preview && <UndoPreviews previews={preview.lines} />}
            {refusal === null && !preview?.needsApproval && <Notes notes={['撤销后不能恢复']} />}
            {preview?.isPending && <Notes notes={[SETTLEMENT_REFUSALS.UNDO_PENDING]} />}
            {preview?.needsApproval && !preview.isPending && (
              <Notes notes={['退回金额超过审批限额，提交后由另一人审批，通过后撤销']} />
            )}
            {refusal === null && <ReasonField of="tool" form={form} name="reason" />}
          </>
        )}
        <p className={styles.toolMessage} role="alert">
          {form.message}
        </p>
      </div>
    </Dialog>
  )
}

/** Why the order cannot be cancelled now, or null. */
function refusalIn(preview: Preview | null): string | null {
  if (!preview) return UNDO_REFUSALS.UNDO_UNKNOWN
  if (preview.isPending) return SETTLEMENT_REFUSALS.UNDO_PENDING
  return preview.lines[0]?.refusal?.message ?? null
}
