import type { Job } from '#server/jobs.ts'
import { expireDone } from './server-vendor.ts'

export const jobs: readonly Job[] = [
  {
    name: 'close-work-orders',
    cron: '23 * * * *',
    run: async (_owner, services) => {
      await expireDone(services)
    },
  },
]
