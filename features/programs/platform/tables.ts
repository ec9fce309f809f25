import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { PlatformEvent } from '#kit/ports/mini-programs.ts'
import { bytes, instant, whole } from '#server/columns.ts'

/** Tickets and tokens; a key stays when what it held is gone, so that its version never comes again. */
export const platformCredentials = pgTable('platform_credentials', {
  key: text('key').primaryKey(),
  /** Encrypted JSON; null: nothing is kept. */
  sealed: bytes('sealed'),
  version: whole('version').notNull().default(sql`0`),
  /** Which program renews it, and until when nobody else does. */
  holder: text('holder'),
  claimedUntil: instant('claimed_until'),
  changedAt: instant('changed_at').notNull(),
})

/** What the platform told, once per event. */
export const platformEvents = pgTable(
  'platform_events',
  {
    eventId: text('event_id').primaryKey(),
    /** Whom it is about, where it says so. */
    appid: text('appid'),
    kind: text('kind').$type<PlatformEvent['kind']>().notNull(),
    /** Encrypted JSON of the event. */
    sealed: bytes('sealed').notNull(),
    times: integer('times').notNull().default(1),
    /** By the platform's clock, in seconds. */
    happenedAt: instant('happened_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** Null: nobody has acted on it yet. */
    takenAt: instant('taken_at'),
  },
  table => [
    index('platform_events_appid').on(table.appid, table.happenedAt),
    index('platform_events_untaken').on(table.kind, table.receivedAt).where(sql`taken_at is null`),
  ],
)
