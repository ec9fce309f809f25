import type { Feature } from '#server/feature.ts'
import { posChanges as contract } from './contract-pos.ts'
import { jobs } from './jobs.ts'
import { CHANGES_KEPT_DAYS, SHOP_SMS_LOW } from './rules.ts'
import { sequenceChanges } from './server.ts'
import { posChangesRouter as router } from './server-pos.ts'

export const feature = {
  pos: { contract, router },
  jobs,
  clearing: [{ table: 'shop_changes', at: 'at', after: CHANGES_KEPT_DAYS, job: 'clear-shop-changes' }],
  settings: [CHANGES_KEPT_DAYS, SHOP_SMS_LOW],
  loops: { changes: { everyMs: 500, afterMs: 0, work: sequenceChanges } },
} satisfies Feature
