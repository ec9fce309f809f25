import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { discountText } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog, DialogText } from '#web/form/Dialog.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import type { partners } from './contract.ts'
import { TERMS } from './fields.ts'
import { type MoreTerms, PartnerFields } from './PartnerFields.tsx'
import { brokenTerms, INVITATION_STATES, PARTNER_REFUSALS } from './rules.ts'

const partnersApi = api<typeof partners>('partners')

type Props = { agent: { id: number; companyName: string }; onClose: () => void }
type Kept = Out<typeof partners.terms>

/** Everything that the operator says of a partner; what another level changes is asked first. */
export default function EditDialog({ agent, onClose }: Props) {
  const kept = useQuery({ ...partnersApi.terms.query({ id: agent.id }), staleTime: 0, gcTime: 0 })
  if (kept.data) return <EditForm agent={agent} kept={kept.data} onClose={onClose} />
  return (
    <Dialog title={`修改：${agent.companyName}`} onClose={onClose}>
      {kept.isError && <DialogText>{messageOf(kept.error)}</DialogText>}
    </Dialog>
  )
}

function EditForm({ agent, kept, onClose }: Props & { kept: Kept }) {
  const { isOperator: _, status, suspendedFor, invitation, methodIds, channels, ...terms } = kept
  const levels = useQuery(partnersApi.choices.query()).data?.levels
  const discountOf = (id: number | null) => levels?.find(level => level.id === id)?.discountBasisPoints
  return (
    <FormDialog<typeof TERMS, MoreTerms>
      title={`修改：${agent.companyName}`}
      submitText="保存"
      width={720}
      of={TERMS}
      known={{ ...terms, levelId: terms.levelId ?? undefined }}
      more={{ methodIds, channels }}
      refuse={values =>
        brokenTerms(values).map(({ field, code }) => ({ field, message: PARTNER_REFUSALS[code] }))
      }
      question={values => {
        const [before, after] = [discountOf(terms.levelId), discountOf(values.levelId)]
        return {
          title: `保存「${values.companyName}」？`,
          text:
            before === undefined || after === undefined || before === after
              ? '等级不变，价格不变。'
              : `等级变更后折扣由 ${discountText(before)} 变为 ${discountText(after)}：标价 100 代币的订单由付 ${before / 100} 变为付 ${after / 100} 代币。已出的报价在有效期内不变。`,
          confirmText: '保存',
        }
      }}
      send={async values => {
        await partnersApi.edit({ id: agent.id, ...values })
        toast.success('修改成功')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {status === 'suspended' && <FormNote>已暂停：{suspendedFor}</FormNote>}
          {invitation && invitation.state !== 'accepted' && (
            <FormNote>
              负责人尚未登录：{formatInstant(invitation.createdAt)} 邀请 {invitation.phone}，
              {INVITATION_STATES[invitation.state]}
            </FormNote>
          )}
          <PartnerFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
