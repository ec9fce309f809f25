import { useQuery } from '@tanstack/react-query'
import { readAgain } from '#web/client/reread.ts'
import { type ApprovalRow, approvalsApi, type Decided } from './approvalsApi.tsx'
import { RejectForm } from './RejectForm.tsx'
import { APPROVAL_KINDS } from './rules.ts'

type Props = {
  rows: readonly ApprovalRow[]
  onDecided: (decided: Decided) => void
  onClose: () => void
}

/** Why one or many requests are rejected. */
export default function RejectDialog({ rows, onDecided, onClose }: Props) {
  const [first] = rows
  const kept = useQuery(approvalsApi.reasons.query())
  const what = first && rows.length === 1 ? `「${first.content}」` : ` ${rows.length} 条申请`
  return (
    <RejectForm
      title={`驳回${first ? APPROVAL_KINDS[first.kind] : ''}${what}？`}
      submitText="驳回"
      reasons={(kept.data?.reasons ?? []).filter(({ kind }) => kind === first?.kind)}
      onReject={async values => {
        const decided = await approvalsApi
          .reject({ ids: rows.map(({ id }) => id), ...values })
          .catch((error: unknown) => {
            readAgain('approvals')
            throw error
          })
        onDecided(decided)
      }}
      onClose={onClose}
    />
  )
}
