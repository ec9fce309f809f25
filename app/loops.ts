// Work that waits in the database, looked for by every instance: payments to settle, messages to send, notices to deliver.
import { workOnCampaigns } from '#features/campaigns/server-work.ts'
import { askAboutSent } from '#features/messages/server-details.ts'
import { sendQueued } from '#features/messages/server-sending.ts'
import { redeliverNotices } from '#features/notices/server-delivery.ts'
import { workOnCallbacks } from '#features/payments/server-callbacks.ts'
import { workOnPayments } from '#features/payments/server-work.ts'
import type { LoopName, Services } from '#server/ctx.ts'
import { type Loop, startLoop } from '#server/loop.ts'

const LOOPS: Record<
  LoopName,
  { everyMs: number; afterMs: number; work: (services: Services) => Promise<boolean> }
> = {
  payments: { everyMs: 2_000, afterMs: 0, work: workOnPayments },
  callbacks: { everyMs: 2_000, afterMs: 0, work: workOnCallbacks },
  sending: { everyMs: 2_000, afterMs: 20, work: sendQueued },
  asking: { everyMs: 5_000, afterMs: 0, work: askAboutSent },
  campaigns: { everyMs: 5_000, afterMs: 0, work: workOnCampaigns },
  notices: { everyMs: 10_000, afterMs: 0, work: redeliverNotices },
}

export type Loops = Record<LoopName, Loop>

export function startLoops(services: Services): Loops {
  return Object.fromEntries(
    Object.entries(LOOPS).map(([name, { work, ...pace }]) => [
      name,
      startLoop(pace, () => work(services), services.onProblem),
    ]),
  ) as Loops
}
