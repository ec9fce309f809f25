// Months of the operation log: made ahead, and dropped once they are linked and older than they are kept.
import type { Job } from '#server/jobs.ts'
import { settingInSql } from '#server/office/settings.ts'
import { KEPT_MONTHS } from './rules.ts'
import { linkAll } from './server-link.ts'

/** Three months ahead; those that stand are passed over. */
export const MONTHS_AHEAD = 'select make_operation_log_months()'

export const JOBS: readonly Job[] = [
  {
    name: 'operation-log-months',
    cron: '41 3 * * *',
    async run(owner) {
      await owner.query(MONTHS_AHEAD)
      await linkAll(owner)
      // It waits for whoever reads the log, a few seconds; another night will do.
      await owner.query(
        `select drop_operation_log_months(now() - make_interval(months => ${settingInSql(KEPT_MONTHS)}))`,
      )
    },
  },
]
