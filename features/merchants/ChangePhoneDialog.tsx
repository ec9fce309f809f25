import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeField } from '#features/messages/CodeField.tsx'
import { CODE_REFUSALS, refuseReceiver, refuseTypedCode, SEND_REFUSALS } from '#features/messages/rules.ts'
import { api, messageOf, refusalOf } from '#web/api.ts'
import { useSession } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import { ActionDialog } from './ActionDialog.tsx'
import type { merchants } from './contract.ts'
import { type Broken, FormField, useDraft } from './FormField.tsx'
import type { Merchant } from './MerchantFacts.tsx'
import { LIMITS, REFUSALS, refuseNewPhone } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')

type Draft = { code: string; phone: string }
type Props = { merchant: Merchant; onClose: () => void }

/** Another phone for a shop, with a code sent to the present one unless vendor staff change it (D1 §2, §6; D2 §5). */
export default function ChangePhoneDialog({ merchant, onClose }: Props) {
  const { isVendorStaff } = useSession()
  const queries = useQueryClient()
  const [message, setMessage] = useState<string | null>(null)
  const form = useDraft<Draft>({ code: '', phone: '' }, draft => brokenOf(draft, merchant, !isVendorStaff))
  const change = useMutation({
    mutationFn: () => merchantsApi.changePhone({ id: merchant.id, ...form.draft }),
    onSuccess: () => {
      toast.success('修改成功')
      onClose()
      return queries.invalidateQueries({ queryKey: ['merchants'] })
    },
    onError: error => {
      const refusal = refusalOf(error)
      if (refusal?.field) form.refuse({ field: refusal.field, message: refusal.message })
      else setMessage(messageOf(error))
    },
  })
  const receiver = refuseReceiver(merchant)
  return (
    <ActionDialog
      title="修改手机号"
      submitText="修改"
      busy={change.isPending}
      dirty={form.dirty}
      message={message}
      onSubmit={() => {
        setMessage(null)
        if (form.passes()) change.mutate()
      }}
      onClose={onClose}
    >
      <p className="merchant-action-note">
        {merchant.shopName} 现在的手机号是 <b>{merchant.account}</b>，修改后用新手机号登录。
      </p>
      {!isVendorStaff && (
        <FormField
          label="手机验证码"
          name="code"
          form={form}
          required
          hint={receiver ? SEND_REFUSALS[receiver] : `验证码发送到 ${merchant.account}，10 分钟内有效`}
        >
          {({ status: _status, ...control }) => (
            <CodeField
              {...control}
              merchantId={merchant.id}
              purpose="phone"
              refusal={receiver && SEND_REFUSALS[receiver]}
              value={form.draft.code}
              onChange={code => form.change({ code })}
            />
          )}
        </FormField>
      )}
      <FormField label="新手机号" name="phone" form={form} required>
        {({ status: _status, ...control }) => (
          <input
            {...control}
            className="input number"
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
