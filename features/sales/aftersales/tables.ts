import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { versions } from '#features/shops/versions/tables.ts'
import { id, instant, whole } from '#server/columns.ts'
import type { FieldChange } from '#server/tables.ts'
import type { ToolKind } from './rules.ts'

/** What a tool did to a shop, for the tool's own list and the shop's timeline. */
// In no list: shown whole below its tool and in the timeline.
export const toolActions = pgTable(
  'tool_actions',
  {
    id: id(),
    /** The shop's agent when it was done. */
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id').notNull(),
    shopName: text('shop_name').notNull(),
    kind: text('kind').$type<ToolKind>().notNull(),
    changes: jsonb('changes').$type<FieldChange[]>().notNull(),
    reason: text('reason').notNull(),
    createdBy: whole('created_by').notNull(),
    createdByName: text('created_by_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    index('tool_actions_kind').on(table.kind, table.id),
    index('tool_actions_agent_id').on(table.agentId, table.id),
    index('tool_actions_merchant_id').on(table.merchantId, table.id),
  ],
)

/** The versions that a shop's version may be adjusted to. */
// In no list: kept in the catalogue, and offered by its tool.
export const versionAdjustments = pgTable(
  'version_adjustments',
  {
    fromVersionId: integer('from_version_id')
      .notNull()
      .references(() => versions.id),
    toVersionId: integer('to_version_id')
      .notNull()
      .references(() => versions.id),
    enabled: boolean('enabled').notNull().default(true),
  },
  table => [primaryKey({ columns: [table.fromVersionId, table.toVersionId] })],
)
