import { ReasonsDialog } from '#features/acquiring/refusals/ReasonsDialog.tsx'
import { type ApplicationData, applicationsApi } from './applicationsApi.tsx'
import { LIMITS, REASON_FIELDS, reasonFieldsFor, refuseReasons, STEP_REFUSALS } from './rules.ts'

type Props = { id: number; data: ApplicationData; onClose: () => void }

/** Why an application is rejected, field by field. */
export default function RejectDialog({ id, data, onClose }: Props) {
  return (
    <ReasonsDialog
      title={`驳回「${data.shopName}」的支付申请？`}
      note="在有问题的项目下写明原因，会逐项告诉代理商。"
      submitText="驳回"
      done={() => ({ text: '已驳回' })}
      fields={reasonFieldsFor(data.payType)}
      labels={REASON_FIELDS}
      max={LIMITS.reason}
      refuse={refuseReasons}
      refusals={STEP_REFUSALS}
      send={reasons => applicationsApi.reject({ id, revision: data.revision, reasons })}
      of="paymentApplications"
      onClose={onClose}
    />
  )
}
