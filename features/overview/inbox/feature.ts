import type { Feature } from '#server/feature.ts'
import { inbox as contract } from './contract.ts'
import { inboxRouter as router } from './server.ts'

export const feature = {
  contract,
  router,
  // What nobody has touched for so long has been done; what waits still is nobody's again.
  clearing: [
    {
      ...{ table: 'inbox_items', at: 'changed_at', after: { days: 400 } },
      only: 'snoozed_until is null or snoozed_until < now()',
    },
  ],
} satisfies Feature
