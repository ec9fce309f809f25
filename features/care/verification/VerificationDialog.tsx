import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { VerificationFacts } from './VerificationFacts.tsx'
import VerificationForm from './VerificationForm.tsx'
import styles from './verification.module.css'
import { type VerificationData, verificationApi } from './verificationApi.tsx'

type Props = {
  merchantId: number
  /** The request for a signature from whose list it was opened. */
  requestId: number | null
  onClose: () => void
}

/** The identity data of a shop (D1 §2, D2 §2 screen 5): filled in, or shown where they cannot be changed now. */
export default function VerificationDialog({ merchantId, requestId, onClose }: Props) {
  const data = useQuery({
    ...verificationApi.ofShop.query({ merchantId }),
    // What is typed is not to be changed under one's hands.
    refetchOnWindowFocus: false,
  })
  const mayEdit = usePermission('verification.edit')
  if (data.data && mayEdit && data.data.editRefusal === null)
    return <VerificationForm data={data.data} requestId={requestId} onClose={onClose} />
  return (
    <Dialog
      title={data.data ? `实名资料 · ${data.data.shopName}` : '实名资料'}
      width={880}
      dirty={false}
      onClose={onClose}
      footer={
        <>
          <CloseButton>关闭</CloseButton>
          {data.data?.state === 'reviewing' && mayEdit && <Withdraw data={data.data} />}
        </>
      }
    >
      <div className={styles.dialogBody}>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={10} />
        ) : (
          <VerificationFacts data={data.data} />
        )}
      </div>
    </Dialog>
  )
}

/** Back to where it can be changed. */
function Withdraw({ data }: { data: VerificationData }) {
  const withdraw = useMutation({
    mutationFn: () => verificationApi.withdraw({ merchantId: data.merchantId }),
    onSuccess: () => {
      toast.success('已撤回，可修改后重新提交')
      return reread()
    },
    onError: error => {
      toast.error(messageOf(error))
      readAgain('verification')
    },
  })
  return (
    <Button changes busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
      撤回修改
    </Button>
  )
}
