import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/columns.ts'
import type { ListSource, OfferedCategory } from './rules.ts'

/** Lists of mini-program categories, each whole with its date; the newest holds. */
export const programCategoryLists = pgTable('program_category_lists', {
  id: id(),
  source: text('source').$type<ListSource>().notNull(),
  takenAt: instant('taken_at').notNull(),
  takenByName: text('taken_by_name').notNull().default(''),
  categories: jsonb('categories').$type<readonly OfferedCategory[]>().notNull(),
})
