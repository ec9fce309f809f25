import { ReasonsDialog } from '#features/acquiring/refusals/ReasonsDialog.tsx'
import { type OwnerPapersData, ownerPapersApi } from './ownerPapersApi.tsx'
import {
  LIMITS,
  LINK_DAYS,
  OWNER_PAPERS_REFUSALS,
  REASON_FIELDS,
  reasonFieldsFor,
  refuseReasons,
} from './rules.ts'

type Props = { data: OwnerPapersData; onClose: () => void }

/** Why it is sent back to the owner, field by field. */
export default function SendBackDialog({ data, onClose }: Props) {
  const { id, revision } = data
  return (
    <ReasonsDialog
      title={`退回「${data.shopName}」的店主资料？`}
      note={`在有问题的项目下写明原因，店主打开原链接即可逐项修改，链接重新有效 ${LINK_DAYS} 天。`}
      submitText="退回"
      fields={reasonFieldsFor(data.given.payType)}
      labels={REASON_FIELDS}
      max={LIMITS.reason}
      refuse={refuseReasons}
      refusals={OWNER_PAPERS_REFUSALS}
      send={reasons => ownerPapersApi.sendBack({ id, revision, reasons })}
      done={({ isTold }) =>
        isTold
          ? { text: '已退回，已短信通知店主' }
          : {
              text: '已退回。未开通短信服务，店主收不到通知和验证码，开通后才能重新签名提交',
              isWarning: true,
            }
      }
      of="ownerPapers"
      onClose={onClose}
    />
  )
}
