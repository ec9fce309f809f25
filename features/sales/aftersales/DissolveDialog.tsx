import { api } from '#web/client/api.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { ConfirmBar, useTool } from './ConfirmBar.tsx'
import type { aftersales } from './contract.ts'
import { TOOL } from './fields.ts'
import { refuseDissolve } from './rules.ts'
import { ChangeTable, Notes, type Shop } from './ToolPage.tsx'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')

/** A branch leaves its head and stands for itself again. */
export function DissolveDialog({ branch, head, onClose }: { branch: Shop; head: Shop; onClose: () => void }) {
  const form = useTool({
    of: TOOL,
    question: () => ({
      title: `解除「${branch.shopName}」与「${head.shopName}」的关联？`,
      text: `商户 ID ${branch.id} 将成为独立的总店。`,
      confirmText: '确认解除',
      danger: true,
    }),
    send: async ({ reason }) => {
      await toolsApi.dissolve({ id: branch.id, revision: branch.revision, reason })
      onClose()
    },
    doneText: '解除成功',
  })
  return (
    <Dialog title={`解除关联：${branch.shopName}`} width={520} onClose={onClose}>
      <div className={styles.toolDialog}>
        <ConfirmBar form={form} submitText="解除关联" danger refusal={refuseDissolve(branch)}>
          <ChangeTable
            title="解除预览"
            rows={[
              { name: '门店类型', before: '分店', after: '总店' },
              { name: '总店', before: `${head.shopName}（${head.id}）`, after: '无' },
            ]}
          />
          <Notes notes={['版本和到期时间不变']} />
        </ConfirmBar>
      </div>
    </Dialog>
  )
}
