import { and, count, desc, eq, getTableColumns, gte, inArray } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { notify } from '#features/office/notices/server-notify.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { isUploaded } from '#server/files.ts'
import { containingConditions, filtered, type ListSource, ownCondition, rowsAndTotal } from '#server/list.ts'
import { refuseSecond } from '#server/office/second.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { feedback as contract } from './contract.ts'
import { FEEDBACK } from './fields.ts'
import {
  FEEDBACK_PER_DAY,
  FEEDBACK_PICTURE,
  FEEDBACK_REFUSALS,
  FEEDBACK_STEPS,
  feedbackMessages,
  RECENT_ROWS,
  refuseAnswer,
  refuseFeedback,
} from './rules.ts'
import { feedbackMessages as messages } from './tables.ts'

const ROW = { ...getTableColumns(messages), agentName: agents.companyName }
const LATEST = [desc(messages.createdAt), desc(messages.id)]

export const submit: Verb<typeof contract.submit> = async (ctx, { content, pictureId }) => {
  const perDay = await settingOf(ctx, FEEDBACK_PER_DAY)
  const code = refuseFeedback(content, await sentToday(ctx), perDay)
  refuse(code, feedbackMessages(perDay), { field: 'content' })
  if (pictureId !== null && !(await isUploaded(ctx, pictureId, FEEDBACK_PICTURE)))
    refuse('PICTURE_UNKNOWN', FEEDBACK_REFUSALS, { field: 'pictureId' })
  const [kept] = await ctx.db
    .insert(messages)
    .values({
      agentId: ctx.actor.agentId,
      accountId: ctx.actor.accountId,
      createdByName: ctx.actor.name,
      phone: ctx.actor.mobile,
      content: content.trim(),
      pictureId,
      state: 'open',
      createdAt: ctx.now.toISOString(),
    })
    .returning({ id: messages.id })
  const { id } = found(kept)
  ctx.object('feedback', id)
  ctx.note(`反馈 (${id})`, [{ name: '内容', before: null, after: content.trim() }])
  return { id }
}

async function sentToday(ctx: Ctx): Promise<number> {
  const today = startOfDay(formatDay(ctx.now)).toISOString()
  const [counted] = await ctx.db
    .select({ sent: count() })
    .from(messages)
    .where(
      and(
        eq(messages.agentId, ctx.actor.agentId),
        eq(messages.accountId, ctx.actor.accountId),
        gte(messages.createdAt, today),
      ),
    )
  return counted?.sent ?? 0
}

export const listMine: Verb<typeof contract.mine> = async (ctx, { page, size }) => {
  const where = and(eq(messages.agentId, ctx.actor.agentId), eq(messages.accountId, ctx.actor.accountId))
  const rows = await ctx.db
    .select()
    .from(messages)
    .where(where)
    .orderBy(...LATEST)
    .limit(size)
    .offset((page - 1) * size)
  const [counted] = await ctx.db.select({ total: count() }).from(messages).where(where)
  return { rows, total: counted?.total ?? 0, totalCapped: false }
}

export const listFeedback: Verb<typeof contract.list> = (ctx, input) => {
  const list: ListSource = {
    name: 'feedback',
    table: messages,
    conditions: [
      ...ownCondition(ctx, messages.agentId),
      ...filtered(FEEDBACK, input, {
        state: messages.state,
        created: messages.createdAt,
        agentId: messages.agentId,
      }),
      ...(input.search ? containingConditions(messages.searchText, input.search) : []),
    ],
    sort: 'createdAt desc',
    order: LATEST,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(page)
      .innerJoin(messages, eq(messages.id, page.id))
      .innerJoin(agents, eq(agents.id, messages.agentId))
      .orderBy(...LATEST),
  )
}

export const feedbackDetails: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select(ROW)
    .from(messages)
    .innerJoin(agents, eq(agents.id, messages.agentId))
    .where(and(eq(messages.id, id), ownRows(ctx, messages.agentId)))
  return found(row)
}

export async function listRecent(ctx: Ctx): Promise<Out<typeof contract.recent>> {
  const own = ownRows(ctx, messages.agentId)
  const rows = await ctx.db
    .select(ROW)
    .from(messages)
    .innerJoin(agents, eq(agents.id, messages.agentId))
    .where(own)
    .orderBy(...LATEST)
    .limit(RECENT_ROWS)
  const [waiting] = await ctx.db
    .select({ open: count() })
    .from(messages)
    .where(and(eq(messages.state, 'open'), own))
  return { rows, open: waiting?.open ?? 0 }
}

export const answer: Verb<typeof contract.answer> = async (ctx, input) => {
  const [row] = await ctx.db
    .select()
    .from(messages)
    .where(and(eq(messages.id, input.id), ownRows(ctx, messages.agentId)))
    .for('update')
  const { id, agentId, state, accountId, content, answeredByName } = found(row)
  const code = refuseAnswer(input.answer, state)
  if (code === 'ANSWERED_ALREADY') await refuseSecond(ctx, code, FEEDBACK_REFUSALS, { name: answeredByName })
  refuse(code, FEEDBACK_REFUSALS, { field: 'answer' })
  const text = input.answer.trim()
  await ctx.db
    .update(messages)
    .set({
      state: FEEDBACK_STEPS.answer.to,
      answer: text,
      answeredByName: ctx.actor.name,
      answeredAt: ctx.now.toISOString(),
    })
    .where(and(eq(messages.id, id), inArray(messages.state, FEEDBACK_STEPS.answer.from)))
  await notify(ctx, {
    accountIds: [accountId],
    topic: 'FeedBackUserSendMsg',
    title: '您的反馈有新回复',
    body: text,
    link: '/admin/index?feedback=mine',
    args: { feedbackId: id },
  })
  ctx.object('feedback', id)
  ctx.about(agentId)
  ctx.note(`反馈 (${id})`, [
    { name: '内容', before: null, after: content },
    { name: '回复', before: null, after: text },
  ])
  return { id }
}

export const feedbackRouter = serve(contract, {
  submit,
  mine: listMine,
  recent: listRecent,
  list: listFeedback,
  details: feedbackDetails,
  answer,
})
