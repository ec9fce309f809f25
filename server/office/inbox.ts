// What waits for people: a feature declares its kinds in `server-inbox.ts`, features/overview/inbox shows all of them as one list.
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Setting } from '#kit/declare/settings.ts'
import type { InboxItem } from '#kit/ports/inbox.ts'
import type { Ctx } from '../ctx.ts'

/** Conditions whose values are placeholders: the statement is kept per connection. */
export type InboxAsked = {
  /** First wall: rows of the acting agent, none for vendor staff, who see all. */
  own(agentId: PgColumn): SQL | undefined
  /** Rows of the acting agency, for vendor staff too. */
  agency(agentId: PgColumn): SQL
  now: SQL
  /** The acting account. */
  me: SQL
}

/** One thing as it is shown. */
export type InboxShown = Omit<InboxItem, 'source' | 'about'> & {
  about?: string
  /** What people know the shop by; empty: it is about none. */
  shopName: string
  /** Whose it is; null: nobody's. */
  agentId: number | null
  agentName: string
}

export type InboxSource = {
  key: `${string}.${string}`
  /** Its kind, unlike any other's. */
  label: string
  /** Who sees it. */
  permission: string
  /** Who may do it, and so be charged with it; as `permission` when absent. */
  decides?: string
  /** Of both when absent. */
  for?: 'staff' | 'partner'
  /** Of vendor staff too, those of the acting agency alone. */
  ofAgency?: true
  table: PgTable
  id: PgColumn
  /** Since when it waits. */
  since: PgColumn | SQL
  /** Sorts as `since` does, where an index has it. */
  order?: PgColumn
  /** Of the table's rows those that wait; an index should lead to them in the order of `since`. */
  waits(asked: InboxAsked): SQL | undefined
  /** Within so many hours somebody has been promised an answer. */
  within?: Setting
  /** These ids were found behind the walls that `waits` has. */
  shown(ctx: Ctx, ids: readonly number[]): Promise<InboxShown[]>
}

/** A column of few words holds one of these. Literals: a kept plan would not find the rare ones by their index. */
export function isWord(column: PgColumn, ...words: string[]): SQL {
  const [first, ...others] = words.map(word => `'${word}'`)
  return others.length === 0
    ? sql`${column} = ${sql.raw(first ?? '')}`
    : sql`${column} in (${sql.raw([first, ...others].join(', '))})`
}
