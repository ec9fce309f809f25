import type { Job } from '#server/jobs.ts'
import { erasePast, markNeedless } from './server-erase.ts'
import { warnInHours } from './server-watch.ts'

export const jobs: readonly Job[] = [
  // Each hour that people are warned in: an office that was away in the morning tells it later that day.
  {
    name: 'warn-of-papers',
    cron: '9 * * * *',
    run: (_, services) => warnInHours(services, services.clock.now()),
  },
  {
    name: 'erase-papers',
    // Daily at 03:43 of Shanghai.
    cron: '43 19 * * *',
    async run(owner, services) {
      await markNeedless(owner, services.clock.now())
      await erasePast(services, services.clock.now())
    },
  },
]
