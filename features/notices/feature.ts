import type { Feature } from '#server/feature.ts'
import { notices as contract } from './contract.ts'
import { jobs } from './jobs.ts'
import { noticesRouter as router } from './server.ts'
import { redeliverNotices, startDelivery } from './server-delivery.ts'

export const feature = {
  contract,
  router,
  jobs,
  loops: { notices: { everyMs: 10_000, afterMs: 0, work: redeliverNotices } },
  realtime: startDelivery,
} satisfies Feature
