import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact } from '#web/facts/Facts.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { useFormOf } from '#web/form/useFormOf.ts'
import type { settlement } from './contract.ts'
import { BILL_FIELDS, REQUEST_FIELDS, UNDO_DECISION } from './fields.ts'
import { refuseDecider, refuseDecision, SETTLEMENT_REFUSALS } from './rules.ts'
import styles from './settlement.module.css'
import { UndoPreviews } from './UndoPreviews.tsx'

const settlementApi = api<typeof settlement>('settlement')

type Action = 'approve' | 'reject'

/** The second pair of eyes: what was asked and why, what it would do now, and yes or no. */
export default function UndoDecisionDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const session = useSession()
  const [action, setAction] = useState<Action>('approve')
  const asked = useQuery({
    ...settlementApi.requestPreview.query({ id }),
    gcTime: 0,
    staleTime: 0,
  })
  const pressed = useRef<Action>('approve')
  const form = useFormOf({
    of: UNDO_DECISION,
    refuse: ({ decision }) => {
      const wrong = refuseDecision(pressed.current, decision)
      return wrong && { field: 'decision', message: SETTLEMENT_REFUSALS[wrong] }
    },
    send: async ({ decision }, idempotencyKey) => {
      const input = { id, decision }
      if (pressed.current === 'approve') await settlementApi.approveUndo(input, { idempotencyKey })
      else await settlementApi.rejectUndo(input)
    },
    onDone: async () => {
      toast.success(pressed.current === 'approve' ? '撤销成功！' : '已驳回')
      onClose()
      await reread()
    },
  })
  const request = asked.data
  const code = request ? refuseDecider(request, session.accountId, new Date().toISOString()) : null
  const refused = code && SETTLEMENT_REFUSALS[code]
  const left = request?.previews.some(preview => preview.refusal === null)
  const decide = (decided: Action) => {
    pressed.current = decided
    setAction(decided)
    void form.submit()
  }
  return (
    <Dialog
      title="审批撤销申请"
      width={560}
      busy={form.busy}
      dirty={form.dirty}
      onClose={onClose}
      footer={
        <>
          <Button
            changes
            busy={form.busy && action === 'reject'}
            disabled={refused ?? (!request || form.busy)}
            onClick={() => decide('reject')}
          >
            驳回申请
          </Button>
          <Button
            kind="danger"
            busy={form.busy && action === 'approve'}
            disabled={
              refused ?? (request && !left ? request.previews[0]?.refusal?.message : !request || form.busy)
            }
            onClick={() => decide('approve')}
          >
            通过并撤销
          </Button>
        </>
      }
    >
      <div className={styles.undoBody}>
        {asked.isError ? (
          <div className={styles.undoWait} role="alert">
            <p>{messageOf(asked.error)}</p>
            <Button onClick={() => void asked.refetch()}>重试</Button>
          </div>
        ) : request ? (
          <>
            <dl className={`${styles.undoFacts} ${styles.undoRequest}`}>
              <Fact label={BILL_FIELDS.agentName.label}>
                {request.agentName}（{request.agentId}）
              </Fact>
              <Fact label={REQUEST_FIELDS.requestedByName.label}>
                {request.requestedByName}，{formatInstant(request.requestedAt)}
              </Fact>
              <Fact label={REQUEST_FIELDS.reason.label}>{request.reason}</Fact>
              <Fact label="申请时退回">{formatCents(request.totalCents)} 代币</Fact>
            </dl>
            <UndoPreviews previews={request.previews} />
            {refused && <p className={styles.undoNote}>{refused}</p>}
            <FormFields form={form} />
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
