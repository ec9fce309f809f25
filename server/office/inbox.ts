// What waits for people: a feature declares its kinds in `server-inbox.ts`, features/overview/inbox shows all of them as one list.
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { INBOX_SOURCE, INBOX_SOURCE_LENGTH, type InboxItem } from '#kit/ports/inbox.ts'

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

/** A column of few words holds one of these. Literals: a kept plan would not find the rare ones by their index. */
export function isWord(column: PgColumn, ...words: string[]): SQL {
  const [first, ...others] = words.map(word => `'${word}'`)
  return others.length === 0
    ? sql`${column} = ${sql.raw(first ?? '')}`
    : sql`${column} in (${sql.raw([first, ...others].join(', '))})`
}

/** All sources as they were declared. Throws where one is called what the inbox cannot answer, or what another is called: no row of any kind would be shown. */
export function joinSources<S extends { key: string }>(sources: readonly S[]): readonly S[] {
  const keys = sources.map(({ key }) => key)
  for (const [place, key] of keys.entries()) {
    if (!INBOX_SOURCE.test(key) || key.length > INBOX_SOURCE_LENGTH)
      throw new Error(
        `inbox source ${key}: must be <feature>.<what>, the feature in small letters and hyphens, what in letters alone, ${INBOX_SOURCE_LENGTH} at most`,
      )
    if (keys.indexOf(key) !== place) throw new Error(`inbox source ${key}: is declared twice`)
  }
  return sources
}
