import type { Job } from '#server/jobs.ts'
import { warnInHours } from './server-alerts.ts'

export const jobs: readonly Job[] = [
  // By day in Shanghai, in the hours that the operator sets: nobody is warned at night.
  {
    name: 'warn-accounts',
    cron: '0 * * * *',
    run: (_, services) => warnInHours(services, services.clock.now()),
  },
]
