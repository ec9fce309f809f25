import { useMutation, useQuery } from '@tanstack/react-query'
import { useLimit } from '#features/office/reference-data/useLimit.tsx'
import type { RemindedShop } from '#features/shops/merchants/slots.tsx'
import {
  REMINDER_HOURS,
  refuseReminder,
  reminderMessages,
  reminderParams,
  renderTemplate,
} from '#features/shops/messages/rules.ts'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { look } from '#web/controls/look.ts'
import type { messageDesk } from './contract.ts'
import styles from './message-desk.module.css'
import { reasonsText, SendingQuestion, SendingResults } from './SendingDialogs.tsx'

const messageDeskApi = api<typeof messageDesk>('messageDesk')

type Result = Out<typeof messageDesk.remind>['rows'][number]
type Props = { shops: readonly RemindedShop[]; onSent: () => void; onClose: () => void }

/** Asks with the number and the text, then tells the result of each shop. */
export default function ReminderDialog({ shops, onSent, onClose }: Props) {
  const remind = useMutation({
    mutationFn: () => messageDeskApi.remind({ merchantIds: shops.map(shop => shop.id) }),
    onSuccess: () => {
      onSent()
      return reread()
    },
  })
  const hours = useLimit(REMINDER_HOURS)
  const template = useQuery(messageDeskApi.reminderText.query())
  if (remind.data) return <Results rows={remind.data.rows} onClose={onClose} />
  const now = new Date()
  const judged = shops.map(shop => ({ shop, refusal: refuseReminder(shop, null, now, hours) }))
  const first = judged.find(({ refusal }) => refusal === null)?.shop
  const able = judged.filter(({ refusal }) => refusal === null).length
  const reasons = judged.map(({ refusal }) => refusal && reminderMessages(hours)[refusal])
  return (
    <SendingQuestion
      title="发送续费提醒"
      sendText={`提醒 ${able} 家`}
      disabled={first ? null : '所选商户都不能提醒'}
      sending={remind}
      onSend={() => remind.mutate()}
      onClose={onClose}
    >
      <p>
        向 <b>{able}</b> 家商户发送续费提醒短信。
        {able < shops.length && `另有 ${shops.length - able} 家不会发送：${reasonsText(reasons, '家')}。`}
      </p>
      {first?.expiresAt && template.data && (
        <figure className={styles.reminderPreview}>
          <figcaption>{able > 1 ? `短信预览（${first.shopName}）` : '短信预览'}</figcaption>
          <blockquote>
            {renderTemplate(
              template.data.text,
              reminderParams({ ...first, expiresAt: first.expiresAt }, now),
            )}
          </blockquote>
        </figure>
      )}
      <p className={look.quiet}>提醒由系统在后台发送，结果可在短信发件箱查看。</p>
    </SendingQuestion>
  )
}

function Results({ rows, onClose }: { rows: readonly Result[]; onClose: () => void }) {
  const messages = reminderMessages(useLimit(REMINDER_HOURS))
  const queued = rows.filter(row => row.refusal === null).length
  return (
    <SendingResults
      title="续费提醒结果"
      summary={
        <>
          {queued > 0 ? `${queued} 家已加入短信发件箱，等待发送` : '没有加入短信发件箱'}
          {queued < rows.length && `；${rows.length - queued} 家未发送`}。
        </>
      }
      label="每家商户的结果"
      head="商户"
      rows={rows}
      shown={({ merchantId, shopName, refusal }) => ({
        key: merchantId,
        of: (
          <>
            {shopName}
            <span className={styles.reminderId}>ID {merchantId}</span>
          </>
        ),
        refusal: refusal && messages[refusal],
      })}
      onClose={onClose}
    />
  )
}
