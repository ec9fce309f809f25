// Recurring jobs through pg-boss: one instance of many runs each.
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Services } from './ctx.ts'

export type Job = { name: string; cron: string; run: (owner: pg.Pool, services: Services) => Promise<void> }

const STATEMENT_WITHIN_MS = 120_000

/** Connections that may die while a job holds one and asks nothing: its next statement tells, and nobody falls. */
export function openJobsPool(options: pg.PoolConfig, onProblem: (error: unknown) => void): pg.Pool {
  const pool = new pg.Pool(options)
  pool.on('error', onProblem)
  pool.on('connect', client => client.on('error', onProblem))
  return pool
}

/** Starts the schedule on the owner's connection. */
export async function startJobs(
  ownerUrl: string,
  jobs: readonly Job[],
  services: Services,
): Promise<{ stop(): Promise<void> }> {
  const bounded = {
    connectionString: ownerUrl,
    max: 2,
    connectionTimeoutMillis: 5_000,
    query_timeout: STATEMENT_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
  }
  const owner = openJobsPool(bounded, services.onProblem)
  const boss = new PgBoss({ ...bounded, application_name: 'partner-office-jobs' })
  boss.on('error', services.onProblem)
  await boss.start()
  for (const job of jobs) {
    await boss.createQueue(job.name)
    await boss.schedule(job.name, job.cron)
    await boss.work(job.name, () => job.run(owner, services))
  }
  return {
    async stop() {
      await boss.stop({ graceful: true, timeout: 5_000 })
      await owner.end()
    },
  }
}
