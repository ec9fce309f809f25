// The campaigns that a suspended agency has in the outbox wait until it is resumed, or until it is too late to send them and their
// credit goes back. Codes, notices and reminders go as ever.
import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { MessageKind } from './rules.ts'
import { outboxMessages } from './tables.ts'

/** What an agency sends of its own accord: while it is suspended none of it goes. Reminders are for the shops, and codes for its people. */
export const HELD_KINDS = ['campaign'] as const satisfies readonly MessageKind[]
/** Until when it is put off, so that the queue of all others does not stand behind it. */
const HELD_UNTIL = '9999-12-31T00:00:00.000Z'

/** They leave the way of everybody else's, so that no look at the outbox passes over them. */
export async function holdMessages(ctx: Ctx, agentId: number): Promise<void> {
  await ctx.db
    .update(outboxMessages)
    .set({ notBefore: HELD_UNTIL })
    .where(and(ofAgent(ctx, agentId), lt(outboxMessages.notBefore, HELD_UNTIL)))
}

export async function releaseMessages(ctx: Ctx, agentId: number): Promise<void> {
  await ctx.db
    .update(outboxMessages)
    .set({ notBefore: sql`now()` })
    .where(and(ofAgent(ctx, agentId), gte(outboxMessages.notBefore, HELD_UNTIL)))
  ctx.afterCommit(() => ctx.services.wake('sending'))
}

function ofAgent(ctx: Ctx, agentId: number) {
  return and(
    eq(outboxMessages.agentId, agentId),
    eq(outboxMessages.status, 'queued'),
    inArray(outboxMessages.kind, [...HELD_KINDS]),
    ownRows(ctx, outboxMessages.agentId),
  )
}
