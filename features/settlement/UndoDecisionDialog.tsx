import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf, newKey, refusalOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/form/Dialog.tsx'
import { look } from '#web/look.ts'
import { useSession } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { settlement } from './contract.ts'
import { ReasonField } from './ReasonField.tsx'
import { LIMITS, refuseDecider, refuseDecision, SETTLEMENT_REFUSALS } from './rules.ts'
import styles from './settlement.module.css'
import { refreshMoney } from './UndoDialog.tsx'
import { UndoPreviews } from './UndoPreviews.tsx'

const settlementApi = api<typeof settlement>('settlement')

/** The second pair of eyes: what was asked and why, what it would do now, and yes or no. */
export default function UndoDecisionDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const session = useSession()
  const queries = useQueryClient()
  const [decision, setDecision] = useState('')
  const [broken, setBroken] = useState<string | null>(null)
  const [key] = useState(newKey)
  const asked = useQuery({
    queryKey: ['settlement', 'requestPreview', id],
    queryFn: () => settlementApi.requestPreview({ id }),
    gcTime: 0,
    staleTime: 0,
  })
  const deciding = useMutation({
    mutationFn: async (action: 'approve' | 'reject') => {
      const input = { id, decision: decision.trim() }
      if (action === 'approve') await settlementApi.approveUndo(input, { idempotencyKey: key })
      else await settlementApi.rejectUndo(input)
      return action
    },
    onSuccess: async action => {
      toast.success(action === 'approve' ? '撤销成功！' : '已驳回')
      onClose()
      await refreshMoney(queries)
    },
  })
  const request = asked.data
  const code = request ? refuseDecider(request, session.accountId, new Date().toISOString()) : null
  const refused = code && SETTLEMENT_REFUSALS[code]
  const left = request?.previews.some(preview => preview.refusal === null)
  const decide = (action: 'approve' | 'reject') => {
    const wrong = refuseDecision(action, decision)
    setBroken(wrong && SETTLEMENT_REFUSALS[wrong])
    if (wrong) return document.getElementById('undo-decision')?.focus()
    deciding.mutate(action)
  }
  return (
    <Dialog
      title="审批撤销申请"
      width={560}
      onClose={() => {
        if (!deciding.isPending) onClose()
      }}
      footer={
        <>
          <Button
            busy={deciding.isPending && deciding.variables === 'reject'}
            disabled={refused ?? (!request || deciding.isPending)}
            onClick={() => decide('reject')}
          >
            驳回申请
          </Button>
          <Button
            kind="danger"
            busy={deciding.isPending && deciding.variables === 'approve'}
            disabled={
              refused ??
              (request && !left ? request.previews[0]?.refusal?.message : !request || deciding.isPending)
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
              <div>
                <dt>代理商</dt>
                <dd>
                  {request.agentName}（{request.agentId}）
                </dd>
              </div>
              <div>
                <dt>申请人</dt>
                <dd>
                  {request.requestedByName}，{formatInstant(request.requestedAt)}
                </dd>
              </div>
              <div>
                <dt>撤销原因</dt>
                <dd>{request.reason}</dd>
              </div>
              <div>
                <dt>申请时退回</dt>
                <dd className={look.number}>{formatCents(request.totalCents)} 代币</dd>
              </div>
            </dl>
            <UndoPreviews previews={request.previews} />
            {refused && <p className={styles.undoNote}>{refused}</p>}
            <ReasonField
              id="undo-decision"
              label="审批意见（驳回时必填）"
              max={LIMITS.decision}
              value={decision}
              message={broken}
              onChange={text => {
                setDecision(text)
                setBroken(null)
              }}
            />
          </>
        ) : (
          <p className={styles.undoWait}>加载中</p>
        )}
        <p className={styles.undoFailure} role="alert">
          {deciding.isError && (refusalOf(deciding.error)?.message ?? '操作失败')}
        </p>
      </div>
    </Dialog>
  )
}
