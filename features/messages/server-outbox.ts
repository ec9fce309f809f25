// The outbox: what is to be sent by SMS is written here with what asked for it; nothing is sent from inside a transaction.
import { desc, eq, or, sql } from 'drizzle-orm'
import { merchants } from '#features/merchants/tables.ts'
import type { In, Out } from '#kit/op.ts'
import type { Ctx } from '#server/ctx.ts'
import { type Condition, equal, type ListSource, ownCondition, rowsAndTotal, within } from '#server/list.ts'
import type { messages as contract } from './contract.ts'
import type { MessageKind } from './rules.ts'
import { outboxMessages } from './tables.ts'

export type NewMessage = {
  /** Whose shop it is about. */
  agentId: number
  merchantId: number | null
  kind: MessageKind
  phone: string
  /** As it is to be sent. */
  text: string
}

/** Puts messages into the outbox in the caller's transaction. */
export async function queueMessages(ctx: Ctx, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return
  const { accountId, name } = ctx.actor
  const createdAt = new Date().toISOString()
  await ctx.db.insert(outboxMessages).values(
    messages.map(message => ({
      ...message,
      status: 'queued' as const,
      createdBy: accountId,
      createdByName: name,
      createdAt,
    })),
  )
}

const ORDER = [desc(outboxMessages.createdAt), desc(outboxMessages.id)]

export async function listOutbox(
  ctx: Ctx,
  input: In<typeof contract.outbox>,
): Promise<Out<typeof contract.outbox>> {
  const list: ListSource = {
    name: 'outbox',
    table: outboxMessages,
    id: outboxMessages.id,
    conditions: [
      ...ownCondition(ctx, outboxMessages.agentId),
      ...equal('kind', outboxMessages.kind, input.kind),
      ...within('created', outboxMessages.createdAt, input.from, input.to),
      ...searchConditions(input.search),
    ],
    sort: 'createdAt desc',
    order: ORDER,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: outboxMessages.id,
        createdAt: outboxMessages.createdAt,
        kind: outboxMessages.kind,
        merchantId: outboxMessages.merchantId,
        shopName: merchants.shopName,
        phone: outboxMessages.phone,
        text: outboxMessages.text,
        createdByName: outboxMessages.createdByName,
        status: outboxMessages.status,
      })
      .from(page)
      .innerJoin(outboxMessages, eq(outboxMessages.id, page.id))
      .leftJoin(merchants, eq(merchants.id, outboxMessages.merchantId))
      .orderBy(...ORDER),
  )
}

/** Digits are a whole phone number or a shop's id; anything else finds nothing. */
function searchConditions(search: string | undefined): Condition[] {
  if (!search) return []
  if (!/^\d{1,15}$/.test(search)) return [{ key: 'none', sql: sql`false` }]
  return [
    {
      key: 'search',
      sql: or(
        eq(outboxMessages.phone, sql.placeholder('phone')),
        eq(outboxMessages.merchantId, sql.placeholder('merchantId')),
      ),
      values: { phone: search, merchantId: Number(search) },
    },
  ]
}
