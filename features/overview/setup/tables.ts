import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, whole } from '#server/columns.ts'

/** The steps of 开始使用 that an account has put off. */
export const setupPutOff = pgTable(
  'setup_put_off',
  {
    accountId: whole('account_id').notNull(),
    agentId: whole('agent_id').notNull(),
    step: text('step').notNull(),
    putOffAt: instant('put_off_at').notNull(),
  },
  table => [primaryKey({ columns: [table.accountId, table.step] })],
)

/** What was found when a service was last tried by the program itself; an empty problem: it works. */
// In no list: a step of 开始使用 says it.
export const serviceChecks = pgTable('service_checks', {
  service: text('service').primaryKey(),
  problem: text('problem').notNull(),
  checkedAt: instant('checked_at').notNull(),
})
