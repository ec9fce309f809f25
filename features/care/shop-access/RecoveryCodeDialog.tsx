import type { Merchant } from '#features/shops/merchants/contract.ts'
import { CODE_REFUSALS, refuseTypedCode } from '#features/shops/messages/rules.ts'
import { api } from '#web/client/api.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import type { shopAccess } from './contract.ts'
import { RECOVERY_CODE } from './fields.ts'
import { ShopCodeField } from './ShopCodeField.tsx'

const shopAccessApi = api<typeof shopAccess>('shopAccess')

type Props = { merchant: Merchant; onClose: () => void }

/** Switches off that a recall asks for a code, with a code sent to the shop's phone. */
export default function RecoveryCodeDialog({ merchant, onClose }: Props) {
  return (
    <FormDialog
      title="关闭回收验证码"
      submitText="关闭验证"
      width={440}
      of={RECOVERY_CODE}
      refuse={({ code }) => {
        const wrong = refuseTypedCode('recovery', code)
        return wrong && { field: 'code', message: CODE_REFUSALS[wrong] }
      }}
      send={async draft => {
        await shopAccessApi.setRecoveryCode({ id: merchant.id, needsRecoveryCode: false, ...draft })
        toast.success('修改成功')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>关闭后，回收 {merchant.shopName} 的短信不再需要验证码。</FormNote>
          <ShopCodeField
            form={form}
            merchant={merchant}
            purpose="recovery"
            label={RECOVERY_CODE.code.label}
          />
        </>
      )}
    </FormDialog>
  )
}
