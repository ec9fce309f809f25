import type { Feature } from '#server/feature.ts'
import { onboardings as contract } from './contract.ts'
import { onboardingsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { handInAndAsk } from './server-service.ts'
import { zipDownload } from './server-zip.ts'

export const feature = {
  contract,
  router,
  downloads: { zip: zipDownload },
  inbox,
  loops: { onboardings: { everyMs: 5_000, afterMs: 20, work: handInAndAsk } },
} satisfies Feature
