import { MESSAGE_STATUSES, refuseSettling, SETTLE_REFUSALS } from '#features/shops/messages/rules.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { messageDesk } from './contract.ts'
import { SETTLING } from './fields.ts'
import styles from './message-desk.module.css'
import type { SentRow } from './messageCells.tsx'

const messageDeskApi = api<typeof messageDesk>('messageDesk')

/** What became of a message about which nobody could tell; a failed one is paid back. */
export default function SettleDialog({ row, onClose }: { row: SentRow; onClose: () => void }) {
  return (
    <FormDialog
      title="处理待确认短信"
      submitText="保存结果"
      of={SETTLING}
      refuse={({ note }) => {
        const code = refuseSettling(row.status, note)
        return code && { field: 'note', message: SETTLE_REFUSALS[code] }
      }}
      question={({ outcome }) => ({
        title: `将该短信标记为${MESSAGE_STATUSES[outcome]}？`,
        text:
          outcome === 'failed' && row.charged > 0
            ? `将退回 ${formatCount(row.charged)} 条短信。此操作不能撤销。`
            : '此操作不能撤销。',
        confirmText: `标记为${MESSAGE_STATUSES[outcome]}`,
      })}
      send={async ({ outcome, note }, idempotencyKey) => {
        const { returned } = await messageDeskApi.settleUnknown(
          { id: row.id, outcome, note },
          { idempotencyKey },
        )
        toast.success(returned > 0 ? `已处理，退回 ${formatCount(returned)} 条` : '已处理')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <dl className={styles.settleFacts}>
            <div>
              <dt>手机号</dt>
              <dd className={look.number}>{row.phone}</dd>
            </div>
            <div>
              <dt>短信内容</dt>
              <dd>{row.text}</dd>
            </div>
            <div>
              <dt>情况</dt>
              <dd>{row.reason || MESSAGE_STATUSES[row.status]}</dd>
            </div>
          </dl>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
