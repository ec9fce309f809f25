// What every source of a shop's timeline asks and answers with.
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { merchants } from '#features/shops/merchants/tables.ts'
import type { Out } from '#kit/declare/op.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { renewals as contract } from './contract.ts'
import type { EventKind } from './rules.ts'

export type Event = Out<typeof contract.timeline>['rows'][number]

export const SHOWN = 30

/** An id as text that sorts as the number does. */
export const place = (id: number) => String(id).padStart(12, '0')

/** Of a source for a page of the whole: one more says that there is another page, and one is the last that was shown. */
export const FETCHED = SHOWN + 2

export const event = (kind: EventKind, key: string, at: string, more: Partial<Event>): Event => ({
  kind,
  key,
  // The database leaves out zeros at the end, by which texts would sort otherwise than instants.
  at: new Date(at).toISOString(),
  title: '',
  detail: '',
  actorName: '',
  amountCents: null,
  orderNo: null,
  ...more,
})

export function isAfter(instant: string, until: string): boolean {
  return new Date(instant) > new Date(until)
}

type Asked = { merchantId: number; until?: string }
type Preparable<Row> = { prepare(name: string): { execute(values: Record<string, unknown>): Promise<Row[]> } }
/** First wall of a kept statement: the acting agent's rows, or all for vendor staff. */
type Own = (agentId: PgColumn) => SQL | undefined

/** Asks a source by a statement that the connection keeps. */
export function ask<Row>(
  ctx: Ctx,
  name: string,
  asked: Asked,
  build: (own: Own) => Preparable<Row>,
): Promise<Row[]> {
  const isOwn = ownRows(ctx, merchants.agentId) !== undefined
  const key = `timeline ${name} ${isOwn ? 'own' : 'all'}`
  const own: Own = agentId => (isOwn ? eq(agentId, sql.placeholder('agentId')) : undefined)
  return ctx.prepared(key, () => build(own).prepare(key)).execute({ ...asked, agentId: ctx.actor.agentId })
}

export const SHOP = sql.placeholder('merchantId')
export const UNTIL = sql.placeholder('until')
