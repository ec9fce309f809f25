// Months of the operation log: made ahead, and archived once they are linked and older than the log is kept.
import type { Job } from '#server/jobs.ts'
import { linkAll } from './server-link.ts'

/** Three months ahead; those that stand are passed over. */
export const MONTHS_AHEAD = 'select make_operation_log_months()'

export const MONTHS_JOB = 'operation-log-months'

export const JOBS: readonly Job[] = [
  {
    name: MONTHS_JOB,
    cron: '41 3 * * *',
    async run(owner, services) {
      await owner.query(MONTHS_AHEAD)
      await linkAll(owner)
      const { archivePast } = await import('./server-archive.ts')
      const client = await owner.connect()
      try {
        // Dropping waits for whoever reads the log, a few seconds; another night will do.
        await archivePast(client, services)
      } finally {
        client.release()
      }
    },
  },
]
