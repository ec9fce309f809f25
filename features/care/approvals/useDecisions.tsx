import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import type { RowAction } from '#web/list/list-props.ts'
import type { RowKey } from '#web/list/useRowKeys.ts'
import { type ApprovalRow, approvalsApi, type Decided } from './approvalsApi.tsx'
import { APPROVAL_LIMITS, APPROVAL_STATES, undecidableText } from './rules.ts'

const RejectDialog = lazy(() => import('./RejectDialog.tsx'))
const ResultsDialog = lazy(() => import('./ResultsDialog.tsx'))

export type Decisions = {
  /** Why this row cannot be decided. */
  refusalOf: (row: ApprovalRow) => string | null
  /** None for who may not decide. */
  actionsOf: (row: ApprovalRow) => RowAction[]
  keys: RowKey<ApprovalRow>[] | undefined
  bulk: ((rows: readonly ApprovalRow[], clear: () => void) => ReactNode) | undefined
  /** Belong into the page. */
  dialogs: ReactNode
}

type Rejected = { rows: readonly ApprovalRow[]; onDone: () => void }

/** Approving and rejecting, one or many: of one it is told in a word, of many each row's result where not all went well. */
export function useDecisions(): Decisions {
  const mayDecide = usePermission('approvals.decide')
  const [rejected, setRejected] = useState<Rejected | null>(null)
  const [told, setTold] = useState<Decided | null>(null)
  const tell = (decided: Decided) => {
    const refused = decided.rows.filter(({ refusal }) => refusal !== null)
    if (refused.length === 0) toast.success(doneText(decided))
    else if (decided.rows.length === 1) toast.warning(refused[0]?.refusal ?? '')
    else setTold(decided)
    // Whose state was not what the page showed is shown as it is.
    if (refused.length > 0) readAgain('approvals')
  }
  const approve = useMutation({
    mutationFn: (rows: readonly ApprovalRow[]) => approvalsApi.approve({ ids: rows.map(({ id }) => id) }),
    onSuccess: tell,
    onError: error => {
      toast.error(messageOf(error))
      readAgain('approvals')
    },
  })
  const approveOne = (row: ApprovalRow) => {
    if (!approve.isPending && undecidableText(row) === null) approve.mutate([row])
  }
  const reject = (rows: readonly ApprovalRow[], onDone: () => void = () => undefined) =>
    setRejected({ rows, onDone })
  return {
    refusalOf: row => undecidableText(row, 'reject'),
    actionsOf: row =>
      mayDecide
        ? [
            { key: 'approve', label: '通过', disabled: undecidableText(row), onClick: () => approveOne(row) },
            {
              key: 'reject',
              label: '驳回',
              disabled: undecidableText(row, 'reject'),
              onClick: () => reject([row]),
            },
          ]
        : [],
    keys: mayDecide
      ? [
          { press: 'a', does: '通过', act: approveOne, onward: true },
          {
            press: 'r',
            does: '驳回',
            act: row => undecidableText(row, 'reject') === null && reject([row]),
          },
        ]
      : undefined,
    bulk: mayDecide
      ? (rows, clear) => (
          <Bulk
            rows={rows}
            busy={approve.isPending}
            onApprove={() => void askFor(rows).then(yes => yes && approve.mutate(rows, { onSuccess: clear }))}
            onReject={() => reject(rows, clear)}
          />
        )
      : undefined,
    dialogs: (
      <Suspense>
        {rejected && (
          <RejectDialog
            rows={rejected.rows}
            onDecided={decided => {
              rejected.onDone()
              tell(decided)
            }}
            onClose={() => setRejected(null)}
          />
        )}
        {told && <ResultsDialog decided={told} onClose={() => setTold(null)} />}
      </Suspense>
    ),
  }
}

/** Where all of them stand now; of some that lie with the SMS services, that these decide. */
function doneText({ rows }: Decided): string {
  return rows.some(({ state }) => state === 'reviewing')
    ? '已提交短信服务商审核'
    : APPROVAL_STATES[rows[0]?.state ?? 'approved']
}

function askFor(rows: readonly ApprovalRow[]): Promise<boolean> {
  return confirm({
    title: `通过 ${rows.length} 条申请？`,
    text: '通过后立即生效，并通知所属代理商；短信服务商要审核的签名，审核通过后生效。',
    confirmText: `通过 ${rows.length} 条`,
  })
}

type BulkProps = {
  rows: readonly ApprovalRow[]
  busy: boolean
  onApprove: () => void
  onReject: () => void
}

function Bulk({ rows, busy, onApprove, onReject }: BulkProps) {
  const tooMany = rows.length > APPROVAL_LIMITS.rows ? `一次最多处理 ${APPROVAL_LIMITS.rows} 条` : null
  return (
    <>
      <Button kind="primary" busy={busy} disabled={tooMany} onClick={onApprove}>
        批量通过
      </Button>
      <Button changes disabled={tooMany} onClick={onReject}>
        批量驳回
      </Button>
    </>
  )
}
