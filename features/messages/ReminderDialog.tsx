import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { Dialog } from '#web/Dialog.tsx'
import { StatusTag } from '#web/StatusTag.tsx'
import type { messages } from './contract.ts'
import type { Shop } from './Reminders.tsx'
import {
  REMINDER_REFUSALS,
  REMINDER_TEXT,
  type ReminderRefusal,
  refuseReminder,
  reminderParams,
  renderTemplate,
} from './rules.ts'
import './messages.css'

const messagesApi = api<typeof messages>('messages')

type Result = Out<typeof messages.remind>['rows'][number]
type Props = { shops: readonly Shop[]; onSent: () => void; onClose: () => void }

/** Asks with the number and the text, then tells the result of each shop. */
export default function ReminderDialog({ shops, onSent, onClose }: Props) {
  const queries = useQueryClient()
  const remind = useMutation({
    mutationFn: () => messagesApi.remind({ merchantIds: shops.map(shop => shop.id) }),
    onSuccess: () => {
      onSent()
      return queries.invalidateQueries({ queryKey: ['messages'] })
    },
  })
  if (remind.data) return <Results rows={remind.data.rows} onClose={onClose} />
  const now = new Date()
  const judged = shops.map(shop => ({ shop, refusal: refuseReminder(shop, null, now) }))
  const first = judged.find(({ refusal }) => refusal === null)?.shop
  const able = judged.filter(({ refusal }) => refusal === null).length
  return (
    <Dialog
      title="发送续费提醒"
      width={520}
      onClose={remind.isPending ? () => undefined : onClose}
      footer={
        <>
          <Button disabled={remind.isPending} onClick={onClose}>
            取消
          </Button>
          <Button
            kind="primary"
            autoFocus
            busy={remind.isPending}
            disabled={first ? null : '所选商户都不能提醒'}
            onClick={() => remind.mutate()}
          >
            {`提醒 ${able} 家`}
          </Button>
        </>
      }
    >
      <div className="reminder-body">
        <p>
          向 <b>{able}</b> 家商户发送续费提醒短信。
          {able < shops.length && `另有 ${shops.length - able} 家不会发送：${reasonsOf(judged)}。`}
        </p>
        {first?.expiresAt && (
          <figure className="reminder-preview">
            <figcaption>{able > 1 ? `短信预览（${first.shopName}）` : '短信预览'}</figcaption>
            <blockquote>
              {renderTemplate(REMINDER_TEXT, reminderParams({ ...first, expiresAt: first.expiresAt }, now))}
            </blockquote>
          </figure>
        )}
        <p className="quiet-text">提醒由系统在后台发送，结果可在短信发件箱查看。</p>
        {remind.isError && (
          <p className="reminder-failed" role="alert">
            {messageOf(remind.error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** Each reason in the rule's own words, with how many it holds back. */
function reasonsOf(judged: readonly { refusal: ReminderRefusal | null }[]): string {
  const counts = new Map<ReminderRefusal, number>()
  for (const { refusal } of judged) if (refusal) counts.set(refusal, (counts.get(refusal) ?? 0) + 1)
  return [...counts].map(([refusal, count]) => `${REMINDER_REFUSALS[refusal]}（${count} 家）`).join('、')
}

function Results({ rows, onClose }: { rows: readonly Result[]; onClose: () => void }) {
  const queued = rows.filter(row => row.refusal === null).length
  return (
    <Dialog
      title="续费提醒结果"
      width={520}
      onClose={onClose}
      footer={
        <Button kind="primary" autoFocus onClick={onClose}>
          完成
        </Button>
      }
    >
      <div className="reminder-body">
        <p role="status">
          {queued > 0 ? `${queued} 家已加入短信发件箱，等待发送` : '没有加入短信发件箱'}
          {queued < rows.length && `；${rows.length - queued} 家未发送`}。
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
        <section className="reminder-results" tabIndex={0} aria-label="每家商户的结果">
          <table>
            <thead>
              <tr>
                <th scope="col">商户</th>
                <th scope="col">结果</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.merchantId}>
                  <td>
                    {row.shopName}
                    <span className="reminder-id">ID {row.merchantId}</span>
                  </td>
                  <td>
                    {row.refusal === null ? (
                      <StatusTag tone="neutral">待发送</StatusTag>
                    ) : (
                      <StatusTag tone="problem">{REMINDER_REFUSALS[row.refusal]}</StatusTag>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </Dialog>
  )
}
