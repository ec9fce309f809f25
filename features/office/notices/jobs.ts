import type { Job } from '#server/jobs.ts'
import { settingInSql } from '#server/office/settings.ts'
import { KEPT_DAYS } from './rules.ts'
import { warnInHours } from './server-alerts.ts'

export const jobs: readonly Job[] = [
  // By day in Shanghai, in the hours that the operator sets: nobody is warned at night.
  {
    name: 'warn-accounts',
    cron: '0 * * * *',
    run: (_, services) => warnInHours(services, services.clock.now()),
  },
  {
    name: 'clear-old-notices',
    cron: '57 * * * *',
    async run(owner) {
      // The oldest by number: nothing else is looked through.
      await owner.query(
        `delete from notices where id in (select id from notices order by id limit 20000)
           and created_at < now() - make_interval(days => ${settingInSql(KEPT_DAYS)})`,
      )
    },
  },
]
