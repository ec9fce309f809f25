import type { Merchant } from '#features/shops/merchants/MerchantFacts.tsx'
import { LIMITS, REFUSALS, refuseNewPhone } from '#features/shops/merchants/rules.ts'
import { CODE_REFUSALS, refuseTypedCode } from '#features/shops/messages/rules.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import type { Broken } from '#web/form/useForm.ts'
import type { shopAccess } from './contract.ts'
import { ShopCodeField } from './ShopCodeField.tsx'

const shopAccessApi = api<typeof shopAccess>('shopAccess')

type Draft = { code: string; phone: string }
type Props = { merchant: Merchant; onClose: () => void }

/** Another phone for a shop, with a code sent to the present one unless vendor staff change it (D1 §2, §6; D2 §5). */
export default function ChangePhoneDialog({ merchant, onClose }: Props) {
  const { isVendorStaff } = useSession()
  return (
    <FormDialog<Draft>
      title="修改手机号"
      submitText="修改"
      width={440}
      initial={{ code: '', phone: '' }}
      refuse={draft => brokenOf(draft, merchant, !isVendorStaff)}
      onSubmit={async draft => {
        await shopAccessApi.changePhone({ id: merchant.id, ...draft })
        toast.success('修改成功')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {merchant.shopName} 现在的手机号是 <b>{merchant.account}</b>，修改后用新手机号登录。
          </FormNote>
          {!isVendorStaff && (
            <ShopCodeField form={form} merchant={merchant} purpose="phone" label="手机验证码" />
          )}
          <TextField
            form={form}
            name="phone"
            label="新手机号"
            required
            digits
            inputMode="tel"
            maxLength={LIMITS.phone}
          />
        </>
      )}
    </FormDialog>
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
