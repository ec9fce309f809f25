import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeField } from '#features/messages/CodeField.tsx'
import { CODE_REFUSALS, refuseReceiver, refuseTypedCode, SEND_REFUSALS } from '#features/messages/rules.ts'
import { api, messageOf, refusalOf } from '#web/api.ts'
import { toast } from '#web/toast.ts'
import { ActionDialog } from './ActionDialog.tsx'
import type { merchants } from './contract.ts'
import { type Broken, FormField, useDraft } from './FormField.tsx'
import type { Merchant } from './MerchantFacts.tsx'

const merchantsApi = api<typeof merchants>('merchants')

type Draft = { code: string }
type Props = { merchant: Merchant; onClose: () => void }

/** Switches off that a recall asks for a code, with a code sent to the shop's phone. */
export default function RecoveryCodeDialog({ merchant, onClose }: Props) {
  const queries = useQueryClient()
  const [message, setMessage] = useState<string | null>(null)
  const form = useDraft<Draft>({ code: '' }, brokenOf)
  const change = useMutation({
    mutationFn: () =>
      merchantsApi.setRecoveryCode({ id: merchant.id, needsRecoveryCode: false, ...form.draft }),
    onSuccess: () => {
      toast.success('修改成功')
      onClose()
      return queries.invalidateQueries({ queryKey: ['merchants', 'details', merchant.id] })
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
      title="关闭回收验证码"
      submitText="关闭验证"
      busy={change.isPending}
      dirty={form.dirty}
      message={message}
      onSubmit={() => {
        setMessage(null)
        if (form.passes()) change.mutate()
      }}
      onClose={onClose}
    >
      <p className="merchant-action-note">关闭后，回收 {merchant.shopName} 的短信不再需要验证码。</p>
      <FormField
        label="验证码"
        name="code"
        form={form}
        required
        hint={receiver ? SEND_REFUSALS[receiver] : `验证码发送到 ${merchant.account}，10 分钟内有效`}
      >
        {({ status: _status, ...control }) => (
          <CodeField
            {...control}
            merchantId={merchant.id}
            purpose="recovery"
            refusal={receiver && SEND_REFUSALS[receiver]}
            value={form.draft.code}
            onChange={code => form.change({ code })}
          />
        )}
      </FormField>
    </ActionDialog>
  )
}

function brokenOf({ code }: Draft): Broken[] {
  const wrong = refuseTypedCode('recovery', code)
  return wrong ? [{ field: 'code', message: CODE_REFUSALS[wrong] }] : []
}
