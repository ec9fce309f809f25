import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { typedOf } from '#kit/declare/form.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf, newKey } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Dialog } from '#web/form/Dialog.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { type FormOf, useFormOf } from '#web/form/useFormOf.ts'
import { PageSteps } from '#web/list/PageSteps.tsx'
import { OwnAffairs } from '#web/shell/OwnAffairs.tsx'
import type { feedback } from './contract.ts'
import { FeedbackAnswer } from './FeedbackAnswer.tsx'
import { FeedbackPicture } from './FeedbackPicture.tsx'
import styles from './feedback.module.css'
import { FEEDBACK_SENT } from './fields.ts'
import { FEEDBACK_STATES } from './rules.ts'

const feedbackApi = api<typeof feedback>('feedback')
const SIZE = 10

/** Tells the vendor something, and shows what one told before with the answers. */
export default function FeedbackDialog({ onClose }: { onClose: () => void }) {
  const form = useFeedback()
  return (
    <OwnAffairs>
      <Dialog title="意见反馈" width={560} dirty={form.dirty} onClose={onClose}>
        <div className={styles.feedbackBox}>
          <FormElement className={styles.feedbackForm} onSubmit={() => void form.submit()}>
            <FormFields form={form} />
            <p className={styles.feedbackMessage} role="alert">
              {form.message}
            </p>
            <div className={styles.feedbackSend}>
              <Button kind="primary" type="submit" busy={form.busy}>
                提交反馈
              </Button>
            </div>
          </FormElement>
          <History />
        </div>
      </Dialog>
    </OwnAffairs>
  )
}

function useFeedback() {
  // Another text is another feedback, also where the answer to the first was lost.
  const sent = useRef({ draft: '', idempotencyKey: '' })
  const form: FormOf<typeof FEEDBACK_SENT> = useFormOf({
    of: FEEDBACK_SENT,
    send: async values => {
      const text = JSON.stringify(values)
      if (sent.current.draft !== text) sent.current = { draft: text, idempotencyKey: newKey() }
      await feedbackApi.submit(values, sent.current)
      toast.success('反馈已提交，我们会尽快回复')
      form.rebase(typedOf(FEEDBACK_SENT), typedOf(FEEDBACK_SENT))
      await reread()
    },
  })
  return form
}

function History() {
  const [page, setPage] = useState(1)
  const mine = useQuery({
    ...feedbackApi.mine.query({ page, size: SIZE }),
    placeholderData: keepPreviousData,
  })
  const rows = mine.data?.rows ?? []
  return (
    <section className={styles.feedbackHistory} aria-label="我的反馈">
      <h3>我的反馈</h3>
      {mine.isError ? (
        <div className={styles.feedbackNone} role="alert">
          <p>{messageOf(mine.error)}</p>
          <Button onClick={() => void mine.refetch()}>重试</Button>
        </div>
      ) : rows.length === 0 ? (
        <p className={styles.feedbackNone}>{mine.isPending ? '加载中' : '您还没有提交过反馈'}</p>
      ) : (
        <ul>
          {rows.map(row => (
            <li key={row.id}>
              <p className={styles.feedbackBy}>
                <time className={look.number}>{formatInstant(row.createdAt)}</time>
                <StatusTag tone={row.state === 'open' ? 'attention' : 'done'}>
                  {FEEDBACK_STATES[row.state]}
                </StatusTag>
              </p>
              <p className={styles.feedbackText}>{row.content}</p>
              <FeedbackPicture id={row.pictureId} />
              {row.state === 'answered' && (
                <FeedbackAnswer answer={row.answer} by={row.answeredByName} at={row.answeredAt} />
              )}
            </li>
          ))}
        </ul>
      )}
      <PageSteps
        page={page}
        total={mine.data?.total ?? 0}
        size={SIZE}
        onPage={setPage}
        label="反馈记录分页"
        className={styles.feedbackSend}
      />
    </section>
  )
}
