import { useMutation, useQuery } from '@tanstack/react-query'
import {
  REFUSALS as MERCHANT_REFUSALS,
  type MerchantStatus,
  refuseDisabled,
} from '#features/shops/merchants/rules.ts'
import { refusalOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { EditableCell } from '#web/controls/EditableCell.tsx'
import { toast } from '#web/controls/toast.ts'
import styles from './approvals.module.css'
import { approvalsApi } from './approvalsApi.tsx'
import { StateTag } from './RequestHistory.tsx'
import { REQUEST_REFUSALS, refuseContent } from './rules.ts'

type Shop = { id: number; shopName: string; status: MerchantStatus; signature: string }

/** The signature that holds. What is typed over it is asked for, stands beside it while it waits, and holds once it is approved. */
export default function AskedSignature({ shop }: { shop: Shop }) {
  const mayAsk = usePermission('approvals.request')
  const ask = useMutation({
    mutationFn: (content: string) =>
      approvalsApi.request({ merchantId: shop.id, kind: 'signature', content }),
    onSuccess: () => toast.success('已提交审批，通过后生效'),
    onError: error => {
      toast.error(refusalOf(error)?.message ?? '操作失败')
      // What refused it, such as the shop having been disabled, should show too.
      readAgain('merchants')
    },
  })
  const { data } = useQuery({ ...approvalsApi.waitingSignatures.query(), enabled: mayAsk })
  if (!mayAsk) return shop.signature
  const waiting = data?.rows.find(({ merchantId }) => merchantId === shop.id)
  const disabled = refuseDisabled(shop.status)
  const edited = (
    <EditableCell
      label={`短信签名 ${shop.shopName}`}
      value={shop.signature}
      placeholder={REQUEST_REFUSALS.SIGNATURE_REQUIRED}
      lock={disabled && MERCHANT_REFUSALS[disabled]}
      refuse={text => {
        const code = refuseContent('signature', text)
        return code && REQUEST_REFUSALS[code]
      }}
      save={text => ask.mutate(text)}
    />
  )
  if (!waiting) return edited
  return (
    <>
      {edited}
      <span className={styles.asked}>
        <StateTag state={waiting.state} /> {waiting.content}
      </span>
    </>
  )
}
