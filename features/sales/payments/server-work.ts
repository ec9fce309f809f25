// What payments leave to be done: ending intents whose time is over, asking channels, sending refunds, fetching bills.
// Calls run side by side, so that a channel that does not answer holds up no other.
import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '#server/ctx.ts'
import { actAsSystem } from '#server/system.ts'
import { claimAttempts, workOnAttempt } from './server-work-attempts.ts'
import { claimBills, workOnBill } from './server-work-bills.ts'
import { claimRefunds, workOnRefund } from './server-work-refunds.ts'

const AT_ONCE = 24
const LOOK_AGAIN_MS = 250
/** A pass takes no new work after this, so that a program that stops need not wait. */
const PASS_MS = 10_000

export async function workOnPayments(services: Services): Promise<boolean> {
  const running = new Set<Promise<void>>()
  const until = performance.now() + PASS_MS
  do {
    await endIntents(services)
    const open = performance.now() < until ? AT_ONCE - running.size : 0
    const jobs = await claimJobs(services, open)
    for (const job of jobs) {
      const one: Promise<void> = job()
        .catch(services.onProblem)
        .finally(() => running.delete(one))
      running.add(one)
    }
    if (jobs.length === 0 && running.size > 0) await Promise.race([...running, pause(LOOK_AGAIN_MS)])
  } while (running.size > 0)
  return performance.now() >= until
}

async function claimJobs(services: Services, most: number): Promise<(() => Promise<void>)[]> {
  if (most <= 0) return []
  const attempts = await claimAttempts(services, most)
  const refunds = await claimRefunds(services, most)
  const bills = await claimBills(services)
  return [
    ...attempts.map(claimed => () => workOnAttempt(services, claimed)),
    ...refunds.map(claimed => () => workOnRefund(services, claimed)),
    ...bills.map(claimed => () => workOnBill(services, claimed)),
  ]
}

/** By the database's clock; the attempts of what has ended are closed at their channels at once. */
async function endIntents(services: Services): Promise<void> {
  await actAsSystem(services, 'payments', async ctx => {
    await ctx.client.query(
      `with ended as (
         update payment_intents set status = 'expired'
         where id = any(array(select id from payment_intents where status = 'waiting' and expires_at <= now()
           order by expires_at limit 200 for update skip locked))
         returning id)
       update payment_attempts set ask_at = now() from ended
       where intent_id = ended.id and payment_attempts.status in ('creating', 'waiting', 'unknown')`,
    )
  })
}
