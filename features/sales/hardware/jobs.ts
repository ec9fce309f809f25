import type { Job } from '#server/jobs.ts'
import { RETURN_DAYS } from './rules.ts'

export const jobs: readonly Job[] = [
  {
    name: 'complete-hardware-orders',
    cron: '27 * * * *',
    async run(owner) {
      // What can no longer be returned is done.
      await owner.query(
        `update hardware_orders set delivery_status = 'complete', finished_at = now()
         where delivery_status = 'received' and received_at < now() - make_interval(days => $1)`,
        [RETURN_DAYS],
      )
    },
  },
]
