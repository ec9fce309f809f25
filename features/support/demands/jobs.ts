import type { Job } from '#server/jobs.ts'
import { weighAll } from './server-weight.ts'

export const jobs: Job[] = [
  {
    name: 'demand-weights',
    cron: '40 18 * * *',
    run: async (_owner, services) => {
      await weighAll(services)
    },
  },
]
