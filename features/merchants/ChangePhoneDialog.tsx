import { useQueryClient } from '@tanstack/react-query'
import { CODE_REFUSALS, refuseTypedCode } from '#features/messages/rules.ts'
import { api } from '#web/api.ts'
import { look } from '#web/look.ts'
import { useSession } from '#web/session.ts'
import styles from './ActionDialog.module.css'
import { ActionDialog, useAction } from './ActionDialog.tsx'
import type { merchants } from './contract.ts'
import { type Broken, FormField, useDraft } from './FormField.tsx'
import type { Merchant } from './MerchantFacts.tsx'
import { LIMITS, REFUSALS, refuseNewPhone } from './rules.ts'
import { ShopCodeField } from './ShopCodeField.tsx'

const merchantsApi = api<typeof merchants>('merchants')

type Draft = { code: string; phone: string }
type Props = { merchant: Merchant; onClose: () => void }

/** Another phone for a shop, with a code sent to the present one unless vendor staff change it (D1 §2, §6; D2 §5). */
export default function ChangePhoneDialog({ merchant, onClose }: Props) {
  const { isVendorStaff } = useSession()
  const queries = useQueryClient()
  const form = useDraft<Draft>({ code: '', phone: '' }, draft => brokenOf(draft, merchant, !isVendorStaff))
  const action = useAction(
    form,
    draft => merchantsApi.changePhone({ id: merchant.id, ...draft }),
    () => {
      onClose()
      return queries.invalidateQueries({ queryKey: ['merchants'] })
    },
  )
  return (
    <ActionDialog title="修改手机号" submitText="修改" action={action} onClose={onClose}>
      <p className={styles.merchantActionNote}>
        {merchant.shopName} 现在的手机号是 <b>{merchant.account}</b>，修改后用新手机号登录。
      </p>
      {!isVendorStaff && <ShopCodeField form={form} merchant={merchant} purpose="phone" label="手机验证码" />}
      <FormField label="新手机号" name="phone" form={form} required>
        {({ status: _status, ...control }) => (
          <input
            {...control}
            className={`${look.input} ${look.number}`}
            value={form.draft.phone}
            onChange={event => form.change({ phone: event.target.value.replace(/\D/g, '') })}
            inputMode="tel"
            autoComplete="off"
            maxLength={LIMITS.phone}
          />
        )}
      </FormField>
    </ActionDialog>
  )
}

function brokenOf({ code, phone }: Draft, { account }: Merchant, needsCode: boolean): Broken[] {
  const wrongCode = needsCode ? refuseTypedCode('phone', code) : null
  const wrongPhone = refuseNewPhone(phone, account)
  return [
    ...(wrongCode ? [{ field: 'code', message: CODE_REFUSALS[wrongCode] }] : []),
    ...(wrongPhone ? [{ field: 'phone', message: REFUSALS[wrongPhone] }] : []),
  ]
}
