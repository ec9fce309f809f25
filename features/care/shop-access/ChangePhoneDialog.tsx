import type { Merchant } from '#features/shops/merchants/contract.ts'
import { LIMITS, REFUSALS, refuseNewPhone } from '#features/shops/merchants/rules.ts'
import { CODE_REFUSALS, refuseTypedCode } from '#features/shops/messages/rules.ts'
import type { Meant } from '#kit/declare/form.ts'
import { api } from '#web/client/api.ts'
import { useSession } from '#web/client/session.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { Broken } from '#web/form/useForm.ts'
import type { shopAccess } from './contract.ts'
import { PHONE_CHANGE } from './fields.ts'
import { ShopCodeField } from './ShopCodeField.tsx'

const shopAccessApi = api<typeof shopAccess>('shopAccess')

type Props = { merchant: Merchant; onClose: () => void }

/** Another phone for a shop, with a code sent to the present one unless vendor staff change it (D1 §2, §6; D2 §5). */
export default function ChangePhoneDialog({ merchant, onClose }: Props) {
  const { isVendorStaff } = useSession()
  return (
    <FormDialog
      title="修改手机号"
      submitText="修改"
      width={440}
      of={PHONE_CHANGE}
      without={isVendorStaff ? ['code'] : []}
      refuse={values => refusedOf(values, merchant, !isVendorStaff)}
      send={async draft => {
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
            <ShopCodeField form={form} merchant={merchant} purpose="phone" label={PHONE_CHANGE.code.label} />
          )}
          <FormFields
            form={form}
            only={['phone']}
            told={{ phone: { digits: true, inputMode: 'tel', maxLength: LIMITS.phone } }}
          />
        </>
      )}
    </FormDialog>
  )
}

function refusedOf({ code, phone }: Meant<typeof PHONE_CHANGE>, { account }: Merchant, needsCode: boolean) {
  const wrongCode = needsCode ? refuseTypedCode('phone', code) : null
  const wrongPhone = refuseNewPhone(phone, account)
  const broken: Broken[] = [
    ...(wrongCode ? [{ field: 'code', message: CODE_REFUSALS[wrongCode] }] : []),
    ...(wrongPhone ? [{ field: 'phone', message: REFUSALS[wrongPhone] }] : []),
  ]
  return broken
}
