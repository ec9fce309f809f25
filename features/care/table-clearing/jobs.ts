import type { Job } from '#server/jobs.ts'
import { endPast } from './server-end.ts'

export const jobs: readonly Job[] = [
  {
    name: 'end-table-clearings',
    cron: '17 * * * *',
    run: async (_owner, services) => {
      await endPast(services)
    },
  },
]
