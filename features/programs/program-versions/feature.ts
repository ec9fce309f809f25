import type { Feature } from '#server/feature.ts'
import { programVersions as contract } from './contract.ts'
import { versionsRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { followVersions } from './server-rounds.ts'

export const feature = {
  contract,
  router,
  inbox,
  loops: { programVersions: { everyMs: 2_000, afterMs: 30, work: followVersions } },
} satisfies Feature
