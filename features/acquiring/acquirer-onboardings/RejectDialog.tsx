import { ReasonsDialog } from '#features/acquiring/refusals/ReasonsDialog.tsx'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { LIMITS, REASON_FIELDS, REFUSALS, reasonFieldsFor, refuseReasons } from './rules.ts'

type Props = {
  /** Who says no: our staff, or the acquirer. */
  by: 'reject' | 'refuse'
  data: AcquirerData
  onClose: () => void
}

/** Why it is sent back, field by field. */
export default function RejectDialog({ by, data, onClose }: Props) {
  const { id, revision } = data
  const isOurs = by === 'reject'
  return (
    <ReasonsDialog
      title={isOurs ? `驳回「${data.shopName}」的进件？` : `登记渠道驳回「${data.shopName}」`}
      note="在有问题的项目下写明原因，会逐项告诉代理商，修改后须重新审核。"
      submitText={isOurs ? '驳回' : '登记驳回'}
      done={() => ({ text: isOurs ? '已驳回' : '已登记' })}
      fields={reasonFieldsFor(data.channel, data.payType)}
      labels={REASON_FIELDS}
      max={LIMITS.reason}
      refuse={refuseReasons}
      refusals={REFUSALS}
      send={reasons => acquirerApi[by]({ id, revision, reasons })}
      of="acquirerOnboardings"
      onClose={onClose}
    />
  )
}
