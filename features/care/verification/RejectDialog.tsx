import { useQuery } from '@tanstack/react-query'
import { RejectForm } from '#features/care/approvals/RejectForm.tsx'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { type VerificationData, verificationApi } from './verificationApi.tsx'

type Props = { data: VerificationData; revokes: boolean; onClose: () => void }

/** Why a shop's data are rejected, or verified no more. */
export default function RejectDialog({ data, revokes, onClose }: Props) {
  const kept = useQuery(verificationApi.reasons.query())
  const { merchantId, revision, shopName } = data
  return (
    <RejectForm
      title={revokes ? `撤销「${shopName}」的认证？` : `驳回「${shopName}」的实名资料？`}
      submitText={revokes ? '撤销认证' : '驳回'}
      danger={revokes}
      reasons={kept.data?.reasons ?? []}
      onReject={async values => {
        await verificationApi.reject({ merchantId, revision, ...values }).catch((error: unknown) => {
          readAgain('verification')
          throw error
        })
        toast.success(revokes ? '已撤销认证' : '已驳回')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
