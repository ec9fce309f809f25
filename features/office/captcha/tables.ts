import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from '#server/columns.ts'
import type { Scene } from './rules.ts'

/** A puzzle, answered at most once; the row stays for the limits, then is cleared. */
export const captchaChallenges = pgTable(
  'captcha_challenges',
  {
    id: text('id').primaryKey(),
    scene: text('scene').$type<Scene>().notNull(),
    /** Keyed hash of what it is for: a phone or a shop. */
    subjectHash: bytes('subject_hash').notNull(),
    ipHash: bytes('ip_hash').notNull(),
    x: integer('x').notNull(),
    y: integer('y').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    answeredAt: instant('answered_at'),
  },
  table => [
    index('captcha_challenges_expires').on(table.expiresAt),
    index('captcha_challenges_ip').on(table.ipHash, table.createdAt),
  ],
)

/** What a solved puzzle allows once. Used rows stay for the limits, then are cleared. */
export const captchaPasses = pgTable(
  'captcha_passes',
  {
    id: id(),
    tokenHash: bytes('token_hash').notNull().unique(),
    scene: text('scene').$type<Scene>().notNull(),
    subjectHash: bytes('subject_hash').notNull(),
    ipHash: bytes('ip_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  table => [
    index('captcha_passes_ip').on(table.ipHash, table.usedAt),
    index('captcha_passes_subject').on(table.subjectHash, table.usedAt),
    index('captcha_passes_created').on(table.createdAt),
  ],
)
