// What is cleared every hour, by one instance: stored answers and quotes past their day, ended sessions, old login failures.
import type { Job } from '#server/jobs.ts'

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
      await owner.query(`delete from login_failures where created_at < now() - interval '1 day'`)
    },
  },
]
