// What one instance of many does by the clock: the features' own jobs, and what is cleared of past rows and unused files.
import type { Feature } from '#server/feature.ts'
import { removeUnused } from '#server/files.ts'
import type { Job } from '#server/jobs.ts'
import { FEATURES } from './features.ts'
import { FILE_PURPOSES } from './joined.ts'

const declared: readonly Feature[] = Object.values(FEATURES)

export const JOBS: readonly Job[] = [
  {
    name: 'clear-past-rows',
    cron: '17 * * * *',
    async run(owner) {
      await owner.query(`delete from idempotency_keys where created_at < now() - interval '48 hours'`)
      for (const statement of declared.flatMap(({ clearing = [] }) => clearing)) await owner.query(statement)
    },
  },
  {
    name: 'clear-unused-files',
    cron: '37 * * * *',
    async run(owner, { env }) {
      await removeUnused(owner, env.dataDir, FILE_PURPOSES)
    },
  },
  ...declared.flatMap(({ jobs = [] }) => jobs),
]
