import type { Job } from '#server/jobs.ts'
import { KEPT_DAYS } from './rules.ts'
import { warnAccounts } from './server-alerts.ts'

export const jobs: readonly Job[] = [
  // By day in Shanghai, 09:00 to 20:00: nobody is warned at night.
  { name: 'warn-accounts', cron: '0 1-12 * * *', run: (_, services) => warnAccounts(services) },
  {
    name: 'clear-old-notices',
    cron: '57 * * * *',
    async run(owner) {
      // The oldest by number: nothing else is looked through.
      await owner.query(
        `delete from notices where id in (select id from notices order by id limit 20000)
           and created_at < now() - make_interval(days => $1)`,
        [KEPT_DAYS],
      )
    },
  },
]
