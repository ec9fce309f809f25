import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { agents } from '#features/office/agents/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { CampaignStatus, Progress } from './rules.ts'

/** One text to the shops that a filter finds, paid with the agent's SMS credit. */
export const campaigns = pgTable(
  'campaigns',
  {
    id: id(),
    /** Document of its movements in the ledger. */
    // No field: kept for the ledger and the log.
    documentNo: text('document_no').notNull(),
    agentId: whole('agent_id')
      .notNull()
      .references(() => agents.id),
    name: text('name').notNull(),
    // No field: shown as the text.
    templateKey: text('template_key').notNull(),
    /** Values of the template's variables that are the same for all shops. */
    // No field: shown as the text.
    params: jsonb('params').$type<Record<string, string>>().notNull(),
    /** Filters as the list of shops takes them. */
    audience: jsonb('audience').$type<Record<string, unknown>>().notNull(),
    status: text('status').$type<CampaignStatus>().notNull(),
    /** Null: at once. */
    scheduledAt: instant('scheduled_at'),
    /** Shops that got a message into the outbox, and those left out (disabled, no mobile number). */
    queued: whole('queued').notNull().default(0),
    // No field: in its progress.
    skipped: whole('skipped').notNull().default(0),
    /** The last shop that was looked at while its messages are written. */
    // No field: in its progress.
    cursor: whole('cursor').notNull().default(0),
    /** What it was expected to reach and to cost when it was sent; null for a draft. */
    // No field: in its progress.
    expectedShops: whole('expected_shops'),
    // No field: in its progress.
    expectedSegments: whole('expected_segments'),
    /** Messages by state once none of them can change any more, so that a list need not count them. */
    progress: jsonb('progress').$type<Progress>(),
    // No field: facts of the details.
    problem: text('problem').notNull().default(''),
    /** Counts edits, so that a stale page cannot overwrite or send what somebody else wrote. */
    revision: integer('revision').notNull().default(1),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Who sent it; its messages are theirs. */
    // No field: kept for the ledger and the log.
    sentBy: whole('sent_by'),
    // No field: facts of the details.
    sentByName: text('sent_by_name'),
    // No field: facts of the details.
    startedAt: instant('started_at'),
    // No field: facts of the details.
    finishedAt: instant('finished_at'),
  },
  table => [
    uniqueIndex('campaigns_document_no').on(table.documentNo),
    index('campaigns_agent_id').on(table.agentId, table.createdAt, table.id),
    index('campaigns_created_at').on(table.createdAt, table.id),
    index('campaigns_status').on(table.status, table.scheduledAt),
  ],
)
