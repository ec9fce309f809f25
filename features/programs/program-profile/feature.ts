import type { Feature } from '#server/feature.ts'
import { programProfile as contract } from './contract.ts'
import { profileRouter as router } from './server.ts'
import { inbox } from './server-inbox.ts'
import { followProfiles } from './server-rounds.ts'

export const feature = {
  contract,
  router,
  inbox,
  loops: { programProfiles: { everyMs: 2_000, afterMs: 25, work: followProfiles } },
} satisfies Feature
