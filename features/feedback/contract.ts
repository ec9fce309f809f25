import { z } from 'zod'
import { errorsOf, op } from '#kit/op.ts'
import { pageInput, pageOf, whole } from '#kit/page.ts'
import { FEEDBACK_REFUSALS, FEEDBACK_STATE_KEYS } from './rules.ts'

/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = z.string().max(5_000)

const OwnFeedback = z.object({
  id: z.number(),
  content: z.string(),
  createdAt: z.string(),
  state: z.enum(FEEDBACK_STATE_KEYS),
  /** Empty while nobody has answered. */
  answer: z.string(),
  answeredByName: z.string(),
  answeredAt: z.string().nullable(),
})

const RecentFeedback = OwnFeedback.extend({
  agentId: z.number(),
  agentName: z.string(),
  createdByName: z.string(),
})

export const feedback = {
  submit: op(
    { permission: 'session', log: '提交反馈', idempotent: true, stale: ['feedback'] },
    { method: 'POST', path: '/feedback', summary: 'Tell the vendor something' },
  )
    .errors(errorsOf(FEEDBACK_REFUSALS))
    .input(z.object({ content: text }))
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
  ).output(z.object({ rows: z.array(RecentFeedback), open: z.number() })),
  answer: op(
    { permission: 'feedback.recent', log: '回复反馈', stale: ['feedback'] },
    { method: 'POST', path: '/feedback/{id}/answer', summary: 'Answer a feedback, once' },
  )
    .errors(errorsOf(FEEDBACK_REFUSALS))
    .input(z.object({ id: whole(1), answer: text }))
    .output(z.object({ id: z.number() })),
}
