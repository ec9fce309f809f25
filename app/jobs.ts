// What one instance of many does by the clock: the features' own jobs, and what is cleared of past rows and unused files.
import { takeDue } from '#server/checkpoints/checkpoints.ts'
import type { Feature } from '#server/feature.ts'
import type { Job } from '#server/jobs.ts'
import { clearPast } from '#server/keeping.ts'
import { removeUnused } from '#server/storage/clear-files.ts'
import { sealFiles } from '#server/storage/seal-files.ts'
import { FEATURES } from './features.ts'
import { FILE_PURPOSES } from './joined.ts'
import { CLEARED } from './keeping.ts'

const DAY_MS = 86_400_000
const declared: readonly Feature[] = Object.values(FEATURES)

const BOOKS = declared.flatMap(({ books = [] }) => books)

export const JOBS: readonly Job[] = [
  {
    name: 'clear-past-rows',
    cron: '17 * * * *',
    async run(owner) {
      await clearPast(owner, CLEARED)
    },
  },
  {
    name: 'clear-unused-files',
    cron: '37 * * * *',
    async run(owner, { storage }) {
      await removeUnused(owner, storage, FILE_PURPOSES)
    },
  },
  {
    name: 'clear-unfinished-files',
    cron: '23 4 * * *',
    // The system’s clock: the age of files, as the disk or the bucket says when they were written.
    run: (_, { storage }) => storage.clearUnfinished(new Date(Date.now() - DAY_MS)),
  },
  {
    name: 'seal-files',
    cron: '7 * * * *',
    async run(owner, services) {
      await sealFiles(owner, services, FILE_PURPOSES)
    },
  },
  {
    name: 'checkpoints',
    cron: '* * * * *',
    async run(owner, { storage, env, clock }) {
      const client = await owner.connect()
      try {
        await takeDue(client, BOOKS, { storage, env, now: clock.now() })
      } finally {
        client.release()
      }
    },
  },
  ...declared.flatMap(({ jobs = [] }) => jobs),
]
