import type { Job } from '#server/jobs.ts'
import { endUndecided } from './server-approval.ts'

export const jobs: readonly Job[] = [
  {
    name: 'close-import-requests',
    cron: '49 * * * *',
    async run(_owner, services) {
      await endUndecided(services)
    },
  },
]
