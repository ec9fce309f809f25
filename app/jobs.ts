// What one instance of many does by the clock: the features' own jobs, and what is cleared of past rows and unused files.
import type { Feature } from '#server/feature.ts'
import { removeUnused } from '#server/files.ts'
import type { Job } from '#server/jobs.ts'
import { CLEAR_ANSWERS } from '#server/serve.ts'
import { FEATURES } from './features.ts'
import { FILE_PURPOSES } from './joined.ts'

const declared: readonly Feature[] = Object.values(FEATURES)

export const JOBS: readonly Job[] = [
  {
    name: 'clear-past-rows',
    cron: '17 * * * *',
    async run(owner) {
      for (const statement of [CLEAR_ANSWERS, ...declared.flatMap(({ clearing = [] }) => clearing)])
        await owner.query(statement)
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
