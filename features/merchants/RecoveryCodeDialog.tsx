import { useQueryClient } from '@tanstack/react-query'
import { CODE_REFUSALS, refuseTypedCode } from '#features/messages/rules.ts'
import { api } from '#web/api.ts'
import styles from './ActionDialog.module.css'
import { ActionDialog, useAction } from './ActionDialog.tsx'
import type { merchants } from './contract.ts'
import { type Broken, useDraft } from './FormField.tsx'
import type { Merchant } from './MerchantFacts.tsx'
import { ShopCodeField } from './ShopCodeField.tsx'

const merchantsApi = api<typeof merchants>('merchants')

type Draft = { code: string }
type Props = { merchant: Merchant; onClose: () => void }

/** Switches off that a recall asks for a code, with a code sent to the shop's phone. */
export default function RecoveryCodeDialog({ merchant, onClose }: Props) {
  const queries = useQueryClient()
  const form = useDraft<Draft>({ code: '' }, brokenOf)
  const action = useAction(
    form,
    draft => merchantsApi.setRecoveryCode({ id: merchant.id, needsRecoveryCode: false, ...draft }),
    () => {
      onClose()
      return queries.invalidateQueries({ queryKey: ['merchants', 'details', merchant.id] })
    },
  )
  return (
    <ActionDialog title="关闭回收验证码" submitText="关闭验证" action={action} onClose={onClose}>
      <p className={styles.merchantActionNote}>关闭后，回收 {merchant.shopName} 的短信不再需要验证码。</p>
      <ShopCodeField form={form} merchant={merchant} purpose="recovery" label="验证码" />
    </ActionDialog>
  )
}

function brokenOf({ code }: Draft): Broken[] {
  const wrong = refuseTypedCode('recovery', code)
  return wrong ? [{ field: 'code', message: CODE_REFUSALS[wrong] }] : []
}
