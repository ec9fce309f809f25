// Staff have it handed in by the acquirer's protocol. Here it is only written down, under a number of ours; the loop of
// `server-hand-in-rounds.ts` calls the acquirer.
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { ACQUIRER_PAPER_KEYS } from '#kit/ports/acquirers.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { Refusal, refuse } from '#server/refuse.ts'
import type { acquirerOnboardings as contract } from './contract.ts'
import { handingInOf, isBeingAsked, REFUSALS, refuseAsking, refuseHandIn } from './rules.ts'
import { gather, isConnected, lackingHere } from './server-known.ts'
import { lockOnboarding, nameOf, noteOf } from './server-save.ts'
import { standingOf } from './server-steps.ts'
import { acquirerOnboardings as onboarded } from './tables.ts'

/** Answered by the next round, which is at once. */
export const ask: Verb<typeof contract.ask> = async (ctx, { id }) => {
  const { shop, row } = await lockOnboarding(ctx, { id })
  refuse(
    refuseAsking({ ...row, handingIn: handingInOf(row), isBeingAsked: isBeingAsked(row) }, ctx.now),
    REFUSALS,
  )
  refuse(isConnected(ctx, row) ? null : 'NOT_CONNECTED', REFUSALS)
  await ctx.db
    .update(onboarded)
    .set({ askedByName: nameOf(ctx), nextAt: ctx.now.toISOString() })
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
  noteOf(ctx, shop, row, [{ name: '渠道申请编号', before: null, after: row.applicationId }])
  ctx.afterCommit(() => ctx.services.wake('acquirerHandIns'))
  return { id, revision: row.revision }
}

export const handIn: Verb<typeof contract.handIn> = async (ctx, { id, revision }) => {
  const { shop, row } = await lockOnboarding(ctx, { id, revision })
  const { known } = await gather(ctx, row)
  const lacking = lackingHere(
    ctx,
    row,
    known,
    ACQUIRER_PAPER_KEYS.filter(paper => row.papers[paper] !== undefined),
  )
  const code = refuseHandIn(standingOf(row), { isConnected: isConnected(ctx, row), lacking: lacking.length })
  if (code === 'LACKING')
    throw new Refusal(code, `${REFUSALS.LACKING}：${lacking.map(({ words }) => words).join('；')}`)
  refuse(code, REFUSALS)
  await ctx.db
    .update(onboarded)
    .set({
      // What may have been handed in before is handed in under the same number.
      requestNo: row.requestNo || `A${randomUUID().replaceAll('-', '').slice(0, 31)}`,
      ...{ sentByName: nameOf(ctx), serviceMessage: '', tries: 0, nextAt: ctx.now.toISOString() },
      revision: revision + 1,
    })
    .where(and(eq(onboarded.id, id), ownRows(ctx, onboarded.agentId)))
  noteOf(ctx, shop, row, [{ name: '提交方式', before: null, after: '渠道接口' }])
  ctx.afterCommit(() => ctx.services.wake('acquirerHandIns'))
  return { id, revision: revision + 1 }
}
