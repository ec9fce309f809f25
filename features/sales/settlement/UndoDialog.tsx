import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import { UNDO_REFUSALS } from '#features/sales/orders/rules.ts'
import { formatCents } from '#kit/money.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { useFormOf } from '#web/form/useFormOf.ts'
import type { settlement } from './contract.ts'
import { UNDO } from './fields.ts'
import { SETTLEMENT_REFUSALS, UNDONE, type UndoKind } from './rules.ts'
import styles from './settlement.module.css'
import { type Preview, UndoPreviews } from './UndoPreviews.tsx'

const settlementApi = api<typeof settlement>('settlement')

type Props = {
  kind: UndoKind
  /** Of a batch its batch number. */
  orderNo: string
  onClose: () => void
  /** It was undone, or asked for; for whoever keeps more than the lists that are read anew. */
  onDone?: () => void
}

/** Undoes an order: what it gives back, why it is done, and what came of it. */
export default function UndoDialog({ kind, orderNo, onClose, onDone }: Props) {
  const [undone, setUndone] = useState<readonly Preview[] | null>(null)
  const preview = useQuery({
    ...settlementApi.undoPreview.query({ kind, orderNo }),
    // Always as it is now: the shop may have used what the order brought.
    gcTime: 0,
    staleTime: 0,
  })
  const form = useFormOf({
    of: UNDO,
    send: async ({ reason }, idempotencyKey) => {
      const { state, previews } = await settlementApi.undo({ kind, orderNo, reason }, { idempotencyKey })
      toast.success(state === 'pending' ? '撤销申请已提交，等待审批' : UNDONE[kind])
      if (state === 'undone' && previews.length > 1) setUndone(previews)
      else onClose()
      onDone?.()
      await reread()
    },
  })
  const answer = preview.data
  return (
    <Dialog
      title={undone ? '撤销结果' : '撤销订单'}
      width={560}
      busy={form.busy}
      dirty={!undone && form.dirty}
      onClose={onClose}
      footer={
        undone ? (
          <Button kind="primary" changes={false} onClick={onClose}>
            完成
          </Button>
        ) : (
          <>
            <CloseButton />
            <Button
              kind="danger"
              busy={form.busy}
              disabled={answer ? refusalIn(answer) : true}
              onClick={() => void form.submit()}
            >
              {answer?.needsApproval ? '提交撤销申请' : '撤销订单'}
            </Button>
          </>
        )
      }
    >
      <div className={styles.undoBody}>
        {undone ? (
          <UndoPreviews previews={undone} done />
        ) : preview.isError ? (
          <div className={styles.undoWait} role="alert">
            <p>{messageOf(preview.error)}</p>
            <Button onClick={() => void preview.refetch()}>重试</Button>
          </div>
        ) : answer ? (
          <>
            <UndoPreviews previews={answer.previews} />
            <Approval answer={answer} />
            {refusalIn(answer) === null && <ReasonField of="undo" form={form} name="reason" />}
          </>
        ) : (
          <p className={styles.undoWait}>加载中</p>
        )}
        <p className={styles.undoFailure} role="alert">
          {form.message}
        </p>
      </div>
    </Dialog>
  )
}

type Answer = Awaited<ReturnType<typeof settlementApi.undoPreview>>

/** Why nothing of it can be undone now; null when something can. */
function refusalIn(answer: Answer): string | null {
  if (answer.isPending) return SETTLEMENT_REFUSALS.UNDO_PENDING
  const open = answer.previews.some(preview => preview.refusal === null)
  return open ? null : (answer.previews[0]?.refusal?.message ?? UNDO_REFUSALS.UNDO_UNKNOWN)
}

function Approval({ answer }: { answer: Answer }) {
  if (answer.isPending) return <p className={styles.undoNote}>{SETTLEMENT_REFUSALS.UNDO_PENDING}</p>
  const several = answer.previews.length > 1
  return (
    <>
      {several && (
        <p className={styles.undoSum}>
          共退回 <b className={look.number}>{formatCents(answer.tokensBackCents)}</b> 代币
        </p>
      )}
      {answer.needsApproval && (
        <p className={styles.undoNote}>退回金额超过审批限额，提交后由另一人审批，通过后撤销</p>
      )}
    </>
  )
}
