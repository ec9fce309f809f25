import { listInput, outputShape } from '#kit/declare/list-input.ts'
import { errorsOf, type Out, op } from '#kit/declare/op.ts'
import { pageInput, pageOf, whole } from '#kit/declare/page.ts'
import { linesText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { FEEDBACK, FEEDBACK_FIELDS } from './fields.ts'
import { FEEDBACK_REFUSALS } from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(5_000)

const FeedbackRow = z.object({
  ...outputShape(FEEDBACK_FIELDS, 'row'),
  agentName: z.string(),
  /** Of GET /api/files/{id}. */
  pictureId: z.string().nullable(),
})

const OwnFeedback = FeedbackRow.omit({ agentId: true, agentName: true, createdByName: true, phone: true })

export const feedback = {
  submit: op(
    { permission: 'session', log: '提交反馈', idempotent: true, stale: ['feedback'], whileSuspended: true },
    { method: 'POST', path: '/feedback', summary: 'Tell the vendor something' },
  )
    .errors(errorsOf(FEEDBACK_REFUSALS))
    .input(z.object({ content: text, pictureId: z.uuid().nullable().default(null) }))
    .output(z.object({ id: z.number() })),
  mine: op(
    { permission: 'session' },
    { method: 'GET', path: '/feedback/mine', summary: 'What this account told, and the answers' },
  )
    .input(z.object({ ...pageInput }))
    .output(pageOf(OwnFeedback)),
  recent: op(
    { permission: 'feedback.recent' },
    { method: 'GET', path: '/feedback/recent', summary: 'The latest feedback of all partners' },
  ).output(z.object({ rows: z.array(FeedbackRow), open: z.number() })),
  list: op(
    { permission: 'feedback.list' },
    { method: 'GET', path: '/feedback', summary: 'All feedback of partners, latest first' },
  )
    .input(z.object(listInput(FEEDBACK)))
    .output(pageOf(FeedbackRow)),
  details: op(
    { permission: 'feedback.list' },
    { method: 'GET', path: '/feedback/{id}', summary: 'One feedback of a partner' },
  )
    .input(z.object({ id: whole(1) }))
    .output(FeedbackRow),
  answer: op(
    { permission: 'feedback.list', log: '回复反馈', stale: ['feedback'] },
    { method: 'POST', path: '/feedback/{id}/answer', summary: 'Answer a feedback, once' },
  )
    .errors(errorsOf(FEEDBACK_REFUSALS))
    .input(z.object({ id: whole(1), answer: text }))
    .output(z.object({ id: z.number() })),
}

export type FeedbackRow = Out<typeof feedback.list>['rows'][number]
