import type { Feature } from '#server/feature.ts'
import { setup as contract } from './contract.ts'
import { setupRouter as router } from './server.ts'
import { BACKUP_AGE, backupStep } from './server-backups.ts'
import { CHECK_EVERY_MS, checkStorage, storageStep } from './server-storage.ts'

export const feature = {
  contract,
  router,
  setup: [storageStep, backupStep],
  figures: { read: [BACKUP_AGE] },
  loops: { setup: { everyMs: CHECK_EVERY_MS, afterMs: 0, work: checkStorage } },
} satisfies Feature
