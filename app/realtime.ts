// What the features do when pages connect and speak.
import { holdersOf, standingSessions } from '#features/access/server-standing.ts'
import { startDelivery } from '#features/notices/server-delivery.ts'
import type { Services } from '#server/ctx.ts'
import type { RealtimeHooks } from '#server/realtime.ts'

export function realtimeHooks(services: Services): RealtimeHooks {
  return {
    holders: tokens => holdersOf(services, tokens),
    standing: sessionIds => standingSessions(services, sessionIds),
    ...startDelivery(services),
  }
}
