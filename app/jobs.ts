// What is cleared every hour, by one instance: stored answers and quotes past their day, ended sessions, old codes and login failures.
import { RETURN_DAYS } from '#features/hardware/rules.ts'
import { recountUses } from '#features/messages/server-forecast.ts'
import { KEPT_DAYS } from '#features/notices/rules.ts'
import { warnAccounts } from '#features/notices/server-alerts.ts'
import { BILL_DAYS } from '#features/payments/rules.ts'
import { REQUEST_CLOSED, UNDO_REQUEST_DAYS } from '#features/settlement/rules.ts'
import type { Services } from '#server/ctx.ts'
import { removeUnused } from '#server/files.ts'
import type { Job } from '#server/jobs.ts'
import { FILE_PURPOSES } from './files.ts'

export const CLEANING: Job[] = [
  {
    name: 'clear-past-rows',
    cron: '17 * * * *',
    async run(owner) {
      await owner.query(`delete from idempotency_keys where created_at < now() - interval '48 hours'`)
      await owner.query(
        `delete from version_orders where status = 'quoted' and created_at < now() - interval '48 hours'`,
      )
      await owner.query(`delete from sessions where expires_at < now()`)
      await owner.query(`delete from verification_codes where expires_at < now() - interval '2 days'`)
      await owner.query(
        `delete from export_jobs where expires_at < now()
           or state in ('failed', 'cancelled') and created_at < now() - interval '24 hours'`,
      )
      await owner.query(`delete from captcha_challenges where created_at < now() - interval '1 hour'`)
      await owner.query(`delete from captcha_passes where created_at < now() - interval '2 days'`)
      await owner.query(`delete from login_failures where created_at < now() - interval '1 day'`)
    },
  },
  {
    name: 'close-undo-requests',
    cron: '47 * * * *',
    async run(owner) {
      const close = `update undo_requests set state = 'rejected', decided_at = now(), decision = $1
         where state = 'pending' and`
      await owner.query(`${close} requested_at <= now() - make_interval(days => $2)`, [
        REQUEST_CLOSED.expired,
        UNDO_REQUEST_DAYS,
      ])
      await owner.query(
        `${close} case kind
           when 'version' then exists (select 1 from version_orders where order_no = undo_requests.order_no and status = 'recycled')
           when 'service' then exists (select 1 from service_orders where order_no = undo_requests.order_no and state = 'recalled')
           when 'sms' then exists (select 1 from sms_orders where order_no = undo_requests.order_no and status = 'recycled')
           else not exists (select 1 from version_orders where batch_no = undo_requests.order_no and status = 'paid') end`,
        [REQUEST_CLOSED.undone],
      )
    },
  },
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
  { name: 'recount-sms-uses', cron: '3 * * * *', run: recountUses },
]

/**
 * Each day's bill of each channel; the loop of payments fetches and compares it. At 12:30 of Shanghai all have made theirs.
 * Days on which the program did not run then are made up for, as far as channels keep bills.
 */
export function billJobs(channels: readonly string[]): Job[] {
  return [
    {
      name: 'compare-bills',
      cron: '30 * * * *',
      async run(owner) {
        await owner.query(
          `insert into payment_reconciliations (channel, day, status, wanted_at, ask_at)
           select named.channel, wanted.day, 'wanted', now(), now()
           from unnest($1::text[]) as named(channel),
             lateral (select shanghai_day(now() - interval '12 hours 30 minutes') - 1 as day) as newest,
             lateral (select min(day) as day from payment_reconciliations r where r.channel = named.channel) as known,
             generate_series(greatest(coalesce(known.day, newest.day), newest.day - $2::int), newest.day, '1 day') as wanted(day)
           on conflict do nothing`,
          [channels, BILL_DAYS],
        )
      },
    },
  ]
}

/** Pictures that were uploaded and never used. */
export function fileJobs(dataDir: string): Job[] {
  return [
    {
      name: 'clear-unused-files',
      cron: '37 * * * *',
      async run(owner) {
        await removeUnused(owner, dataDir, FILE_PURPOSES)
      },
    },
  ]
}

/** Warnings of low balances and ending terms; notices of long ago go. */
export function noticeJobs(services: Services): Job[] {
  return [
    // By day in Shanghai, 09:00 to 20:00: nobody is warned at night.
    { name: 'warn-accounts', cron: '0 1-12 * * *', run: () => warnAccounts(services) },
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
}
