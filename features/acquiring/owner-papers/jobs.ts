import type { Job } from '#server/jobs.ts'
import { forgetUnused } from './server-forget.ts'

export const jobs: readonly Job[] = [
  {
    name: 'forget-owner-papers',
    // Daily at 03:23 of Shanghai, before papers that nothing uses are looked for.
    cron: '23 19 * * *',
    async run(_, services) {
      await forgetUnused(services, services.clock.now())
    },
  },
]
