import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, whole } from '#server/columns.ts'
import type { ContentKind } from './rules.ts'

/** Shown to all partners from `publishedAt` on while enabled. */
export const contentItems = pgTable(
  'content_items',
  {
    /** The first thousand is for the rows of the demo. */
    id: whole('id').primaryKey().generatedByDefaultAsIdentity({ startWith: 1_001 }),
    // No field: each kind is a list of its own.
    kind: text('kind').$type<ContentKind>().notNull(),
    title: text('title').notNull(),
    /** Plain text; lines stay lines. */
    body: text('body').notNull().default(''),
    /** Carousel: the uploaded picture; null: a card with the words alone. */
    // No field: shown as picture.
    pictureId: uuid('picture_id'),
    /** Path of our own page, or empty. */
    link: text('link').notNull().default(''),
    position: integer('position').notNull().default(0),
    enabled: boolean('enabled').notNull().default(true),
    publishedAt: instant('published_at').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  table => [index('content_items_kind').on(table.kind, table.publishedAt, table.id)],
)
