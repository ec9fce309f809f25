import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { REMARK } from './fields.ts'
import { type FlowData, programFlowApi } from './programFlowApi.tsx'

/** A note for whoever looks after the mini program. */
export default function RemarkDialog({ data, onClose }: { data: FlowData; onClose: () => void }) {
  return (
    <FormDialog
      title={`「${data.shopName}」的备注`}
      submitText="保存"
      of={REMARK}
      known={{ remark: data.remark }}
      send={async ({ remark }) => {
        await programFlowApi.setRemark({ id: data.id, remark })
        toast.success('备注提交完成')
        await reread()
      }}
      onClose={onClose}
    />
  )
}
