// Recurring jobs through pg-boss: one instance of many runs each.
import pg from 'pg'
import { PgBoss } from 'pg-boss'

export type Job = { name: string; cron: string; run: (owner: pg.Pool) => Promise<void> }

/** Starts the schedule on the owner's connection. `onProblem` hears what goes wrong outside a job. */
export async function startJobs(
  ownerUrl: string,
  jobs: readonly Job[],
  onProblem: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  const owner = new pg.Pool({
    connectionString: ownerUrl,
    max: 2,
    query_timeout: 120_000,
    statement_timeout: 120_000,
  })
  owner.on('error', onProblem)
  const boss = new PgBoss({ connectionString: ownerUrl, max: 2, application_name: 'partner-office-jobs' })
  boss.on('error', onProblem)
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name)
    await boss.schedule(job.name, job.cron)
    await boss.work(job.name, () => job.run(owner))
  }
  return {
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 })
      await owner.end()
    },
  }
}
