// The outbox as the operator reads it: what is to be sent, the latest first.
import { eq, or, sql } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { shownPhone } from '#features/shops/messages/rules.ts'
import { outboxMessages } from '#features/shops/messages/tables.ts'
import type { Verb } from '#server/ctx.ts'
import {
  type Condition,
  filtered,
  type ListSource,
  ownCondition,
  rowsAndTotal,
  sortedBy,
} from '#server/list.ts'
import type { messageDesk as contract } from './contract.ts'
import { OUTBOX } from './fields.ts'
import { SHOWN_TEXT } from './server-log.ts'

export const listOutbox: Verb<typeof contract.outbox> = async (ctx, input) => {
  const list: ListSource = {
    name: 'outbox',
    table: outboxMessages,
    conditions: [
      ...ownCondition(ctx, outboxMessages.agentId),
      ...filtered(OUTBOX, input, { kind: outboxMessages.kind, created: outboxMessages.createdAt }),
      ...searchConditions(input.search),
    ],
    ...sortedBy(input, outboxMessages, outboxMessages.id),
  }
  const answer = await rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select({
        id: outboxMessages.id,
        createdAt: outboxMessages.createdAt,
        kind: outboxMessages.kind,
        merchantId: outboxMessages.merchantId,
        shopName: merchants.shopName,
        phone: outboxMessages.phone,
        text: SHOWN_TEXT,
        createdByName: outboxMessages.createdByName,
        status: outboxMessages.status,
      })
      .from(page)
      .innerJoin(outboxMessages, eq(outboxMessages.id, page.id))
      .leftJoin(merchants, eq(merchants.id, outboxMessages.merchantId))
      .orderBy(...list.order),
  )
  return { ...answer, rows: answer.rows.map(row => ({ ...row, phone: shownPhone(row) })) }
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
