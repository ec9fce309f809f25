// The one way to tell people something: a notice per account in the caller's transaction, said to open pages once it is kept.
import { randomBytes } from 'node:crypto'
import type { Ctx } from '#server/ctx.ts'
import { NOTICE_EVENT, type NoticeMessage, type Topic } from './rules.ts'

/** Accounts that are enabled, of an agent that is: these, all of an agent, or all of the vendor's staff or operator. */
export type Audience =
  | { accountIds: readonly number[] }
  | { agentId: number }
  | { vendor: 'staff' | 'operator' }

export type Notice = Audience & {
  topic: Topic
  title: string
  body: string
  /** Path of our own page that it leads to. */
  link?: `/admin/${string}`
  /** What the page reacts to by topic. */
  args?: Record<string, unknown>
  /** An account is told the same key once, ever. */
  onceKey?: string
  /** Of the audience only those who hold this permission. */
  holding?: string
  /** Of the audience not the acting account, which knows what it does. */
  exceptActor?: boolean
  /** The shop that it is about: of the audience only those who see it. */
  merchantId?: number | null
}

/** Keeps one notice for each account, as read where it has switched the topic off; answers how many are told of it. */
export async function notify(ctx: Ctx, notice: Notice): Promise<number> {
  const traceId = randomBytes(16).toString('base64url')
  const { topic, title, body, link = '', args = {} } = notice
  const { rows } = await ctx.client.query<{ account_id: string; created_at: Date }>({
    name: 'notify_accounts',
    text: `select account_id, created_at
      from notify_accounts($1, $2::bigint[], $3::bigint, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12::bigint, $13::bigint)`,
    values: [
      traceId,
      'accountIds' in notice ? notice.accountIds : [],
      'agentId' in notice ? notice.agentId : null,
      'vendor' in notice ? notice.vendor : null,
      notice.holding ?? null,
      topic,
      title,
      body,
      link,
      JSON.stringify(args),
      notice.onceKey ?? null,
      notice.exceptActor ? ctx.actor.accountId : null,
      notice.merchantId ?? null,
    ],
  })
  const first = rows[0]
  if (!first) return 0
  const accountIds = rows.map(row => Number(row.account_id))
  const createdAt = first.created_at.toISOString()
  const message: NoticeMessage = { traceId, topicName: topic, argsObj: args, title, body, link, createdAt }
  ctx.afterCommit(() => ctx.services.push(accountIds, NOTICE_EVENT, message))
  return rows.length
}
