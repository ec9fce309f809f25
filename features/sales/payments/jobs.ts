import type { Job } from '#server/jobs.ts'
import { BILL_DAYS } from './rules.ts'

export const jobs: readonly Job[] = [
  {
    // Each day's bill of each channel; the loop of payments fetches and compares it. At 12:30 of Shanghai all have made theirs.
    // Days on which the program did not run then are made up for, as far as channels keep bills.
    name: 'compare-bills',
    cron: '30 * * * *',
    async run(owner, { providers }) {
      await owner.query(
        `insert into payment_reconciliations (channel, day, status, wanted_at, ask_at)
         select named.channel, wanted.day, 'wanted', now(), now()
         from unnest($1::text[]) as named(channel),
           lateral (select shanghai_day(now() - interval '12 hours 30 minutes') - 1 as day) as newest,
           lateral (select min(day) as day from payment_reconciliations r where r.channel = named.channel) as known,
           generate_series(greatest(coalesce(known.day, newest.day), newest.day - $2::int), newest.day, '1 day') as wanted(day)
         on conflict do nothing`,
        [Object.keys(providers.pay), BILL_DAYS],
      )
    },
  },
]
