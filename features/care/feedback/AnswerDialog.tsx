import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Copyable } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { FeedbackRow, feedback } from './contract.ts'
import { FeedbackAnswer } from './FeedbackAnswer.tsx'
import { FeedbackPicture } from './FeedbackPicture.tsx'
import styles from './feedback.module.css'
import { FEEDBACK_ANSWER } from './fields.ts'

const feedbackApi = api<typeof feedback>('feedback')

/** One feedback in whole: answered here, or with the answer that it got. */
export default function AnswerDialog({ row, onClose }: { row: FeedbackRow; onClose: () => void }) {
  const words = (
    <div className={styles.feedbackWhole}>
      <p className={styles.feedbackBy}>
        <span>{row.agentName}</span>
        <span>{row.createdByName}</span>
        {row.phone !== '' && <Copyable text={row.phone} />}
        <time className={look.number}>{formatInstant(row.createdAt)}</time>
      </p>
      <p className={styles.feedbackText}>{row.content}</p>
      <FeedbackPicture id={row.pictureId} />
    </div>
  )
  if (row.state === 'answered')
    return (
      <Dialog title="查看反馈" width={520} onClose={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
        <div className={styles.feedbackBox}>
          {words}
          <FeedbackAnswer answer={row.answer} by={row.answeredByName} at={row.answeredAt} />
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      title="回复反馈"
      submitText="发送回复"
      of={FEEDBACK_ANSWER}
      send={async ({ answer }) => {
        await feedbackApi.answer({ id: row.id, answer }).catch((error: unknown) => {
          readAgain('feedback')
          throw error
        })
        toast.success('已回复')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {words}
          <FormFields form={form} told={{ answer: { 'data-autofocus': true } }} />
        </>
      )}
    </FormDialog>
  )
}
