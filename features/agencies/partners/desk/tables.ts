import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { PaperKind } from './rules.ts'

/** What staff wrote about a partner, for staff alone. Nothing is changed or taken away. */
export const partnerNotes = pgTable(
  'partner_notes',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    text: text('text').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('partner_notes_agent_id').on(table.agentId, table.id)],
)

/** What was signed with a partner or shown by it. The file is one of the vendor's. */
export const partnerPapers = pgTable(
  'partner_papers',
  {
    id: id(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    kind: text('kind').$type<PaperKind>().notNull(),
    name: text('name').notNull(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('partner_papers_agent_id').on(table.agentId, table.id),
    index('partner_papers_file_id').on(table.fileId),
  ],
)
